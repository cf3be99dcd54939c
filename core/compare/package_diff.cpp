// SPDX-License-Identifier: GPL-3.0-or-later
// What two npu.json say differently, beyond what the comparison of the lowerings tells.
#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "core/compare/diff.h"

namespace plumbline {
namespace {

using nlohmann::json;

/// Keys that are free text, identity, or told by another part of the comparison.
const std::set<std::string, std::less<>> kLeftOut{"note",     "arena_note", "cycle_model",
                                                  "compiler", "files",      "relocations"};

constexpr std::uint32_t bitOf(ChangeKind kind) { return 1U << static_cast<unsigned>(kind); }
constexpr std::uint32_t kLonely = bitOf(ChangeKind::OnlyInFirst) | bitOf(ChangeKind::OnlyInSecond);
constexpr std::uint32_t kConstants = bitOf(ChangeKind::Weights) | bitOf(ChangeKind::Params);
constexpr std::uint32_t kPlaces = bitOf(ChangeKind::Address) | bitOf(ChangeKind::Allocation);
constexpr std::uint32_t kTiles = bitOf(ChangeKind::Tiles) | bitOf(ChangeKind::Cost);

/// Values of npu.json that follow from others: they are left out where a change of one of `kinds`
/// tells the reason.
struct Topic {
    std::string_view key;
    std::uint32_t kinds;
};

/// By key of an operator's entry in the report; the change is of that operator.
constexpr Topic kOperatorTopics[] = {{"placement", bitOf(ChangeKind::Placement)},
                                     {"opcode", bitOf(ChangeKind::Placement)},
                                     {"opcode_name", bitOf(ChangeKind::Placement)},
                                     {"geometry", bitOf(ChangeKind::Field)},
                                     {"quantization", bitOf(ChangeKind::Quantization)},
                                     {"full_k", kTiles},
                                     {"k_slice", kTiles},
                                     {"k_slices", kTiles},
                                     {"single_slice", kTiles},
                                     {"tile", kTiles},
                                     {"lane_tails", kTiles | bitOf(ChangeKind::Field)},
                                     {"tail_utilization", kTiles | bitOf(ChangeKind::Field)},
                                     {"reloads", kTiles},
                                     {"buffers", bitOf(ChangeKind::Buffers)},
                                     {"weights", kConstants | bitOf(ChangeKind::Address)},
                                     {"params", kConstants | bitOf(ChangeKind::Address)},
                                     {"dma", bitOf(ChangeKind::Cost)},
                                     {"useful_macs", bitOf(ChangeKind::Cost)},
                                     {"pack_cycles", bitOf(ChangeKind::Cost)},
                                     {"estimated_cycles", bitOf(ChangeKind::Cost)},
                                     {"arena", kPlaces},
                                     {"pinned", bitOf(ChangeKind::Step)}};

/// By key of npu.json; the change is of any operator or none.
constexpr Topic kTopics[] = {{"arena_bytes", bitOf(ChangeKind::Allocation)},
                             {"input_offset", bitOf(ChangeKind::Allocation)},
                             {"steps", bitOf(ChangeKind::Step) | kLonely},
                             {"tensors", bitOf(ChangeKind::Quantization) | kLonely},
                             {"required_opcode_mask", bitOf(ChangeKind::Placement) | kLonely}};

/// By key of the report, likewise.
constexpr Topic kReportTopics[] = {{"arena_bytes", bitOf(ChangeKind::Allocation)},
                                   {"totals", bitOf(ChangeKind::Cost) | kConstants | kLonely},
                                   {"output", bitOf(ChangeKind::Allocation) | kLonely}};

std::uint32_t kindsOf(std::span<const Topic> topics, std::string_view key) {
    const auto found = std::find_if(topics.begin(), topics.end(),
                                    [key](const Topic& topic) { return topic.key == key; });
    return found == topics.end() ? 0 : found->kinds;
}

/// The place of a value, and what would explain a difference there.
struct JsonPlace {
    std::string path;
    std::optional<std::int64_t> operatorIndex = {};
    std::uint32_t kinds = 0;
};

class PackageDiffer {
  public:
    PackageDiffer(const Package& ours, const Package& theirs, const LoweringDiff& told)
        : m_ours(ours.manifest)
        , m_theirs(theirs.manifest)
        , m_told(told) {
        for (const LoweringChange& change : told.changes) {
            m_all |= bitOf(change.kind);
            if (!change.firstOperator)
                continue;
            const auto at = static_cast<std::size_t>(*change.firstOperator);
            m_ofOperator.resize(std::max(m_ofOperator.size(), at + 1));
            m_ofOperator[at] |= bitOf(change.kind);
        }
    }

    std::vector<PackageDifference> run() {
        for (const std::string& key : keysOf(m_ours, m_theirs)) {
            if (key != "report")
                member(m_ours, m_theirs, key, {key, {}, kindsOf(kTopics, key)});
        }
        const json ours = m_ours.value("report", json()), theirs = m_theirs.value("report", json());
        if (ours.is_object() && theirs.is_object())
            diffReports(ours, theirs);
        else
            diff(ours, theirs, {"report"});
        return std::move(m_out);
    }

  private:
    static std::set<std::string> keysOf(const json& a, const json& b) {
        std::set<std::string> keys;
        for (const json* object : {&a, &b}) {
            for (const auto& [key, value] : object->items()) {
                if (!kLeftOut.contains(key))
                    keys.insert(key);
            }
        }
        return keys;
    }

