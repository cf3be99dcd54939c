// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/diagnostics/diagnostics_model.h"

#include <QApplication>

#include "views/common/format.h"
#include "views/common/palette.h"

namespace plumbline {

QString severityText(Severity severity) {
    switch (severity) {
    case Severity::Error:
        return QObject::tr("✕ Error");
    case Severity::Warning:
        return QObject::tr("▲ Warning");
    case Severity::Note:
        return QObject::tr("ℹ Note");
    }
    return {};
}

DiagnosticsModel::DiagnosticsModel(QObject* parent)
    : QAbstractTableModel(parent) {}

void DiagnosticsModel::setDocument(DocumentPtr document) {
    beginResetModel();
    m_document = std::move(document);
    endResetModel();
}

int DiagnosticsModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() || !m_document ? 0 : static_cast<int>(m_document->diagnostics.size());
}

int DiagnosticsModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : ColumnCount;
}

QVariant DiagnosticsModel::text(const Diagnostic& diagnostic, int row, int column) const {
    switch (static_cast<Column>(column)) {
    case Number:
        return row;
    case SeverityColumn:
        return severityText(diagnostic.severity);
    case CodeColumn:
        return safeText(codeInfo(diagnostic.code).id);
    case Place:
        return safeText(placeText(diagnostic.where));
    case Message:
        return safeText(diagnostic.message);
    case Rule:
        return safeText(codeInfo(diagnostic.code).rule);
    case Hint:
        return safeText(diagnostic.hint);
    case ColumnCount:
        break;
    }
    return {};
}

QVariant DiagnosticsModel::data(const QModelIndex& index, int role) const {
    if (!index.isValid() || !m_document)
        return {};
    const auto row = static_cast<std::size_t>(index.row());
    const Diagnostic& diagnostic = m_document->diagnostics.at(row);
    switch (role) {
    case Qt::DisplayRole:
        return text(diagnostic, index.row(), index.column());
    case SortRole:
        if (index.column() == SeverityColumn)
            return -static_cast<int>(diagnostic.severity);
        return text(diagnostic, index.row(), index.column());
    case Qt::ToolTipRole:
        return tr("%1\n\nRule: %2.")
            .arg(safeText(diagnostic.message), safeText(codeInfo(diagnostic.code).rule));
    case Qt::ForegroundRole:
        if (index.column() != SeverityColumn)
            return {};
        return toneColor(diagnostic.severity == Severity::Error     ? Tone::Error
                         : diagnostic.severity == Severity::Warning ? Tone::Warning
                                                                    : Tone::Note,
                         QApplication::palette());
    case Qt::FontRole:
        if (index.column() == CodeColumn)
            return monoFont();
        return {};
    default:
        return {};
    }
}

QVariant DiagnosticsModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole)
        return {};
    switch (static_cast<Column>(section)) {
    case Number:
        return tr("#");
    case SeverityColumn:
        return tr("Severity");
    case CodeColumn:
        return tr("Code");
    case Place:
        return tr("Place");
    case Message:
        return tr("Message");
    case Rule:
        return tr("Rule");
    case Hint:
        return tr("Hint");
    case ColumnCount:
        break;
    }
    return {};
}

} // namespace plumbline
