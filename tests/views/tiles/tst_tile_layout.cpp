// SPDX-License-Identifier: GPL-3.0-or-later
// Layout, words and tables of the tile walker and the cost bars, without a window.
#include <QAbstractItemModelTester>
#include <QTest>

#include "core/chart/tile_layout.h"
#include "core/document/document.h"
#include "core/lowering/target.h"
#include "views/common/rects.h"
#include "views/tiles/cost_chart.h"
#include "views/tiles/cost_model.h"
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
    void nothingOverlaps_data();
    void nothingOverlaps();
    void wordsNameEverything();
    void whyThereIsNothing();
    void factModel();
    void costModelAddsUp();
    void barsKeepRoomForLabels();
};

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
        const TileLayout layout =
            TileLayout::make({0, 0, size.width(), size.height()}, 16, *walk, {});
        std::vector<QRectF> parts;
        for (const GraphRect& part :
             {layout.outputTitle, layout.inputTitle, layout.reductionTitle, layout.groupTitle,
              layout.gaugeTitle, layout.output.frame(), layout.input.frame(), layout.reduction.rect,
              layout.reductionTicks, layout.groups.rect, layout.lanes.rect, layout.windowTitle,
              layout.window.frame(), layout.gauges[0], layout.gauges[1], layout.gauges[2]})
            parts.push_back(toRect(part));
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

void TestTileLayout::barsKeepRoomForLabels() {
    QCOMPARE(barsThatFit(-5), 1);
    QCOMPARE(barsThatFit(300), 10);
    QVERIFY(barsThatFit(1e12) > 1);
}

QTEST_GUILESS_MAIN(TestTileLayout)
#include "tst_tile_layout.moc"
