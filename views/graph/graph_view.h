// SPDX-License-Identifier: GPL-3.0-or-later
// The operator graph.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "views/common/view.h"
#include "views/graph/graph_canvas.h"

class QAction;
class QKeySequence;
class QLabel;
class QToolBar;

namespace plumbline {

class GraphFindBar;
class GraphTable;

class GraphView : public View {
    Q_OBJECT

  public:
    explicit GraphView(Session& session, QWidget* parent = nullptr);
    ~GraphView() override;

    std::optional<std::int64_t> shownOperator() const override;
    bool pickOperator(std::int64_t index) override;
    QAbstractItemModel* accessibleTable() override;

    /// The whole graph at full detail, without the selection.
    std::vector<ViewPicture> pictures() override;

    void find(const QString& text); ///< marks what matches and goes to the first one from here
    void findNext(int direction);   ///< 1 or -1
    std::size_t foundCount() const { return m_found.size(); }

    GraphCanvas* canvas() const { return m_canvas; } ///< for tests and benches

  protected:
    void showDocument() override;
    void showSelection() override;
    void showFilter() override;
    void showHeat() override;

  private:
    QAction* addCommand(const char* name, const QString& text, const QList<QKeySequence>& keys,
                        const std::function<void()>& run);
    void addCommands();
    void connectCanvas();
    QToolBar* makeToolBar();
    QString emptyText() const;
    void pickNode(std::int32_t node);
    void walk(GraphStep step);
    void goToEnd(bool last);
    void showMenu(std::int32_t node, const QPoint& at);
    void showFound(std::size_t place);
    void closeFind();
    void updateStatus();

    std::shared_ptr<const GraphScene> m_scene;
    GraphCanvas* m_canvas;
    GraphFindBar* m_findBar;
    GraphTable* m_table;
    QLabel* m_status;
    std::vector<std::int32_t> m_found;  ///< nodes that match the find text
    std::size_t m_foundAt = 0;          ///< the one that was gone to last
    std::optional<std::int32_t> m_port; ///< input or output that is selected as a tensor
};

} // namespace plumbline
