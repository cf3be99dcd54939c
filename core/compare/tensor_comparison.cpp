// SPDX-License-Identifier: GPL-3.0-or-later
// Entry point: compareTensors. One pass over the elements; what a place is (padded, shortened,
// border) is known per row and per column beforehand.
#include "core/compare/tensor_comparison.h"

#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

#include "core/graph/tensor_size.h"
#include "core/lowering/tile_walk.h"

namespace plumbline {
namespace {

constexpr int kMostDifference = 255; // 127 - -128

std::int64_t sizeOf(ByteView bytes) { return static_cast<std::int64_t>(bytes.size()); }
int valueAt(ByteView bytes, std::size_t i) { return static_cast<std::int8_t>(bytes[i]); }

/// The place of `difference` in a histogram that begins with the lowest.
std::size_t slotOf(int difference) {
    const int slot = difference + kMostDifference;
    return static_cast<std::size_t>(slot);
}

/// What is special about the elements of one row, or of one column.
struct LineFacts {
    bool isShortened = false; ///< in tiles cut short in this direction
    bool isBorder = false;    ///< first or last of its tiles
    bool isPadded = false;    ///< windows reach into the padding in this direction
};

/// Facts of `count` rows or columns with tiles of `tile` of them.
std::vector<LineFacts> lineFacts(std::int64_t count, std::int64_t tile) {
    std::vector<LineFacts> facts(static_cast<std::size_t>(count));
    for (std::int64_t i = 0; i < count; ++i) {
        LineFacts& line = facts[static_cast<std::size_t>(i)];
        line.isShortened = i / tile * tile + tile > count;
        line.isBorder = i % tile == 0 || i % tile == tile - 1;
    }
    return facts;
}

std::vector<LineFacts> rowFacts(const TileWalk& walk) {
    std::vector<LineFacts> facts = lineFacts(walk.geometry().oh, walk.plan().tileH);
    for (std::size_t y = 0; y < facts.size(); ++y) {
        const GridRect window = walk.window({static_cast<std::int64_t>(y), 0, 1, 1});
        facts[y].isPadded = window.y < 0 || window.y + window.h > walk.geometry().h;
    }
    return facts;
}

std::vector<LineFacts> columnFacts(const TileWalk& walk) {
    std::vector<LineFacts> facts = lineFacts(walk.geometry().ow, walk.plan().tileW);
    for (std::size_t x = 0; x < facts.size(); ++x) {
        const GridRect window = walk.window({0, static_cast<std::int64_t>(x), 1, 1});
        facts[x].isPadded = window.x < 0 || window.x + window.w > walk.geometry().w;
    }
    return facts;
}

void add(PartCount& part, std::int64_t mismatches, std::int64_t elements) {
    part.mismatches += mismatches;
    part.elements += elements;
}

/// Counts elements and mismatches; the sums behind SQNR and cosine are exact integers.
class ElementCounter {
  public:
    ElementCounter(ByteView ours, ByteView theirs, const Hwc& shape,
                   const std::optional<TileWalk>& walk)
        : m_ours(ours)
        , m_theirs(theirs)
        , m_shape(shape)
        , m_rows(walk ? rowFacts(*walk) : std::vector<LineFacts>{})
        , m_columns(walk ? columnFacts(*walk) : std::vector<LineFacts>{}) {
        m_places.channels.resize(static_cast<std::size_t>(shape.c));
        m_places.rows.resize(static_cast<std::size_t>(shape.h));
        m_places.columns.resize(static_cast<std::size_t>(shape.w));
    }

    void run() {
        for (std::int64_t y = 0; y < m_shape.h; ++y)
            for (std::int64_t x = 0; x < m_shape.w; ++x)
                countPosition(y, x);
        for (PartCount& channel : m_places.channels)
            channel.elements = m_shape.h * m_shape.w;
    }

    void fill(TensorComparison& made, std::int64_t zeroPoint) {
        made.mismatches = 0;
        std::int64_t noise = 0;
        for (int d = -kMostDifference; d <= kMostDifference; ++d) {
            const std::int64_t count = m_histogram[slotOf(d)];
            if (count == 0)
                continue;
            made.histogram.emplace_back(d, count);
            *made.mismatches += d == 0 ? 0 : count;
            made.maxAbs = std::max<std::int64_t>(made.maxAbs, std::abs(d));
            noise += count * d * d;
        }
        made.equal = *made.mismatches == 0;
        made.first = m_first;
        fillRatios(made, static_cast<double>(zeroPoint), static_cast<double>(noise));
        if (!made.equal)
            made.places = std::move(m_places);
    }

