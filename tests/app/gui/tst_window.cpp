// SPDX-License-Identifier: GPL-3.0-or-later
// The window: opening every kind of file, good and bad, its keys, its memory.
#include <QClipboard>
#include <QComboBox>
#include <QDir>
#include <QDockWidget>
#include <QDropEvent>
#include <QHeaderView>
#include <QLineEdit>
#include <QListWidget>
#include <QMimeData>
#include <QSignalSpy>
#include <QtTest>

#include "app/gui/command_palette.h"
#include "app/gui/main_window.h"
#include "app/gui/notice_bar.h"
#include "app/gui/start_page.h"
#include "app/gui/workspace.h"
#include "core/artifacts/package.h"
#include "core/artifacts/trace_io.h"
#include "core/base/file.h"
#include "core/samples/samples.h"
#include "views/common/view.h"

namespace plumbline::gui::test {
namespace {

constexpr int kPatience = 20000; // milliseconds

OpenRequest sample(const char* name) {
    OpenRequest request;
    request.sample = name;
    return request;
}

} // namespace

class WindowTest : public QObject {
    Q_OBJECT

  private slots:
    void init() {
        m_folder = std::make_unique<QTemporaryDir>();
        m_settings = std::make_unique<Settings>(path("settings"));
        m_window = std::make_unique<MainWindow>(*m_settings);
        m_window->show();
    }
    void cleanup() {
        m_window.reset();
        m_settings.reset();
    }

    void startsWithTheStartPage() {
        QVERIFY(!m_window->hasDocument());
        auto* const start = m_window->findChild<StartPage*>();
        QVERIFY(start->isVisible());
        const auto lists = start->findChildren<QListWidget*>();
        QCOMPARE(lists.size(), 2);
        QCOMPARE(lists.at(1)->count(), static_cast<int>(allSamples().size()));
        QSignalSpy shown(m_window.get(), &MainWindow::documentShown);
        emit lists.at(1)->itemActivated(lists.at(1)->item(0));
        QVERIFY(shown.wait(kPatience));
        QVERIFY(m_window->hasDocument());
        QVERIFY(!start->isVisible());
    }

    void opensAModelAndRemembersIt() {
        writeSample("a.tflite", "ds-cnn");
        openAndWait({path("a.tflite")});
        QVERIFY(document().lowering->complete);
        QVERIFY(document().verdicts->equal());
        QVERIFY(m_window->windowTitle().contains(QStringLiteral("a.tflite")));
        QCOMPARE(m_settings->recentFiles(), QStringList{path("a.tflite")});
        QCOMPARE(m_window->session().address(), QStringLiteral("op/0"));
    }

    void opensAPackageByDirectoryAndByManifest() {
        const DocumentPtr model = made("resnet8");
        QVERIFY(writePackage(file("pack"), *model->lowering, "w").ok());
        openAndWait({path("pack")});
        QCOMPARE(document().kind, DocumentKind::Package);
        openAndWait({path("pack/npu.json")});
        QCOMPARE(document().kind, DocumentKind::Package);
        QCOMPARE(document().lowering->records.size(), model->lowering->records.size());
    }

    void opensATraceAlone() {
        QVERIFY(writeTrace(file("trace"), made("ds-cnn")->execution->trace).ok());
        openAndWait({path("trace")});
        QCOMPARE(document().kind, DocumentKind::Trace);
    }

