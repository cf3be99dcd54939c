// SPDX-License-Identifier: GPL-3.0-or-later
// The tile walker and the cost bars on a session: selection both ways, keys, every opcode, and
// documents that have nothing or damaged numbers.
#include <QAction>
#include <QApplication>
#include <QDir>
#include <QElapsedTimer>
#include <QTest>

#include "core/document/document.h"
#include "core/lowering/target.h"
#include "views/common/palette.h"
#include "views/common/picture_export.h"
#include "views/common/rects.h"
#include "views/tiles/costs_view.h"
#include "views/tiles/tiles_view.h"

using namespace plumbline;

namespace {

DocumentPtr opened(const char* sample) {
    OpenRequest request;
    request.sample = sample;
    request.simulate = false;
    const auto document = openDocument(request, npuP0Target());
    return document ? *document : std::make_shared<const Document>();
}

std::int64_t firstOf(const Lowering& lowering, std::string_view opcode) {
    for (const LoweredOperator& op : lowering.operators)
        if (op.opcodeName == opcode)
            return op.index;
    return -1;
}

bool saysSomething(const QWidget& view) {
    for (const QLabel* label : view.findChildren<QLabel*>())
        if (label->isVisible() && label->text().size() > 25)
            return true;
    return false;
}

} // namespace

class TestTilesView : public QObject {
    Q_OBJECT

  private slots:
    void initTestCase();
    void followsTheSelection();
    void keysWalk();
    void clicksSelectTiles();
    void elementsMoveTheCursor();
    void everyOperatorIsShownOrExplained();
    void nothingAndRefused();
    void damagedNumbersAreExplained();
    void costsSelectBothWays();
    void costKeys();
    void costsSortAndFilter();
    void costsOfManyRecordsAreShown();
    void costsOfNothing();
    void picturesFitTheAskedSize();
    void pictures();

  private:
    DocumentPtr m_document;
    DocumentPtr m_every;
};

void TestTilesView::initTestCase() {
    m_document = opened("mobilenet");
    m_every = opened("every-operator");
    QDir().mkpath(QStringLiteral(PLUMBLINE_PICTURES));
}

void TestTilesView::followsTheSelection() {
    Session session;
    session.setDocument(m_document, Session::Keep::Nothing);
    TilesView view(session);
    view.show();
    QVERIFY(!view.shownOperator());
    QVERIFY(saysSomething(view));
    QVERIFY(session.selectAddress(QStringLiteral("op/2/tile/3")));
    QCOMPARE(view.shownOperator(), std::optional<std::int64_t>(2));
    QCOMPARE(view.canvas()->cursor().tile, std::int64_t{3});
    QVERIFY(session.select(selectRecord(4)));
    QCOMPARE(view.shownOperator(), session.place().operatorIndex);
    QCOMPARE(view.canvas()->cursor().tile, std::int64_t{0});
}

void TestTilesView::keysWalk() {
    Session session;
    session.setDocument(m_document, Session::Keep::Nothing);
    TilesView view(session);
    view.show();
    QVERIFY(session.select(selectOperator(firstOf(session.lowering(), "CONV2D"))));
    TileCanvas& canvas = *view.canvas();
    QTest::keyClick(&canvas, Qt::Key_Right);
    QCOMPARE(canvas.cursor(), (TileCursor{0, 1, 0, 0}));
    QTest::keyClick(&canvas, Qt::Key_PageDown);
    QCOMPARE(canvas.cursor().tile, std::int64_t{1});
    QCOMPARE(session.place().tile, std::optional<std::int64_t>(1));
    QTest::keyClick(&canvas, Qt::Key_PageUp);
    QCOMPARE(session.place().tile, std::optional<std::int64_t>(0));
    QTest::keyClick(&canvas, Qt::Key_Home);
    for (int i = 0; i < 4; ++i)
        QTest::keyClick(&canvas, Qt::Key_Right); // over the border of a tile of four columns
    QCOMPARE(canvas.cursor(), (TileCursor{1, 0, 0, 0}));
    QTest::keyClick(&canvas, Qt::Key_Left, Qt::ControlModifier);
    QCOMPARE(canvas.cursor(), (TileCursor{0, 7, 0, 0}));
    QTest::keyClick(&canvas, Qt::Key_G, Qt::ShiftModifier);
    QCOMPARE(canvas.cursor().group, std::int64_t{0});
    if (canvas.walk()->groups() > 1) {
        QTest::keyClick(&canvas, Qt::Key_G);
        QCOMPARE(canvas.cursor().group, std::int64_t{1});
    }
    QTest::keyClick(&canvas, Qt::Key_End);
    QTest::keyClick(&canvas, Qt::Key_Down);
    QCOMPARE(canvas.cursor().tile, canvas.walk()->tileCount() - 1);
    QTest::keyClick(&canvas, Qt::Key_Return);
    QVERIFY(session.place().element);
    QCOMPARE(session.place().element->h, canvas.walk()->geometry().oh - 1);
}