  private:
    void countPosition(std::int64_t y, std::int64_t x) {
        const auto base = static_cast<std::size_t>((y * m_shape.w + x) * m_shape.c);
        std::int64_t here = 0;
        for (std::size_t c = 0; c < m_places.channels.size(); ++c) {
            const int a = valueAt(m_ours, base + c);
            const int b = valueAt(m_theirs, base + c);
            ++m_histogram[slotOf(a - b)];
            m_sumA += a, m_sumB += b;
            m_sumAA += a * a, m_sumBB += b * b, m_sumAB += a * b;
            if (a == b)
                continue;
            ++here;
            ++m_places.channels[c].mismatches;
            if (!m_first)
                m_first = {y, x, static_cast<std::int64_t>(c), static_cast<std::int64_t>(base + c),
                           a, b};
        }
        addPosition(static_cast<std::size_t>(y), static_cast<std::size_t>(x), here);
    }

    void addPosition(std::size_t y, std::size_t x, std::int64_t mismatches) {
        add(m_places.rows[y], mismatches, m_shape.c);
        add(m_places.columns[x], mismatches, m_shape.c);
        if (m_rows.empty())
            return;
        const LineFacts& row = m_rows[y];
        const LineFacts& column = m_columns[x];
        if (row.isShortened || column.isShortened)
            add(m_places.shortenedTiles, mismatches, m_shape.c);
        else if (row.isBorder || column.isBorder)
            add(m_places.tileBorders, mismatches, m_shape.c);
        if (row.isPadded || column.isPadded)
            add(m_places.paddedWindows, mismatches, m_shape.c);
    }

    void fillRatios(TensorComparison& made, double zero, double noise) const {
        const auto count = static_cast<double>(m_ours.size());
        const auto a = static_cast<double>(m_sumA), b = static_cast<double>(m_sumB);
        const double ours = static_cast<double>(m_sumAA) - 2 * zero * a + count * zero * zero;
        const double theirs = static_cast<double>(m_sumBB) - 2 * zero * b + count * zero * zero;
        const double both = static_cast<double>(m_sumAB) - zero * (a + b) + count * zero * zero;
        if (theirs > 0 && noise > 0)
            made.sqnrDb = 10 * std::log10(theirs / noise);
        if (ours > 0 && theirs > 0)
            made.cosine =
                noise > 0 ? std::clamp(both / (std::sqrt(ours) * std::sqrt(theirs)), -1.0, 1.0) : 1;
    }

    ByteView m_ours, m_theirs;
    Hwc m_shape;
    std::vector<LineFacts> m_rows, m_columns; ///< empty where there are no tiles
    std::array<std::int64_t, 2 * kMostDifference + 1> m_histogram{};
    std::int64_t m_sumA = 0, m_sumB = 0, m_sumAA = 0, m_sumBB = 0, m_sumAB = 0;
    std::optional<ElementDifference> m_first;
    MismatchPlaces m_places;
};

/// The walk of `op` when it is one over `shape`.
std::optional<TileWalk> walkOver(const LoweredOperator* op, const Hwc& shape) {
    if (op == nullptr || op->placement != Placement::Npu)
        return std::nullopt;
    const OperatorGeometry& g = op->geometry;
    return Hwc{g.oh, g.ow, g.cout} == shape ? TileWalk::of(*op) : std::nullopt;
}

std::vector<PartCount> groupCounts(const std::vector<PartCount>& channels, std::int64_t lanes) {
    std::vector<PartCount> groups;
    for (std::size_t c = 0; c < channels.size(); ++c) {
        if (static_cast<std::int64_t>(c) % lanes == 0)
            groups.emplace_back();
        add(groups.back(), channels[c].mismatches, channels[c].elements);
    }
    return groups;
}

std::optional<int> valueEverywhere(ByteView bytes) {
    const bool isOne = std::all_of(bytes.begin(), bytes.end(),
                                   [&](std::uint8_t byte) { return byte == bytes.front(); });
    return isOne ? std::optional<int>(valueAt(bytes, 0)) : std::nullopt;
}

} // namespace

TensorComparison compareTensors(ByteView ours, ByteView theirs, const Hwc& shape,
                                std::int64_t zeroPoint, const LoweredOperator* op) {
    TensorComparison made;
    const std::optional<std::uint64_t> bytes = tensorBytes(shape);
    made.elements = static_cast<std::int64_t>(bytes.value_or(0));
    if (!bytes || ours.size() != *bytes || theirs.size() != *bytes) {
        made.equal = std::equal(ours.begin(), ours.end(), theirs.begin(), theirs.end());
        made.note = fmt::format("The tensor {} has {} bytes, ours {}, the reference's {}.",
                                toText(shape), made.elements, sizeOf(ours), sizeOf(theirs));
        return made;
    }
    const std::optional<TileWalk> walk = walkOver(op, shape);
    ElementCounter counter(ours, theirs, shape, walk);
    counter.run();
    counter.fill(made, zeroPoint);
    made.oursEverywhere = valueEverywhere(ours);
    made.theirsEverywhere = valueEverywhere(theirs);
    if (walk && !made.equal) {
        made.places.groups = groupCounts(made.places.channels, walk->plan().facts.lanes);
        if (walk->plan().facts.reduction != Reduction::None)
            made.places.slices = walk->slices();
    }
    return made;
}

} // namespace plumbline
