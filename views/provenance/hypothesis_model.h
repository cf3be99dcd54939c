// SPDX-License-Identifier: GPL-3.0-or-later
// The ranked hypotheses of a layer, and the elements that one of them is about, as tables.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include <QAbstractTableModel>
#include <QStyledItemDelegate>

#include "core/compare/hypotheses.h"
#include "views/provenance/element_marks.h"

namespace plumbline {

class HypothesisModel : public QAbstractTableModel {
    Q_OBJECT

  public:
    enum Column {
        Name,      ///< "bias-missing"
        Explains,  ///< "1,234 of 1,536", with a bar
        Exact,     ///< a mark and a word where it explains all
        Change,    ///< what the mistake changes, a sentence
        SameBytes, ///< hypotheses that give the same bytes here
        ColumnCount
    };
    enum Role {
        ShareRole = Qt::UserRole ///< of Explains: 0..1 of all elements
    };

    using QAbstractTableModel::QAbstractTableModel;

    /// Null empties the table; `mistakes` outlive it.
    void setRanking(std::shared_ptr<const HypothesisRanking> ranking,
                    std::span<const MistakeInfo> mistakes);
    const std::shared_ptr<const HypothesisRanking>& ranking() const { return m_ranking; }
    /// Null outside the table.
    const Hypothesis* hypothesis(int row) const;

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    QVariant headerData(int section, Qt::Orientation orientation,
                        int role = Qt::DisplayRole) const override;

  private:
    QString text(const Hypothesis& hypothesis, int column) const;

    std::shared_ptr<const HypothesisRanking> m_ranking;
    std::span<const MistakeInfo> m_mistakes;
};

/// Paints HypothesisModel::ShareRole as a bar under the text.
class ShareDelegate : public QStyledItemDelegate {
    Q_OBJECT

  public:
    using QStyledItemDelegate::QStyledItemDelegate;
    void paint(QPainter* painter, const QStyleOptionViewItem& option,
               const QModelIndex& index) const override;
};

/// The elements of an ElementMap that are not simply right, for screen readers and for copying.
class MarkTableModel : public QAbstractTableModel {
    Q_OBJECT

  public:
    enum Column { Row, ColumnOf, Channel, Observed, RightValue, Mistaken, Mark, ColumnCount };

    using QAbstractTableModel::QAbstractTableModel;

    /// The bytes are those that `marks` was made from; they stay alive until the next call.
    void setMarks(const ElementMarks& marks, ByteView healthy, ByteView observed,
                  ByteView hypothesis);

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    QVariant headerData(int section, Qt::Orientation orientation,
                        int role = Qt::DisplayRole) const override;

  private:
    struct Item {
        ElementIndex element;
        std::size_t index = 0;
        ElementMark mark{};
    };
    std::vector<Item> m_items;
    ByteView m_healthy, m_observed, m_hypothesis;
};

/// What the mistakes of a hypothesis change, in sentences.
QString changeText(const Hypothesis& hypothesis, std::span<const MistakeInfo> mistakes);

/// What a ranking comes to, in a sentence or two. `observed` names whose bytes were observed.
QString verdictText(const HypothesisRanking& ranking, std::span<const MistakeInfo> mistakes,
                    const QString& observed);

/// Which mistakes of the operator's kind could not be seen here, and why; may be empty.
QString unseenText(const HypothesisRanking& ranking);

} // namespace plumbline