void TestTilesView::clicksSelectTiles() {
    Session session;
    session.setDocument(m_document, Session::Keep::Nothing);
    TilesView view(session);
    view.resize(1200, 420);
    view.show();
    QVERIFY(QTest::qWaitForWindowExposed(&view));
    QVERIFY(session.select(selectOperator(1)));
    TileCanvas& canvas = *view.canvas();
    const TileLayout layout = canvas.tileLayout();
    const GridRect tile = canvas.walk()->tile(5);
    const QPoint at = toRect(layout.output.rectOf({tile.y, tile.x, 1, 1})).center().toPoint();
    QTest::mouseClick(&canvas, Qt::LeftButton, {}, at);
    QCOMPARE(session.address(), QStringLiteral("op/1/tile/5"));
    QCOMPARE(canvas.cursor().tile, std::int64_t{5});
    const QPoint last =
        toRect(layout.groups.part(canvas.walk()->groups() - 1, canvas.walk()->groups()))
            .center()
            .toPoint();
    QTest::mouseClick(&canvas, Qt::LeftButton, {}, last);
    QCOMPARE(canvas.cursor().group, canvas.walk()->groups() - 1);
}

void TestTilesView::elementsMoveTheCursor() {
    Session session;
    session.setDocument(m_document, Session::Keep::Nothing);
    TilesView view(session);
    view.show();
    QVERIFY(session.selectAddress(QStringLiteral("op/1/element/3,5,7")));
    const TileCursor& cursor = view.canvas()->cursor();
    QCOMPARE(view.canvas()->walk()->position(cursor.tile, cursor.position), (GridPoint{3, 5}));
}

void TestTilesView::everyOperatorIsShownOrExplained() {
    Session session;
    session.setDocument(m_every, Session::Keep::Nothing);
    TilesView view(session);
    view.resize(900, 420);
    view.show();
    for (const LoweredOperator& op : session.lowering().operators) {
        QCOMPARE(view.pickOperator(op.index), op.placement == Placement::Npu);
        QVERIFY(session.select(selectOperator(op.index)));
        QCOMPARE(view.canvas()->walk().has_value(), op.placement == Placement::Npu);
        QVERIFY(saysSomething(view));
        QCOMPARE(view.accessibleTable()->rowCount() > 0, op.placement == Placement::Npu);
        view.grab();
    }
}

void TestTilesView::nothingAndRefused() {
    for (const char* sample : {"", "refused"}) {
        Session session;
        if (*sample != '\0')
            session.setDocument(opened(sample), Session::Keep::Nothing);
        TilesView view(session);
        view.show();
        QVERIFY(saysSomething(view));
        for (const LoweredOperator& op : session.lowering().operators) {
            session.select(selectOperator(op.index));
            QVERIFY(saysSomething(view));
        }
        QTest::keyClick(view.canvas(), Qt::Key_Right);
    }
}

void TestTilesView::damagedNumbersAreExplained() {
    auto lowering = std::make_shared<Lowering>(*m_document->lowering);
    lowering->operators[1].tiles.tileW = 0;
    lowering->operators[2].geometry.cin = std::int64_t{1} << 40;
    lowering->operators[3].cost.loadCycles = std::int64_t{1} << 40;
    lowering->operators[3].buffers = {std::int64_t{1} << 40, 9000, 0, 8192};
    auto document = std::make_shared<Document>(*m_document);
    document->lowering = lowering;
    Session session;
    session.setDocument(document, Session::Keep::Nothing);
    TilesView view(session);
    CostsView costs(session);
    view.show();
    costs.show();
    for (std::int64_t i = 1; i < 4; ++i) {
        QVERIFY(session.select(selectOperator(i)));
        QCOMPARE(view.canvas()->walk().has_value(), i == 3);
        QVERIFY(saysSomething(view));
        view.grab();
        costs.grab();
    }
}

