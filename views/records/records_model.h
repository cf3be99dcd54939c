// SPDX-License-Identifier: GPL-3.0-or-later
// The records of a document as a table.
#pragma once

#include "views/common/row_model.h"

namespace plumbline {

enum class RecordStatus : std::uint8_t {
    Violation,   ///< the validator refuses the record
    Mismatch,    ///< it runs, its output is not the reference's
    Equal,       ///< valid, and its output is the reference's
    NotCompared, ///< valid, nothing to compare with
    Unchecked,   ///< the validator has not seen it: no record of the job relocates
};

class RecordsModel : public RowModel {
    Q_OBJECT

  public:
    enum Column {
        Index,
        OperatorName,
        Opcode,
        Ifm,
        Ofm,
        Kernel,
        Stride,
        Tiles,
        KSlices,
        Macs,
        Cycles,
        ArenaBytes,
        Status,
        ColumnCount
    };
    using RowModel::RowModel;

    void setDocument(DocumentPtr document) override;
    std::optional<std::int64_t> operatorOf(int row) const override;
    std::optional<int> rowOf(const Place& place) const override;
    Selection selectionOf(int row) const override;
    Selection addressOf(int row) const override { return selectRecord(row); }

    RecordStatus status(int row) const;
    /// What an experiment changed of the record, a line each; empty where nothing.
    QStringList changes(int row) const;

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

  private:
    struct Row {
        const LoweredOperator* op = nullptr;
        RecordStatus status = RecordStatus::NotCompared;
        std::optional<std::int64_t> mismatches; ///< nothing: only digests were compared
        bool culprit = false;                   ///< the first layer that is wrong by itself
    };

    Row makeRow(std::size_t record) const;
    void noteVerdicts();
    QString text(std::size_t row, int column) const;
    QString plainText(std::size_t row, int column) const;
    QString statusText(std::size_t row) const;
    QString toolTip(std::size_t row, int column) const;
    QVariant sortValue(std::size_t row, int column) const;
    QString condition(std::size_t row, int column) const;
    std::uint32_t opcodeNumber(std::size_t row) const;
    QString opcodeText(std::size_t row) const;

    DocumentPtr m_document;
    std::vector<Row> m_rows;
    std::vector<QStringList> m_changes; ///< by record; empty where the document is no experiment
};

} // namespace plumbline
