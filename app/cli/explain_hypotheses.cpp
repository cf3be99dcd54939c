// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/explain_hypotheses.h"

#include <algorithm>
#include <array>

#include <fmt/ranges.h>

#include "app/cli/subject.h"
#include "app/cli/table.h"
#include "core/artifacts/npy.h"
#include "core/compare/hypotheses.h"
#include "core/graph/tensor_size.h"
#include "core/lowering/target.h"

namespace plumbline::cli {
namespace {

/// Mistakes that only ties tell apart, from each other and from the right arithmetic.
constexpr std::array<std::string_view, 3> kTieMistakes{"round-half-even", "round-half-up",
                                                       "single-rounding"};

Hwc shapeOfLayer(const Lowering& lowering, std::int64_t operatorIndex) {
    for (const LayerIdentity& layer : layerIdentities(lowering)) {
        if (layer.operatorIndex == operatorIndex)
            return layer.shape;
    }
    failUsage(fmt::format("Operator {} makes no layer.", operatorIndex));
}

Bytes readObserved(const std::string& path, const Hwc& shape) {
    const std::vector<std::int64_t> extents = shapeOf(shape);
    Result<Bytes> observed = loadInput(path, tensorBytes(shape).value_or(0), extents);
    if (!observed)
        throw Failure(inFile(std::move(observed).diagnostics(), path));
    return *std::move(observed);
}

Json hypothesisJson(const Hypothesis& one, std::int64_t elements) {
    return {{"name", one.name},
            {"explained", one.explained},
            {"elements", elements},
            {"exact", one.exact},
            {"equivalent", one.equivalent}};
}

Json rankingJson(const HypothesisRanking& ranking) {
    Json hypotheses = Json::array();
    for (const Hypothesis& one : ranking.hypotheses)
        hypotheses.push_back(hypothesisJson(one, ranking.elements));
    return {{"operator", ranking.operatorIndex},
            {"elements", ranking.elements},
            {"healthy_explained", ranking.healthyExplained},
            {"healthy", ranking.healthy},
            {"hypotheses", std::move(hypotheses)},
            {"unchanged", ranking.unchanged},
            {"impossible", ranking.impossible}};
}

std::string hypothesesText(const HypothesisRanking& ranking) {
    if (ranking.hypotheses.empty())
        return "No named mistake explains more than the right arithmetic does.\n";
    Table table(
        {{"Hypothesis"}, {"Explained", Table::Align::Right}, {"Exact"}, {"Same bytes here"}});
    constexpr std::size_t kShown = 10;
    const std::span all(ranking.hypotheses);
    std::size_t shown = 0;
    for (; shown < all.size() && (shown < kShown || all[shown].exact); ++shown)
        table.add({all[shown].name, grouped(all[shown].explained), all[shown].exact ? "yes" : "",
                   fmt::format("{}", fmt::join(all[shown].equivalent, ", "))});
    std::string text = table.text();
    if (shown < all.size())
        text += fmt::format("{} more explain less; --json lists them.\n", all.size() - shown);
    if (!all.front().exact)
        text += fmt::format(
            "\nNone is exact: the best explains {} more than the right arithmetic.\n",
            counted(static_cast<std::uint64_t>(all.front().explained - ranking.healthyExplained),
                    "byte"));
    return text;
}

/// The tie mistakes among `names`.
std::vector<std::string_view> tieMistakes(const std::vector<std::string>& names) {
    std::vector<std::string_view> found;
    std::copy_if(kTieMistakes.begin(), kTieMistakes.end(), std::back_inserter(found),
                 [&](std::string_view tie) {
                     return std::find(names.begin(), names.end(), tie) != names.end();
                 });
    return found;
}

/// What cannot be told from this layer about rounding; empty where all can.
std::string roundingNote(const HypothesisRanking& ranking) {
    std::string note;
    if (const auto hidden = tieMistakes(ranking.unchanged); !hidden.empty())
        note += fmt::format("\n{}: changes no byte here. Only ties tell it from the right "
                            "rounding, and the layer has none that its bounds do not hide.\n",
                            fmt::join(hidden, ", "));
    for (const Hypothesis& one : ranking.hypotheses) {
        const auto same = tieMistakes(one.equivalent);
        if (tieMistakes({one.name}).empty() || same.empty() || same.front() < one.name)
            continue;
        note += fmt::format("\n{} and {} cannot be told apart here: no tie shows the "
                            "difference.\n",
                            one.name, fmt::join(same, ", "));
    }
    return note;
}

std::string rankingText(const HypothesisRanking& ranking, const std::string& name) {
    const std::string title = fmt::format("Operator {} {}", ranking.operatorIndex, name);
    if (ranking.healthy)
        return fmt::format("{} is healthy: all {} bytes are what the contract's arithmetic gives "
                           "for its inputs.\n",
                           printable(title), grouped(ranking.elements));
    return fmt::format("{}: {} of {} bytes differ; the right arithmetic explains {}.\n\n",
                       printable(title), grouped(ranking.elements - ranking.healthyExplained),
                       grouped(ranking.elements), grouped(ranking.healthyExplained)) +
           hypothesesText(ranking) + roundingNote(ranking);
}

} // namespace

ExitCode listHypotheses(Console& console) {
    std::size_t width = 0;
    Json list = Json::array();
    for (const MistakeInfo& mistake : npuP0Target().mistakes()) {
        width = std::max(width, mistake.name.size());
        list.push_back({{"name", mistake.name}, {"sentence", mistake.sentence}});
    }
    if (console.json) {
        console.writeJson(list);
        return ExitCode::Ok;
    }
    for (const MistakeInfo& mistake : npuP0Target().mistakes())
        console.print("{:<{}}  {}\n", mistake.name, width, mistake.sentence);
    return ExitCode::Ok;
}

ExitCode explainLayer(const ExplainOptions& options, Console& console) {
    const ExplainSource source = openForExplain(options, console);
    const auto operatorIndex = static_cast<std::int64_t>(*options.layer);
    const Bytes observed =
        readObserved(options.observed, shapeOfLayer(*source.lowering, operatorIndex));
    const std::optional<Reference> reference = explainReference(options, source, console);
    const LayerSite site =
        valueOf(siteOf(source.runner, source.input, reference ? &reference->trace : nullptr,
                       operatorIndex, console.context()));
    const HypothesisRanking ranking =
        valueOf(rankHypotheses(site, npuP0Target().mistakes(), observed, console.context()));
    if (console.json)
        console.writeJson(rankingJson(ranking));
    else
        console.write(rankingText(ranking, source.runner->steps()[site.step].name));
    return ranking.healthy ? ExitCode::Ok : ExitCode::Mismatch;
}

} // namespace plumbline::cli
