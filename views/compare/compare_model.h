// SPDX-License-Identifier: GPL-3.0-or-later
// The changes between two documents as a table.
#pragma once

#include <memory>

#include <QAbstractTableModel>
#include <QSortFilterProxyModel>

#include "core/compare/lowering_diff.h"
#include "views/common/session.h"

namespace plumbline {

/// Two documents and what their lowerings differ in.
struct Comparison {
    DocumentPtr first;
    DocumentPtr second;
    LoweringDiff diff;
};
using ComparisonPtr = std::shared_ptr<const Comparison>;

class CompareModel : public QAbstractTableModel {
    Q_OBJECT

  public:
    enum Column {
        Kind,
        OperatorColumn,
        RecordColumn,
        Place,
        First,
        Second,
        Consequence,
        ColumnCount
    };
    /// The raw number, or text where there is none.
    static constexpr int SortRole = Qt::UserRole;

    explicit CompareModel(QObject* parent = nullptr);
    /// Null shows nothing.
    void setComparison(ComparisonPtr comparison);
    const ComparisonPtr& comparison() const { return m_comparison; }
    const LoweringChange& change(int row) const {
        return m_comparison->diff.changes[static_cast<std::size_t>(row)];
    }

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

  private:
    QString text(const LoweringChange& change, int column) const;
    QString operatorText(const LoweringChange& change) const;
    QVariant sortValue(const LoweringChange& change, int column) const;

    ComparisonPtr m_comparison;
};

/// The changes that are shown: those of operators of the second that pass the session's filter,
/// with the text, and address shifts only where they are wanted.
class CompareProxy : public QSortFilterProxyModel {
    Q_OBJECT

  public:
    CompareProxy(const Session& session, CompareModel& model, QObject* parent = nullptr);
    /// Both count from the next refilter().
    void setShiftsHidden(bool hidden) { m_shiftsHidden = hidden; }
    void setText(const QString& text) { m_text = text; }
    void refilter() { invalidateFilter(); }

    /// How many changes are not shown, and why: each counts once, for the first reason.
    struct Hidden {
        int byFilter = 0, shifts = 0, byText = 0;
    };
    Hidden hidden() const;

  protected:
    bool filterAcceptsRow(int row, const QModelIndex& parent) const override;

  private:
    enum class Reason : std::uint8_t { None, Filter, Shift, Text };
    Reason reasonToHide(int row) const;

    const Session& m_session;
    const CompareModel& m_model;
    bool m_shiftsHidden = false;
    QString m_text;
};

/// What the document is called in a comparison: "model.tflite", "model.tflite with 2 edits".
QString titleOf(const Document& document);

/// "3", "3 → 4", "3 →" or "→ 4".
QString bothSides(std::optional<std::int64_t> first, std::optional<std::int64_t> second);

} // namespace plumbline
