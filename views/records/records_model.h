// SPDX-License-Identifier: GPL-3.0-or-later
// The records of a document as a table.
#pragma once

#include <QAbstractTableModel>
#include <QSortFilterProxyModel>

#include "views/common/session.h"

namespace plumbline {

enum class RecordStatus : std::uint8_t {
    Violation,   ///< the validator refuses the record
    Mismatch,    ///< it runs, its output is not the reference's
    Equal,       ///< valid, and its output is the reference's
    NotCompared, ///< valid, nothing to compare with
};

class RecordsModel : public QAbstractTableModel {
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
    enum Role {
        SortRole = Qt::UserRole, ///< the raw number, or text where there is none
        PlainRole,               ///< text without grouping and marks, for CSV
        ConditionRole            ///< a filter that the cell's value meets; empty when there is none
    };

    explicit RecordsModel(QObject* parent = nullptr);
    void setDocument(DocumentPtr document);

    /// Nothing for a record that no operator claims, as in a damaged package.
    std::optional<std::int64_t> operatorOf(int row) const;
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

/// The rows that pass the session's filter, sorted by SortRole.
class RecordsProxy : public QSortFilterProxyModel {
    Q_OBJECT

  public:
    RecordsProxy(const Session& session, RecordsModel& model, QObject* parent = nullptr);
    /// The session's filter is another one.
    void refilter() { invalidateFilter(); }

  protected:
    bool filterAcceptsRow(int row, const QModelIndex& parent) const override;

  private:
    const Session& m_session;
    const RecordsModel& m_model;
};

} // namespace plumbline