    /// What the report repeats of npu.json is told once.
    bool isRepeated(const json& ours, const json& theirs, const std::string& key) const {
        return ours.contains(key) && theirs.contains(key) && m_ours.contains(key) &&
               m_theirs.contains(key) && ours[key] == m_ours[key] && theirs[key] == m_theirs[key];
    }

    void diffReports(const json& ours, const json& theirs) {
        for (const std::string& key : keysOf(ours, theirs)) {
            if (key == "operators" || isRepeated(ours, theirs, key))
                continue;
            member(ours, theirs, key, {"report." + key, {}, kindsOf(kReportTopics, key)});
        }
        const json a = ours.value("operators", json()), b = theirs.value("operators", json());
        if (!a.is_array() || !b.is_array())
            return diff(a, b, {"report.operators"});
        for (const OperatorMatch& match : m_told.matches) {
            const auto i = static_cast<std::size_t>(match.first);
            const auto j = static_cast<std::size_t>(match.second);
            if (i < a.size() && j < b.size())
                diffOperators(a[i], b[j], match);
        }
    }

    void diffOperators(const json& a, const json& b, const OperatorMatch& match) {
        const std::string path = fmt::format("report.operators[{}]", match.first);
        if (!a.is_object() || !b.is_object())
            return diff(a, b, {path, match.first});
        for (const std::string& key : keysOf(a, b)) {
            // Indices that differ because others came or went are no difference.
            const bool isIndex = key == "index" || key == "descriptor_index";
            const bool shifts = (m_all & (kLonely | bitOf(ChangeKind::Moved))) != 0;
            if (!isIndex || !shifts)
                member(a, b, key, {path + "." + key, match.first, kindsOf(kOperatorTopics, key)});
        }
    }

    bool isExplained(const JsonPlace& place) const {
        if (!place.operatorIndex)
            return (m_all & place.kinds) != 0;
        const auto at = static_cast<std::size_t>(*place.operatorIndex);
        return at < m_ofOperator.size() && (m_ofOperator[at] & place.kinds) != 0;
    }

    static std::string describe(const json* value) {
        return value ? value->dump(-1, ' ', false, json::error_handler_t::replace) : "";
    }

    static std::string kindOf(const std::string& path) {
        if (path.starts_with("arena_bytes") || path.find(".arena.") != std::string::npos)
            return "arena";
        if (path.starts_with("steps"))
            return "step";
        return path.starts_with("report") ? "report" : "value";
    }

    void member(const json& a, const json& b, const std::string& key, const JsonPlace& place) {
        const json* const x = a.contains(key) ? &a[key] : nullptr;
        const json* const y = b.contains(key) ? &b[key] : nullptr;
        if (x && y)
            diff(*x, *y, place);
        else if (!isExplained(place))
            add(place, x, y);
    }

    void diff(const json& a, const json& b, const JsonPlace& place) {
        if (a == b || isExplained(place))
            return;
        if (a.is_object() && b.is_object()) {
            for (const std::string& key : keysOf(a, b))
                member(a, b, key, {place.path + "." + key, place.operatorIndex, place.kinds});
        } else if (a.is_array() && b.is_array() && a.size() == b.size()) {
            for (std::size_t i = 0; i < a.size(); ++i)
                diff(a[i], b[i],
                     {fmt::format("{}[{}]", place.path, i), place.operatorIndex, place.kinds});
        } else {
            add(place, &a, &b);
        }
    }

    void add(const JsonPlace& place, const json* a, const json* b) {
        m_out.push_back(
            {kindOf(place.path), place.operatorIndex, place.path, describe(a), describe(b)});
    }

    const json& m_ours;
    const json& m_theirs;
    const LoweringDiff& m_told;
    std::uint32_t m_all = 0;                 ///< kinds of all changes
    std::vector<std::uint32_t> m_ofOperator; ///< by operator of the first
    std::vector<PackageDifference> m_out;
};

} // namespace

std::vector<PackageDifference> diffPackages(const Package& ours, const Package& theirs,
                                            const LoweringDiff& lowerings) {
    return PackageDiffer(ours, theirs, lowerings).run();
}

Trace referenceTrace(const Package& package) {
    Trace trace;
    trace.producer = "reference digests of " + package.directory.string();
    const json::json_pointer path("/report/operators");
    if (!package.manifest.contains(path) || !package.manifest[path].is_array())
        return trace;
    for (const json& entry : package.manifest[path]) {
        if (!entry.is_object() || !entry.contains("reference_sha256") ||
            !entry["reference_sha256"].is_string() || !entry.contains("index") ||
            !entry["index"].is_number_integer())
            continue;
        TraceLayer layer;
        layer.operatorIndex = entry["index"].get<std::int64_t>();
        layer.sha256 = entry["reference_sha256"].get<std::string>();
        if (entry.contains("operator") && entry["operator"].is_string())
            layer.name = entry["operator"].get<std::string>();
        if (entry.contains("reference_shape") && entry["reference_shape"].is_array()) {
            std::uint64_t count = 1;
            for (const json& extent : entry["reference_shape"]) {
                if (extent.is_number_unsigned()) {
                    layer.shape.push_back(extent.get<std::int64_t>());
                    count *= extent.get<std::uint64_t>();
                }
            }
            layer.byteCount = count;
        }
        trace.layers.push_back(std::move(layer));
    }
    return trace;
}

} // namespace plumbline
