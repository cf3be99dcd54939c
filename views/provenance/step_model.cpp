// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/provenance/step_model.h"

#include <QFont>
#include <QGuiApplication>

#include "core/lowering/selection.h"
#include "views/common/format.h"
#include "views/common/palette.h"
#include "views/provenance/step_text.h"

namespace plumbline {
namespace {

constexpr int kAddressDigits = 5;

/// "-12  0x01A40", or the value alone.
QString valueText(std::int64_t value, const std::optional<ReplaySource>& source, bool hasAddress) {
    const QString number = QString::number(value);
    return source && hasAddress
               ? number + QStringLiteral("  ") + hexNumber(source->offset, kAddressDigits)
               : number;
}

QString parameterText(const ReplayStep& step) {
    if (!hasParameter(step.kind))
        return {};
    if (step.kind == ReplayKind::Clamp)
        return QStringLiteral("%1..%2").arg(step.parameter).arg(step.parameter2);
    return groupedNumber(step.kind == ReplayKind::Centre ? step.parameter2 : step.parameter);
}

bool hasInput(const ReplayStep& step) {
    switch (step.kind) {
    case ReplayKind::Product:
    case ReplayKind::Centre:
    case ReplayKind::Sum:
    case ReplayKind::Maximum:
    case ReplayKind::Difference:
    case ReplayKind::Accumulate:
        return true;
    default:
        return step.inputFrom.has_value();
    }
}

} // namespace

std::optional<std::int64_t> addedBy(const ReplayStep& step) {
    switch (step.kind) {
    case ReplayKind::Product:
    case ReplayKind::Sum:
    case ReplayKind::Accumulate:
    case ReplayKind::ZeroPoint:
        return step.result - step.before;
    default:
        return std::nullopt;
    }
}

bool hasParameter(ReplayKind kind) {
    switch (kind) {
    case ReplayKind::Product:
    case ReplayKind::Centre:
    case ReplayKind::LeftShift:
    case ReplayKind::HighMultiply:
    case ReplayKind::RoundingShift:
    case ReplayKind::Divide:
    case ReplayKind::Difference:
    case ReplayKind::Reciprocal:
    case ReplayKind::ZeroPoint:
    case ReplayKind::Clamp:
        return true;
    default:
        return false;
    }
}

void StepModel::setExplanation(std::shared_ptr<const Explanation> explanation,
                               const std::optional<TileWalk>& walk) {
    beginResetModel();
    m_explanation = std::move(explanation);
    m_walk = walk;
    m_used.fill(false);
    for (const Column column : {Number, What, Value})
        m_used[column] = true;
    if (m_explanation) {
        for (const ReplayStep& step : m_explanation->steps) {
            m_used[Slice] |= step.slice > 0;
            m_used[K] |= step.k >= 0;
            m_used[Place] = m_used[Place] || !reductionText(step, m_walk).isEmpty();
            m_used[Element] |= step.inputFrom.has_value();
            m_used[Input] |= hasInput(step);
            m_used[Weight] |= step.weightFrom.has_value();
            m_used[Parameter] |= hasParameter(step.kind);
            m_used[Adds] |= addedBy(step).has_value();
        }
    }
    endResetModel();
}

void StepModel::setAddressesShown(bool shown) {
    if (shown == m_hasAddresses)
        return;
    m_hasAddresses = shown;
    if (rowCount() > 0)
        emit dataChanged(index(0, Input), index(rowCount() - 1, Weight), {Qt::DisplayRole});
}

const ReplayStep* StepModel::step(int row) const {
    return row >= 0 && row < rowCount() ? &m_explanation->steps[static_cast<std::size_t>(row)]
                                        : nullptr;
}

std::optional<ReplaySource> StepModel::sourceAt(int row, int column) const {
    const ReplayStep* const at = step(row);
    if (!at)
        return std::nullopt;
    const bool isLast = row + 1 == rowCount();
    switch (column) {
    case Input:
        return at->inputFrom;
    case Weight:
        return at->weightFrom;
    case Parameter:
        return at->parameterFrom;
    case Value:
        if (at->kind == ReplayKind::Start)
            return at->parameterFrom;
        return isLast && !m_explanation->output.region.empty()
                   ? std::optional(m_explanation->output)
                   : std::nullopt;
    default:
        return std::nullopt;
    }
}

int StepModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() || !m_explanation ? 0 : static_cast<int>(m_explanation->steps.size());
}

int StepModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : ColumnCount;
}

QString StepModel::text(const ReplayStep& step, int row, int column) const {
    switch (column) {
    case Number:
        return QString::number(row + 1);
    case What: {
        const QString kind = safeText(replayKindName(step.kind));
        if (step.isPadding)
            return tr("%1, padding").arg(kind);
        return step.operand.empty() ? kind : tr("%1, %2").arg(kind, safeText(step.operand));
    }
    case Slice:
        return step.slice < 0 ? QString() : QString::number(step.slice);
    case K:
        return step.k < 0 ? QString() : QString::number(step.k);
    case Place:
        return reductionText(step, m_walk);
    case Element:
        return step.inputFrom || step.isPadding ? elementText(step.at) : QString();
    case Input:
        return hasInput(step) ? valueText(step.input, step.inputFrom, m_hasAddresses) : QString();
    case Weight:
        return step.kind == ReplayKind::Product
                   ? valueText(step.weight, step.weightFrom, m_hasAddresses)
                   : QString();
    case Parameter:
        return parameterText(step);
    case Adds: {
        const auto added = addedBy(step);
        return added ? groupedNumber(*added) : QString();
    }
    default:
        return groupedNumber(step.result);
    }
}

QVariant StepModel::colour(const ReplayStep& step, int row, int column) const {
    const QPalette palette = QGuiApplication::palette();
    const bool isZeroPoint = step.kind == ReplayKind::Product && column == Parameter;
    if (sourceAt(row, column) && !isZeroPoint)
        return palette.color(QPalette::Link);
    if (step.isPadding || column == Number || isZeroPoint)
        return toneColor(Tone::Muted, palette);
    return {};
}

QVariant StepModel::data(const QModelIndex& index, int role) const {
    if (!checkIndex(index, CheckIndexOption::IndexIsValid | CheckIndexOption::ParentIsInvalid))
        return {};
    const int row = index.row(), column = index.column();
    const ReplayStep& at = *step(row);
    switch (role) {
    case Qt::DisplayRole:
        return text(at, row, column);
    case Qt::ToolTipRole:
        return safeText(replayText(at));
    case Qt::TextAlignmentRole:
        return (Qt::AlignVCenter | (column == What ? Qt::AlignLeft : Qt::AlignRight)).toInt();
    case Qt::FontRole: {
        QFont font = column == What ? QGuiApplication::font() : monoFont();
        font.setBold(at.kind == ReplayKind::SliceEnd && (column == What || column == Value));
        return font;
    }
    case Qt::BackgroundRole:
        return at.kind == ReplayKind::SliceEnd
                   ? QVariant(QGuiApplication::palette().color(QPalette::AlternateBase))
                   : QVariant();
    case Qt::ForegroundRole:
        return colour(at, row, column);
    case PlainRole:
        return column == Input    ? QVariant(qlonglong{at.input})
               : column == Weight ? QVariant(qlonglong{at.weight})
               : column == Value  ? QVariant(qlonglong{at.result})
                                  : QVariant();
    case AddressRole: {
        const auto source = sourceAt(row, column);
        return source ? QVariant(safeText(toText(selectSpan(source->region, source->offset))))
                      : QVariant();
    }
    default:
        return {};
    }
}

QVariant StepModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal || section < 0 || section >= ColumnCount)
        return {};
    if (role == Qt::TextAlignmentRole)
        return (Qt::AlignVCenter | (section == What ? Qt::AlignLeft : Qt::AlignRight)).toInt();
    if (role != Qt::DisplayRole)
        return {};
    switch (section) {
    case Number:
        return tr("#");
    case What:
        return tr("Step");
    case Slice:
        return tr("Slice");
    case K:
        return tr("k");
    case Place:
        return reductionHeader(m_walk);
    case Element:
        return tr("From h,w,c");
    case Input:
        return tr("Input");
    case Weight:
        return tr("Weight");
    case Parameter:
        return tr("Parameter");
    case Adds:
        return tr("Adds");
    default:
        return tr("Value");
    }
}

} // namespace plumbline
