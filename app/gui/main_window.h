// SPDX-License-Identifier: GPL-3.0-or-later
// The window: opening, one session, the views, and everything that leads to them.
#pragma once

#include <filesystem>
#include <optional>

#include <QMainWindow>
#include <QPointer>

#include "app/gui/document_loader.h"
#include "app/gui/settings.h"
#include "core/document/open_request.h"
#include "views/common/session.h"

class QComboBox;
class QFileSystemWatcher;
class QLabel;
class QLineEdit;
class QMenu;
class QProgressBar;
class QStackedWidget;
class QToolButton;

namespace plumbline {
class ExperimentBar;
class FilterBar;
} // namespace plumbline

namespace plumbline::gui {

class Comparison;
class Experiment;
class Exports;
class NoticeBar;
class StartPage;
class Workspace;
enum class BuiltInLayout : int;

class MainWindow : public QMainWindow {
    Q_OBJECT

  public:
    explicit MainWindow(Settings& settings, QWidget* parent = nullptr);

    Session& session() { return m_session; }
    Workspace& workspace() { return *m_workspace; }
    /// Opens what `paths` mean together; one session file is taken as such. Never blocks.
    void openPaths(const QStringList& paths);
    void open(const OpenRequest& request);
    /// Selects `address` once the first stage of what is being opened is there, or now.
    void selectWhenOpen(const QString& address);
    void applyFilterWhenOpen(const QString& filter);
    /// Makes an experiment with these edits (core/lowering/edit.h) of what is opened next.
    void editWhenOpen(const QStringList& edits) { m_pendingEdits = edits; }
    /// Compares what is opened next with the model or package at `path`.
    void compareWhenOpen(const QString& path) { m_pendingComparison = path; }
    /// Lays the views out like this, whatever was saved.
    void useLayout(BuiltInLayout layout);
    /// Nothing runs in the background and every visible view shows the document.
    bool isIdle() const;
    /// Something is open, even if only diagnostics of it.
    bool hasDocument() const { return m_open; }
    /// Why the last thing that was asked for is not shown; empty when it is.
    QString noticeText() const;
    /// Every command of the menus and the views, for the palette and the key list.
    QList<QAction*> allActions() const;

  signals:
    void documentShown(); ///< the final document, or why there is none, is on the screen

  protected:
    void closeEvent(QCloseEvent* event) override;
    void dragEnterEvent(QDragEnterEvent* event) override;
    void dropEvent(QDropEvent* event) override;

  private:
    friend class MenuBuilder;

    void buildToolBar();
    void buildAddress(); ///< of the selection
    void buildHeat();
    void buildStatusBar();
    void connectLoader();
    void connectSession();
    void connectExperiment();
    void connectComparison();
    void connectExports();
    /// The last stage of what was opened is shown.
    void opened();
    void makePendingEdits();
    /// Asks whether the experiment may go with the window.
    bool mayForgetExperiment();
    void compareWithFile();
    void compareWithDirectory();
    void restoreWindow();
    void arrangeOnce();
    void leaveAddress();
    void cancelWork();
    void showWork(bool isShown);

    void reached(DocumentPtr document, bool firstStage);
    void showWaiting();
    void applyFilter(const QString& filter);
    void failed(const Diagnostics& diagnostics);
    void watchFile();
    void fileChanged();
    void reload();
    void openDialog();
    void openFolderDialog();
    void chooseInput();
    void chooseReferenceFile();
    void chooseReferenceDirectory();
    /// An empty path means the program's own kernels, or a package's digests.
    void takeReference(const std::filesystem::path& path);
    void saveSession();
    void openSession(const std::filesystem::path& path);
    void showAddress();
    void updateTitle();
    void updateSummary();
    void showCommandPalette();
    void showKeys();
    void showAsTable();
    void setTheme(Theme theme);
    void refreshRecent();

    static constexpr int kProgressSteps = 1000;

    Settings& m_settings;
    Session m_session;
    DocumentLoader m_loader;
    OpenRequest m_request; ///< of what is open or being opened
    std::optional<Session::Keep> m_keep;
    QString m_pendingAddress;
    QString m_pendingFilter;
    QStringList m_pendingEdits;
    QString m_pendingComparison;
    std::optional<BuiltInLayout> m_pendingLayout; ///< until the views are shown first
    DocumentPtr m_waiting;                        ///< reached, not shown yet
    bool m_waitingIsFirst = false;
    bool m_showedErrors = false; ///< brought Diagnostics to the front for this document
    bool m_open = false;
    bool m_needsLayout = true; ///< until the views are shown first
    bool m_reopened = false;   ///< what is being opened is a later state of what was open
    bool m_reloaded = false;   ///< and was read anew from the disk

    Experiment* m_experiment = nullptr;
    Comparison* m_comparison = nullptr;
    Exports* m_exports = nullptr;
    ExperimentBar* m_experimentBar = nullptr;
    QStackedWidget* m_stack = nullptr;
    StartPage* m_start = nullptr;
    Workspace* m_workspace = nullptr;
    NoticeBar* m_notice = nullptr;
    QLineEdit* m_address = nullptr;
    QPointer<QWidget> m_beforeAddress; ///< had the focus before the address bar was called
    FilterBar* m_filter = nullptr;
    QComboBox* m_heat = nullptr;
    QLabel* m_place = nullptr;
    QLabel* m_summary = nullptr;
    QLabel* m_work = nullptr;
    QProgressBar* m_progress = nullptr;
    QToolButton* m_cancel = nullptr;
    QMenu* m_recentMenu = nullptr;
    QFileSystemWatcher* m_watcher = nullptr;
};

} // namespace plumbline::gui
