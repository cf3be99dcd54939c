// SPDX-License-Identifier: GPL-3.0-or-later
// The arena timeline: every buffer over operators and addresses, the numbers of one step, and what
// other strategies would need.
#pragma once

#include <QAction>
#include <QLabel>
#include <QStackedWidget>
#include <QTabWidget>

#include "views/arena/arena_panels.h"
#include "views/arena/arena_plot.h"
#include "views/arena/buffer_model.h"
#include "views/common/view.h"

namespace plumbline {

class ArenaView : public View {
    Q_OBJECT

  public:
    explicit ArenaView(Session& session, QWidget* parent = nullptr);

    std::optional<std::int64_t> shownOperator() const override;
    bool pickOperator(std::int64_t index) override;
    QAbstractItemModel* accessibleTable() override { return m_buffers; }
    /// The chart as it is zoomed and marked.
    std::vector<ViewPicture> pictures() override;
    bool isBusy() const override { return m_whatIf->isBusy() || m_bounds.isBusy(); }

    ArenaPlot* plot() const { return m_plot; }
    WhatIfPanel* whatIf() const { return m_whatIf; }
    /// Step and buffer that are marked.
    std::optional<std::int64_t> step() const { return m_plot->scene().step; }
    std::optional<std::size_t> buffer() const { return m_plot->scene().buffer; }

  protected:
    void showDocument() override;
    void showSelection() override;
    void showFilter() override;
    void keyPressEvent(QKeyEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

  private:
    void buildActions();
    QWidget* buildToolBar();
    QWidget* buildSide();
    QAction* newAction(const QString& name, const QString& text, const QKeySequence& shortcut);
    void showPlan(std::shared_ptr<const ArenaPlan> plan, const QString& experiment);
    void showBounds(bool on);
    void loadBounds();
    void showEmptyNote();
    std::vector<bool> dimmedBuffers() const;
    /// Selects what a click on the column and the buffer means.
    bool pick(std::int64_t step, std::optional<std::size_t> buffer);
    bool moveStep(std::int64_t step);
    bool moveBuffer(int direction);
    bool handleKey(int key);

    BufferModel* m_buffers = nullptr;
    ArenaPlot* m_plot = nullptr;
    ArenaStepPanel* m_stepPanel = nullptr;
    ArenaStepPanel* m_peakPanel = nullptr;
    WhatIfPanel* m_whatIf = nullptr;
    QTabWidget* m_side = nullptr;
    QStackedWidget* m_stack = nullptr;
    QLabel* m_empty = nullptr;
    QWidget* m_banner = nullptr;
    QLabel* m_bannerText = nullptr;
    QAction* m_hexAction = nullptr;
    QAction* m_boundsAction = nullptr;
    QAction* m_findingsAction = nullptr;
    QAction* m_resetAction = nullptr;
    QAction* m_peakAction = nullptr;
    NewestJob m_bounds;
    bool m_hasBounds = false; ///< the accesses of this document are loaded
};

} // namespace plumbline
