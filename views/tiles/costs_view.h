// SPDX-License-Identifier: GPL-3.0-or-later
// Estimated cycles and DMA bytes of all records, side by side.
#pragma once

#include <QComboBox>
#include <QLabel>
#include <QScrollBar>
#include <QStackedWidget>

#include "views/common/view.h"
#include "views/tiles/cost_chart.h"
#include "views/tiles/cost_model.h"

namespace plumbline {

class CostsView : public View {
    Q_OBJECT

  public:
    /// How the bars stand.
    enum class Order : std::uint8_t { Record, Total, Name };

    explicit CostsView(Session& session, QWidget* parent = nullptr);

    std::optional<std::int64_t> shownOperator() const override;
    bool pickOperator(std::int64_t index) override;
    QAbstractItemModel* accessibleTable() override { return m_rows; }

    std::vector<ViewPicture> pictures() override;

    CostChart* chart() const { return m_chart; }
    void setMeasure(CostMeasure measure);
    void setOrder(Order order);

  protected:
    void showDocument() override;
    void showSelection() override;
    void showFilter() override;
    void keyPressEvent(QKeyEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

  private:
    QWidget* buildToolBar();
    void buildActions();
    void sortRows();
    void showRows(); ///< the rows, their order or the filter changed
    void fitScrollBar();
    void showEmptyNote();
    void reveal(int row);
    bool pickRow(int row);
    bool handleKey(int key);

    CostModel* m_model = nullptr;
    CostProxy* m_rows = nullptr;
    CostChart* m_chart = nullptr;
    QScrollBar* m_scroll = nullptr;
    QComboBox* m_measureBox = nullptr;
    QComboBox* m_orderBox = nullptr;
    QLabel* m_caption = nullptr;
    QLabel* m_empty = nullptr;
    QStackedWidget* m_stack = nullptr;
    Order m_order = Order::Record;
};

} // namespace plumbline
