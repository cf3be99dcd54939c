// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/layers/layer_rows.h"

#include <algorithm>

#include <QCoreApplication>

#include "views/common/format.h"

namespace plumbline {
namespace {

QString tr(const char* text) { return QCoreApplication::translate("plumbline::LayersView", text); }

std::optional<Hwc> shapeOf(const TraceLayer& layer) {
    if (layer.shape.size() != 3)
        return std::nullopt;
    return Hwc{layer.shape[0], layer.shape[1], layer.shape[2]};
}

LayerRow rowOf(const LayerVerdict& verdict, const Verdicts& verdicts) {
    LayerRow row;
    row.operatorIndex = verdict.operatorIndex;
    row.record = verdict.record;
    row.name = safeText(verdict.name);
    if (!verdict.ours.empty() || !verdict.isolatedOurs.empty())
        row.shape = verdict.shape;
    row.verdict = &verdict;
    row.oursSha256 = QString::fromStdString(verdict.oursSha256);
    row.theirsSha256 = safeText(verdict.theirsSha256);
    row.isCulprit = verdicts.culprit == verdict.operatorIndex;
    return row;
}

LayerRow rowOf(const TraceLayer& layer, bool isOurs) {
    LayerRow row;
    row.operatorIndex = layer.operatorIndex;
    row.record = layer.record;
    row.name = safeText(layer.name);
    row.shape = shapeOf(layer);
    (isOurs ? row.oursSha256 : row.theirsSha256) = safeText(layer.sha256);
    return row;
}

QString layerCount(std::size_t count) {
    return count == 1 ? tr("1 layer") : tr("%1 layers").arg(count);
}

QString operatorText(const Verdicts& verdicts, std::int64_t index) {
    const LayerVerdict* const layer = verdicts.of(index);
    return tr("operator %1 %2").arg(index).arg(layer ? safeText(layer->name) : QString());
}

/// "operator 3", "operators 3, 5, 7 and 20 more"
QString operatorList(const std::vector<std::int64_t>& indices) {
    constexpr std::size_t kNamed = 4;
    QStringList named;
    for (std::size_t i = 0; i < std::min(indices.size(), kNamed); ++i)
        named += QString::number(indices[i]);
    const QString list = named.join(QStringLiteral(", "));
    if (indices.size() == 1)
        return tr("operator %1").arg(list);
    return indices.size() <= kNamed
               ? tr("operators %1").arg(list)
               : tr("operators %1 and %2 more").arg(list).arg(indices.size() - kNamed);
}

/// What the verdicts of layers alone say where none of them is wrong.
QString nobodyText(const Verdicts& verdicts) {
    std::size_t right = 0;
    std::vector<std::int64_t> unjudged;
    for (const LayerVerdict& layer : verdicts.layers) {
        if (layer.isolated)
            ++right;
        else
            unjudged.push_back(layer.operatorIndex);
    }
    if (right == 0)
        return tr("No layer could be judged alone.");
    if (unjudged.empty())
        return tr("Each layer is right by itself.");
    const QString which = operatorList(unjudged);
    return right == 1 ? tr("1 layer is right by itself; alone, %1 could not be judged.").arg(which)
                      : tr("%1 layers are right by themselves; alone, %2 could not be judged.")
                            .arg(right)
                            .arg(which);
}

QString culpritText(const Verdicts& verdicts) {
    if (!verdicts.culprit)
        return nobodyText(verdicts);
    const auto wrong = std::count_if(verdicts.layers.begin(), verdicts.layers.end(),
                                     [](const LayerVerdict& l) { return l.isWrongAlone(); });
    const QString named = tr("Culprit: %1").arg(operatorText(verdicts, *verdicts.culprit));
    if (wrong > 2)
        return tr("%1; %2 more layers are wrong by themselves.").arg(named).arg(wrong - 1);
    if (wrong == 2)
        return tr("%1; 1 more layer is wrong by itself.").arg(named);
    return verdicts.unequal() > 1 ? tr("%1; later differences follow from it.").arg(named)
                                  : tr("%1.").arg(named);
}

QString faultText(const Verdicts& verdicts) {
    if (!verdicts.fault)
        return {};
    const auto stopped = std::find_if(verdicts.layers.begin(), verdicts.layers.end(),
                                      [](const LayerVerdict& l) { return l.fault.has_value(); });
    const QString reason = asSentence(safeText(verdicts.fault->reason));
    return stopped == verdicts.layers.end()
               ? tr("The run ended with a fault. %1").arg(reason)
               : tr("The run ended at %1. %2")
                     .arg(operatorText(verdicts, stopped->operatorIndex), reason);
}

QString comparedText(const Verdicts& verdicts) {
    const QString reference = safeText(verdicts.reference);
    const std::size_t all = verdicts.layers.size();
    const std::size_t compared = verdicts.compared();
    if (all == 0)
        return tr("No layer ran, so there is nothing to compare with %1.").arg(reference);
    if (compared == 0)
        return verdicts.fault ? tr("No layer was compared with %1.").arg(reference)
                              : tr("%1 has none of the %2.").arg(reference, layerCount(all));
    if (verdicts.unequal() > 0)
        return compared == 1 ? tr("The one compared layer differs from %1.").arg(reference)
                             : tr("%1 of %2 compared layers differ from %3.")
                                   .arg(verdicts.unequal())
                                   .arg(compared)
                                   .arg(reference);
    return compared == all ? tr("All %1 equal %2.").arg(layerCount(all), reference)
                           : tr("%1 of %2 were compared; they equal %3.")
                                 .arg(compared)
                                 .arg(layerCount(all), reference);
}

VerdictRank rankOf(const std::optional<TensorComparison>& comparison) {
    if (!comparison)
        return VerdictRank::NotCompared;
    return comparison->equal ? VerdictRank::Equal : VerdictRank::Differs;
}

QString rankText(VerdictRank rank) {
    switch (rank) {
    case VerdictRank::Faulted:
        return tr("✗ faulted");
    case VerdictRank::Differs:
        return tr("≠ differs");
    case VerdictRank::NotCompared:
        return tr("– not compared");
    case VerdictRank::Equal:
        return tr("✓ equal");
    }
    return {};
}

} // namespace

const TensorComparison* LayerRow::comparison() const {
    if (verdict == nullptr)
        return nullptr;
    if (verdict->accumulated)
        return &*verdict->accumulated;
    return verdict->isolated ? &*verdict->isolated : nullptr;
}

std::vector<LayerRow> layerRows(const Document& document) {
    std::vector<LayerRow> rows;
    if (document.verdicts) {
        for (const LayerVerdict& verdict : document.verdicts->layers)
            rows.push_back(rowOf(verdict, *document.verdicts));
        return rows;
    }
    const bool isOurs = document.execution.has_value();
    if (isOurs || document.reference)
        for (const TraceLayer& layer :
             isOurs ? document.execution->trace.layers : document.reference->trace.layers)
            rows.push_back(rowOf(layer, isOurs));
    return rows;
}

QString layersSummary(const Document& document) {
    if (!document.verdicts && document.execution && document.execution->fault)
        return tr("The run ended with a fault. %1")
            .arg(asSentence(safeText(document.execution->fault->reason)));
    if (!document.verdicts)
        return document.execution
                   ? tr("Nothing to compare with. Choose a reference in the Run menu.")
                   : tr("The layers of a trace. Open its model or package with it to compare "
                        "them.");
    const Verdicts& verdicts = *document.verdicts;
    QStringList sentences{faultText(verdicts), comparedText(verdicts)};
    if (verdicts.unequal() > 0 || verdicts.culprit)
        sentences += culpritText(verdicts);
    sentences.removeAll(QString());
    return sentences.join(QLatin1Char(' '));
}

QString capitalised(QString text) {
    if (!text.isEmpty())
        text[0] = text[0].toUpper();
    return text;
}

QString asSentence(const QString& text) {
    const bool isEnded = text.isEmpty() || text.endsWith(QLatin1Char('.'));
    return capitalised(isEnded ? text : text + QLatin1Char('.'));
}

VerdictRank accumulatedRank(const LayerRow& row) {
    if (row.verdict == nullptr)
        return VerdictRank::NotCompared;
    return row.verdict->fault ? VerdictRank::Faulted : rankOf(row.verdict->accumulated);
}

VerdictRank isolatedRank(const LayerRow& row) {
    if (row.verdict == nullptr)
        return VerdictRank::NotCompared;
    if (row.verdict->isolatedFault)
        return VerdictRank::Faulted;
    return row.verdict->strayBytes > 0 ? VerdictRank::Differs : rankOf(row.verdict->isolated);
}

QString accumulatedText(const LayerRow& row) { return rankText(accumulatedRank(row)); }

QString isolatedText(const LayerRow& row) {
    const VerdictRank rank = isolatedRank(row);
    QString text = rankText(rank);
    const LayerVerdict* const verdict = row.verdict;
    if (rank == VerdictRank::Differs && verdict->isolated && !verdict->isolated->equal &&
        verdict->isolated->mismatches)
        text = tr("≠ %1 differ").arg(groupedNumber(*verdict->isolated->mismatches));
    else if (rank == VerdictRank::Differs && verdict->strayBytes > 0)
        text = tr("≠ wrote outside");
    return row.isCulprit ? tr("%1  ◆ culprit").arg(text) : text;
}

} // namespace plumbline
