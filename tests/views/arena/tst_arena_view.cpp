// SPDX-License-Identifier: GPL-3.0-or-later
// The arena timeline on a session: selection both ways, keys, overlays, experiments, and documents
// that have no arena or a damaged one.
#include <QApplication>
#include <QDir>
#include <QSignalSpy>
#include <QTabWidget>
#include <QTest>

#include "core/document/document.h"
#include "core/lowering/target.h"
#include "views/arena/arena_view.h"
#include "views/arena/buffer_model.h"
#include "views/common/palette.h"

using namespace plumbline;

namespace {

DocumentPtr opened(const char* sample) {
    OpenRequest request;
    request.sample = sample;
    const auto document = openDocument(request, npuP0Target());
    return document ? *document : std::make_shared<const Document>();
}

QAction* actionOf(ArenaView& view, const char* name) {
    return view.findChild<QAction*>(QLatin1String(name));
}

} // namespace

class TestArenaView : public QObject {
    Q_OBJECT

  private slots:
    void initTestCase();
    void followsTheSelection();
    void clicksSelect();
    void keysWalk();
    void everyOperatorCanBePicked();
    void boundsAreLoaded();
    void experimentsAreNotWrittenBack();
    void zoomStaysInside();
    void filterDims();
    void emptyAndRefusedDocuments_data();
    void emptyAndRefusedDocuments();
    void damagedPlansAreShown();
    void findingsAreMarked();
    void manyBuffersAreQuick();
    void pictures();

  private:
    DocumentPtr m_document;
};

void TestArenaView::initTestCase() { m_document = opened("mobilenet"); }

void TestArenaView::followsTheSelection() {
    Session session;
    session.setDocument(m_document, Session::Keep::Nothing);
    ArenaView view(session);
    view.resize(900, 500);
    view.show();
    QVERIFY(!view.shownOperator());
    QVERIFY(session.select(selectOperator(5)));
    QCOMPARE(view.shownOperator(), std::optional<std::int64_t>(5));
    QVERIFY(session.select(selectBuffer(2)));
    QCOMPARE(view.buffer(), std::optional<std::size_t>(2));
    view.hide();
    QVERIFY(session.select(selectOperator(7)));
    QCOMPARE(view.buffer(), std::optional<std::size_t>(2)); // a hidden view waits
    view.show();
    QCOMPARE(view.shownOperator(), std::optional<std::int64_t>(7));
}

void TestArenaView::clicksSelect() {
    Session session;
    session.setDocument(m_document, Session::Keep::Nothing);
    ArenaView view(session);
    view.resize(1000, 560);
    view.show();
    QVERIFY(QTest::qWaitForWindowExposed(&view));
    view.plot()->replot();
    const Allocation& a = session.lowering().arena.allocations[3];
    const QPoint at = view.plot()->pixelOf(static_cast<double>(a.firstOperator),
                                           static_cast<double>(a.offset + a.bytes / 2));
    QTest::mouseClick(view.plot(), Qt::LeftButton, {}, at);
    QCOMPARE(session.place().buffer, std::optional<std::int64_t>(3));
    QCOMPARE(session.place().step, std::optional<std::int64_t>(a.firstOperator));
    QCOMPARE(session.address(), QStringLiteral("arena@%1/0x%2+%3")
                                    .arg(a.firstOperator)
                                    .arg(QString::number(a.offset, 16).toUpper())
                                    .arg(a.bytes));
}

void TestArenaView::keysWalk() {
    Session session;
    session.setDocument(m_document, Session::Keep::Nothing);
    ArenaView view(session);
    view.show();
    QTest::keyClick(view.plot(), Qt::Key_Home);
    QCOMPARE(view.step(), std::optional<std::int64_t>(0));
    QTest::keyClick(view.plot(), Qt::Key_Right);
    QCOMPARE(view.step(), std::optional<std::int64_t>(1));
    QTest::keyClick(view.plot(), Qt::Key_Left);
    QTest::keyClick(view.plot(), Qt::Key_Left);
    QCOMPARE(view.step(), std::optional<std::int64_t>(0));
    QTest::keyClick(view.plot(), Qt::Key_End);
    QCOMPARE(view.step(),
             std::optional(static_cast<std::int64_t>(session.lowering().operators.size()) - 1));
    QTest::keyClick(view.plot(), Qt::Key_P);
    QCOMPARE(view.step(), std::optional(session.lowering().arena.peakOperator));
    const auto live = view.plot()->scene().geometry.buffersAt(*view.step());
    QVERIFY(live.size() >= 2);
    for (std::size_t i = 0; i < live.size(); ++i)
        QTest::keyClick(view.plot(), Qt::Key_Down);
    QCOMPARE(view.buffer(), std::optional(live.front()));
    QTest::keyClick(view.plot(), Qt::Key_Up);
    QCOMPARE(view.buffer(), std::optional(live[1]));
}

