// SPDX-License-Identifier: GPL-3.0-or-later
// The filter line: checking, applying, completing, saving; by keyboard.
#include <QAbstractItemModelTester>
#include <QLabel>
#include <QMenu>
#include <QSettings>
#include <QSignalSpy>
#include <QToolButton>
#include <QTreeView>
#include <QVBoxLayout>
#include <QtTest>

#include "views/common/completion_model.h"
#include "views/common/filter_bar.h"
#include "views/common/filter_edit.h"
#include "views/common/palette.h"

using namespace plumbline;

namespace {

DocumentPtr openSample(const char* name) {
    OpenRequest request;
    request.sample = name;
    request.simulate = false;
    return *openDocument(request, npuP0Target());
}

/// A window with the filter bar above an empty area.
struct Shown {
    Shown() {
        session.setDocument(openSample("every-operator"), Session::Keep::Nothing);
        auto* const column = new QVBoxLayout(&window);
        bar = new FilterBar(session, &window);
        column->addWidget(bar);
        column->addStretch();
        window.resize(700, 300);
        window.show();
        window.activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(&window));
        bar->edit()->setFocus();
    }
    FilterEdit& edit() { return *bar->edit(); }
    QTreeView& popup() { return *qobject_cast<QTreeView*>(bar->edit()->popup()); }
    QLabel* note() {
        for (QLabel* const label : window.findChildren<QLabel*>(Qt::FindDirectChildrenOnly))
            if (label->isVisible())
                return label;
        return nullptr;
    }

    Session session;
    QWidget window;
    FilterBar* bar = nullptr;
};

void grab(QWidget& widget, const char* name) {
    QDir().mkpath(QStringLiteral(PLUMBLINE_PICTURES));
    QVERIFY(widget.grab().save(
        QStringLiteral(PLUMBLINE_PICTURES "/filter-%1.png").arg(QLatin1StringView(name))));
}

} // namespace

class TestFilterEdit : public QObject {
    Q_OBJECT

  private slots:
    void initTestCase() {
        QStandardPaths::setTestModeEnabled(true);
        QCoreApplication::setOrganizationName(QStringLiteral("plumbline-test"));
        QCoreApplication::setApplicationName(QStringLiteral("tst_filter_edit"));
    }
    void init() { QSettings().clear(); }
    void cleanupTestCase() { QSettings().clear(); }

    void enter_applies() {
        Shown shown;
        QSignalSpy changed(&shown.session, &Session::filterChanged);
        QTest::keyClicks(&shown.edit(), QStringLiteral("placement == npu "));
        QCOMPARE(changed.count(), 0);
        shown.popup().hide();
        QTest::keyClick(&shown.edit(), Qt::Key_Return);
        QCOMPARE(changed.count(), 1);
        QCOMPARE(shown.session.filterText(), QStringLiteral("placement == npu "));
        QCOMPARE(shown.session.passingCount(), std::size_t{12});
        QCOMPARE(shown.edit().countText(), QStringLiteral("12 of 14"));
        QVERIFY(!shown.session.passesFilter(11));
    }

    void escape_takes_back_before_it_clears() {
        Shown shown;
        QVERIFY(shown.session.setFilter(QStringLiteral("opcode == ADD")));
        QTest::keyClicks(&shown.edit(), QStringLiteral(" and cout >"));
        shown.edit().popup()->hide();
        QTest::keyClick(&shown.edit(), Qt::Key_Escape);
        QCOMPARE(shown.edit().text(), QStringLiteral("opcode == ADD"));
        QCOMPARE(shown.session.filterText(), QStringLiteral("opcode == ADD"));
    }

    void escape_clears() {
        Shown shown;
        QVERIFY(shown.session.setFilter(QStringLiteral("opcode == ADD")));
        QCOMPARE(shown.edit().text(), QStringLiteral("opcode == ADD"));
        QCOMPARE(shown.edit().countText(), QStringLiteral("2 of 14"));
        QTest::keyClick(&shown.edit(), Qt::Key_Escape);
        QVERIFY(shown.edit().text().isEmpty());
        QVERIFY(shown.session.filterText().isEmpty());
        QVERIFY(shown.edit().countText().isEmpty());
        QCOMPARE(shown.session.passingCount(), std::size_t{14});
    }

    void typing_isCheckedAfterAPause() {
        Shown shown;
        QSignalSpy checked(&shown.edit(), &FilterEdit::checked);
        QTest::keyClicks(&shown.edit(), QStringLiteral("coutt > 3"));
        QCOMPARE(checked.count(), 0);
        QVERIFY(checked.wait(5 * FilterEdit::kPauseMs));
        QCOMPARE(checked.count(), 1);
        QVERIFY(shown.edit().problem().contains(QStringLiteral("did you mean 'cout'?")));
        QCOMPARE(shown.edit().countText(), QStringLiteral("invalid"));
        QCOMPARE(shown.edit().accessibleDescription(), shown.edit().problem());
        QVERIFY(shown.note());
        QVERIFY(shown.note()->text().contains(shown.edit().problem()));
        QVERIFY(shown.note()->y() >=
                shown.edit().mapTo(&shown.window, QPoint()).y() + shown.edit().height());
        QCOMPARE(shown.edit().text(), QStringLiteral("coutt > 3"));
        QCOMPARE(shown.edit().cursorPosition(), 9);
    }

