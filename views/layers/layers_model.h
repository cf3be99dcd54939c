// SPDX-License-Identifier: GPL-3.0-or-later
// The layers of a document as a table of verdicts.
#pragma once

#include "views/common/row_model.h"
#include "views/layers/layer_rows.h"

namespace plumbline {

class LayersModel : public RowModel {
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
    using RowModel::RowModel;

    const LayerRow& rowAt(int row) const { return m_rows[static_cast<std::size_t>(row)]; }

    void setDocument(DocumentPtr document) override;
    std::optional<std::int64_t> operatorOf(int row) const override;
    std::optional<int> rowOf(const Place& place) const override;
    Selection selectionOf(int row) const override;
    Selection addressOf(int row) const override { return selectionOf(row); }
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

} // namespace plumbline
