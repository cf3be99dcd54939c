// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/records/records_model.h"

#include <array>

#include <QGuiApplication>

#include "views/common/format.h"
#include "views/common/palette.h"
#include "views/records/record_changes.h"

namespace plumbline {
namespace {

std::int64_t sliceCount(const TilePlan& tiles) {
    return tiles.kSlice > 0 && tiles.fullK > 0 ? (tiles.fullK - 1) / tiles.kSlice + 1 : 0;
}

QString pairText(std::int64_t a, std::int64_t b) {
    return a == 0 && b == 0 ? QString() : QStringLiteral("%1×%2").arg(a).arg(b);
}

/// Products of extents that a package states may leave 64 bits; a double sorts as well.
double product(std::initializer_list<std::int64_t> factors) {
    double made = 1;
    for (const std::int64_t factor : factors)
        made *= static_cast<double>(factor);
    return made;
}

Tone toneOf(RecordStatus status) {
    switch (status) {
    case RecordStatus::Violation:
    case RecordStatus::Mismatch:
        return Tone::Error;
    case RecordStatus::Equal:
        return Tone::Ok;
    case RecordStatus::NotCompared:
    case RecordStatus::Unchecked:
        return Tone::Muted;
    }
    return Tone::Muted;
}

QString dashIfEmpty(const QString& text) { return text.isEmpty() ? QStringLiteral("–") : text; }

} // namespace

void RecordsModel::setDocument(DocumentPtr document) {
    beginResetModel();
    m_document = std::move(document);
    m_rows.clear();
    const std::size_t count = m_document ? m_document->lowering->records.size() : 0;
    m_rows.reserve(count);
    for (std::size_t i = 0; i < count; ++i)
        m_rows.push_back(makeRow(i));
    if (m_document && m_document->verdicts)
        noteVerdicts();
    m_changes = m_document ? recordChanges(*m_document) : std::vector<QStringList>();
    endResetModel();
}

RecordsModel::Row RecordsModel::makeRow(std::size_t record) const {
    Row row;
    const auto& operators = m_document->lowering->operators;
    const std::int64_t owner = m_document->lowering->records[record].operatorIndex;
    if (owner >= 0 && static_cast<std::size_t>(owner) < operators.size())
        row.op = &operators[static_cast<std::size_t>(owner)];
    const auto& violations = m_document->violations;
    if (record < violations.size() && violations[record])
        row.status = RecordStatus::Violation;
    else if (violations.empty())
        row.status = RecordStatus::Unchecked;
    return row;
}

void RecordsModel::noteVerdicts() {
    for (const LayerVerdict& layer : m_document->verdicts->layers) {
        if (!layer.record || *layer.record < 0 ||
            static_cast<std::size_t>(*layer.record) >= m_rows.size())
            continue;
        Row& row = m_rows[static_cast<std::size_t>(*layer.record)];
        if (layer.accumulated)
            row.mismatches = layer.accumulated->mismatches;
        row.culprit = m_document->verdicts->culprit == layer.operatorIndex;
        if (row.status == RecordStatus::Violation)
            continue;
        if (layer.isEqual())
            row.status = RecordStatus::Equal;
        else if (layer.isWrongAlone() || layer.accumulated)
            row.status = RecordStatus::Mismatch;
    }
}

std::optional<std::int64_t> RecordsModel::operatorOf(int row) const {
    const LoweredOperator* const op = m_rows[static_cast<std::size_t>(row)].op;
    return op == nullptr ? std::nullopt : std::optional(op->index);
}

std::optional<int> RecordsModel::rowOf(const Place& place) const {
    if (!place.record || *place.record < 0 || *place.record >= rowCount())
        return std::nullopt;
    return static_cast<int>(*place.record);
}

Selection RecordsModel::selectionOf(int row) const {
    const auto operatorIndex = operatorOf(row);
    return operatorIndex ? selectOperator(*operatorIndex) : selectRecord(row);
}

RecordStatus RecordsModel::status(int row) const {
    return m_rows[static_cast<std::size_t>(row)].status;
}

QStringList RecordsModel::changes(int row) const {
    return m_changes.empty() ? QStringList() : m_changes[static_cast<std::size_t>(row)];
}

int RecordsModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(m_rows.size());
}

int RecordsModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : ColumnCount;
}

QVariant RecordsModel::data(const QModelIndex& index, int role) const {
    if (!checkIndex(index, CheckIndexOption::IndexIsValid | CheckIndexOption::ParentIsInvalid))
        return {};
    const auto row = static_cast<std::size_t>(index.row());
    const int column = index.column();
    const bool isText = column == OperatorName || column == Opcode || column == Status;
    switch (role) {
    case Qt::DisplayRole:
        return column == Index && !changes(index.row()).isEmpty() ? QStringLiteral("✎ %1").arg(row)
                                                                  : text(row, column);
    case Qt::ToolTipRole:
        return toolTip(row, column);
    case Qt::TextAlignmentRole:
        return QVariant(Qt::AlignVCenter | (isText ? Qt::AlignLeft : Qt::AlignRight));
    case Qt::ForegroundRole:
        if (column == Index && !changes(index.row()).isEmpty())
            return toneColor(Tone::Accent, QGuiApplication::palette());
        return column == Status
                   ? QVariant(toneColor(toneOf(m_rows[row].status), QGuiApplication::palette()))
                   : QVariant();
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

QVariant RecordsModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal || section < 0 || section >= ColumnCount)
        return QAbstractTableModel::headerData(section, orientation, role);
    const std::array<std::pair<QString, QString>, ColumnCount> titles{{
        {tr("Record"), tr("Index in the descriptor array, from 0")},
        {tr("Operator"), tr("Operator of the model, with its index in the graph")},
        {tr("Opcode"), tr("Operation of the record")},
        {tr("IFM"), tr("Input height × width × channels")},
        {tr("OFM"), tr("Output height × width × channels")},
        {tr("Kernel"), tr("Kernel height × width")},
        {tr("Stride"), tr("Vertical × horizontal stride")},
        {tr("Tiles"), tr("Output tiles")},
        {tr("K slices"), tr("Slices of the reduction")},
        {tr("MACs"), tr("Useful multiply-accumulates")},
        {tr("Cycles"), tr("Estimated cycles")},
        {tr("Arena out"), tr("Bytes of the output in the arena")},
        {tr("Status"), tr("The validator's verdict and the comparison with the reference")},
    }};
    const auto& [title, tip] = titles.at(static_cast<std::size_t>(section));
    if (role == Qt::DisplayRole)
        return title;
    if (role == Qt::ToolTipRole)
        return tip;
    return {};
}

std::uint32_t RecordsModel::opcodeNumber(std::size_t row) const {
    const FieldTable* const table = m_document->lowering->fields;
    const Bytes& record = m_document->lowering->records[row].bytes;
    if (table == nullptr || record.size() < table->recordBytes)
        return 0;
    return opcodeOf(record, *table);
}

QString RecordsModel::opcodeText(std::size_t row) const {
    const FieldTable* const table = m_document->lowering->fields;
    const std::uint32_t number = opcodeNumber(row);
    const QString name = table == nullptr ? QString() : safeText(table->opcodeName(number));
    return name.isEmpty() ? tr("%1 (no opcode)").arg(number) : name;
}

QString RecordsModel::text(std::size_t row, int column) const {
    const LoweredOperator* const op = m_rows[row].op;
    switch (column) {
    case Index:
        return QString::number(row);
    case OperatorName:
        return op == nullptr ? tr("(not named)")
                             : QStringLiteral("%1  %2").arg(op->index).arg(safeText(op->name));
    case Opcode:
        return opcodeText(row);
    case Status:
        return statusText(row);
    default:
        break;
    }
    if (op == nullptr)
        return dashIfEmpty({});
    switch (column) {
    case Macs:
        return groupedNumber(op->cost.usefulMacs);
    case Cycles:
        return groupedNumber(op->cost.estimatedCycles);
    case ArenaBytes:
        return groupedNumber(static_cast<std::int64_t>(op->arena.outputBytes));
    default:
        return dashIfEmpty(plainText(row, column));
    }
}

