// SPDX-License-Identifier: GPL-3.0-or-later
// The selected operator's output: heat map, sheet of channels, or table of values.
#pragma once

#include "views/common/view.h"
#include "views/layers/tensor_bar.h"
#include "views/layers/tensor_canvas.h"
#include "views/layers/tensor_table_model.h"

class QLabel;
class QSplitter;
class QStackedLayout;
class QStackedWidget;
class QTableView;

namespace plumbline {

class TensorPanel;

class TensorView : public View {
    Q_OBJECT

  public:
    explicit TensorView(Session& session, QWidget* parent = nullptr);

    /// The operator whose tensor is shown.
    std::optional<std::int64_t> shownOperator() const override;
    /// Selects the tensor's first mismatch, or the operator where there is none.
    bool pickOperator(std::int64_t index) override;
    QAbstractItemModel* accessibleTable() override { return m_model; }
    std::unique_ptr<QAbstractItemModel> wholeTable(const QAbstractItemView& table) const override;
    std::vector<ViewPicture> pictures() override;

    TensorCanvas* canvas() const { return m_canvas; }
    QTableView* table() const { return m_table; }
    TensorTableModel* model() const { return m_model; }
    TensorBar* bar() const { return m_bar; }
    TensorSide side() const; ///< the wanted one where the tensor has it, else one that it has

  protected:
    void showDocument() override;
    void showSelection() override;
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;

  private:
    QWidget* makeContent();
    QWidget* makeTablePage();
    void connectParts();
    void makeActions();
    void addCommand(const QString& name, const QString& text, void (TensorView::*run)());
    void showOperator();
    void showSide();
    void showMode();
    void showElement(); ///< the session's, and its channel
    void showTableCell();
    void showElementText(std::optional<std::int64_t> hovered);
    void showPage();
    void pick(const ElementIndex& element);
    void pickFirstMismatch();
    void copyElement();
    void zoomIn();
    void zoomOut();
    void fit();
    TensorColors colors() const;
    QString tensorTitle() const;
    QString missingText() const; ///< why another side is shown than the chosen one
    void arrange();              ///< gives picture and panel their sizes

    std::optional<std::int64_t> m_operator; ///< of the session's place
    std::shared_ptr<const LayerTensor> m_tensor;
    TensorBar* m_bar = nullptr;
    TensorCanvas* m_canvas = nullptr;
    TensorTableModel* m_model;
    QTableView* m_table = nullptr;
    QWidget* m_pager = nullptr;
    QLabel* m_pageText = nullptr;
    QStackedWidget* m_modes = nullptr; ///< canvas or table
    TensorPanel* m_panel = nullptr;
    QSplitter* m_split = nullptr;
    QLabel* m_note = nullptr;
    QStackedLayout* m_stack = nullptr; ///< note or content
    bool m_isSplitChosen = false;      ///< somebody has moved the border of picture and panel
    bool m_following = false;          ///< the table's current cell is being set from the session
};

} // namespace plumbline
