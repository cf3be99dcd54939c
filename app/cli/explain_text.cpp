// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/explain.h"
#include "app/cli/table.h"

namespace plumbline::cli {
namespace {

std::string referenceText(const ExplainedElement& explained) {
    if (!explained.reference)
        return fmt::format("no bytes of this layer in {}", explained.referenceName);
    return fmt::format("{} in {}: {}", *explained.reference, explained.referenceName,
                       explained.differs() ? "differs" : "equal");
}

std::string headingText(const ExplainedElement& explained) {
    const Explanation& made = explained.explanation;
    LabelledLines lines;
    lines.add("Operator", fmt::format("{} {}", made.operatorIndex, made.operatorName));
    if (made.record)
        lines.add("Record", std::to_string(*made.record));
    lines.add("Element", fmt::format("({},{},{})", made.element.h, made.element.w, made.element.c));
    lines.add("Input", explained.input);
    if (made.tile) {
        lines.add("Tile", fmt::format("{}, position {}", *made.tile, made.position));
        lines.add("Group", fmt::format("{}, lane {}", made.group, made.lane));
        lines.add("Slices", std::to_string(made.slices));
    }
    if (!made.output.region.empty())
        lines.add("Written to", fmt::format("{} 0x{:x}", made.output.region, made.output.offset));
    lines.add("Value", std::to_string(made.value));
    if (!explained.referenceName.empty())
        lines.add("Reference", referenceText(explained));
    return printable(lines.text());
}

/// A step of the reduction or of the softmax's row; --brief leaves it out.
bool isReduction(const ReplayStep& step) {
    return step.k >= 0 && step.kind != ReplayKind::SliceEnd;
}

} // namespace

std::string explainText(const ExplainedElement& explained, bool brief) {
    const std::vector<ReplayStep>& steps = explained.explanation.steps;
    Table table({{"Step", Table::Align::Right}, {"What"}});
    for (std::size_t i = 0; i < steps.size(); ++i) {
        if (!brief || !isReduction(steps[i]))
            table.add({std::to_string(i), replayText(steps[i])});
    }
    return headingText(explained) + "\n" + table.text();
}

} // namespace plumbline::cli
