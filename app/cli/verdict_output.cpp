// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/verdict_output.h"

#include <map>

#include <fmt/ranges.h>

#include "app/cli/diagnostic_json.h"
#include "app/cli/run.h"
#include "app/cli/table.h"

namespace plumbline::cli {
namespace {

Json partsJson(const std::vector<PartCount>& parts) {
    Json mismatches = Json::array();
    for (const PartCount& part : parts)
        mismatches.push_back(part.mismatches);
    return mismatches;
}

Json placesJson(const MismatchPlaces& places) {
    return {{"channels", partsJson(places.channels)},
            {"rows", partsJson(places.rows)},
            {"columns", partsJson(places.columns)},
            {"channel_groups", partsJson(places.groups)},
            {"shortened_tiles", places.shortenedTiles.mismatches},
            {"tile_borders", places.tileBorders.mismatches},
            {"padded_windows", places.paddedWindows.mismatches},
            {"k_slices", places.slices}};
}

Json firstJson(const std::optional<ElementDifference>& first) {
    if (!first)
        return nullptr;
    return {{"h", first->h},         {"w", first->w},       {"c", first->c},
            {"index", first->index}, {"ours", first->ours}, {"theirs", first->theirs}};
}

Json comparisonJson(const std::optional<TensorComparison>& comparison) {
    if (!comparison)
        return nullptr;
    Json histogram = Json::array();
    for (const auto& [difference, count] : comparison->histogram)
        histogram.push_back({difference, count});
    const bool counted = comparison->mismatches.has_value();
    return {
        {"equal", comparison->equal},
        {"elements", comparison->elements},
        {"mismatches", orNull(comparison->mismatches)},
        {"first", firstJson(comparison->first)},
        {"max_abs", counted ? Json(comparison->maxAbs) : Json(nullptr)},
        {"sqnr_db", orNull(comparison->sqnrDb)},
        {"cosine", orNull(comparison->cosine)},
        {"histogram", std::move(histogram)},
        {"places", comparison->equal || !counted ? Json(nullptr) : placesJson(comparison->places)},
        {"findings", findingsOf(*comparison)},
        {"note", comparison->note}};
}

std::string word(const LayerVerdict& layer, const std::optional<TensorComparison>& comparison,
                 const std::optional<Fault>& fault) {
    if (fault)
        return "fault";
    if (comparison)
        return comparison->equal ? "equal" : "differs";
    return layer.theirsSha256.empty() ? "no reference" : "-";
}

/// The comparison that says most about the layer.
const TensorComparison* tellingOf(const LayerVerdict& layer) {
    if (layer.isolated && !layer.isolated->equal)
        return &*layer.isolated;
    return layer.accumulated ? &*layer.accumulated : nullptr;
}

void addRow(Table& table, const LayerVerdict& layer, bool isCulprit) {
    const TensorComparison* const telling = tellingOf(layer);
    const bool counted = telling && !telling->equal && telling->mismatches;
    std::string first = "-";
    if (counted && telling->first)
        first = fmt::format("[{},{},{}] {} / {}", telling->first->h, telling->first->w,
                            telling->first->c, telling->first->ours, telling->first->theirs);
    table.add({isCulprit ? ">" : "", std::to_string(layer.operatorIndex), layer.name,
               word(layer, layer.accumulated, layer.fault),
               word(layer, layer.isolated, layer.isolatedFault),
               counted ? fmt::format("{} of {}", *telling->mismatches, telling->elements) : "-",
               counted ? std::to_string(telling->maxAbs) : "-",
               counted && telling->sqnrDb ? fmt::format("{:.1f}", *telling->sqnrDb) : "-", first,
               shortDigest(layer.oursSha256), shortDigest(layer.theirsSha256)});
}

std::string culpritText(const Verdicts& verdicts) {
    const LayerVerdict& layer = *verdicts.of(*verdicts.culprit);
    std::string text =
        fmt::format("Culprit: operator {} {} is the first layer that is wrong by itself.\n",
                    layer.operatorIndex, layer.name);
    if (layer.isolatedFault)
        text += fmt::format("  It faults: {}\n", toDiagnostic(*layer.isolatedFault).message);
    if (layer.strayBytes > 0)
        text += fmt::format("  It changes {} of the arena outside its own tensor.\n",
                            counted(layer.strayBytes, "byte"));
    if (!layer.note.empty())
        text += fmt::format("  Note: {}.\n", layer.note);
    if (const TensorComparison* const telling = tellingOf(layer)) {
        for (const std::string& finding : findingsOf(*telling))
            text += fmt::format("  {}\n", finding);
    }
    return text;
}

/// "11 layers by index, 1 by size, 2 not used"
std::string matchText(const std::vector<LayerMatch>& matches) {
    std::map<MatchedBy, int> counts;
    for (const LayerMatch& match : matches)
        ++counts[match.by];
    std::vector<std::string> parts;
    for (const auto& [by, count] : counts)
        parts.push_back(by == MatchedBy::None ? fmt::format("{} not used", count)
                                              : fmt::format("{} by {}", count, matchedByName(by)));
    return parts.empty() ? "no layers" : "layers " + fmt::format("{}", fmt::join(parts, ", "));
}

/// Why there is no culprit although layers differ.
std::string unjudgedText(const Verdicts& verdicts) {
    constexpr std::size_t kNamed = 8;
    std::vector<std::int64_t> unjudged;
    std::uint64_t right = 0;
    for (const LayerVerdict& layer : verdicts.layers) {
        if (layer.isolated)
            ++right;
        else
            unjudged.push_back(layer.operatorIndex);
    }
    const bool isLong = unjudged.size() > kNamed;
    if (isLong)
        unjudged.resize(kNamed);
    return fmt::format("No layer is known to be wrong by itself: {} right alone, and of operators "
                       "{}{} the reference lacks the layer or what it reads.\n",
                       right == 1 ? "1 layer is" : counted(right, "layer") + " are",
                       fmt::join(unjudged, ", "), isLong ? ", ..." : "");
}

} // namespace

Json verdictLayersJson(const Verdicts& verdicts) {
    const auto digest = [](const std::string& text) {
        return text.empty() ? Json(nullptr) : Json(text);
    };
    Json layers = Json::array();
    for (const LayerVerdict& layer : verdicts.layers)
        layers.push_back({{"operator", layer.operatorIndex},
                          {"record", orNull(layer.record)},
                          {"name", layer.name},
                          {"shape", shapeOf(layer.shape)},
                          {"sha256", digest(layer.oursSha256)},
                          {"reference_sha256", digest(layer.theirsSha256)},
                          {"reference", verdicts.reference},
                          {"matched_by", matchedByName(layer.matchedBy)},
                          {"accumulated", comparisonJson(layer.accumulated)},
                          {"isolated", comparisonJson(layer.isolated)},
                          {"stray_bytes", layer.strayBytes},
                          {"fault", faultJson(layer.fault)},
                          {"isolated_fault", faultJson(layer.isolatedFault)},
                          {"note", layer.note}});
    return layers;
}

Json matchesJson(const std::vector<LayerMatch>& matches) {
    Json made = Json::array();
    for (const LayerMatch& match : matches)
        made.push_back({{"from", match.from},
                        {"by", matchedByName(match.by)},
                        {"operator", orNull(match.operatorIndex)},
                        {"note", match.note}});
    return made;
}

std::string verdictText(const Verdicts& verdicts, const std::vector<LayerMatch>& matches) {
    Table table({{""},
                 {"Operator", Table::Align::Right},
                 {"Name"},
                 {"As run"},
                 {"Alone"},
                 {"Mismatches", Table::Align::Right},
                 {"Max", Table::Align::Right},
                 {"SQNR dB", Table::Align::Right},
                 {"First element, ours / reference"},
                 {"SHA-256"},
                 {"Reference"}});
    for (const LayerVerdict& layer : verdicts.layers)
        addRow(table, layer, verdicts.culprit == layer.operatorIndex);
    std::string text =
        fmt::format("Compared with {}: {}.\n", verdicts.reference, matchText(matches));
    if (!verdicts.layers.empty())
        text += "\n" + table.text();
    text += fmt::format("\n{} compared, {} with a difference.\n",
                        counted(verdicts.compared(), "layer"), verdicts.unequal());
    if (verdicts.culprit)
        text += culpritText(verdicts);
    else if (!verdicts.doubt.empty())
        text += fmt::format("No culprit is named: {}.\n", verdicts.doubt);
    else if (verdicts.unequal() > 0)
        text += unjudgedText(verdicts);
    return text;
}

} // namespace plumbline::cli
