// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/hex/constants_models.h"

#include <algorithm>
#include <limits>

#include <QFont>
#include <QGuiApplication>

#include "views/common/format.h"
#include "views/common/palette.h"

namespace plumbline {
namespace {

constexpr std::uint64_t kParameterBytes = 4;

int rowsOf(std::size_t count) {
    return static_cast<int>(std::min<std::size_t>(count, std::numeric_limits<int>::max()));
}

QVariant numberLook(int role, bool isPosition) {
    if (role == Qt::TextAlignmentRole)
        return QVariant(Qt::AlignRight | Qt::AlignVCenter);
    if (role == Qt::FontRole)
        return monoFont();
    if (role == Qt::ForegroundRole && isPosition)
        return toneColor(Tone::Muted, QGuiApplication::palette());
    return {};
}

} // namespace

const Bytes* ConstantsModel::recordOf(const Document& document, const LoweredOperator* op) {
    m_problem.clear();
    const Lowering& lowering = *document.lowering;
    if (op == nullptr) {
        m_problem = tr("Select an operator to see its constants.");
    } else if (!op->record || *op->record < 0 ||
               static_cast<std::size_t>(*op->record) >= lowering.records.size() ||
               lowering.fields == nullptr) {
        m_problem = tr("%1 (operator %2) has no record, so it has no constants.")
                        .arg(safeText(op->name))
                        .arg(op->index);
    } else {
        const Bytes& record = lowering.records[static_cast<std::size_t>(*op->record)].bytes;
        if (record.size() >= lowering.fields->recordBytes)
            return &record;
        m_problem = tr("The record is cut short.");
    }
    return nullptr;
}

void PackedWeightsModel::setOperator(DocumentPtr document, const LoweredOperator* op) {
    beginResetModel();
    m_document = std::move(document);
    m_weights.reset();
    const Lowering& lowering = *m_document->lowering;
    if (const Bytes* const record = recordOf(*m_document, op)) {
        if (constantsSlice(*record, *lowering.fields, kWeightsRegion).bytes == 0) {
            m_problem =
                tr("%1 (operator %2) has no weights.").arg(safeText(op->name)).arg(op->index);
        } else if (auto made = packedWeights(*record, *lowering.fields, lowering.weights)) {
            m_weights = *std::move(made);
        } else {
            m_problem = safeText(made.diagnostics().front().message);
        }
    }
    endResetModel();
}

int PackedWeightsModel::positionColumns() const {
    return m_weights ? 2 + static_cast<int>(m_weights->axes.size()) : 0;
}

int PackedWeightsModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() || !m_weights ? 0 : rowsOf(m_weights->rows());
}

int PackedWeightsModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() || !m_weights ? 0
                                          : positionColumns() + static_cast<int>(m_weights->lanes);
}

std::size_t PackedWeightsModel::position(std::size_t row, int column) const {
    const std::size_t k = row % m_weights->depth;
    if (column == 0)
        return row / m_weights->depth;
    return column == 1 ? k : m_weights->axisIndex(k, static_cast<std::size_t>(column) - 2);
}

QString PackedWeightsModel::toolTip(std::size_t row, int column) const {
    const auto lane = static_cast<std::size_t>(column - positionColumns());
    const std::size_t channel = row / m_weights->depth * m_weights->lanes + lane;
    const std::size_t index = m_weights->indexOf(0, row, lane);
    const QString at = hexNumber(m_weights->offset + index);
    return channel < m_weights->channels
               ? tr("Channel %1, weights/%2").arg(channel).arg(at)
               : tr("No channel: the lane is filled with 0, weights/%1").arg(at);
}

QVariant PackedWeightsModel::data(const QModelIndex& index, int role) const {
    if (!m_weights || !checkIndex(index, CheckIndexOption::IndexIsValid))
        return {};
    const auto row = static_cast<std::size_t>(index.row());
    const int lane = index.column() - positionColumns();
    if (role == Qt::DisplayRole) {
        if (lane < 0)
            return QString::number(position(row, index.column()));
        return QString::number(m_weights->at(0, row, static_cast<std::size_t>(lane)));
    }
    if (role == Qt::ToolTipRole && lane >= 0)
        return toolTip(row, index.column());
    const bool isTail =
        lane >= 0 && row / m_weights->depth * m_weights->lanes + static_cast<std::size_t>(lane) >=
                         m_weights->channels;
    return numberLook(role, lane < 0 || isTail);
}

