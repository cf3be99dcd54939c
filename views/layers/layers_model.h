// SPDX-License-Identifier: GPL-3.0-or-later
// The layers of a document as a table of verdicts.
#pragma once

#include <QAbstractTableModel>
#include <QSortFilterProxyModel>

#include "views/common/session.h"
#include "views/layers/layer_rows.h"

namespace plumbline {

class LayersModel : public QAbstractTableModel {
    Q_OBJECT

  public:
    enum Column {
        Operator,
        Accumulated,
        Isolated,
        Mismatches,
        First,
        Largest,
        Shape,
        RecordIndex,
        Sqnr,
        Cosine,
        OursDigest,
        TheirsDigest,
        ReferenceLayer,
        ColumnCount
    };
    enum Role {
        SortRole = Qt::UserRole, ///< the raw number
        PlainRole,               ///< text without grouping, shortening and marks, for CSV
        ConditionRole            ///< a filter that the cell's value meets; empty when there is none
    };

    using QAbstractTableModel::QAbstractTableModel;
    void setDocument(DocumentPtr document);

    const LayerRow& rowAt(int row) const { return m_rows[static_cast<std::size_t>(row)]; }
    std::optional<int> rowOf(std::int64_t operatorIndex) const;

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

  private:
    QString text(const LayerRow& row, int column) const;
    QString plainText(const LayerRow& row, int column) const;
    QString toolTip(const LayerRow& row, int column) const;
    QVariant sortValue(const LayerRow& row, int column) const;
    QString condition(const LayerRow& row, int column) const;
    QString matchText(const LayerRow& row) const;
    QVariant foreground(const LayerRow& row, int column) const;

    DocumentPtr m_document;
    std::vector<LayerRow> m_rows;
};

/// The rows that pass the session's filter, sorted by SortRole.
class LayersProxy : public QSortFilterProxyModel {
    Q_OBJECT

  public:
    LayersProxy(const Session& session, LayersModel& model, QObject* parent = nullptr);
    void refilter() { invalidateFilter(); } ///< the session's filter is another one

  protected:
    bool filterAcceptsRow(int row, const QModelIndex& parent) const override;

  private:
    const Session& m_session;
    const LayersModel& m_model;
};

} // namespace plumbline
