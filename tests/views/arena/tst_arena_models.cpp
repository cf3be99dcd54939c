// SPDX-License-Identifier: GPL-3.0-or-later
// The tables of the arena timeline, without a window.
#include <QAbstractItemModelTester>
#include <QTest>

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

class TestArenaModels : public QObject {
    Q_OBJECT

  private slots:
    void bufferModel();
    void strategyModel();
    void percentages();
};

void TestArenaModels::bufferModel() {
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

void TestArenaModels::strategyModel() {
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

void TestArenaModels::percentages() {
    QCOMPARE(percentAgainst(110, 100), QStringLiteral("+10.0 %"));
    QCOMPARE(percentAgainst(90, 100), QStringLiteral("−10.0 %"));
    QCOMPARE(percentAgainst(5, 0), QStringLiteral("—"));
    QCOMPARE(differenceText(1000, 3000), QStringLiteral("−2,000"));
}

QTEST_GUILESS_MAIN(TestArenaModels)
#include "tst_arena_models.moc"
