// SPDX-License-Identifier: GPL-3.0-or-later
// The diagnostics of a document as a table.
#pragma once

#include <QAbstractTableModel>

#include "core/document/document.h"

namespace plumbline {

class DiagnosticsModel : public QAbstractTableModel {
    Q_OBJECT

  public:
    enum Column { Number, SeverityColumn, CodeColumn, Place, Message, Rule, Hint, ColumnCount };
    /// Raw values to sort and filter by: numbers as numbers, the severity from Error (0) on.
    static constexpr int SortRole = Qt::UserRole;

    explicit DiagnosticsModel(QObject* parent = nullptr);
    void setDocument(DocumentPtr document);

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

  private:
    QVariant text(const Diagnostic& diagnostic, int row, int column) const;

    DocumentPtr m_document;
};

/// "Error", "Warning" or "Note", for people.
QString severityText(Severity severity);

} // namespace plumbline
