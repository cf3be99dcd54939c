// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/provenance/step_text.h"

#include <algorithm>

#include <QCoreApplication>
#include <QStringList>

#include "views/common/format.h"

namespace plumbline {
namespace {

struct Words {
    Q_DECLARE_TR_FUNCTIONS(plumbline::StepText)
};

QString kindText(const ReplayStep& step) {
    if (step.kind == ReplayKind::Start && step.parameterFrom)
        return Words::tr("bias");
    if (step.kind == ReplayKind::Start && step.inputFrom && step.operand.empty())
        return Words::tr("input");
    const QString kind = safeText(replayKindName(step.kind));
    return step.operand.empty() || step.operand == "maximum"
               ? kind
               : Words::tr("%1, %2").arg(kind, safeText(step.operand));
}

/// Builds the chain from left to right.
class ChainBuilder {
  public:
    explicit ChainBuilder(const Explanation& explanation)
        : m_explanation(explanation)
        , m_steps(explanation.steps) {}

    std::vector<ChainLink> build() {
        for (std::size_t i = 0; i < m_steps.size();)
            i = m_steps[i].k < 0 ? addSingle(i) : addReduction(i);
        if (!m_steps.empty())
            m_chain.push_back({Words::tr("byte"), m_explanation.value, m_steps.size() - 1,
                               m_steps.size() - 1, false});
        return std::move(m_chain);
    }

  private:
    std::size_t addSingle(std::size_t i) {
        m_chain.push_back({kindText(m_steps[i]), m_steps[i].result, i, i, false});
        return i + 1;
    }

    /// Whether step i + 1 belongs to the same link as step i.
    bool goesOn(std::size_t i) const {
        return i + 1 < m_steps.size() && m_steps[i + 1].k >= 0 &&
               m_steps[i].kind != ReplayKind::SliceEnd &&
               m_steps[i + 1].operand == m_steps[i].operand;
    }

    std::size_t addReduction(std::size_t first) {
        std::size_t last = first;
        std::size_t term = first; // the last step that takes part in a sum of terms
        std::int64_t terms = 0;
        for (;; ++last) {
            if (m_steps[last].kind == ReplayKind::Accumulate) {
                term = last;
                ++terms;
            }
            if (!goesOn(last))
                break;
        }
        const std::size_t shown = terms > 0 ? term : last;
        const auto count = static_cast<std::int64_t>(last - first + 1);
        m_chain.push_back({reductionName(m_steps[last], terms > 0 ? terms : count, terms > 0),
                           m_steps[shown].result, shown, last, isEarlySlice(m_steps[last])});
        return last + 1;
    }

    bool isEarlySlice(const ReplayStep& last) const {
        return last.kind == ReplayKind::SliceEnd && last.slice + 1 < m_explanation.slices;
    }

    QString reductionName(const ReplayStep& last, std::int64_t count, bool isTerms) const {
        if (last.kind == ReplayKind::SliceEnd)
            return isEarlySlice(last) ? Words::tr("slice %1").arg(last.slice)
                                      : Words::tr("accumulator");
        if (isTerms)
            return Words::tr("sum of %1 terms").arg(groupedNumber(count));
        if (last.kind == ReplayKind::Maximum || last.operand == "maximum")
            return Words::tr("maximum of %1").arg(groupedNumber(count));
        return Words::tr("sum of %1").arg(groupedNumber(count));
    }

    const Explanation& m_explanation;
    const std::vector<ReplayStep>& m_steps;
    std::vector<ChainLink> m_chain;
};

} // namespace

std::vector<ChainLink> chainOf(const Explanation& explanation) {
    return ChainBuilder(explanation).build();
}

std::vector<ChainLink> shortened(std::vector<ChainLink> chain, std::size_t most) {
    const auto isSlice = [](const ChainLink& link) { return link.isSlice; };
    const auto first = std::find_if(chain.begin(), chain.end(), isSlice);
    const auto end = std::find_if_not(first, chain.end(), isSlice);
    if (static_cast<std::size_t>(end - first) <= most)
        return chain;
    const auto kept = static_cast<std::ptrdiff_t>(most / 2);
    ChainLink& middle = *(end - kept - 1); // stands for all of those that go
    middle.name = Words::tr("slices %1..%2").arg(kept).arg(end - first - kept - 1);
    chain.erase(first + kept, end - kept - 1);
    return chain;
}

std::optional<std::size_t> linkOf(const std::vector<ChainLink>& chain, std::size_t step) {
    for (std::size_t i = 0; i < chain.size(); ++i)
        if (step <= chain[i].lastStep)
            return i;
    return std::nullopt;
}

QString elementText(const ElementIndex& element) {
    return QStringLiteral("(%1,%2,%3)").arg(element.h).arg(element.w).arg(element.c);
}

QString placeText(const Explanation& explanation) {
    QStringList parts;
    parts += Words::tr("op/%1 %2")
                 .arg(explanation.operatorIndex)
                 .arg(safeText(explanation.operatorName));
    parts += Words::tr("element %1").arg(elementText(explanation.element));
    if (explanation.tile) {
        parts += Words::tr("tile %1").arg(*explanation.tile);
        parts += Words::tr("position %1").arg(explanation.position);
        parts += Words::tr("group %1").arg(explanation.group);
        parts += Words::tr("lane %1").arg(explanation.lane);
    } else {
        parts += Words::tr("row %1 of the softmax").arg(explanation.position);
    }
    return parts.join(QStringLiteral(" · "));
}

QString reductionText(const ReplayStep& step, const std::optional<TileWalk>& walk) {
    if (step.k < 0 || !walk || step.kind == ReplayKind::SliceEnd)
        return {};
    const ReductionPlace place = walk->place(step.k);
    switch (walk->plan().facts.reduction) {
    case Reduction::None:
        return {};
    case Reduction::Window:
        return QStringLiteral("%1,%2").arg(place.kh).arg(place.kw);
    case Reduction::WindowChannels:
        return QStringLiteral("%1,%2,%3").arg(place.kh).arg(place.kw).arg(place.cin);
    }
    return {};
}

QString reductionHeader(const std::optional<TileWalk>& walk) {
    const bool hasChannels = walk && walk->plan().facts.reduction == Reduction::WindowChannels;
    return hasChannels ? QStringLiteral("kh,kw,cin") : QStringLiteral("kh,kw");
}

} // namespace plumbline