    void dropsAreUnderstoodTogether() {
        writeSample("m.tflite", "ds-cnn");
        const DocumentPtr model = made("ds-cnn");
        QVERIFY(writeTrace(file("trace"), model->execution->trace).ok());
        const Bytes input = model->input;
        QVERIFY(writeFileAtomically(file("in.bin"), ByteView(input)).ok());
        QMimeData data;
        data.setUrls({QUrl::fromLocalFile(path("in.bin")), QUrl::fromLocalFile(path("trace")),
                      QUrl::fromLocalFile(path("m.tflite"))});
        QSignalSpy shown(m_window.get(), &MainWindow::documentShown);
        QDragEnterEvent enter(QPoint(5, 5), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
        QApplication::sendEvent(m_window.get(), &enter);
        QVERIFY(enter.isAccepted());
        QDropEvent drop(QPointF(5, 5), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
        QApplication::sendEvent(m_window.get(), &drop);
        QVERIFY(shown.wait(kPatience));
        QCOMPARE(document().inputName, std::string("in.bin"));
        QCOMPARE(document().verdicts->reference, std::string("trace trace"));
        QVERIFY(document().verdicts->equal());
    }

    void aRefusedModelOpensWithItsDiagnostics() {
        openAndWait(sample("refused"));
        QVERIFY(!document().lowering->complete);
        QVERIFY(hasErrors(document().diagnostics));
        QVERIFY(m_window->workspace().view(QStringLiteral("diagnostics")) != nullptr);
    }

    void aDamagedFileOpensAsFarAsItCan() {
        Bytes bytes = *makeSample("ds-cnn");
        bytes.resize(bytes.size() / 3);
        QVERIFY(writeFileAtomically(file("cut.tflite"), ByteView(bytes)).ok());
        openAndWait({path("cut.tflite")});
        QVERIFY(m_window->hasDocument());
        QVERIFY(hasErrors(document().diagnostics));
    }

    void whatIsNotThereIsSaid() {
        openAndWait({path("nothing.tflite")});
        QVERIFY(!m_window->hasDocument());
        QVERIFY(notice().contains(QStringLiteral("PL-F001")));
    }

    void theNewestRequestWins() {
        QSignalSpy shown(m_window.get(), &MainWindow::documentShown);
        m_window->open(sample("branches-3000"));
        m_window->open(sample("mobilenet"));
        m_window->open(sample("ds-cnn"));
        QVERIFY(shown.wait(kPatience));
        QTRY_VERIFY(m_window->isIdle());
        QCOMPARE(document().title, std::string("ds-cnn"));
        QTest::qWait(200);
        QCOMPARE(document().title, std::string("ds-cnn"));
        QCOMPARE(shown.count(), 1);
    }

    void cancelLeavesTheWindowUsable() {
        m_window->open(sample("branches-3000"));
        m_window->findChild<QAction*>(QStringLiteral("run.cancel"))->trigger();
        QTRY_VERIFY(m_window->isIdle());
        openAndWait(sample("ds-cnn"));
        QCOMPARE(document().title, std::string("ds-cnn"));
    }

    void aChangedFileIsNoticedAndReloadedInPlace() {
        writeSample("a.tflite", "ds-cnn");
        openAndWait({path("a.tflite")});
        QVERIFY(m_window->session().selectAddress(QStringLiteral("op/2")));
        writeSample("a.tflite", "mobilenet");
        QTRY_VERIFY_WITH_TIMEOUT(notice().contains(QStringLiteral("changed")), 5000);
        QSignalSpy shown(m_window.get(), &MainWindow::documentShown);
        m_window->findChild<QAction*>(QStringLiteral("file.reload"))->trigger();
        QVERIFY(shown.wait(kPatience));
        QVERIFY(document().lowering->operators.size() > 20);
        QCOMPARE(m_window->session().address(), QStringLiteral("op/2"));
    }

    void theAddressBarGoesAndSays() {
        openAndWait(sample("ds-cnn"));
        auto* const bar = m_window->findChild<QLineEdit*>(QStringLiteral("address"));
        m_window->findChild<QAction*>(QStringLiteral("edit.address"))->trigger();
        bar->setText(QStringLiteral("record/1/word/4"));
        QTest::keyClick(bar, Qt::Key_Return);
        QCOMPARE(m_window->session().place().word, std::optional<std::int64_t>(4));
        m_window->findChild<QAction*>(QStringLiteral("edit.copy-address"))->trigger();
        QCOMPARE(QApplication::clipboard()->text(), QStringLiteral("record/1/word/4"));
        bar->setText(QStringLiteral("op/999"));
        QTest::keyClick(bar, Qt::Key_Return);
        QCOMPARE(m_window->session().address(), QStringLiteral("record/1/word/4"));
    }

    void keysWalkRecordsAndHistory() {
        openAndWait(sample("ds-cnn"));
        trigger("go.next-record");
        const QString first = m_window->session().address();
        trigger("go.next-record");
        trigger("go.back");
        QCOMPARE(m_window->session().address(), first);
        trigger("go.forward");
        QVERIFY(m_window->session().address() != first);
        trigger("go.previous-record");
        QCOMPARE(m_window->session().place().record,
                 std::optional<std::int64_t>(*m_window->session().place().record));
    }

    void everyCommandHasANameAndShortcutsAreUnique() {
        QSet<QString> names;
        QHash<QString, QString> windowShortcuts;
        for (const QAction* const action : m_window->allActions()) {
            QVERIFY2(!names.contains(action->objectName()), qPrintable(action->objectName()));
            names.insert(action->objectName());
            const QString keys = action->shortcut().toString();
            if (keys.isEmpty() || action->shortcutContext() != Qt::WindowShortcut)
                continue;
            QVERIFY2(!windowShortcuts.contains(keys), qPrintable(keys));
            windowShortcuts.insert(keys, action->objectName());
        }
        QVERIFY(names.size() > 25);
    }

    void everyViewAndControlHasAnAccessibleName() {
        openAndWait(sample("ds-cnn"));
        for (const View* const view : m_window->workspace().views()) {
            QVERIFY(!view->accessibleName().isEmpty());
            for (const QWidget* const child : view->findChildren<QWidget*>()) {
                const bool control = qobject_cast<const QLineEdit*>(child) ||
                                     qobject_cast<const QComboBox*>(child) ||
                                     qobject_cast<const QAbstractItemView*>(child);
                const bool inner = qobject_cast<const QHeaderView*>(child) ||
                                   child->objectName().startsWith(QStringLiteral("qt_"));
                if (control && !inner && !qobject_cast<QComboBox*>(child->parentWidget()) &&
                    child->window() == m_window.get())
                    QVERIFY2(!child->accessibleName().isEmpty(),
                             qPrintable(view->id() + QLatin1Char(' ') +
                                        QString::fromLatin1(child->metaObject()->className())));
            }
        }
    }

    void aSessionRoundTripComesBackToThePlace() {
        writeSample("a.tflite", "ds-cnn");
        SessionFile session;
        session.request.path = file("a.tflite");
        session.request.seed = 9;
        session.selection = "op/3";
        session.filter = "cout > 8";
        session.heat = "macs";
        QVERIFY(writeSession(file("s.plumbline"), session).ok());
        openAndWait({path("s.plumbline")});
        QCOMPARE(m_window->session().address(), QStringLiteral("op/3"));
        QCOMPARE(m_window->session().filterText(), QStringLiteral("cout > 8"));
        QCOMPARE(m_window->session().heat(), Heat::Macs);
        QCOMPARE(document().inputName, std::string("seed 9"));
    }

    void windowAndLayoutsComeBack() {
        openAndWait(sample("ds-cnn"));
        m_window->resize(1111, 777);
        m_settings->saveLayout(QStringLiteral("mine"), m_window->workspace().saveState());
        m_window->close();
        Settings again(path("settings"));
        QCOMPARE(again.layoutNames(), QStringList{QStringLiteral("mine")});
        MainWindow second(again);
        QCOMPARE(second.size(), QSize(1111, 777));
        QVERIFY(!again.windowState().isEmpty());
    }

    void theLayoutSurvivesRestarts() {
        openAndWait(sample("ds-cnn"));
        const auto widths = [](MainWindow& window) {
            QList<QSize> sizes;
            for (const View* const view : window.workspace().views())
                sizes << window.workspace().dockOf(*view)->size();
            return sizes;
        };
        QTest::qWait(50);
        const QList<QSize> before = widths(*m_window);
        m_window->close();
        for (int start = 0; start < 2; ++start) {
            MainWindow again(*m_settings);
            again.show();
            QSignalSpy shown(&again, &MainWindow::documentShown);
            again.open(sample("ds-cnn"));
            QVERIFY(shown.wait(kPatience));
            QTest::qWait(50);
            QCOMPARE(widths(again), before);
            again.close();
        }
    }

    void noticesTakeNoRoom() {
        openAndWait(sample("ds-cnn"));
        QTest::qWait(50);
        const QSize before = m_window->workspace().size();
        m_window->openPaths({path("missing.tflite")});
        QTRY_VERIFY(notice().contains(QStringLiteral("missing.tflite")));
        QCOMPARE(m_window->workspace().size(), before);
    }

    void focusAloneChoosesNothing() {
        openAndWait(sample("every-operator"));
        for (const LoweredOperator& op : m_window->session().lowering().operators) {
            m_window->session().select(selectOperator(op.index));
            const QString address = m_window->session().address();
            for (View* const view : m_window->workspace().views()) {
                m_window->workspace().reveal(*view);
                for (QWidget* const child : view->findChildren<QAbstractItemView*>())
                    child->setFocus(Qt::TabFocusReason);
                QCOMPARE(m_window->session().address(), address);
            }
        }
    }

    void aWrongFilterStandsInTheLine() {
        m_window->applyFilterWhenOpen(QStringLiteral("opcode == CONV_2D"));
        openAndWait(sample("ds-cnn"));
        QVERIFY(notice().contains(QStringLiteral("filter")));
        QVERIFY(m_window->session().filterText().isEmpty());
    }

    void escapeLeavesTheAddressBar() {
        openAndWait(sample("ds-cnn"));
        auto* const bar = m_window->findChild<QLineEdit*>(QStringLiteral("address"));
        trigger("edit.address");
        QTest::keyClicks(bar, QStringLiteral("op/999"));
        QTest::keyClick(bar, Qt::Key_Escape);
        QCOMPARE(bar->text(), QStringLiteral("op/0"));
    }

    void layoutsSwitchWithoutGrowingTheWindow() {
        m_window->resize(1280, 800);
        openAndWait(sample("ds-cnn"));
        for (const char* const layout :
             {"layout.memory", "layout.debugging", "layout.overview", "layout.memory"}) {
            trigger(layout);
            QTest::qWait(50);
            QCOMPARE(m_window->size(), QSize(1280, 800));
            QVERIFY(QDir().mkpath(QStringLiteral(PLUMBLINE_PICTURES)));
            m_window->grab().save(
                QStringLiteral(PLUMBLINE_PICTURES "/%1.png").arg(QString::fromLatin1(layout)));
            for (const View* const view : m_window->workspace().views())
                QVERIFY(!m_window->workspace().dockOf(*view)->isHidden());
        }
    }

    void themesAreKept() {
        trigger("theme.dark");
        QVERIFY(isDark(QApplication::palette()));
        QCOMPARE(Settings(path("settings")).theme(), Theme::Dark);
        trigger("theme.light");
        QVERIFY(!isDark(QApplication::palette()));
    }

    void thePaletteFindsByInitials() {
        QVERIFY(fuzzyScore(QStringLiteral("nr"), QStringLiteral("Go ▸ Next Record")) >
                fuzzyScore(QStringLiteral("nr"), QStringLiteral("View ▸ Operator graph")));
        QCOMPARE(fuzzyScore(QStringLiteral("zz"), QStringLiteral("Open")), -1);
        CommandPalette palette(m_window->allActions(), m_window.get());
        palette.show();
        auto* const edit = palette.findChild<QLineEdit*>();
        QTest::keyClicks(edit, QStringLiteral("edit copy address"));
        QTest::keyClick(edit, Qt::Key_Return);
        QVERIFY(palette.chosen() != nullptr);
        QCOMPARE(palette.chosen()->objectName(), QStringLiteral("edit.copy-address"));
    }

  private:
    QString path(const char* name) const { return m_folder->filePath(QString::fromLatin1(name)); }
    std::filesystem::path file(const char* name) const { return path(name).toStdString(); }
    void writeSample(const char* name, const char* which) {
        const Bytes bytes = *makeSample(which);
        QVERIFY(writeFileAtomically(file(name), ByteView(bytes)).ok());
    }
    static DocumentPtr made(const char* name) { return *openDocument(sample(name), npuP0Target()); }
    const Document& document() const { return *m_window->session().document(); }
    QString notice() const { return m_window->findChild<NoticeBar*>()->text(); }
    void trigger(const char* id) {
        m_window->findChild<QAction*>(QString::fromLatin1(id))->trigger();
    }
    template <class What> void openAndWait(const What& what) {
        QSignalSpy shown(m_window.get(), &MainWindow::documentShown);
        if constexpr (std::is_same_v<What, OpenRequest>)
            m_window->open(what);
        else
            m_window->openPaths(what);
        QVERIFY(shown.count() > 0 || shown.wait(kPatience));
    }
    void openAndWait(std::initializer_list<QString> paths) { openAndWait(QStringList(paths)); }

    std::unique_ptr<QTemporaryDir> m_folder;
    std::unique_ptr<Settings> m_settings;
    std::unique_ptr<MainWindow> m_window;
};

} // namespace plumbline::gui::test

QTEST_MAIN(plumbline::gui::test::WindowTest)
#include "tst_window.moc"