    void invalidText_keepsTheFilterBefore() {
        Shown shown;
        QVERIFY(shown.session.setFilter(QStringLiteral("opcode == ADD")));
        shown.edit().setText(QStringLiteral("opcode =="));
        QTest::keyClick(&shown.edit(), Qt::Key_Return);
        QVERIFY(!shown.edit().problem().isEmpty());
        QCOMPARE(shown.session.filterText(), QStringLiteral("opcode == ADD"));
        shown.edit().setText(QStringLiteral("opcode == CONV2D"));
        QTest::keyClick(&shown.edit(), Qt::Key_Return);
        QVERIFY(shown.edit().problem().isEmpty());
        QVERIFY(!shown.note());
        QCOMPARE(shown.edit().countText(), QStringLiteral("3 of 14"));
    }

    void newDocument_isCountedAnew() {
        Shown shown;
        QVERIFY(shown.session.setFilter(QStringLiteral("placement == refused")));
        QCOMPARE(shown.edit().countText(), QStringLiteral("0 of 14"));
        shown.session.setDocument(openSample("refused"), Session::Keep::Nothing);
        QVERIFY(!shown.edit().countText().startsWith(QLatin1Char('0')));
        QVERIFY(shown.session.passingCount() > 0);
    }

    void completions_comeWhileTyping() {
        Shown shown;
        QTest::keyClicks(&shown.edit(), QStringLiteral("opc"));
        QVERIFY(shown.popup().isVisible());
        QTest::keyClick(&shown.edit(), Qt::Key_Down);
        QTest::keyClick(&shown.popup(), Qt::Key_Down);
        QTest::keyClick(&shown.popup(), Qt::Key_Return);
        QCOMPARE(shown.edit().text(), QStringLiteral("opcode "));
        QVERIFY(shown.popup().isVisible()); // what may follow
        QVERIFY(!shown.popup().currentIndex().isValid());
        QTest::keyClick(&shown.popup(), Qt::Key_Tab);
        QCOMPARE(shown.edit().text(), QStringLiteral("opcode == "));
        QVERIFY(shown.popup().isVisible());
        QTest::keyClicks(&shown.edit(), QStringLiteral("AD"));
        QTest::keyClick(&shown.popup(), Qt::Key_Tab);
        QCOMPARE(shown.edit().text(), QStringLiteral("opcode == ADD "));
    }

    void completion_replacesTheWordAtTheCursor() {
        Shown shown;
        shown.edit().setText(QStringLiteral("'\u00E4' and cou and h > 1"));
        shown.edit().setCursorPosition(10);
        QTest::keyClick(&shown.edit(), Qt::Key_Space, Qt::ControlModifier);
        QVERIFY(shown.popup().isVisible());
        QTest::keyClick(&shown.popup(), Qt::Key_Tab);
        QCOMPARE(shown.edit().text(), QStringLiteral("'\u00E4' and cout and h > 1"));
    }

    void completionModel_isSound() {
        CompletionModel model;
        QAbstractItemModelTester tester(&model);
        const FilterSchema schema = schemaOf(&npuP0Target().fields());
        model.setCompletions(complete("co", 2, schema));
        QVERIFY(model.rowCount() > 1);
        QCOMPARE(model.index(0, CompletionModel::TextColumn).data().toString(),
                 QString::fromStdString(model.completion(0).text));
        QVERIFY(!model.index(0, CompletionModel::DetailColumn).data().toString().isEmpty());
        QVERIFY(!model.index(0, 0).data(Qt::AccessibleTextRole).toString().isEmpty());
        model.setCompletions({});
        QCOMPARE(model.rowCount(), 0);
    }

    void savedFilters_areKeptAndUsed() {
        Shown shown;
        shown.edit().setText(QStringLiteral("opcode == ADD"));
        shown.bar->save();
        shown.edit().setText(QStringLiteral("opcode == "));
        shown.bar->save(); // no filter
        shown.edit().setText(QStringLiteral("h > 3 && w > 3"));
        shown.bar->save();
        QCOMPARE(FilterBar::savedFilters(),
                 QStringList({QStringLiteral("h > 3 && w > 3"), QStringLiteral("opcode == ADD")}));
        QMenu& menu = *shown.bar->star()->menu();
        emit menu.aboutToShow();
        const auto entry = [&menu](const QString& text) -> QAction* {
            for (QAction* const action : menu.actions())
                if (action->text() == text)
                    return action;
            return nullptr;
        };
        QVERIFY(entry(QStringLiteral("h > 3 &&&& w > 3")));
        QVERIFY(!menu.actions().front()->isEnabled()); // it is saved already
        entry(QStringLiteral("opcode == ADD"))->trigger();
        QCOMPARE(shown.session.filterText(), QStringLiteral("opcode == ADD"));
        QCOMPARE(shown.bar->star()->text(), QStringLiteral("\u2605"));
        shown.bar->remove(QStringLiteral("opcode == ADD"));
        QCOMPARE(shown.bar->star()->text(), QStringLiteral("\u2606"));
    }

    void pictures() {
        for (const Theme theme : {Theme::Light, Theme::Dark}) {
            applyTheme(*qApp, theme);
            const bool dark = theme == Theme::Dark;
            Shown shown;
            shown.edit().setText(QStringLiteral("opcode == CONV2D and cout > 32"));
            shown.edit().apply();
            grab(shown.window, dark ? "applied-dark" : "applied-light");
            shown.edit().setText(QStringLiteral("cout > 3 and opcode == CONV_2D or h > 3"));
            shown.edit().check();
            grab(shown.window, dark ? "invalid-dark" : "invalid-light");
            shown.edit().clear();
            QTest::keyClicks(&shown.edit(), QStringLiteral("arena."));
            grab(shown.popup(), dark ? "completion-dark" : "completion-light");
        }
    }
};

QTEST_MAIN(TestFilterEdit)
#include "tst_filter_edit.moc"
