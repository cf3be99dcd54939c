// SPDX-License-Identifier: GPL-3.0-or-later
// Picking an operator in any view moves every other one: each pair of views, on several models.
#include <QDockWidget>
#include <QtTest>

#include "app/gui/comparison.h"
#include "app/gui/main_window.h"
#include "app/gui/workspace.h"
#include "core/base/file.h"
#include "core/samples/samples.h"
#include "views/common/view.h"

namespace plumbline::gui::test {

class SelectionEverywhere : public QObject {
    Q_OBJECT

  private slots:
    void everyPair_data() {
        QTest::addColumn<QString>("sample");
        QTest::addColumn<QString>("from");
        QTest::addColumn<QString>("to");
        Session session;
        const Workspace workspace(session);
        for (const char* const sample : {"every-operator", "refused"})
            for (const View* const from : workspace.views())
                for (const View* const to : workspace.views())
                    if (from != to)
                        QTest::addRow("%s: %s moves %s", sample, qPrintable(from->id()),
                                      qPrintable(to->id()))
                            << QString::fromLatin1(sample) << from->id() << to->id();
    }

    void everyPair() {
        QFETCH(QString, sample);
        QFETCH(QString, from);
        QFETCH(QString, to);
        MainWindow& window = windowOf(sample);
        View* const source = window.workspace().view(from);
        View* const target = window.workspace().view(to);
        int moved = 0;
        const auto operators =
            static_cast<std::int64_t>(window.session().lowering().operators.size());
        for (std::int64_t index = 0; index < operators; ++index) {
            window.session().select(selectOperator(index == 0 ? operators - 1 : 0));
            if (from ==
                QStringLiteral("fields")) // shows one record: what is picked there is a word
                window.session().select(selectOperator(index));
            if (!source->pickOperator(index))
                continue;
            QCOMPARE(window.session().place().operatorIndex, std::optional(index));
            // A view shows nothing where it has no item of the operator; then it must mark none.
            if (const auto shown = target->shownOperator()) {
                QCOMPARE(*shown, index);
                ++moved;
            } else {
                QVERIFY2(!target->pickOperator(index), qPrintable(QString::number(index)));
                window.session().select(selectOperator(index));
            }
        }
        const bool complete = window.session().lowering().complete;
        const bool bothSpeak =
            from != QStringLiteral("diagnostics") && to != QStringLiteral("diagnostics");
        if (complete && bothSpeak)
            QVERIFY(moved > 0);
    }

  private:
    MainWindow& windowOf(const QString& sample) {
        std::unique_ptr<MainWindow>& window = m_windows[sample];
        if (window)
            return *window;
        window = std::make_unique<MainWindow>(m_settings);
        window->show();
        for (View* const view : window->workspace().views()) { // all visible, none behind a tab
            window->workspace().dockOf(*view)->disconnect(view);
            view->setParent(nullptr);
            view->setOnScreen(true);
            view->show();
        }
        OpenRequest request;
        request.sample = sample.toStdString();
        QSignalSpy shown(window.get(), &MainWindow::documentShown);
        window->open(request);
        if (!shown.wait(20000))
            qFatal("the sample did not open");
        compareWithOtherSeed(*window, request.sample);
        return *window;
    }

    /// Other weights, so that the comparison has changes to show.
    void compareWithOtherSeed(MainWindow& window, const std::string& sample) {
        const std::filesystem::path other =
            m_folder.filePath(QStringLiteral("o.tflite")).toStdString();
        if (!writeFileAtomically(other, ByteView(*makeSample(sample, 2))))
            qFatal("the other sample cannot be written");
        window.findChild<Comparison*>()->compareWith(other);
        if (!QTest::qWaitFor([&window] { return window.isIdle(); }, 20000))
            qFatal("the comparison did not end");
    }

    QTemporaryDir m_folder;
    Settings m_settings{m_folder.path()};
    std::map<QString, std::unique_ptr<MainWindow>> m_windows;
};

} // namespace plumbline::gui::test

QTEST_MAIN(plumbline::gui::test::SelectionEverywhere)
#include "tst_selection_everywhere.moc"
