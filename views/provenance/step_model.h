// SPDX-License-Identifier: GPL-3.0-or-later
// All steps of an explanation as a table; nothing is copied, so tens of thousands cost nothing.
#pragma once

#include <array>
#include <memory>
#include <optional>

#include <QAbstractTableModel>

#include "core/lowering/explanation.h"
#include "core/lowering/tile_walk.h"
#include "views/common/row_model.h"

namespace plumbline {

class StepModel : public QAbstractTableModel {
    Q_OBJECT

  public:
    enum Column {
        Number,    ///< from 1
        What,      ///< kind, operand
        Slice,     ///< K slice
        K,         ///< step of the reduction
        Place,     ///< kh, kw, cin of K
        Element,   ///< h, w, c of the input element
        Input,     ///< value and address
        Weight,    ///< value and address
        Parameter, ///< value
        Adds,      ///< what is added to the running value
        Value,     ///< the running value after the step
        ColumnCount
    };
    enum Role {
        PlainRole = RowModel::PlainRole, ///< the raw number of a column that has one
        AddressRole ///< "weights/0x2e5", what activating the cell selects; or nothing
    };

    using QAbstractTableModel::QAbstractTableModel;

    /// Null empties the table. `walk` names the places of the reduction.
    void setExplanation(std::shared_ptr<const Explanation> explanation,
                        const std::optional<TileWalk>& walk);
    const std::shared_ptr<const Explanation>& explanation() const { return m_explanation; }
    /// Whether Input and Weight say where their values come from.
    void setAddressesShown(bool shown);
    /// Null outside the table.
    const ReplayStep* step(int row) const;
    /// Whether any step has something in `column`.
    bool hasColumn(Column column) const { return m_used[static_cast<std::size_t>(column)]; }
    /// The byte or word that the cell stands for.
    std::optional<ReplaySource> sourceAt(int row, int column) const;

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    QVariant headerData(int section, Qt::Orientation orientation,
                        int role = Qt::DisplayRole) const override;

  private:
    QString text(const ReplayStep& step, int row, int column) const;
    QVariant colour(const ReplayStep& step, int row, int column) const;

    std::shared_ptr<const Explanation> m_explanation;
    std::optional<TileWalk> m_walk;
    std::array<bool, ColumnCount> m_used{};
    bool m_hasAddresses = true; ///< in Input and Weight
};

/// What a step adds to the running value: the product, the term; nothing for other steps.
std::optional<std::int64_t> addedBy(const ReplayStep& step);

/// Whether ReplayStep::parameter means something for the kind.
bool hasParameter(ReplayKind kind);

} // namespace plumbline