void TestTilesView::costsSelectBothWays() {
    Session session;
    session.setDocument(m_document, Session::Keep::Nothing);
    CostsView view(session);
    view.resize(1200, 400);
    view.show();
    QVERIFY(QTest::qWaitForWindowExposed(&view));
    for (const LoweredOperator& op : session.lowering().operators) {
        QCOMPARE(view.pickOperator(op.index), op.record.has_value());
        QVERIFY(session.select(selectOperator(op.index)));
        QCOMPARE(view.shownOperator(), op.record ? std::optional(op.index) : std::nullopt);
    }
    const auto at = view.chart()->pixelOf(2);
    QVERIFY(at);
    QTest::mouseClick(view.chart()->viewport(), Qt::LeftButton, {}, *at);
    QCOMPARE(session.place().record, std::optional<std::int64_t>(2));
}

void TestTilesView::costKeys() {
    Session session;
    session.setDocument(m_document, Session::Keep::Nothing);
    CostsView view(session);
    view.resize(300, 300);
    view.show();
    QTest::keyClick(view.chart(), Qt::Key_Home);
    QCOMPARE(session.place().record, std::optional<std::int64_t>(0));
    QTest::keyClick(view.chart(), Qt::Key_Right);
    QCOMPARE(session.place().record, std::optional<std::int64_t>(1));
    QTest::keyClick(view.chart(), Qt::Key_End);
    const auto last = static_cast<std::int64_t>(session.lowering().records.size()) - 1;
    QCOMPARE(session.place().record, std::optional(last));
    QVERIFY(view.chart()->pixelOf(static_cast<int>(last))); // it was scrolled into the window
    QVERIFY(!view.chart()->pixelOf(0));
    QTest::keyClick(view.chart(), Qt::Key_PageUp);
    QVERIFY(!view.chart()->pixelOf(static_cast<int>(last)));
}

void TestTilesView::costsSortAndFilter() {
    Session session;
    session.setDocument(m_document, Session::Keep::Nothing);
    CostsView view(session);
    view.resize(1200, 400);
    view.show();
    view.setOrder(CostsView::Order::Total);
    const QAbstractItemModel& table = *view.accessibleTable();
    const auto cycles = [&](int row) {
        return table.index(row, CostModel::CyclesColumn).data(CostModel::SortRole).toLongLong();
    };
    QVERIFY(cycles(0) >= cycles(1) && cycles(1) >= cycles(table.rowCount() - 1));
    view.setMeasure(CostMeasure::DmaBytes);
    const auto bytes = [&](int row) {
        return table.index(row, CostModel::BytesColumn).data(CostModel::SortRole).toLongLong();
    };
    QVERIFY(bytes(0) >= bytes(1) && bytes(1) >= bytes(table.rowCount() - 1));
    QVERIFY(session.select(selectRecord(3)));
    QCOMPARE(view.shownOperator(), session.place().operatorIndex);
    QVERIFY(session.setFilter(QStringLiteral("opcode == CONV2D")));
    QVERIFY(table.rowCount() > 0);
    QVERIFY(table.rowCount() < static_cast<int>(session.lowering().records.size()));
    for (int row = 0; row < table.rowCount(); ++row)
        QCOMPARE(table.index(row, CostModel::NameColumn).data().toString(),
                 QStringLiteral("CONV2D"));
    session.setFilter({});
    QCOMPARE(table.rowCount(), static_cast<int>(session.lowering().records.size()));
}

void TestTilesView::costsOfManyRecordsAreShown() {
    auto lowering = std::make_shared<Lowering>();
    for (std::int64_t i = 0; i < 10'000; ++i) {
        LoweredOperator op;
        op.index = i;
        op.record = i;
        op.placement = Placement::Npu;
        op.opcodeName = "CONV2D";
        op.cost.computeCycles = i % 97;
        lowering->operators.push_back(op);
        lowering->records.push_back({i, Bytes(128)});
    }
    lowering->fields = &npuP0Target().fields();
    auto document = std::make_shared<Document>();
    document->lowering = lowering;
    Session session;
    QElapsedTimer timer;
    timer.start();
    session.setDocument(document, Session::Keep::Nothing);
    CostsView view(session);
    view.resize(1200, 400);
    view.show();
    QVERIFY(session.select(selectRecord(9000)));
    view.grab();
    qInfo("showing the costs of 10,000 records took %lld ms", timer.elapsed());
    QVERIFY(view.chart()->pixelOf(9000));
}

