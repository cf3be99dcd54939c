// SPDX-License-Identifier: GPL-3.0-or-later
// The window's dialogs: command palette, keys, a view as a table; and the theme.
#include <QApplication>
#include <QDialog>
#include <QHeaderView>
#include <QMenu>
#include <QMessageBox>
#include <QStandardItemModel>
#include <QTableView>
#include <QVBoxLayout>

#include "app/gui/command_palette.h"
#include "app/gui/main_window.h"
#include "app/gui/workspace.h"
#include "views/common/view.h"

namespace plumbline::gui {
namespace {

/// A dialog around a table that is only read.
void showTable(QWidget& parent, const QString& title, QAbstractItemModel& model) {
    QDialog dialog(&parent);
    dialog.setWindowTitle(title);
    auto* const table = new QTableView(&dialog);
    table->setModel(&model);
    table->setAccessibleName(title);
    table->setEditTriggers(QAbstractItemView::NoEditTriggers);
    table->setSelectionBehavior(QAbstractItemView::SelectRows);
    table->verticalHeader()->hide();
    table->setAlternatingRowColors(true);
    table->resizeColumnsToContents();
    table->horizontalHeader()->setStretchLastSection(true);
    auto* const layout = new QVBoxLayout(&dialog);
    layout->addWidget(table);
    dialog.resize(760, 520);
    dialog.exec();
}

QString plain(QString text) { return text.remove(QLatin1Char('&')); }

} // namespace

void MainWindow::showCommandPalette() {
    CommandPalette palette(allActions(), this);
    const QPoint top = mapToGlobal(QPoint((width() - palette.width()) / 2, 60));
    palette.move(top);
    if (palette.exec() == QDialog::Accepted)
        palette.chosen()->trigger();
}

void MainWindow::showKeys() {
    QStandardItemModel model;
    model.setHorizontalHeaderLabels({tr("Keys"), tr("Command"), tr("Where")});
    for (const QAction* const action : allActions()) {
        if (action->shortcut().isEmpty())
            continue;
        model.appendRow({new QStandardItem(action->shortcut().toString(QKeySequence::NativeText)),
                         new QStandardItem(plain(action->text())),
                         new QStandardItem(action->property("menu").toString())});
    }
    showTable(*this, tr("Keys"), model);
}

void MainWindow::showAsTable() {
    View* const view = m_workspace->focusedView();
    QAbstractItemModel* const model = view ? view->accessibleTable() : nullptr;
    if (model == nullptr) {
        QMessageBox::information(this, tr("Show View as Table"),
                                 view
                                     ? tr("%1 is a table already.").arg(view->title())
                                     : tr("Click into a view first, or press Alt and its number."));
        return;
    }
    showTable(*this, view->title(), *model);
}

void MainWindow::setTheme(Theme theme) {
    m_settings.setTheme(theme);
    applyTheme(*qApp, theme);
}

} // namespace plumbline::gui
