// SPDX-License-Identifier: GPL-3.0-or-later
// Entry point: findingsOf. A finding is a coincidence that a mistake explains and chance does not.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "core/compare/tensor_comparison.h"

namespace plumbline {
namespace {

constexpr double kByChance = 0.01; ///< above, a coincidence tells nothing
constexpr std::size_t kMostFindings = 5;
constexpr std::size_t kLeastSecondChannels = 4;
constexpr std::int64_t kLeastOfOneSign = 8; ///< 2 * 0.5^8 is below kByChance

/// The indices of the parts that hold mismatches.
std::vector<std::size_t> affected(const std::vector<PartCount>& parts) {
    std::vector<std::size_t> indices;
    for (std::size_t i = 0; i < parts.size(); ++i)
        if (parts[i].mismatches > 0)
            indices.push_back(i);
    return indices;
}

/// How probable it is that `hits` that are strewn over `parts` equal parts all lie in one.
double chanceOfOne(std::size_t parts, std::size_t hits) {
    return std::pow(static_cast<double>(parts), 1.0 - static_cast<double>(hits));
}

std::string withSign(int value) { return fmt::format("{:+}", value); }

class Findings {
  public:
    explicit Findings(const TensorComparison& comparison)
        : m_comparison(comparison)
        , m_places(comparison.places)
        , m_mismatches(comparison.mismatches.value_or(0))
        , m_channels(affected(m_places.channels))
        , m_rows(affected(m_places.rows))
        , m_columns(affected(m_places.columns)) {}

    std::vector<std::string> run() {
        addConstantSides();
        addOffset();
        addOneLine();
        addPart(m_places.paddedWindows, "elements whose window reaches into the padding");
        addPart(m_places.shortenedTiles, "tiles that are cut short at the edge of the output");
        addPart(m_places.tileBorders, "the first or last row or column of whole tiles");
        addChannelSets();
        addRounding();
        addSign();
        addSlices();
        if (m_found.size() > kMostFindings)
            m_found.resize(kMostFindings);
        return std::move(m_found);
    }

  private:
    std::string all() const {
        return m_mismatches == 1 ? "The one mismatch lies"
                                 : fmt::format("All {} mismatches lie", m_mismatches);
    }

    void addConstantSides() {
        if (m_comparison.elements < 2)
            return;
        if (m_comparison.theirsEverywhere)
            m_found.push_back(
                fmt::format("The reference is {} everywhere.", *m_comparison.theirsEverywhere));
        if (m_comparison.oursEverywhere)
            m_found.push_back(fmt::format("Ours is {} everywhere.", *m_comparison.oursEverywhere));
    }

    /// The one difference that is not 0, where there is only one.
    std::optional<int> onlyDifference() const {
        std::optional<int> only;
        for (const auto& [difference, count] : m_comparison.histogram) {
            if (difference != 0 && only)
                return std::nullopt;
            if (difference != 0)
                only = difference;
        }
        return only;
    }

    /// Whether all elements are off by the same.
    bool isShifted() const {
        return m_mismatches == m_comparison.elements && m_mismatches > 1 && onlyDifference();
    }

    void addOffset() {
        const auto only = onlyDifference();
        if (isShifted())
            m_found.push_back(fmt::format(
                "Every element is off by {}, as a wrong zero point makes.", withSign(*only)));
        else if (only && std::abs(*only) > 1 && m_mismatches > 1)
            m_found.push_back(
                fmt::format("All {} differences are {}.", m_mismatches, withSign(*only)));
    }

    /// The affected lines are one and chance does not explain it.
    bool isTellingLine(const std::vector<PartCount>& lines,
                       const std::vector<std::size_t>& hit) const {
        return hit.size() == 1 &&
               chanceOfOne(lines.size(), static_cast<std::size_t>(m_mismatches)) <= kByChance;
    }

    void addOneLine() {
        if (isTellingLine(m_places.channels, m_channels))
            addLine("channel", m_channels[0], m_places.channels);
        const bool row = isTellingLine(m_places.rows, m_rows);
        const bool column = isTellingLine(m_places.columns, m_columns);
        if (row && column)
            m_found.push_back(
                fmt::format("{} in row {}, column {}.", all(), m_rows[0], m_columns[0]));
        else if (row)
            addLine("row", m_rows[0], m_places.rows);
        else if (column)
            addLine("column", m_columns[0], m_places.columns);
    }

