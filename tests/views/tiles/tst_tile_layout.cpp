// SPDX-License-Identifier: GPL-3.0-or-later
// Geometry, words and tables of the tile walker and the cost bars, without a window.
#include <QAbstractItemModelTester>
#include <QTest>

#include "core/document/document.h"
#include "core/lowering/target.h"
#include "views/tiles/cost_chart.h"
#include "views/tiles/cost_model.h"
#include "views/tiles/tile_layout.h"
#include "views/tiles/tile_text.h"
#include "views/tiles/tiles_view.h"

using namespace plumbline;

namespace {

LoweringPtr lowered(const char* sample) {
    OpenRequest request;
    request.sample = sample;
    request.simulate = false;
    const auto document = openDocument(request, npuP0Target());
    return document ? (*document)->lowering : std::make_shared<Lowering>();
}

} // namespace

class TestTileLayout : public QObject {
    Q_OBJECT

  private slots:
    void smallGridsAreShownWhole();
    void largeGridsShowAPartAroundTheFocus();
    void pixelsAndCellsAgree();
    void emptyGridsHaveNoCells();
    void barsMapPartsAndPixels();
    void nothingOverlaps_data();
    void nothingOverlaps();
    void wordsNameEverything();
    void whyThereIsNothing();
    void factModel();
    void costModelAddsUp();
    void axisEnds_data();
    void axisEnds();
};

void TestTileLayout::smallGridsAreShownWhole() {
    const GridView grid({10, 20, 300, 200}, {-1, -1, 12, 18}, {0, 0});
    QVERIFY(grid.isWhole());
    QCOMPARE(grid.cell(), 16.0);
    QCOMPARE(grid.rectOf({-1, -1, 1, 1}), QRectF(10, 20, 16, 16));
    QCOMPARE(grid.rectOf({0, 0, 2, 4}), QRectF(26, 36, 64, 32));
    QVERIFY(grid.rectOf({50, 50, 1, 1}).isEmpty());
}

void TestTileLayout::largeGridsShowAPartAroundTheFocus() {
    for (const GridPoint focus : {GridPoint{0, 0}, GridPoint{2000, 77}, GridPoint{4095, 4095}}) {
        const GridView grid({0, 0, 300, 200}, {0, 0, 4096, 4096}, focus);
        QVERIFY(!grid.isWhole());
        QVERIFY(grid.shown().contains(focus.y, focus.x));
        QVERIFY(grid.shown().y >= 0 && grid.shown().y + grid.shown().h <= 4096);
        QVERIFY(QRectF(0, 0, 300, 200).contains(grid.frame()));
    }
}

void TestTileLayout::pixelsAndCellsAgree() {
    const GridView grid({5, 5, 250, 250}, {0, 0, 25, 5}, {0, 0});
    for (std::int64_t y = 0; y < 25; ++y)
        for (std::int64_t x = 0; x < 5; ++x)
            QCOMPARE(grid.cellAt(grid.rectOf({y, x, 1, 1}).center()),
                     std::optional(GridPoint{y, x}));
    QVERIFY(!grid.cellAt({0, 0}));
    QVERIFY(!grid.cellAt({254, 254}));
}

void TestTileLayout::emptyGridsHaveNoCells() {
    QVERIFY(!GridView().cellAt({0, 0}));
    QVERIFY(!GridView({0, 0, 0, 0}, {0, 0, 4, 4}, {0, 0}).cellAt({0, 0}));
    QVERIFY(GridView({0, 0, 100, 100}, {0, 0, 0, 4}, {0, 0}).frame().isEmpty());
}

void TestTileLayout::barsMapPartsAndPixels() {
    const PartBar bar{{10, 0, 100, 10}, 4};
    QCOMPARE(bar.part(1, 3), QRectF(35, 0, 50, 10));
    QCOMPARE(bar.partAt({34, 5}), std::optional<std::int64_t>(0));
    QCOMPARE(bar.partAt({36, 5}), std::optional<std::int64_t>(1));
    QCOMPARE(bar.partAt({109.9, 5}), std::optional<std::int64_t>(3));
    QVERIFY(!bar.partAt({5, 5}));
    QVERIFY(!PartBar{}.partAt({0, 0}));
    const PartBar huge{{0, 0, 100, 10}, std::int64_t{1} << 40};
    QCOMPARE(huge.part(0, std::int64_t{1} << 39).width(), 50.0);
}

void TestTileLayout::nothingOverlaps_data() {
    QTest::addColumn<QSizeF>("size");
    QTest::newRow("dock at the bottom") << QSizeF(1280, 260);
    QTest::newRow("square") << QSizeF(700, 700);
    QTest::newRow("tall") << QSizeF(500, 900);
    QTest::newRow("smallest") << QSizeF(560, TileLayout::leastHeight(16));
}

