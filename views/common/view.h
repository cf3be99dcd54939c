// SPDX-License-Identifier: GPL-3.0-or-later
// What every view is: a widget that reads the session and writes its selection.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include <QSize>
#include <QWidget>

#include "views/common/session.h"

class QAbstractItemModel;
class QAbstractItemView;
class QAction;
class QPaintDevice;

namespace plumbline {

/// A painted part of a view that can be written as a picture.
struct ViewPicture {
    QString name;  ///< for a file: "arena"
    QString title; ///< what people read: "Arena over time"
    QSize size;    ///< as it is shown, in pixels at 100 %
    /// Paints all of it, laid out anew for `size`, on a device of that size. In vectors where the
    /// device takes them.
    std::function<void(QPaintDevice& device, QSize size)> paint;
    /// Below it something is cut off: smaller pictures are laid out with it and made smaller.
    QSize least{1, 1};
};

/// A hidden view does no work: what changed meanwhile is shown when it becomes visible. A view's
/// own commands are its QWidget::actions(); the window puts them into its menus and its command
/// palette.
class View : public QWidget {
    Q_OBJECT

  public:
    /// `id` names the view in settings and files ("graph"); `title` is what people read.
    View(Session& session, const QString& id, const QString& title, QWidget* parent = nullptr);

    const QString& id() const { return m_id; }
    const QString& title() const { return m_title; }

    /// Operator that the view marks at present; nothing when it marks none. For tests.
    virtual std::optional<std::int64_t> shownOperator() const = 0;
    /// Does what activating the operator's item (node, row, block, bar) does. False when the view
    /// shows no item of it.
    virtual bool pickOperator(std::int64_t index) = 0;
    /// A painted view's content as a table, for screen readers and for copying; null where the view
    /// is a table itself. Owned by the view.
    virtual QAbstractItemModel* accessibleTable() { return nullptr; }
    /// All rows of a table that shows one page of them; null where it shows all.
    virtual std::unique_ptr<QAbstractItemModel> wholeTable(const QAbstractItemView& table) const;
    /// What the view paints, for export; empty where it shows only tables, or nothing at present.
    virtual std::vector<ViewPicture> pictures() { return {}; }
    /// Takes in what changed while the view was hidden, so that it can be exported.
    void bringUpToDate();
    /// Whether the view can be seen; false for one behind another tab, which Qt counts as visible.
    void setOnScreen(bool onScreen);
    /// True while work in the background is still going to change what is seen.
    virtual bool isBusy() const { return false; }

  protected:
    Session& session() const { return m_session; }
    const Document& document() const { return *m_session.document(); }
    const Lowering& lowering() const { return m_session.lowering(); }

    virtual void showDocument() = 0;  ///< the document is another one, or got further
    virtual void showSelection() = 0; ///< scroll to the session's place and mark it
    virtual void showFilter() {}
    virtual void showHeat() {}
    /// What the document is compared with is another one. Not called for another document.
    virtual void showCompared() {}

    void showEvent(QShowEvent* event) override;
    /// Offers the view's commands where no part of it has a menu of its own.
    void contextMenuEvent(QContextMenuEvent* event) override;

  private:
    enum Change : unsigned {
        DocumentChange = 1,
        SelectionChange = 2,
        FilterChange = 4,
        HeatChange = 8,
        ComparedChange = 16
    };
    void note(unsigned change);
    void catchUp();

    Session& m_session;
    QString m_id;
    QString m_title;
    bool m_onScreen = true;
    unsigned m_pending = DocumentChange | SelectionChange | FilterChange | HeatChange;
};

/// Adds a command to a view; its shortcut holds while the focus is in the view.
QAction* addCommand(View& view, const QString& name, const QString& text,
                    const QKeySequence& shortcut = {});

} // namespace plumbline