void TestArenaView::everyOperatorCanBePicked() {
    Session session;
    session.setDocument(m_document, Session::Keep::Nothing);
    ArenaView view(session);
    view.show();
    for (const LoweredOperator& op : session.lowering().operators) {
        QVERIFY(view.pickOperator(op.index));
        QCOMPARE(session.place().operatorIndex, std::optional(op.index));
        QCOMPARE(view.shownOperator(), std::optional(op.index));
    }
    QVERIFY(!view.pickOperator(-1));
    QVERIFY(!view.pickOperator(1'000'000));
    QCOMPARE(view.accessibleTable()->rowCount(),
             static_cast<int>(session.lowering().arena.allocations.size()));
}

void TestArenaView::boundsAreLoaded() {
    Session session;
    session.setDocument(m_document, Session::Keep::Nothing);
    ArenaView view(session);
    view.show();
    actionOf(view, "arenaBounds")->trigger();
    QVERIFY(QTest::qWaitFor([&] { return !view.isBusy(); }));
    QVERIFY(!view.plot()->scene().accesses.empty());
    const Allocation& a = session.lowering().arena.allocations[1];
    const QString text = sceneText(view.plot()->scene(), static_cast<double>(a.firstOperator),
                                   static_cast<double>(a.offset));
    QVERIFY(text.contains(QStringLiteral("writes")));
    QVERIFY(text.contains(QStringLiteral("declared bytes")));
}

void TestArenaView::experimentsAreNotWrittenBack() {
    Session session;
    session.setDocument(m_document, Session::Keep::Nothing);
    ArenaView view(session);
    view.resize(1000, 500);
    view.show();
    view.findChild<QTabWidget*>()->setCurrentWidget(view.whatIf());
    QVERIFY(QTest::qWaitFor([&] { return !view.isBusy(); }));
    auto* const table = view.whatIf()->findChild<QTableView*>();
    QCOMPARE(table->model()->rowCount(), static_cast<int>(allArenaStrategies().size()));
    table->selectRow(3);
    QVERIFY(view.plot()->scene().isExperiment);
    QCOMPARE(&session.lowering().arena, &m_document->lowering->arena);
    QVERIFY(view.pickOperator(4));
    QCOMPARE(view.shownOperator(), std::optional<std::int64_t>(4));
    view.whatIf()->findChild<QSpinBox*>()->stepBy(2);
    QVERIFY(QTest::qWaitFor([&] { return !view.isBusy(); }));
    QCOMPARE(view.plot()->scene().plan->alignment, std::uint64_t{256});
    view.whatIf()->leaveExperiment();
    QVERIFY(!view.plot()->scene().isExperiment);
    QCOMPARE(view.plot()->scene().plan.get(), &m_document->lowering->arena);
}

void TestArenaView::zoomStaysInside() {
    Session session;
    session.setDocument(m_document, Session::Keep::Nothing);
    ArenaView view(session);
    view.show();
    ArenaPlot& plot = *view.plot();
    QVERIFY(!plot.isZoomed());
    for (int i = 0; i < 100; ++i)
        plot.zoomBy(0.5);
    QVERIFY(plot.isZoomed());
    for (int i = 0; i < 100; ++i)
        plot.zoomBy(3);
    QVERIFY(!plot.isZoomed());
    for (int i = 0; i < 8; ++i)
        QTest::keyClick(&plot, Qt::Key_Plus);
    QVERIFY(plot.isZoomed());
    QTest::keyClick(&plot, Qt::Key_End);
    const QPoint seen = plot.pixelOf(static_cast<double>(*view.step()), 0);
    QVERIFY(plot.axisRect(1)->rect().adjusted(-1, 0, 1, 0).left() <= seen.x());
    actionOf(view, "arenaReset")->trigger();
    QVERIFY(!plot.isZoomed());
}

void TestArenaView::filterDims() {
    Session session;
    session.setDocument(m_document, Session::Keep::Nothing);
    ArenaView view(session);
    view.show();
    const auto dimmed = view.plot()->scene().dimmed;
    QVERIFY(std::none_of(dimmed.begin(), dimmed.end(), [](bool d) { return d; }));
    QString problem;
    QVERIFY2(session.setFilter(QStringLiteral("opcode == CONV2D"), &problem), qPrintable(problem));
    const auto after = view.plot()->scene().dimmed;
    QVERIFY(std::any_of(after.begin(), after.end(), [](bool d) { return d; }));
    for (std::size_t i = 0; i < after.size(); ++i) {
        const Allocation& a = session.lowering().arena.allocations[i];
        if (a.firstOperator >= 0)
            QCOMPARE(after[i], !session.passesFilter(a.firstOperator));
    }
}

void TestArenaView::emptyAndRefusedDocuments_data() {
    QTest::addColumn<QByteArray>("sample");
    QTest::newRow("nothing open") << QByteArray();
    QTest::newRow("refused") << QByteArray("refused");
}

