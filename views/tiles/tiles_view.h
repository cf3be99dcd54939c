// SPDX-License-Identifier: GPL-3.0-or-later
// Tiles, positions, channel groups and K slices of the selected record.
#pragma once

#include <vector>

#include <QAbstractTableModel>
#include <QLabel>
#include <QStackedWidget>

#include "views/common/view.h"
#include "views/tiles/tile_canvas.h"
#include "views/tiles/tile_text.h"

namespace plumbline {

/// The facts of the cursor as a table of names and values.
class TileFactModel : public QAbstractTableModel {
    Q_OBJECT

  public:
    enum Columns { NameColumn, ValueColumn, ColumnCount };

    using QAbstractTableModel::QAbstractTableModel;
    void setFacts(std::vector<TileFact> facts);

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    QVariant headerData(int section, Qt::Orientation orientation,
                        int role = Qt::DisplayRole) const override;

  private:
    std::vector<TileFact> m_facts;
};

class TilesView : public View {
    Q_OBJECT

  public:
    explicit TilesView(Session& session, QWidget* parent = nullptr);

    std::optional<std::int64_t> shownOperator() const override { return m_operator; }
    bool pickOperator(std::int64_t index) override;
    QAbstractItemModel* accessibleTable() override { return m_facts; }

    std::vector<ViewPicture> pictures() override;

    TileCanvas* canvas() const { return m_canvas; }

  protected:
    void showDocument() override;
    void showSelection() override;

  private:
    const LoweredOperator* shownOp() const;
    void showOperator();
    void showCursor();
    /// Selects the tile that the cursor stands in.
    void selectTile();
    void selectElement();

    TileCanvas* m_canvas = nullptr;
    QStackedWidget* m_stack = nullptr;
    QLabel* m_empty = nullptr;
    QLabel* m_words = nullptr;
    TileFactModel* m_facts = nullptr;
    std::optional<std::int64_t> m_operator;
    bool m_isSelecting = false; ///< the selection comes from here
};

} // namespace plumbline