QString RecordsModel::plainText(std::size_t row, int column) const {
    const LoweredOperator* const op = m_rows[row].op;
    if (op == nullptr || column == Index || column == Opcode || column == Status)
        return column == Status ? statusText(row).mid(2) : text(row, column);
    const OperatorGeometry& g = op->geometry;
    switch (column) {
    case OperatorName:
        return text(row, column);
    case Ifm:
        return shapeText(Hwc{g.h, g.w, g.cin});
    case Ofm:
        return shapeText(Hwc{g.oh, g.ow, g.cout});
    case Kernel:
        return pairText(g.kh, g.kw);
    case Stride:
        return pairText(g.strideH, g.strideW);
    case Tiles:
        return QString::number(op->tiles.tiles);
    case KSlices:
        return QString::number(sliceCount(op->tiles));
    case Macs:
        return QString::number(op->cost.usefulMacs);
    case Cycles:
        return QString::number(op->cost.estimatedCycles);
    case ArenaBytes:
        return QString::number(op->arena.outputBytes);
    default:
        return {};
    }
}

/// A mark, a space and the words.
QString RecordsModel::statusText(std::size_t row) const {
    switch (m_rows[row].status) {
    case RecordStatus::Violation: {
        const auto& violation = m_document->violations[row];
        return violation->word ? tr("✗ violation in word %1").arg(*violation->word)
                               : tr("✗ violation");
    }
    case RecordStatus::Mismatch:
        return (m_rows[row].culprit ? tr("≠ culprit: ") : tr("≠ ")) +
               (m_rows[row].mismatches
                    ? tr("%1 mismatches").arg(groupedNumber(*m_rows[row].mismatches))
                    : tr("differs"));
    case RecordStatus::Equal:
        return tr("✓ equal");
    case RecordStatus::NotCompared:
        return tr("✓ valid");
    case RecordStatus::Unchecked:
        return tr("– not checked");
    }
    return {};
}

QString RecordsModel::toolTip(std::size_t row, int column) const {
    const LoweredOperator* const op = m_rows[row].op;
    if (const QStringList lines = changes(static_cast<int>(row));
        column == Index && !lines.isEmpty())
        return tr("Changed by the experiment:\n%1").arg(lines.join(QLatin1Char('\n')));
    if (column == Status) {
        switch (m_rows[row].status) {
        case RecordStatus::Violation:
            return safeText(m_document->violations[row]->message);
        case RecordStatus::Mismatch:
        case RecordStatus::Equal:
            return tr("Compared with %1").arg(safeText(m_document->verdicts->reference));
        case RecordStatus::NotCompared:
            return tr("The validator accepts it; there is nothing to compare its output with");
        case RecordStatus::Unchecked:
            return tr("The records do not relocate, so the validator has not seen this one");
        }
    }
    if (op == nullptr)
        return tr("The package's report names no operator for this record");
    if (column == KSlices && op->tiles.kSlice > 0)
        return tr("A reduction of %1 in slices of %2").arg(op->tiles.fullK).arg(op->tiles.kSlice);
    if (column == Tiles && op->tiles.tiles > 0)
        return tr("Tiles of %1").arg(pairText(op->tiles.tileH, op->tiles.tileW));
    if (column == OperatorName)
        return safeText(op->note);
    return {};
}

QVariant RecordsModel::sortValue(std::size_t row, int column) const {
    const LoweredOperator* const op = m_rows[row].op;
    if (column == Index)
        return QVariant::fromValue<qlonglong>(static_cast<qlonglong>(row));
    if (column == Opcode)
        return QVariant::fromValue<qlonglong>(opcodeNumber(row));
    if (column == Status) // violations first, then by mismatches
        return m_rows[row].status == RecordStatus::Mismatch
                   ? -static_cast<double>(m_rows[row].mismatches.value_or(0)) - 1
                   : static_cast<double>(m_rows[row].status) -
                         (m_rows[row].status == RecordStatus::Violation ? 1e19 : 0.0);
    if (op == nullptr)
        return QVariant::fromValue<qlonglong>(-1);
    const OperatorGeometry& g = op->geometry;
    switch (column) {
    case OperatorName:
        return QVariant::fromValue<qlonglong>(op->index);
    case Ifm:
        return product({g.h, g.w, g.cin});
    case Ofm:
        return product({g.oh, g.ow, g.cout});
    case Kernel:
        return product({g.kh, g.kw});
    case Stride:
        return product({g.strideH, g.strideW});
    default:
        return plainText(row, column).toLongLong();
    }
}

} // namespace plumbline