void TestArenaView::emptyAndRefusedDocuments() {
    QFETCH(QByteArray, sample);
    Session session;
    if (!sample.isEmpty())
        session.setDocument(opened(sample.constData()), Session::Keep::Nothing);
    ArenaView view(session);
    view.resize(700, 400);
    view.show();
    QVERIFY(!view.shownOperator());
    QVERIFY(!view.pickOperator(0));
    for (const int key : {Qt::Key_Left, Qt::Key_Up, Qt::Key_P, Qt::Key_End, Qt::Key_Plus})
        QTest::keyClick(view.plot(), static_cast<Qt::Key>(key));
    actionOf(view, "arenaBounds")->trigger();
    bool saysWhy = false;
    for (const QLabel* label : view.findChildren<QLabel*>())
        saysWhy |= label->isVisible() && label->text().size() > 30;
    QVERIFY(saysWhy);
    view.grab();
}

void TestArenaView::damagedPlansAreShown() {
    auto lowering = std::make_shared<Lowering>(*m_document->lowering);
    constexpr std::uint64_t kHuge = std::uint64_t{1} << 40;
    for (std::size_t i = 0; i < lowering->arena.allocations.size(); i += 2) {
        lowering->arena.allocations[i].offset = kHuge;
        lowering->arena.allocations[i].lastOperator = static_cast<std::int64_t>(kHuge);
    }
    lowering->arena = observeArena(lowering->arena.allocations,
                                   static_cast<std::int64_t>(lowering->operators.size()));
    auto document = std::make_shared<Document>(*m_document);
    document->lowering = lowering;
    Session session;
    session.setDocument(document, Session::Keep::Nothing);
    ArenaView view(session);
    view.resize(800, 400);
    view.show();
    QVERIFY(view.pickOperator(2));
    for (int i = 0; i < 40; ++i)
        view.plot()->zoomBy(0.5);
    view.grab();
}

void TestArenaView::findingsAreMarked() {
    auto document = std::make_shared<Document>(*m_document);
    Location where;
    where.operatorIndex = 3;
    where.byte = 4096;
    document->diagnostics.push_back(makeError(Code::ReadUnwritten, "a test finding", where));
    document->execution->findings = {document->diagnostics.back()};
    Session session;
    session.setDocument(document, Session::Keep::Nothing);
    ArenaView view(session);
    view.resize(1000, 560);
    view.show();
    QVERIFY(QTest::qWaitForWindowExposed(&view));
    view.plot()->replot();
    QCOMPARE(view.plot()->scene().findings.size(), std::size_t{1});
    QTest::mouseClick(view.plot(), Qt::LeftButton, {}, view.plot()->pixelOf(3, 4096));
    QCOMPARE(session.place().diagnostic,
             std::optional(static_cast<std::int64_t>(document->diagnostics.size()) - 1));
}

void TestArenaView::manyBuffersAreQuick() {
    std::vector<Allocation> many;
    for (std::int64_t i = 0; i < 10'000; ++i)
        many.push_back({i, {}, "", static_cast<std::uint64_t>(i % 9) * 4096, 4000, 4032, i, i + 8});
    auto lowering = std::make_shared<Lowering>();
    lowering->arena = observeArena(many, 10'000);
    lowering->operators.resize(10'000);
    auto document = std::make_shared<Document>();
    document->lowering = lowering;
    Session session;
    session.setDocument(document, Session::Keep::Nothing);
    ArenaView view(session);
    view.resize(1200, 600);
    view.show();
    QElapsedTimer timer;
    timer.start();
    view.plot()->replot(QCustomPlot::rpImmediateRefresh);
    qInfo("painting 10,000 buffers took %lld ms", timer.elapsed());
    QCOMPARE(view.plot()->scene().plan->allocations.size(), lowering->arena.allocations.size());
}

void TestArenaView::pictures() {
    QDir().mkpath(QStringLiteral(PLUMBLINE_PICTURES));
    for (const Theme theme : {Theme::Light, Theme::Dark}) {
        applyTheme(*qApp, theme);
        const QString suffix =
            theme == Theme::Light ? QStringLiteral("light") : QStringLiteral("dark");
        const auto save = [&](QWidget& widget, const char* name) {
            QCoreApplication::processEvents();
            const QString path =
                QStringLiteral(PLUMBLINE_PICTURES "/%1-%2.png").arg(QLatin1String(name), suffix);
            QVERIFY(widget.grab().save(path));
        };
        Session session;
        session.setDocument(m_document, Session::Keep::Nothing);
        ArenaView view(session);
        view.resize(1280, 520);
        view.show();
        session.select(selectOperator(6));
        save(view, "arena");
        actionOf(view, "arenaBounds")->trigger();
        QVERIFY(QTest::qWaitFor([&] { return !view.isBusy(); }));
        for (int i = 0; i < 4; ++i)
            view.plot()->zoomBy(0.8);
        view.plot()->reveal(6, view.buffer());
        save(view, "arena-bounds");
        view.plot()->resetZoom();
        view.findChild<QTabWidget*>()->setCurrentWidget(view.whatIf());
        QVERIFY(QTest::qWaitFor([&] { return !view.isBusy(); }));
        view.whatIf()->findChild<QTableView*>()->selectRow(3);
        save(view, "arena-what-if");
    }
    applyTheme(*qApp, Theme::Light);
}

QTEST_MAIN(TestArenaView)
#include "tst_arena_view.moc"
