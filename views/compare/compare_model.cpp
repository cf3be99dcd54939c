// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/compare/compare_model.h"

#include <array>

#include <QGuiApplication>

#include "views/common/format.h"
#include "views/common/palette.h"

namespace plumbline {
namespace {

const LoweredOperator* operatorAt(const Document& document, std::optional<std::int64_t> index) {
    const auto& operators = document.lowering->operators;
    if (!index || *index < 0 || *index >= std::ssize(operators))
        return nullptr;
    return &operators[static_cast<std::size_t>(*index)];
}

/// A value as a number where it is one, so that 9 comes before 10.
QVariant valueToSort(const std::string& value) {
    const QString text = safeText(value);
    bool isNumber = false;
    const double number = text.toDouble(&isNumber);
    return isNumber ? QVariant(number) : QVariant(text);
}

} // namespace

QString titleOf(const Document& document) {
    const QString title = safeText(document.title);
    if (document.edits.empty())
        return title;
    return document.edits.size() == 1
               ? CompareModel::tr("%1 with 1 edit").arg(title)
               : CompareModel::tr("%1 with %2 edits").arg(title).arg(document.edits.size());
}

QString bothSides(std::optional<std::int64_t> first, std::optional<std::int64_t> second) {
    if (!first && !second)
        return {};
    if (first == second)
        return QString::number(*first);
    return QStringLiteral("%1 → %2")
        .arg(first ? QString::number(*first) : QString(),
             second ? QString::number(*second) : QString())
        .trimmed();
}

CompareModel::CompareModel(QObject* parent)
    : QAbstractTableModel(parent) {}

void CompareModel::setComparison(ComparisonPtr comparison) {
    beginResetModel();
    m_comparison = std::move(comparison);
    endResetModel();
}

int CompareModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() || !m_comparison ? 0
                                             : static_cast<int>(m_comparison->diff.changes.size());
}

int CompareModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : ColumnCount;
}

QVariant CompareModel::data(const QModelIndex& index, int role) const {
    if (!checkIndex(index, CheckIndexOption::IndexIsValid | CheckIndexOption::ParentIsInvalid))
        return {};
    const LoweringChange& shown = change(index.row());
    const int column = index.column();
    const bool isValue = column == First || column == Second;
    switch (role) {
    case Qt::DisplayRole:
        return text(shown, column);
    case Qt::ToolTipRole:
        return column == Consequence || column == Place || isValue ? text(shown, column)
                                                                   : QString();
    case Qt::TextAlignmentRole:
        return QVariant(Qt::AlignVCenter |
                        (isValue || column == RecordColumn ? Qt::AlignRight : Qt::AlignLeft));
    case Qt::FontRole:
        return isValue ? QVariant(monoFont()) : QVariant();
    case Qt::ForegroundRole:
        return column == Kind || shown.isAddressShift
                   ? QVariant(toneColor(Tone::Muted, QGuiApplication::palette()))
                   : QVariant();
    case SortRole:
        return sortValue(shown, column);
    default:
        return {};
    }
}

QVariant CompareModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal || section < 0 || section >= ColumnCount)
        return QAbstractTableModel::headerData(section, orientation, role);
    const std::array<std::pair<QString, QString>, ColumnCount> titles{{
        {tr("Kind"), tr("What kind of thing is another one")},
        {tr("Operator"), tr("Operator in both, by its index; first → second where they differ")},
        {tr("Record"), tr("Record in both; first → second where they differ")},
        {tr("Place"), tr("Field, byte or part of the plan")},
        {tr("First"), tr("Value in the first")},
        {tr("Second"), tr("Value in the second, which is open")},
        {tr("Consequence"), tr("What follows from it")},
    }};
    const auto& [title, tip] = titles.at(static_cast<std::size_t>(section));
    const bool isSide = m_comparison && (section == First || section == Second);
    const QString whole =
        isSide ? tr("%1: %2").arg(title, titleOf(section == First ? *m_comparison->first
                                                                  : *m_comparison->second))
               : title;
    if (role == Qt::DisplayRole)
        return whole;
    if (role == Qt::ToolTipRole)
        return isSide ? QStringLiteral("%1. %2").arg(whole, tip) : tip;
    return {};
}

QString CompareModel::operatorText(const LoweringChange& change) const {
    const LoweredOperator* const before = operatorAt(*m_comparison->first, change.firstOperator);
    const LoweredOperator* const now = operatorAt(*m_comparison->second, change.secondOperator);
    QString names = safeText(now != nullptr ? now->name : before != nullptr ? before->name : "");
    if (before != nullptr && now != nullptr && before->name != now->name)
        names = QStringLiteral("%1 → %2").arg(safeText(before->name), safeText(now->name));
    return QStringLiteral("%1  %2")
        .arg(bothSides(change.firstOperator, change.secondOperator), names)
        .trimmed();
}

QString CompareModel::text(const LoweringChange& change, int column) const {
    switch (column) {
    case Kind:
        return safeText(changeKindName(change.kind));
    case OperatorColumn:
        return operatorText(change);
    case RecordColumn:
        return bothSides(change.firstRecord, change.secondRecord);
    case Place:
        return change.word ? tr("word %1 %2").arg(*change.word).arg(safeText(change.key))
                           : safeText(change.key);
    case First:
        return safeText(change.first);
    case Second:
        return safeText(change.second);
    case Consequence:
        return safeText(change.consequence);
    default:
        return {};
    }
}

QVariant CompareModel::sortValue(const LoweringChange& change, int column) const {
    const auto index = [](const std::optional<std::int64_t>& second,
                          const std::optional<std::int64_t>& first) {
        return QVariant::fromValue<qlonglong>(second.value_or(first.value_or(-1)));
    };
    switch (column) {
    case Kind:
        return static_cast<int>(change.kind);
    case OperatorColumn:
        return index(change.secondOperator, change.firstOperator);
    case RecordColumn:
        return index(change.secondRecord, change.firstRecord);
    case First:
        return valueToSort(change.first);
    case Second:
        return valueToSort(change.second);
    default:
        return text(change, column);
    }
}

CompareProxy::CompareProxy(const Session& session, CompareModel& model, QObject* parent)
    : QSortFilterProxyModel(parent)
    , m_session(session)
    , m_model(model) {
    setSourceModel(&model);
    setSortRole(CompareModel::SortRole);
}

CompareProxy::Reason CompareProxy::reasonToHide(int row) const {
    const LoweringChange& change = m_model.change(row);
    if (!m_session.filterText().isEmpty() && change.secondOperator &&
        !m_session.passesFilter(*change.secondOperator))
        return Reason::Filter;
    if (m_shiftsHidden && change.isAddressShift)
        return Reason::Shift;
    for (int column = 0; column < CompareModel::ColumnCount; ++column)
        if (m_model.index(row, column)
                .data(Qt::DisplayRole)
                .toString()
                .contains(m_text, Qt::CaseInsensitive))
            return Reason::None;
    return Reason::Text;
}

bool CompareProxy::filterAcceptsRow(int row, const QModelIndex& parent) const {
    return !parent.isValid() && reasonToHide(row) == Reason::None;
}

CompareProxy::Hidden CompareProxy::hidden() const {
    Hidden made;
    for (int row = 0; row < m_model.rowCount(); ++row) {
        const Reason reason = reasonToHide(row);
        made.byFilter += reason == Reason::Filter ? 1 : 0;
        made.shifts += reason == Reason::Shift ? 1 : 0;
        made.byText += reason == Reason::Text ? 1 : 0;
    }
    return made;
}

} // namespace plumbline
