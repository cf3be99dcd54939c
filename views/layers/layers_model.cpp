// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/layers/layers_model.h"

#include <array>

#include <QFont>
#include <QGuiApplication>

#include "views/common/format.h"
#include "views/common/palette.h"

namespace plumbline {
namespace {

constexpr int kDigestDigits = 8;     ///< shown of a digest; the tool tip has all
constexpr double kMissing = -1.0e18; ///< sorts before every number

Tone toneOf(VerdictRank rank) {
    switch (rank) {
    case VerdictRank::Faulted:
    case VerdictRank::Differs:
        return Tone::Error;
    case VerdictRank::NotCompared:
        return Tone::Muted;
    case VerdictRank::Equal:
        return Tone::Ok;
    }
    return Tone::Muted;
}

QString decimals(const std::optional<double>& value, int digits) {
    return value ? QString::number(*value, 'f', digits) : QString();
}

/// Six decimals; of tensors that differ so many that it does not read as 1.
QString cosineText(const TensorComparison& compared) {
    constexpr int kUsual = 6, kMost = 15;
    QString shown = decimals(compared.cosine, kUsual);
    for (int digits = kUsual + 1; !compared.equal && shown.startsWith(QLatin1Char('1')); ++digits) {
        if (digits > kMost)
            return QStringLiteral("> 0.999999");
        shown = decimals(compared.cosine, digits);
    }
    return shown;
}

QString placeText(const ElementDifference& at) {
    return QStringLiteral("%1,%2,%3").arg(at.h).arg(at.w).arg(at.c);
}

bool isNumber(int column) {
    return column == LayersModel::Mismatches || column == LayersModel::Largest ||
           column == LayersModel::Sqnr || column == LayersModel::Cosine ||
           column == LayersModel::RecordIndex || column == LayersModel::Shape ||
           column == LayersModel::First;
}

} // namespace

void LayersModel::setDocument(DocumentPtr document) {
    beginResetModel();
    m_document = std::move(document);
    m_rows = m_document ? layerRows(*m_document) : std::vector<LayerRow>{};
    endResetModel();
}

std::optional<std::int64_t> LayersModel::operatorOf(int row) const {
    return rowAt(row).operatorIndex;
}

std::optional<int> LayersModel::rowOf(const Place& place) const {
    for (std::size_t row = 0; row < m_rows.size(); ++row)
        if (m_rows[row].operatorIndex == place.operatorIndex)
            return static_cast<int>(row);
    return std::nullopt;
}

Selection LayersModel::selectionOf(int row) const {
    return selectOperator(rowAt(row).operatorIndex);
}

int LayersModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(m_rows.size());
}

int LayersModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : ColumnCount;
}

QVariant LayersModel::data(const QModelIndex& index, int role) const {
    if (!checkIndex(index, CheckIndexOption::IndexIsValid | CheckIndexOption::ParentIsInvalid))
        return {};
    const LayerRow& row = rowAt(index.row());
    const int column = index.column();
    switch (role) {
    case Qt::DisplayRole: {
        const QString shown = text(row, column);
        return shown.isEmpty() ? QStringLiteral("–") : shown;
    }
    case Qt::ToolTipRole:
        return toolTip(row, column);
    case Qt::TextAlignmentRole:
        return QVariant(Qt::AlignVCenter | (isNumber(column) ? Qt::AlignRight : Qt::AlignLeft));
    case Qt::FontRole: {
        QFont font =
            column == OursDigest || column == TheirsDigest ? monoFont() : QGuiApplication::font();
        font.setBold(row.isCulprit);
        return font;
    }
    case Qt::ForegroundRole:
        return foreground(row, column);
    case SortRole:
        return sortValue(row, column);
    case PlainRole:
        return plainText(row, column);
    case ConditionRole:
        return condition(row, column);
    default:
        return {};
    }
}

