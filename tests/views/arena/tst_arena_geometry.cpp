// SPDX-License-Identifier: GPL-3.0-or-later
// Geometry, axis ticks and tables of the arena timeline, without a window.
#include <QAbstractItemModelTester>
#include <QTest>

#include "views/arena/address_ticker.h"
#include "views/arena/arena_geometry.h"
#include "views/arena/buffer_model.h"
#include "views/arena/strategy_model.h"

using namespace plumbline;

namespace {

/// Three buffers over four steps: the input, one above it, one that lives to the end.
ArenaPlan smallPlan() {
    return observeArena({{0, {}, "input", 0, 100, 128, -1, 1},
                         {1, {7, 8}, "conv", 128, 60, 64, 1, 2},
                         {2, {}, "", 0, 64, 64, 2, 4}},
                        4);
}

} // namespace

class TestArenaGeometry : public QObject {
    Q_OBJECT

  private slots:
    void blocksFollowLifetimes();
    void findsBuffersByPoint();
    void findsSteps_data();
    void findsSteps();
    void walksNeighbours();
    void leavesOutWhatCannotBeDrawn();
    void visitsOnlyWhatIsVisible();
    void tickSteps_data();
    void tickSteps();
    void bufferModel();
    void strategyModel();
    void percentages();
};

void TestArenaGeometry::blocksFollowLifetimes() {
    const ArenaGeometry geometry(smallPlan());
    QCOMPARE(geometry.blocks().size(), std::size_t{3});
    QCOMPARE(geometry.stepCount(), std::int64_t{4});
    QCOMPARE(geometry.left(), -1.5);
    QCOMPARE(geometry.right(), 3.5);
    QCOMPARE(geometry.top(), 188.0);
    const ArenaBlock* const last = geometry.blockOf(2);
    QVERIFY(last != nullptr);
    QCOMPARE(last->left, 1.5);
    QCOMPARE(last->right, 3.5); // it lives beyond the last step
}

void TestArenaGeometry::findsBuffersByPoint() {
    const ArenaGeometry geometry(smallPlan());
    QCOMPARE(geometry.bufferAt(0, 50), std::optional<std::size_t>(0));
    QCOMPARE(geometry.bufferAt(1, 150), std::optional<std::size_t>(1));
    QCOMPARE(geometry.bufferAt(3, 10), std::optional<std::size_t>(2));
    QVERIFY(!geometry.bufferAt(0, 150)); // not yet live
    QVERIFY(!geometry.bufferAt(1, 110)); // padding
}

void TestArenaGeometry::findsSteps_data() {
    QTest::addColumn<double>("x");
    QTest::addColumn<int>("step");
    QTest::newRow("first") << 0.0 << 0;
    QTest::newRow("input column") << -1.2 << 0;
    QTest::newRow("border") << 1.5 << 2;
    QTest::newRow("just before the border") << 1.49 << 1;
    QTest::newRow("beyond") << 1e12 << 3;
}

void TestArenaGeometry::findsSteps() {
    QFETCH(double, x);
    QFETCH(int, step);
    const ArenaGeometry geometry(smallPlan());
    QCOMPARE(geometry.stepAt(x), std::optional<std::int64_t>(step));
    QVERIFY(!ArenaGeometry().stepAt(x));
}

void TestArenaGeometry::walksNeighbours() {
    const ArenaGeometry geometry(smallPlan());
    QCOMPARE(geometry.buffersAt(1), (std::vector<std::size_t>{0, 1}));
    QCOMPARE(geometry.buffersAt(2), (std::vector<std::size_t>{2, 1}));
    QCOMPARE(geometry.neighbour(2, 2, 1), std::optional<std::size_t>(1));
    QCOMPARE(geometry.neighbour(2, 1, -1), std::optional<std::size_t>(2));
    QVERIFY(!geometry.neighbour(2, 1, 1));
    QCOMPARE(geometry.neighbour(2, std::nullopt, 1), std::optional<std::size_t>(2));
    QCOMPARE(geometry.neighbour(2, 0, -1), std::optional<std::size_t>(1)); // 0 is not live there
    QVERIFY(!geometry.neighbour(99, std::nullopt, 1));
}

void TestArenaGeometry::leavesOutWhatCannotBeDrawn() {
    const ArenaPlan plan = observeArena({{0, {}, "empty", 0, 0, 0, -1, 1},
                                         {1, {}, "late", 0, 64, 64, 9, 12},
                                         {2, {}, "backwards", 0, 64, 64, 3, 1},
                                         {3, {}, "far", std::uint64_t{1} << 40, 64, 64, 0, 1}},
                                        4);
    const ArenaGeometry geometry(plan);
    QCOMPARE(geometry.blocks().size(), std::size_t{1});
    QCOMPARE(geometry.blocks().front().buffer, std::size_t{3});
    QVERIFY(geometry.blockOf(0) == nullptr);
    QVERIFY(ArenaGeometry(ArenaPlan()).blocks().empty());
}

