// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/diagnostic_json.h"
#include "app/cli/explain.h"

namespace plumbline::cli {
namespace {

Json elementJson(const ElementIndex& e) { return Json::array({e.h, e.w, e.c}); }

Json sourceJson(const std::optional<ReplaySource>& source) {
    if (!source || source->region.empty())
        return nullptr;
    return toText(selectSpan(source->region, source->offset));
}

Json indexJson(std::int64_t index) { return index < 0 ? Json(nullptr) : Json(index); }

Json stepJson(const ReplayStep& step) {
    const bool hasPlace = step.inputFrom || step.isPadding;
    return {{"kind", replayKindName(step.kind)},
            {"before", step.before},
            {"result", step.result},
            {"input", step.input},
            {"weight", step.weight},
            {"parameter", step.parameter},
            {"parameter2", step.parameter2},
            {"slice", indexJson(step.slice)},
            {"k", indexJson(step.k)},
            {"at", hasPlace ? elementJson(step.at) : Json(nullptr)},
            {"padding", step.isPadding},
            {"input_from", sourceJson(step.inputFrom)},
            {"weight_from", sourceJson(step.weightFrom)},
            {"parameter_from", sourceJson(step.parameterFrom)},
            {"operand", step.operand.empty() ? Json(nullptr) : Json(step.operand)},
            {"text", replayText(step)}};
}

} // namespace

Json explainJson(const ExplainedElement& explained) {
    const Explanation& made = explained.explanation;
    Json steps = Json::array();
    for (const ReplayStep& step : made.steps)
        steps.push_back(stepJson(step));
    return {{"operator", made.operatorIndex},
            {"name", made.operatorName},
            {"record", orNull(made.record)},
            {"element", elementJson(made.element)},
            {"tile", orNull(made.tile)},
            {"position", made.position},
            {"group", made.group},
            {"lane", made.lane},
            {"slices", made.slices},
            {"output", sourceJson(made.output)},
            {"value", made.value},
            {"input", explained.input},
            {"reference", orNull(explained.reference)},
            {"reference_name",
             explained.referenceName.empty() ? Json(nullptr) : Json(explained.referenceName)},
            {"steps", std::move(steps)}};
}

} // namespace plumbline::cli