QVariant LayersModel::foreground(const LayerRow& row, int column) const {
    const QPalette palette = QGuiApplication::palette();
    if (column == Accumulated)
        return toneColor(toneOf(accumulatedRank(row)), palette);
    if (column == Isolated)
        return toneColor(toneOf(isolatedRank(row)), palette);
    return text(row, column).isEmpty() ? QVariant(toneColor(Tone::Muted, palette)) : QVariant();
}

QVariant LayersModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal || section < 0 || section >= ColumnCount)
        return QAbstractTableModel::headerData(section, orientation, role);
    const std::array<std::pair<QString, QString>, ColumnCount> titles{{
        {tr("Operator"), tr("Operator of the model, with its index in the graph")},
        {tr("As run"), tr("The layer as run, with the errors of the layers before it")},
        {tr("Alone"), tr("The layer run on the reference's own inputs: wrong here is wrong by "
                         "itself")},
        {tr("Mismatches"), tr("Elements that differ, of all; where a layer did not run, of the "
                              "layer alone")},
        {tr("First"), tr("First element that differs: h,w,c")},
        {tr("Largest"), tr("Largest absolute difference, in quantization steps")},
        {tr("Output"), tr("Output height × width × channels")},
        {tr("Record"), tr("Index in the descriptor array, from 0")},
        {tr("SQNR dB"), tr("Signal to quantization-noise ratio; none where all is equal")},
        {tr("Cosine"), tr("Cosine similarity of the tensors without their zero point")},
        {tr("Ours"), tr("SHA-256 of our bytes")},
        {tr("Theirs"), tr("SHA-256 of the reference's bytes")},
        {tr("Reference"), tr("Where the reference's layer came from and how it was matched")},
    }};
    const auto& [title, tip] = titles.at(static_cast<std::size_t>(section));
    if (role == Qt::DisplayRole)
        return title;
    if (role == Qt::ToolTipRole)
        return tip;
    return {};
}

QString LayersModel::text(const LayerRow& row, int column) const {
    const TensorComparison* const compared = row.comparison();
    switch (column) {
    case Operator:
        return QStringLiteral("%1  %2").arg(row.operatorIndex).arg(row.name);
    case Accumulated:
        return accumulatedText(row);
    case Isolated:
        return isolatedText(row);
    case Mismatches:
        return compared && compared->mismatches ? tr("%1 of %2")
                                                      .arg(groupedNumber(*compared->mismatches),
                                                           groupedNumber(compared->elements))
                                                : QString();
    case OursDigest:
    case TheirsDigest:
        return plainText(row, column).left(kDigestDigits);
    case ReferenceLayer:
        return matchText(row);
    default:
        return plainText(row, column);
    }
}

QString LayersModel::matchText(const LayerRow& row) const {
    if (row.verdict == nullptr || !m_document->verdicts)
        return {};
    const QString name = safeText(m_document->verdicts->reference);
    if (row.verdict->matchedBy == MatchedBy::None)
        return tr("%1 lacks it").arg(name);
    return tr("%1, by %2").arg(name, safeText(matchedByName(row.verdict->matchedBy)));
}

QString LayersModel::plainText(const LayerRow& row, int column) const {
    const TensorComparison* const compared = row.comparison();
    switch (column) {
    case Accumulated:
        return accumulatedText(row).mid(2);
    case Isolated:
        return isolatedText(row).mid(2);
    case Mismatches:
        return compared && compared->mismatches ? QString::number(*compared->mismatches)
                                                : QString();
    case First:
        return compared && compared->first ? placeText(*compared->first) : QString();
    case Largest:
        return compared && compared->mismatches ? QString::number(compared->maxAbs) : QString();
    case Shape:
        return row.shape ? shapeText(*row.shape) : QString();
    case RecordIndex:
        return row.record ? QString::number(*row.record) : QString();
    case Sqnr:
        return compared ? decimals(compared->sqnrDb, 2) : QString();
    case Cosine:
        return compared ? cosineText(*compared) : QString();
    case OursDigest:
        return row.oursSha256;
    case TheirsDigest:
        return row.theirsSha256;
    default:
        return text(row, column);
    }
}