    std::string ofElements(std::int64_t elements) const {
        return fmt::format("({} of {} elements)", m_mismatches, elements);
    }

    void addLine(std::string_view what, std::size_t index, const std::vector<PartCount>& lines) {
        m_found.push_back(
            fmt::format("{} in {} {} {}.", all(), what, index, ofElements(lines[index].elements)));
    }

    /// All mismatches lie in `part`, and that is no accident: it is wrong for the most part, or the
    /// positions that they surely take are too many to be in it by chance.
    void addPart(const PartCount& part, std::string_view what) {
        if (part.mismatches != m_mismatches || part.elements == m_comparison.elements)
            return;
        const double share =
            static_cast<double>(part.elements) / static_cast<double>(m_comparison.elements);
        const auto positions = static_cast<double>(std::max(m_rows.size(), m_columns.size()));
        const bool isMostlyWrong = m_mismatches > 1 && 2 * m_mismatches >= part.elements;
        if (isMostlyWrong || std::pow(share, positions) <= kByChance)
            m_found.push_back(fmt::format("{} in {} {}.", all(), what, ofElements(part.elements)));
    }

    void addChannelSets() {
        if (m_channels.size() < 2)
            return;
        const std::vector<std::size_t> groups = affected(m_places.groups);
        if (m_places.groups.size() > 1 && groups.size() == 1 &&
            isTellingGroup(m_places.groups.size(), m_places.groups[groups[0]]))
            m_found.push_back(fmt::format("{} in channel group {} of {} {}.", all(), groups[0],
                                          m_places.groups.size(),
                                          ofElements(m_places.groups[groups[0]].elements)));
        const std::size_t parity = m_channels[0] % 2;
        const bool isOneParity =
            std::all_of(m_channels.begin(), m_channels.end(),
                        [parity](std::size_t channel) { return channel % 2 == parity; });
        const std::size_t ofParity = (m_places.channels.size() + 1 - parity) / 2;
        if (isOneParity && m_channels.size() >= kLeastSecondChannels &&
            2 * m_channels.size() > ofParity)
            m_found.push_back(fmt::format("{} in {} channels ({} of {} of them).", all(),
                                          parity == 0 ? "even" : "odd", m_channels.size(),
                                          ofParity));
    }

    bool isTellingGroup(std::size_t groups, const PartCount& group) const {
        return 2 * m_mismatches >= group.elements ||
               chanceOfOne(groups, m_channels.size()) <= kByChance;
    }

    void addRounding() {
        if (m_comparison.maxAbs != 1 || isShifted())
            return;
        const auto only = onlyDifference();
        if (m_mismatches == 1)
            m_found.push_back(fmt::format("The one difference is {}, as a rounding mistake makes.",
                                          withSign(*only)));
        else
            m_found.push_back(fmt::format("Every difference is {}, as a rounding mistake makes.",
                                          only ? withSign(*only) : "+1 or -1"));
    }

    void addSign() {
        const auto& histogram = m_comparison.histogram;
        const bool anyLower = histogram.front().first < 0;
        const bool anyHigher = histogram.back().first > 0;
        if (anyLower != anyHigher && m_mismatches >= kLeastOfOneSign && !onlyDifference())
            m_found.push_back(fmt::format("Ours is {} in all {} mismatches.",
                                          anyHigher ? "too high" : "too low", m_mismatches));
    }

    void addSlices() {
        const bool everyChannel = m_channels.size() == m_places.channels.size();
        if (m_places.slices > 1 && everyChannel && 2 * m_mismatches >= m_comparison.elements)
            m_found.push_back(fmt::format(
                "The reduction runs in {} K slices; a lost slice changes every channel.",
                m_places.slices));
    }

    const TensorComparison& m_comparison;
    const MismatchPlaces& m_places;
    std::int64_t m_mismatches;
    std::vector<std::size_t> m_channels, m_rows, m_columns; ///< those with mismatches
    std::vector<std::string> m_found;
};

} // namespace

std::vector<std::string> findingsOf(const TensorComparison& comparison) {
    if (comparison.mismatches.value_or(0) == 0)
        return {};
    return Findings(comparison).run();
}

} // namespace plumbline
