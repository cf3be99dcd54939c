// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/arena/arena_scene.h"

#include <algorithm>

#include <QCoreApplication>

#include "views/arena/buffer_model.h"
#include "views/common/format.h"

namespace plumbline {
namespace {

struct Words {
    Q_DECLARE_TR_FUNCTIONS(plumbline::ArenaScene)
};

QString lifetimeText(const Allocation& a, const ArenaScene& scene) {
    const auto count = static_cast<std::int64_t>(scene.plan->steps.size());
    const QString first =
        a.firstOperator < 0
            ? Words::tr("the graph input")
            : Words::tr("operator %1").arg(stepName(*scene.lowering, a.firstOperator));
    const QString last =
        a.lastOperator >= count
            ? Words::tr("the end of the job")
            : Words::tr("operator %1").arg(stepName(*scene.lowering, a.lastOperator));
    return Words::tr("live from %1 to %2").arg(first, last);
}

} // namespace

const Allocation* ArenaScene::allocation(std::optional<std::size_t> index) const {
    return plan && index && *index < plan->allocations.size() ? &plan->allocations[*index]
                                                              : nullptr;
}

const ArenaStep* ArenaScene::stepFacts(std::optional<std::int64_t> index) const {
    const bool isThere =
        plan && index && *index >= 0 && static_cast<std::size_t>(*index) < plan->steps.size();
    return isThere ? &plan->steps[static_cast<std::size_t>(*index)] : nullptr;
}

QString stepName(const Lowering& lowering, std::int64_t step) {
    return QString::fromStdString(arenaStepName(lowering, step));
}

QString bufferText(const ArenaScene& scene, std::size_t buffer) {
    const Allocation* const a = scene.allocation(buffer);
    if (a == nullptr)
        return {};
    const QString members =
        a->aliases.empty() ? QString()
                           : Words::tr("shared by %1\n").arg(bufferMembers(*a, *scene.lowering));
    return Words::tr("%1 (buffer/%2)\n%3%4..%5, %6, %7 with padding\n%8")
        .arg(bufferName(*a))
        .arg(buffer)
        .arg(members, hexNumber(a->offset, 5), hexNumber(a->offset + a->bytes, 5),
             exactBytes(a->bytes), groupedNumber(static_cast<std::int64_t>(a->size)),
             lifetimeText(*a, scene));
}

QString stepText(const ArenaScene& scene, std::int64_t step) {
    const ArenaStep* const facts = scene.stepFacts(step);
    if (facts == nullptr)
        return {};
    const auto number = [](std::uint64_t value) {
        return groupedNumber(static_cast<std::int64_t>(value));
    };
    return Words::tr("at operator %1: live %2, padding %3, holes %4 (largest %5)")
        .arg(stepName(*scene.lowering, step), number(facts->liveBytes), number(facts->paddingBytes),
             number(facts->holeBytes), number(facts->largestHole));
}

QString accessText(const OperandAccess& access) {
    return Words::tr("%1 %2 %3..%4: %5 of %6 declared bytes")
        .arg(safeText(access.operand), access.isWrite ? Words::tr("writes") : Words::tr("reads"),
             hexNumber(access.touchedBegin, 5), hexNumber(access.touchedEnd, 5),
             groupedNumber(static_cast<std::int64_t>(access.touchedBytes)),
             groupedNumber(static_cast<std::int64_t>(access.declaredBytes)));
}

QString sceneText(const ArenaScene& scene, double x, double y) {
    const std::optional<std::int64_t> step = scene.geometry.stepAt(x);
    const bool isOutside = x < scene.geometry.left() || x > scene.geometry.right() || y < 0;
    if (!step || isOutside || !scene.plan)
        return {};
    QStringList lines;
    if (const auto buffer = scene.geometry.bufferAt(x, y))
        lines += bufferText(scene, *buffer);
    else
        lines += Words::tr("%1: free").arg(hexNumber(static_cast<std::uint64_t>(y), 5));
    lines += stepText(scene, *step);
    if (scene.showsBounds && !scene.isExperiment) {
        const auto first = std::lower_bound(
            scene.accesses.begin(), scene.accesses.end(), *step,
            [](const OperandAccess& a, std::int64_t index) { return a.operatorIndex < index; });
        for (auto access = first; access != scene.accesses.end() && access->operatorIndex == *step;
             ++access)
            lines += accessText(*access);
    }
    if (scene.showsFindings)
        for (const ArenaFinding& finding : scene.findings)
            if (finding.step == *step && lines.size() < 12)
                lines += QString::fromStdString(finding.text);
    return lines.join(QLatin1Char('\n'));
}

} // namespace plumbline
