// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/menu_builder.h"

#include <QActionGroup>
#include <QApplication>
#include <QClipboard>
#include <QComboBox>
#include <QDockWidget>
#include <QInputDialog>
#include <QLineEdit>
#include <QMenuBar>
#include <QMessageBox>
#include <QToolBar>

#include "app/gui/comparison.h"
#include "app/gui/experiment.h"
#include "app/gui/exports.h"
#include "app/gui/main_window.h"
#include "app/gui/popup_keys.h"
#include "app/gui/workspace.h"
#include "core/base/build_info.h"
#include "core/samples/samples.h"
#include "views/common/filter_bar.h"
#include "views/common/filter_edit.h"
#include "views/common/format.h"
#include "views/common/view.h"

namespace plumbline::gui {
namespace {

QString tr(const char* text) { return QCoreApplication::translate("MenuBuilder", text); }

} // namespace

void MenuBuilder::build() {
    qApp->installEventFilter(new PopupKeys(&m_window));
    buildFile();
    buildEdit();
    buildGo();
    buildView();
    buildRun();
    buildCompare();
    buildHelp();
    buildToolBar();
}

QAction* MenuBuilder::add(QMenu& menu, const QString& id, const QString& text,
                          const QKeySequence& shortcut, const std::function<void()>& run) {
    auto* const action = new QAction(text, &m_window);
    action->setObjectName(id);
    action->setShortcut(shortcut);
    action->setProperty("menu", QString(menu.title()).remove(QLatin1Char('&')));
    QObject::connect(action, &QAction::triggered, &m_window, run);
    menu.addAction(action);
    return action;
}

void MenuBuilder::buildFile() {
    MainWindow& w = m_window;
    QMenu& menu = *w.menuBar()->addMenu(tr("&File"));
    add(menu, QStringLiteral("file.open"), tr("&Open…"), QKeySequence::Open,
        [&w] { w.openDialog(); });
    add(menu, QStringLiteral("file.open-folder"), tr("Open &Directory…"),
        QKeySequence(QStringLiteral("Ctrl+Shift+O")), [&w] { w.openFolderDialog(); });
    w.m_recentMenu = menu.addMenu(tr("Open Re&cent"));
    QMenu& samples = *menu.addMenu(tr("Open &Sample"));
    for (const SampleInfo& sample : allSamples()) {
        const bool sized = sample.name == "branches";
        const QString name = safeText(sample.name) + (sized ? QStringLiteral("-10000") : QString());
        QAction* const action =
            add(samples, QStringLiteral("file.sample.") + name, name, {}, [&w, name] {
                OpenRequest request;
                request.sample = name.toStdString();
                w.open(request);
            });
        action->setStatusTip(safeText(sample.description));
    }
    menu.addSeparator();
    needDocument(*add(menu, QStringLiteral("file.save-session"), tr("Sa&ve Session…"),
                      QKeySequence::Save, [&w] { w.saveSession(); }),
                 tr("Write what is open, selected and filtered to a file"));
    needDocument(*add(menu, QStringLiteral("file.reload"), tr("Re&load"), QKeySequence(Qt::Key_F5),
                      [&w] { w.reload(); }),
                 tr("Read what is open from the disk again"));
    menu.addSeparator();
    buildExports(menu);
    menu.addSeparator();
    add(menu, QStringLiteral("file.quit"), tr("&Quit"), QKeySequence::Quit, [&w] { w.close(); });
}

void MenuBuilder::buildExports(QMenu& menu) {
    Exports& exports = *m_window.m_exports;
    QMenu& parts = *menu.addMenu(tr("E&xport"));
    const auto offer = [this](QMenu& in, const char* id, const QString& text,
                              const QKeySequence& shortcut, const QString& tip, auto run) {
        needDocument(*add(in, QLatin1StringView(id), text, shortcut, run), tip);
    };
    offer(parts, "file.export-table", tr("&Table as CSV…"), {},
          tr("Write a table as it is shown to a file"), [&exports] { exports.exportTable(); });
    offer(parts, "file.export-picture", tr("&Picture…"), {},
          tr("Write what a view paints as SVG or PNG, at any size"),
          [&exports] { exports.exportPicture(); });
    offer(menu, "file.export-report", tr("Export &Report…"),
          QKeySequence(QStringLiteral("Ctrl+Shift+E")),
          tr("Write the report as HTML, Markdown, CSV or JSON"),
          [&exports] { exports.exportReport(); });
    offer(menu, "file.export-pdf", tr("Export Report as PD&F…"), {},
          tr("Write the report as pages of a PDF file"), [&exports] { exports.exportPdf(); });
    offer(menu, "file.print", tr("&Print Report…"), QKeySequence::Print,
          tr("Print the report on paper"), [&exports] { exports.print(); });
    offer(menu, "file.print-preview", tr("Print Previe&w…"), {},
          tr("Show the pages that printing makes"), [&exports] { exports.printPreview(); });
}

void MenuBuilder::needDocument(QAction& action, const QString& statusTip) {
    const auto refresh = [&window = m_window, &action, statusTip] {
        action.setEnabled(window.hasDocument());
        action.setStatusTip(window.hasDocument() ? statusTip
                                                 : tr("Open a model, a package or a trace first."));
    };
    QObject::connect(&m_window.session(), &Session::documentChanged, &action, refresh);
    refresh();
}

void MenuBuilder::buildEdit() {
    MainWindow& w = m_window;
    QMenu& menu = *w.menuBar()->addMenu(tr("&Edit"));
    add(menu, QStringLiteral("edit.copy-address"), tr("Copy &Address"),
        QKeySequence(QStringLiteral("Ctrl+Shift+C")),
        [&w] { QApplication::clipboard()->setText(w.session().address()); });
    add(menu, QStringLiteral("edit.address"), tr("Edit Addre&ss"),
        QKeySequence(QStringLiteral("Ctrl+L")), [&w] {
            if (QApplication::focusWidget() != w.m_address)
                w.m_beforeAddress = QApplication::focusWidget();
            w.m_address->setFocus(Qt::ShortcutFocusReason);
            w.m_address->selectAll();
        });
    menu.addSeparator();
    buildExperiment(menu);
    menu.addSeparator();
    add(menu, QStringLiteral("edit.filter"), tr("Edit &Filter"),
        QKeySequence(QStringLiteral("Ctrl+Shift+F")),
        [&w] { w.m_filter->edit()->setFocus(Qt::ShortcutFocusReason); });
    add(menu, QStringLiteral("edit.clear-filter"), tr("&Clear Filter"), {},
        [&w] { w.session().setFilter({}); });
}

void MenuBuilder::buildGo() {
    Session& session = m_window.session();
    QMenu& menu = *m_window.menuBar()->addMenu(tr("&Go"));
    QAction* const back =
        add(menu, QStringLiteral("go.back"), tr("&Back"), QKeySequence(QStringLiteral("Alt+Left")),
            [&session] { session.goBack(); });
    QAction* const forward =
        add(menu, QStringLiteral("go.forward"), tr("&Forward"),
            QKeySequence(QStringLiteral("Alt+Right")), [&session] { session.goForward(); });
    const auto refresh = [&session, back, forward] {
        back->setEnabled(session.canGoBack());
        forward->setEnabled(session.canGoForward());
    };
    QObject::connect(&session, &Session::historyChanged, &m_window, refresh);
    refresh();
    menu.addSeparator();
    add(menu, QStringLiteral("go.next-record"), tr("&Next Record"), QKeySequence(Qt::Key_F8),
        [&session] { session.stepRecord(1); });
    add(menu, QStringLiteral("go.previous-record"), tr("&Previous Record"),
        QKeySequence(Qt::Key_F7), [&session] { session.stepRecord(-1); });
    menu.addSeparator();
    add(menu, QStringLiteral("go.next-mismatch"), tr("Next &Mismatch"),
        QKeySequence(QStringLiteral("N")), [&session] { session.stepMismatch(1); });
    add(menu, QStringLiteral("go.previous-mismatch"), tr("Previous M&ismatch"),
        QKeySequence(QStringLiteral("Shift+N")), [&session] { session.stepMismatch(-1); });
    add(menu, QStringLiteral("go.culprit"), tr("&Culprit"),
        QKeySequence(QStringLiteral("Ctrl+Shift+N")), [&session] { session.selectCulprit(); });
    menu.addSeparator();
    add(menu, QStringLiteral("go.peak"), tr("Arena Pea&k"), {}, [&session] {
        if (!session.lowering().arena.steps.empty())
            session.select(selectOperator(session.lowering().arena.peakOperator));
    });
}

void MenuBuilder::buildView() {
    MainWindow& w = m_window;
    QMenu& menu = *w.menuBar()->addMenu(tr("&View"));
    int number = 0;
    for (View* const view : w.workspace().views()) {
        constexpr int kDigits = 10; // Alt+1 to Alt+9, Alt+0, Alt+Shift+1 and so on
        const QString keys =
            number < kDigits ? QStringLiteral("Alt+%1") : QStringLiteral("Alt+Shift+%1");
        const QKeySequence shortcut(keys.arg(++number % kDigits));
        add(menu, QStringLiteral("view.reveal.") + view->id(), view->title(), shortcut,
            [&w, view] { w.workspace().reveal(*view); });
    }
    menu.addSeparator();
    QMenu& panels = *menu.addMenu(tr("&Panels"));
    for (View* const view : w.workspace().views())
        panels.addAction(w.workspace().dockOf(*view)->toggleViewAction());
    for (View* const view : w.workspace().views()) {
        if (view->actions().isEmpty())
            continue;
        QMenu& own = *menu.addMenu(view->title());
        for (QAction* const action : view->actions()) {
            action->setProperty("menu", view->title());
            own.addAction(action);
        }
    }
    menu.addSeparator();
    add(menu, QStringLiteral("view.as-table"), tr("Show View as &Table…"),
        QKeySequence(QStringLiteral("Ctrl+Shift+T")), [&w] { w.showAsTable(); });
    buildHeat(*menu.addMenu(tr("&Heat")));
    buildLayouts(*menu.addMenu(tr("&Layout")));
    buildThemes(*menu.addMenu(tr("The&me")));
}

void MenuBuilder::buildHeat(QMenu& menu) {
    MainWindow& w = m_window;
    auto* const group = new QActionGroup(&w);
    for (int index = 0; index < w.m_heat->count(); ++index) {
        QAction* const action =
            add(menu, QStringLiteral("heat.%1").arg(index), w.m_heat->itemText(index), {},
                [&w, index] { w.session().setHeat(static_cast<Heat>(index)); });
        action->setCheckable(true);
        action->setChecked(index == 0);
        group->addAction(action);
        QObject::connect(&w.session(), &Session::heatChanged, action, [&w, action, index] {
            action->setChecked(static_cast<int>(w.session().heat()) == index);
        });
    }
}

void MenuBuilder::buildLayouts(QMenu& menu) {
    MainWindow& w = m_window;
    add(menu, QStringLiteral("layout.overview"), tr("&Overview"), {},
        [&w] { w.workspace().applyLayout(BuiltInLayout::Overview); });
    add(menu, QStringLiteral("layout.debugging"), tr("&Debugging"), {},
        [&w] { w.workspace().applyLayout(BuiltInLayout::Debugging); });
    add(menu, QStringLiteral("layout.memory"), tr("&Memory"), {},
        [&w] { w.workspace().applyLayout(BuiltInLayout::Memory); });
    menu.addSeparator();
    QMenu* const saved = menu.addMenu(tr("&Saved"));
    const auto refresh = [&w, saved] {
        saved->clear();
        for (const QString& name : w.m_settings.layoutNames())
            saved->addAction(name, &w, [&w, name] {
                w.workspace().restoreState(w.m_settings.windowState(name));
            });
        saved->setEnabled(!saved->isEmpty());
    };
    refresh();
    add(menu, QStringLiteral("layout.save"), tr("Save &Current Layout…"), {}, [&w, refresh] {
        const QString name =
            QInputDialog::getText(&w, tr("Save Layout"), tr("Name of the layout:"));
        if (name.trimmed().isEmpty())
            return;
        w.m_settings.saveLayout(name.trimmed(), w.workspace().saveState());
        refresh();
    });
}

void MenuBuilder::buildThemes(QMenu& menu) {
    MainWindow& w = m_window;
    auto* const group = new QActionGroup(&w);
    const std::pair<Theme, QString> themes[] = {{Theme::System, tr("As the &System")},
                                                {Theme::Light, tr("&Light")},
                                                {Theme::Dark, tr("&Dark")}};
    for (const auto& [theme, text] : themes) {
        QAction* const action = add(menu, QStringLiteral("theme.") + themeName(theme), text, {},
                                    [&w, chosen = theme] { w.setTheme(chosen); });
        action->setCheckable(true);
        action->setChecked(w.m_settings.theme() == theme);
        group->addAction(action);
    }
}

void MenuBuilder::buildRun() {
    MainWindow& w = m_window;
    QMenu& menu = *w.menuBar()->addMenu(tr("&Run"));
    add(menu, QStringLiteral("run.input"), tr("Choose &Input…"), {}, [&w] { w.chooseInput(); });
    add(menu, QStringLiteral("run.seed"), tr("Input from &Seed…"), {}, [&w] {
        bool ok = false;
        const QString text =
            QInputDialog::getText(&w, tr("Input from Seed"), tr("Seed (0 to 2^64 - 1):"),
                                  QLineEdit::Normal, QStringLiteral("1"), &ok);
        const qulonglong seed = text.toULongLong(&ok);
        if (!ok)
            return;
        OpenRequest request = w.m_request;
        request.input.clear();
        request.seed = seed;
        w.m_keep = Session::Keep::Selection;
        w.open(request);
    });
    buildReference(*menu.addMenu(tr("&Reference")));
    menu.addSeparator();
    QAction* const cancel = add(menu, QStringLiteral("run.cancel"), tr("&Cancel Work"),
                                QKeySequence(Qt::Key_Escape), [&w] { w.cancelWork(); });
    // Escape belongs to lines and popups while there is nothing to cancel.
    cancel->setEnabled(false);
    const auto refresh = [&w, cancel] {
        cancel->setEnabled(w.m_loader.isBusy() || w.m_exports->isBusy());
    };
    for (const auto signal : {&DocumentLoader::started, &DocumentLoader::finished})
        QObject::connect(&w.m_loader, signal, cancel, refresh);
    QObject::connect(w.m_exports, &Exports::started, cancel,
                     [cancel] { cancel->setEnabled(true); });
    QObject::connect(w.m_exports, &Exports::finished, cancel, refresh);
}

void MenuBuilder::buildReference(QMenu& menu) {
    MainWindow& w = m_window;
    add(menu, QStringLiteral("run.reference-own"), tr("Own &Kernels or Digests"), {},
        [&w] { w.takeReference({}); });
    add(menu, QStringLiteral("run.reference-directory"),
        tr("&Directory with a Trace, Dumps or Arena Images…"), {},
        [&w] { w.chooseReferenceDirectory(); });
    add(menu, QStringLiteral("run.reference-file"), tr("&Model or npu.json…"), {},
        [&w] { w.chooseReferenceFile(); });
}

void MenuBuilder::buildCompare() {
    MainWindow& w = m_window;
    QMenu& menu = *w.menuBar()->addMenu(tr("&Compare"));
    add(menu, QStringLiteral("compare.file"), tr("With a &File…"), {},
        [&w] { w.compareWithFile(); });
    add(menu, QStringLiteral("compare.directory"), tr("With a Package &Directory…"), {},
        [&w] { w.compareWithDirectory(); });
    QAction* const before =
        add(menu, QStringLiteral("compare.before"), tr("With What Was Open &Before Reloading"), {},
            [&w] { w.m_comparison->compareWithBefore(); });
    QAction* const stop = add(menu, QStringLiteral("compare.stop"), tr("&Stop Comparing"), {},
                              [&w] { w.m_comparison->stop(); });
    QObject::connect(&menu, &QMenu::aboutToShow, &w, [&w, before, stop] {
        before->setEnabled(w.m_comparison->before() != nullptr);
        stop->setEnabled(w.session().comparedWith() != nullptr &&
                         w.session().comparedWith() != w.session().document()->original);
    });
}

void MenuBuilder::buildExperiment(QMenu& menu) {
    Experiment& experiment = *m_window.m_experiment;
    QAction* const undo = add(menu, QStringLiteral("edit.undo"), tr("&Undo Change"),
                              QKeySequence::Undo, [&experiment] { experiment.undo(); });
    QAction* const redo = add(menu, QStringLiteral("edit.redo"), tr("&Redo Change"),
                              QKeySequence::Redo, [&experiment] { experiment.redo(); });
    QAction* const discard = add(menu, QStringLiteral("edit.discard"), tr("&Discard Experiment"),
                                 {}, [&experiment] { experiment.discard(); });
    QAction* const write = add(menu, QStringLiteral("edit.export"), tr("E&xport Changed Package…"),
                               {}, [&experiment] { experiment.exportPackage(); });
    const auto refresh = [&experiment, undo, redo, discard, write] {
        undo->setEnabled(experiment.canUndo());
        redo->setEnabled(experiment.canRedo());
        discard->setEnabled(experiment.canUndo());
        write->setEnabled(experiment.canUndo());
    };
    QObject::connect(&experiment, &Experiment::historyChanged, &m_window, refresh);
    refresh();
}

void MenuBuilder::buildHelp() {
    MainWindow& w = m_window;
    QMenu& menu = *w.menuBar()->addMenu(tr("&Help"));
    add(menu, QStringLiteral("help.palette"), tr("&Command Palette…"),
        QKeySequence(QStringLiteral("Ctrl+Shift+P")), [&w] { w.showCommandPalette(); });
    add(menu, QStringLiteral("help.keys"), tr("&Keys"), QKeySequence(QStringLiteral("?")),
        [&w] { w.showKeys(); });
    add(menu, QStringLiteral("help.about"), tr("&About Plumbline"), {}, [&w] {
        QMessageBox::about(&w, tr("About Plumbline"),
                           tr("<h3>Plumbline %1</h3><p>A workbench for NPU compilers.</p>"
                              "<p>Free software under the GNU General Public License, version 3 or "
                              "later.</p>")
                               .arg(safeText(buildInfo().version)));
    });
}

void MenuBuilder::buildToolBar() {
    QToolBar* const bar = m_window.findChild<QToolBar*>(QStringLiteral("toolbar"));
    QAction* const first = bar->actions().constFirst();
    for (const char* const id : {"file.open", "file.reload", "go.back", "go.forward"}) {
        QAction* const action = m_window.findChild<QAction*>(QString::fromLatin1(id));
        const QString text = QString(action->text()).remove(QLatin1Char('&'));
        action->setToolTip(text + QStringLiteral(" (") +
                           action->shortcut().toString(QKeySequence::NativeText) +
                           QLatin1Char(')'));
        bar->insertAction(first, action);
    }
}

} // namespace plumbline::gui