QVariant PackedWeightsModel::headerData(int section, Qt::Orientation orientation, int role) const {
    // The row's own header stays in sight when a narrow table is scrolled to a lane.
    if (orientation == Qt::Vertical && role == Qt::DisplayRole && m_weights && section >= 0 &&
        section < rowCount())
        return QStringLiteral("[%1][%2]")
            .arg(index(section, 0).data().toString(), index(section, 1).data().toString());
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole || !m_weights || section < 0 ||
        section >= columnCount())
        return ConstantsModel::headerData(section, orientation, role);
    if (section == 0)
        return tr("group");
    if (section == 1)
        return tr("k");
    if (section < positionColumns())
        return safeText(m_weights->axes[static_cast<std::size_t>(section) - 2].name);
    return tr("lane %1").arg(section - positionColumns());
}

std::optional<HexRun> PackedWeightsModel::runOf(const QModelIndex& index) const {
    const int lane = index.column() - positionColumns();
    if (!m_weights || !index.isValid() || lane < 0)
        return std::nullopt;
    return HexRun{m_weights->offset + m_weights->indexOf(0, static_cast<std::size_t>(index.row()),
                                                         static_cast<std::size_t>(lane)),
                  1};
}

QModelIndex PackedWeightsModel::cellOf(std::uint64_t offset) const {
    if (!m_weights || offset < m_weights->offset ||
        offset - m_weights->offset >= m_weights->bytes.size())
        return {};
    const auto at = static_cast<std::size_t>(offset - m_weights->offset);
    return index(rowsOf(at / m_weights->lanes),
                 positionColumns() + static_cast<int>(at % m_weights->lanes));
}

void ParametersModel::setOperator(DocumentPtr document, const LoweredOperator* op) {
    beginResetModel();
    m_document = std::move(document);
    m_params.reset();
    const Lowering& lowering = *m_document->lowering;
    if (const Bytes* const record = recordOf(*m_document, op)) {
        if (constantsSlice(*record, *lowering.fields, kParamsRegion).bytes == 0) {
            m_problem =
                tr("%1 (operator %2) has no parameters.").arg(safeText(op->name)).arg(op->index);
        } else if (auto made = parameterRecords(*record, *lowering.fields, lowering.params)) {
            m_params = *std::move(made);
        } else {
            m_problem = safeText(made.diagnostics().front().message);
        }
    }
    endResetModel();
}

int ParametersModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() || !m_params ? 0 : rowsOf(m_params->count());
}

int ParametersModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() || !m_params ? 0 : static_cast<int>(m_params->layout->fields.size());
}

QVariant ParametersModel::data(const QModelIndex& index, int role) const {
    if (!m_params || !checkIndex(index, CheckIndexOption::IndexIsValid))
        return {};
    const auto row = static_cast<std::size_t>(index.row());
    const auto column = static_cast<std::size_t>(index.column());
    const ParameterField& field = m_params->layout->fields[column];
    if (role == Qt::DisplayRole)
        return QString::number(m_params->at(row, column));
    if (role == Qt::ToolTipRole)
        return QStringLiteral("%1\n%2, params/%3")
            .arg(safeText(field.meaning),
                 hexNumber(static_cast<std::uint32_t>(m_params->at(row, column))),
                 hexNumber(m_params->offset + m_params->indexOf(row, column)));
    return numberLook(role, field.name == "reserved" && m_params->at(row, column) == 0);
}

QVariant ParametersModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (!m_params || section < 0 || (role != Qt::DisplayRole && role != Qt::ToolTipRole))
        return ConstantsModel::headerData(section, orientation, role);
    if (orientation == Qt::Vertical && role == Qt::DisplayRole)
        return m_params->layout->perChannel ? tr("channel %1").arg(section) : tr("block");
    if (orientation != Qt::Horizontal || section >= columnCount())
        return {};
    const ParameterField& field = m_params->layout->fields[static_cast<std::size_t>(section)];
    return safeText(role == Qt::DisplayRole ? field.name : field.meaning);
}

std::optional<HexRun> ParametersModel::runOf(const QModelIndex& index) const {
    if (!m_params || !index.isValid())
        return std::nullopt;
    return HexRun{m_params->offset + m_params->indexOf(static_cast<std::size_t>(index.row()),
                                                       static_cast<std::size_t>(index.column())),
                  kParameterBytes};
}

QModelIndex ParametersModel::cellOf(std::uint64_t offset) const {
    if (!m_params || offset < m_params->offset ||
        offset - m_params->offset >= m_params->bytes.size())
        return {};
    const auto at = static_cast<std::size_t>(offset - m_params->offset);
    const std::size_t size = m_params->layout->recordBytes();
    return index(rowsOf(at / size), static_cast<int>(at % size / kParameterBytes));
}

} // namespace plumbline
