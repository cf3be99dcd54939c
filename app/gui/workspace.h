// SPDX-License-Identifier: GPL-3.0-or-later
// The views as docks, with layouts.
#pragma once

#include <optional>

#include <QHash>
#include <QMainWindow>

class QDockWidget;

namespace plumbline {
class Session;
class View;
} // namespace plumbline

namespace plumbline::gui {

/// The layouts that come with the program.
enum class BuiltInLayout : int { Overview, Debugging, Memory };

/// By the name that the command line takes: "overview", "debugging", "memory".
std::optional<BuiltInLayout> layoutNamed(const QString& name);

class Workspace : public QMainWindow {
    Q_OBJECT

  public:
    explicit Workspace(Session& session, QWidget* parent = nullptr);

    const QList<View*>& views() const { return m_views; }
    View* view(const QString& id) const;
    QDockWidget* dockOf(const View& view) const;
    /// The view that has the keyboard focus; null when none has.
    View* focusedView() const;
    /// Shows the view's dock, in front of its tabs, and gives it the focus.
    void reveal(View& view);
    void applyLayout(BuiltInLayout layout);

  private:
    void addView(View* view);
    /// Sizes in percent of the whole.
    void resizeShares(const QList<QDockWidget*>& docks, const QList<int>& shares,
                      Qt::Orientation orientation);
    void recordLayouts();
    void arrangeOverview();
    void arrangeDebugging();
    void arrangeMemory();
    void tabifyBehind(const char* front, std::initializer_list<const char*> others);
    QDockWidget* dock(const char* id) const;

    QHash<BuiltInLayout, QByteArray> m_layouts; ///< as QMainWindow::saveState()
    QList<View*> m_views;
    QHash<QString, QDockWidget*> m_docks;
};

} // namespace plumbline::gui