QString LayersModel::toolTip(const LayerRow& row, int column) const {
    const LayerVerdict* const verdict = row.verdict;
    if (column == OursDigest || column == TheirsDigest)
        return plainText(row, column);
    if (verdict == nullptr)
        return {};
    if (column == Accumulated && verdict->fault)
        return asSentence(safeText(verdict->fault->reason));
    if (column == Isolated && verdict->isolatedFault)
        return asSentence(safeText(verdict->isolatedFault->reason));
    if (column == Isolated && verdict->strayBytes > 0)
        return tr("%1 outside its own tensor changed").arg(exactBytes(verdict->strayBytes));
    if (column == Accumulated || column == Isolated) {
        const auto& compared = column == Accumulated ? verdict->accumulated : verdict->isolated;
        return asSentence(
            safeText(compared && !compared->note.empty() ? compared->note : verdict->note));
    }
    if (column == First && row.comparison() && row.comparison()->first)
        return tr("ours %1, theirs %2")
            .arg(row.comparison()->first->ours)
            .arg(row.comparison()->first->theirs);
    if (column == ReferenceLayer && m_document->reference)
        if (const LayerMatch* const match = m_document->reference->matchOf(row.operatorIndex))
            return safeText(match->note.empty() ? match->from : match->from + ": " + match->note);
    return {};
}

QVariant LayersModel::sortValue(const LayerRow& row, int column) const {
    const TensorComparison* const compared = row.comparison();
    switch (column) {
    case Operator:
        return static_cast<double>(row.operatorIndex);
    case Accumulated:
        return static_cast<double>(accumulatedRank(row));
    case Isolated: // the culprit first
        return row.isCulprit ? -1.0 : static_cast<double>(isolatedRank(row));
    case Mismatches:
        return compared && compared->mismatches ? static_cast<double>(*compared->mismatches)
                                                : kMissing;
    case First:
        return compared && compared->first ? static_cast<double>(compared->first->index) : kMissing;
    case Largest:
        return compared && compared->mismatches ? static_cast<double>(compared->maxAbs) : kMissing;
    case Shape:
        return row.shape ? static_cast<double>(row.shape->h) * static_cast<double>(row.shape->w) *
                               static_cast<double>(row.shape->c)
                         : kMissing;
    case RecordIndex:
        return row.record ? static_cast<double>(*row.record) : kMissing;
    case Sqnr:
        return compared && compared->sqnrDb ? *compared->sqnrDb : kMissing;
    case Cosine:
        return compared && compared->cosine ? *compared->cosine : kMissing;
    default:
        return plainText(row, column);
    }
}

QString LayersModel::condition(const LayerRow& row, int column) const {
    switch (column) {
    case Operator:
        return QStringLiteral("name == ") + filterString(row.name);
    case Accumulated:
    case Mismatches: {
        const auto& compared = row.verdict ? row.verdict->accumulated : std::nullopt;
        if (!compared || !compared->mismatches)
            return {};
        if (column == Mismatches)
            return QStringLiteral("mismatches == %1").arg(*compared->mismatches);
        return *compared->mismatches > 0 ? QStringLiteral("mismatches > 0")
                                         : QStringLiteral("mismatches == 0");
    }
    case RecordIndex:
        return row.record ? QStringLiteral("record == %1").arg(*row.record) : QString();
    case Shape: {
        const auto& operators = m_document->lowering->operators;
        const auto at = static_cast<std::size_t>(row.operatorIndex);
        if (row.operatorIndex < 0 || at >= operators.size() || operators[at].geometry.oh == 0)
            return {};
        const OperatorGeometry& g = operators[at].geometry;
        return QStringLiteral("oh == %1 and ow == %2 and cout == %3")
            .arg(g.oh)
            .arg(g.ow)
            .arg(g.cout);
    }
    default:
        return {};
    }
}

} // namespace plumbline