void TestArenaGeometry::visitsOnlyWhatIsVisible() {
    std::vector<Allocation> many;
    for (std::int64_t i = 0; i < 10'000; ++i)
        many.push_back({i, {}, "", static_cast<std::uint64_t>(i % 7) * 64, 64, 64, i, i + 3});
    const ArenaGeometry geometry(observeArena(many, 10'000));
    int visited = 0;
    geometry.forEachVisible(5000, 5001, 0, 1000, [&](const ArenaBlock& block) {
        ++visited;
        QVERIFY(block.right >= 5000 && block.left <= 5001);
    });
    QCOMPARE(visited, 5);
}

void TestArenaGeometry::tickSteps_data() {
    QTest::addColumn<double>("span");
    QTest::addColumn<bool>("hex");
    QTest::addColumn<double>("step");
    QTest::newRow("hex") << 100000.0 << true << 32768.0;
    QTest::newRow("hex, small") << 3.0 << true << 1.0;
    QTest::newRow("decimal") << 100000.0 << false << 20000.0;
    QTest::newRow("decimal, to the next decade") << 40.0 << false << 10.0;
    QTest::newRow("nothing") << 0.0 << true << 1.0;
    QTest::newRow("not a number") << std::numeric_limits<double>::quiet_NaN() << false << 1.0;
}

void TestArenaGeometry::tickSteps() {
    QFETCH(double, span);
    QFETCH(bool, hex);
    QFETCH(double, step);
    QCOMPARE(addressTickStep(span, 5, hex ? AddressBase::Hexadecimal : AddressBase::Decimal), step);
}

void TestArenaGeometry::bufferModel() {
    BufferModel model;
    const QAbstractItemModelTester tester(&model,
                                          QAbstractItemModelTester::FailureReportingMode::QtTest);
    model.setPlan(std::make_shared<Lowering>(), std::make_shared<ArenaPlan>(smallPlan()));
    QCOMPARE(model.rowCount(), 3);
    const auto text = [&](int row, int column) {
        return model.index(row, column).data().toString();
    };
    QCOMPARE(text(0, BufferModel::FirstColumn), QStringLiteral("input"));
    QCOMPARE(text(2, BufferModel::LastColumn), QStringLiteral("end"));
    QCOMPARE(text(2, BufferModel::NameColumn), QStringLiteral("tensor 2"));
    QCOMPARE(text(1, BufferModel::OffsetColumn), QStringLiteral("0x00080"));
    QCOMPARE(text(1, BufferModel::MembersColumn), QStringLiteral("conv, tensor 7, tensor 8"));
    LiveBuffersProxy live;
    live.setSourceModel(&model);
    QCOMPARE(live.rowCount(), 0);
    live.setStep(2);
    QCOMPARE(live.rowCount(), 2);
    live.sort(BufferModel::BytesColumn, Qt::DescendingOrder);
    QCOMPARE(live.index(0, BufferModel::BytesColumn).data().toString(), QStringLiteral("64"));
}

void TestArenaGeometry::strategyModel() {
    StrategyModel model;
    const QAbstractItemModelTester tester(&model,
                                          QAbstractItemModelTester::FailureReportingMode::QtTest);
    const ArenaPlan plan = smallPlan();
    model.setOutcomes(planAll(requestsOf(plan), 4, 64, {}), plan.peakBytes);
    QCOMPARE(model.rowCount(), static_cast<int>(allArenaStrategies().size()));
    QCOMPARE(model.index(0, StrategyModel::PeakColumn).data().toString(), QStringLiteral("192"));
    QCOMPARE(model.index(0, StrategyModel::DifferenceColumn).data().toString(),
             QStringLiteral("0"));
    QVERIFY(model.outcome(-1) == nullptr && model.outcome(99) == nullptr);
    model.setOutcomes(planAll(requestsOf(plan), 4, 0, {}), plan.peakBytes);
    QCOMPARE(model.index(1, StrategyModel::PeakColumn).data().toString(),
             QStringLiteral("not planned"));
    QVERIFY(!model.index(1, 0).data(Qt::ToolTipRole).toString().isEmpty());
}

void TestArenaGeometry::percentages() {
    QCOMPARE(percentAgainst(110, 100), QStringLiteral("+10.0 %"));
    QCOMPARE(percentAgainst(90, 100), QStringLiteral("−10.0 %"));
    QCOMPARE(percentAgainst(5, 0), QStringLiteral("—"));
    QCOMPARE(differenceText(1000, 3000), QStringLiteral("−2,000"));
}

QTEST_GUILESS_MAIN(TestArenaGeometry)
#include "tst_arena_geometry.moc"
