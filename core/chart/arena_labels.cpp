// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/chart/arena_labels.h"

#include <algorithm>

#include <fmt/format.h>

#include "core/base/text.h"
#include "core/chart/text_width.h"

namespace plumbline {
namespace {

constexpr double kLeastName = 7; ///< em; in less room, a cut name says nothing
constexpr double kPadding = 3;   ///< left and right of a block's text
constexpr double kMarkPadding = 3;
constexpr double kLineHeight = 1.2;

} // namespace

std::string allocationName(const Allocation& allocation) {
    return allocation.name.empty() ? fmt::format("tensor {}", allocation.tensor)
                                   : printable(allocation.name);
}

std::string arenaStepName(const Lowering& lowering, std::int64_t step) {
    const auto index = static_cast<std::size_t>(step);
    if (step < 0 || index >= lowering.operators.size())
        return std::to_string(step);
    return fmt::format("{} {}", step, printable(lowering.operators[index].name));
}

std::string highWaterText(const ArenaPlan& plan, const std::string& address) {
    return fmt::format("high water {} = {}", address, exactBytesText(plan.peakBytes));
}

std::string peakText(const Lowering& lowering, const ArenaPlan& plan) {
    return "peak at " + arenaStepName(lowering, plan.peakOperator);
}

std::string minimumText(const ArenaPlan& plan) {
    return plan.minimumBytes == plan.peakBytes ? "the minimum: no plan needs less"
                                               : "minimum " + exactBytesText(plan.minimumBytes);
}

double arenaLineHeight(double size) { return kLineHeight * size; }

GraphRect arenaMarkBox(const GraphPoint& at, std::string_view text, double size,
                       const GraphRect& clip) {
    GraphRect box{at.x, at.y, textWidth(text, size) + 2 * kMarkPadding, arenaLineHeight(size)};
    box.x = std::max(std::min(box.x, clip.right() - box.width), clip.x);
    box.y = std::max(box.y, clip.y);
    return box;
}

std::vector<std::string> arenaLabel(const Allocation& allocation, double width, double height,
                                    double size) {
    const double room = width - 2 * kPadding;
    const auto mostLines = (height - 2) / arenaLineHeight(size);
    const auto fits = [&](const std::string& text) { return textWidth(text, size) <= room; };
    const std::string name = allocationName(allocation);
    const std::string exact = exactBytesText(allocation.bytes);
    const std::string bytes = fits(exact) ? exact : shortBytesText(allocation.bytes);
    std::vector<std::string> lines;
    if (mostLines >= 1 && (fits(name) || room >= kLeastName * size))
        lines.push_back(fittedText(name, room, size, Elide::Middle));
    if (mostLines >= static_cast<double>(lines.size() + 1) && fits(bytes))
        lines.push_back(bytes);
    return lines;
}

std::vector<ArenaFinding> findingsOf(const Document& document) {
    std::vector<ArenaFinding> made;
    if (!document.execution)
        return made;
    const Diagnostics& listed = document.diagnostics;
    for (const Diagnostic& finding : document.execution->findings) {
        if (!finding.where.operatorIndex || !finding.where.byte)
            continue;
        const auto at = std::find(listed.begin(), listed.end(), finding);
        made.push_back(
            {*finding.where.operatorIndex, *finding.where.byte,
             at == listed.end() ? -1 : at - listed.begin(),
             fmt::format("{}: {}", codeInfo(finding.code).id, printable(finding.message))});
    }
    return made;
}

} // namespace plumbline