void TestTilesView::costsOfNothing() {
    for (const char* sample : {"", "refused"}) {
        Session session;
        if (*sample != '\0')
            session.setDocument(opened(sample), Session::Keep::Nothing);
        CostsView view(session);
        view.resize(600, 300);
        view.show();
        QVERIFY(!view.pickOperator(0));
        QVERIFY(!view.shownOperator());
        QTest::keyClick(view.chart(), Qt::Key_End);
        QVERIFY(saysSomething(view));
        view.grab();
    }
}

void TestTilesView::picturesFitTheAskedSize() {
    Session session;
    TilesView tiles(session);
    CostsView costs(session);
    QVERIFY(tiles.pictures().empty());
    QVERIFY(costs.pictures().empty());
    session.setDocument(m_document, Session::Keep::Nothing);
    for (View* const view : {static_cast<View*>(&tiles), static_cast<View*>(&costs)}) {
        view->resize(700, 400);
        view->show();
        QVERIFY(session.select(selectOperator(6)));
        const QImage before = view->grab().toImage();
        const std::vector<ViewPicture> pictures = view->pictures();
        QCOMPARE(pictures.size(), std::size_t{1});
        for (const bool dark : {false, true}) {
            for (const QSize size : {QSize(640, 360), QSize(1500, 500)}) {
                const QImage image = pictureImage(pictures[0], size, 1, dark);
                QCOMPARE(image.size(), size);
                QCOMPARE(image.pixelColor(size.width() - 1, size.height() - 1),
                         themePalette(dark).color(QPalette::Base));
                QSet<QRgb> colors; // along the middle line
                for (int x = 0; x < size.width(); ++x)
                    colors += image.pixel(x, size.height() / 2);
                QVERIFY(colors.size() > 2);
                QVERIFY(image.save(QStringLiteral(PLUMBLINE_PICTURES "/%1-%2-%3.png")
                                       .arg(view->id())
                                       .arg(size.width())
                                       .arg(dark)));
            }
        }
        QCOMPARE(view->grab().toImage(), before); // the view on the screen stays
    }
}

void TestTilesView::pictures() {
    const DocumentPtr residual = opened("resnet8");
    for (const Theme theme : {Theme::Light, Theme::Dark}) {
        applyTheme(*qApp, theme);
        const QString suffix =
            theme == Theme::Light ? QStringLiteral("light") : QStringLiteral("dark");
        const auto save = [&](QWidget& widget, const char* name) {
            QCoreApplication::processEvents();
            QVERIFY(widget.grab().save(
                QStringLiteral(PLUMBLINE_PICTURES "/%1-%2.png").arg(QLatin1String(name), suffix)));
        };
        Session session;
        session.setDocument(m_document, Session::Keep::Nothing);
        TilesView tiles(session);
        tiles.resize(1280, 330);
        tiles.show();
        session.selectAddress(QStringLiteral("op/0/element/0,5,3"));
        save(tiles, "tiles-wide");
        const OperatorGeometry& g = session.lowering().operators[9].geometry;
        session.selectAddress(
            QStringLiteral("op/9/element/%1,%2,%3").arg(g.oh - 1).arg(g.ow - 1).arg(g.cout - 1));
        save(tiles, "tiles-edge");
        CostsView costs(session);
        costs.resize(1280, 330);
        costs.show();
        session.select(selectOperator(6));
        save(costs, "costs");
        costs.setMeasure(CostMeasure::DmaBytes);
        costs.setOrder(CostsView::Order::Total);
        save(costs, "costs-dma");
        session.setDocument(residual, Session::Keep::Nothing);
        tiles.resize(760, 760);
        session.selectAddress(QStringLiteral("op/3/element/9,31,7"));
        save(tiles, "tiles-square");
    }
    applyTheme(*qApp, Theme::Light);
}

QTEST_MAIN(TestTilesView)
#include "tst_tiles_view.moc"