void TestTileLayout::nothingOverlaps() {
    QFETCH(QSizeF, size);
    for (const LoweredOperator& op : lowered("every-operator")->operators) {
        const auto walk = TileWalk::of(op);
        if (!walk)
            continue;
        const TileLayout layout = TileLayout::make({{0, 0}, size}, 16, *walk, {});
        std::vector<QRectF> parts{
            layout.outputTitle,   layout.inputTitle,     layout.reductionTitle,
            layout.groupTitle,    layout.gaugeTitle,     layout.output.frame(),
            layout.input.frame(), layout.reduction.rect, layout.reductionTicks,
            layout.groups.rect,   layout.lanes.rect,     layout.windowTitle,
            layout.window.frame()};
        parts.insert(parts.end(), layout.gauges.begin(), layout.gauges.end());
        for (std::size_t i = 0; i < parts.size(); ++i) {
            QVERIFY(parts[i].isEmpty() || QRectF({0, 0}, size).contains(parts[i]));
            for (std::size_t j = 0; j < i; ++j)
                QVERIFY2(!parts[i].intersects(parts[j]),
                         qPrintable(QStringLiteral("parts %1 and %2").arg(i).arg(j)));
        }
    }
}

void TestTileLayout::wordsNameEverything() {
    for (const LoweredOperator& op : lowered("every-operator")->operators) {
        const auto walk = TileWalk::of(op);
        if (op.placement != Placement::Npu)
            continue;
        QVERIFY(walk);
        const QString words = cursorText(*walk, {});
        QVERIFY(words.contains(QStringLiteral("Tile 0 of")));
        QVERIFY(words.contains(QStringLiteral("Channel group 0 of")));
        QVERIFY(words.contains(QStringLiteral("eduction")) ||
                words.contains(QStringLiteral("K slice 0 of")));
        QVERIFY(!words.contains(QLatin1Char('%')));
        QVERIFY(tileFacts(op, *walk, {}).size() > 10);
    }
}

void TestTileLayout::whyThereIsNothing() {
    LoweredOperator op;
    for (const Placement placement :
         {Placement::Alias, Placement::CpuSoftmax, Placement::Refused}) {
        op.placement = placement;
        QVERIFY(!whyNoTiles(op, {}).isEmpty());
    }
    op.placement = Placement::Npu;
    QVERIFY(whyNoTiles(op, {}).isEmpty());
    QVERIFY(whyNoTiles(op, QStringLiteral("odd")).contains(QStringLiteral("odd")));
}

void TestTileLayout::factModel() {
    TileFactModel model;
    const QAbstractItemModelTester tester(&model,
                                          QAbstractItemModelTester::FailureReportingMode::QtTest);
    model.setFacts({{QStringLiteral("a"), QStringLiteral("1")}});
    model.setFacts({{QStringLiteral("a"), QStringLiteral("2")}});
    QCOMPARE(model.index(0, 1).data().toString(), QStringLiteral("2"));
    model.setFacts({});
    QCOMPARE(model.rowCount(), 0);
}

void TestTileLayout::costModelAddsUp() {
    const LoweringPtr lowering = lowered("mobilenet");
    CostModel model;
    CostProxy rows;
    rows.setSourceModel(&model);
    const QAbstractItemModelTester tester(&model,
                                          QAbstractItemModelTester::FailureReportingMode::QtTest);
    model.setRows(costRows(*lowering));
    QCOMPARE(rows.rowCount(), static_cast<int>(lowering->records.size()));
    for (int i = 0; i < rows.rowCount(); ++i) {
        const CostRow& row = rows.costRow(i);
        const Cost& cost = lowering->operators[static_cast<std::size_t>(row.operatorIndex)].cost;
        QCOMPARE(row.total(CostMeasure::Cycles), cost.estimatedCycles);
        QCOMPARE(row.total(CostMeasure::DmaBytes), cost.readBytes() + cost.writeBytes);
        QCOMPARE(rows.rowOfOperator(row.operatorIndex), i);
        QVERIFY(costText(row, CostMeasure::Cycles).contains(QStringLiteral("estimate")));
    }
    rows.sort(CostModel::CyclesColumn, Qt::DescendingOrder);
    for (int i = 1; i < rows.rowCount(); ++i)
        QVERIFY(rows.costRow(i - 1).total(CostMeasure::Cycles) >=
                rows.costRow(i).total(CostMeasure::Cycles));
    rows.setPasses([](std::int64_t index) { return index < 3; });
    QCOMPARE(rows.rowCount(), 3);
    QCOMPARE(rows.rowOfOperator(5), -1);
    CostRow damaged = rows.costRow(0);
    damaged.statedCycles = 1;
    QVERIFY(costText(damaged, CostMeasure::Cycles).contains(QStringLiteral("add up")));
}

void TestTileLayout::axisEnds_data() {
    QTest::addColumn<double>("value");
    QTest::addColumn<double>("end");
    QTest::newRow("nothing") << 0.0 << 1.0;
    QTest::newRow("round") << 2000.0 << 2000.0;
    QTest::newRow("between") << 2001.0 << 3000.0;
    QTest::newRow("next decade") << 9001.0 << 10000.0;
    QTest::newRow("not a number") << std::numeric_limits<double>::quiet_NaN() << 1.0;
}

void TestTileLayout::axisEnds() {
    QFETCH(double, value);
    QFETCH(double, end);
    QCOMPARE(roundAxisEnd(value), end);
    QVERIFY(barsThatFit(-5) == 1 && barsThatFit(1e12) > 1);
}

QTEST_GUILESS_MAIN(TestTileLayout)
#include "tst_tile_layout.moc"
