// SPDX-License-Identifier: GPL-3.0-or-later
// Walking through the steps of an element, and following their addresses.
#include "tests/views/provenance/why_fixture.h"

using namespace plumbline;
using namespace plumbline::test;

namespace {

/// The row of the first step of a kind; -1 for none.
int rowOf(const StepsPanel& steps, ReplayKind kind) {
    for (int row = 0; row < steps.model()->rowCount(); ++row)
        if (steps.model()->step(row)->kind == kind)
            return row;
    return -1;
}

} // namespace

class TestWhySteps : public QObject {
    Q_OBJECT

  private slots:
    void walksBothWays();
    void keysWalk();
    void tableKeysAreThoseOfTheButtons();
    void theChainGoesToSteps();
    void inputCellsSelectArenaBytes();
    void weightCellsSelectWeights();
    void parameterCellsSelectParameters();
    void followingKeepsTheElement();
    void narrowViewsKeepTheValue();
};

void TestWhySteps::walksBothWays() {
    ShownWhy shown(sample("mobilenet"));
    QVERIFY(shown.select(QStringLiteral("op/0/element/1,1,1")));
    StepsPanel& steps = *shown.view.steps();
    const int rows = steps.model()->rowCount();
    QCOMPARE(steps.currentStep(), std::optional<std::size_t>(rows - 1)); // the byte first
    QCOMPARE(steps.counter(), QStringLiteral("step %1 / %1").arg(rows));
    shown.action("whyFirstStep")->trigger();
    QCOMPARE(steps.currentStep(), std::optional<std::size_t>(0));
    QCOMPARE(steps.counter(), QStringLiteral("step 1 / %1").arg(rows));
    QCOMPARE(steps.sentence(), QString::fromStdString(replayText(*steps.model()->step(0))));
    shown.action("whyBack")->trigger(); // stays
    QCOMPARE(steps.currentStep(), std::optional<std::size_t>(0));
    for (int row = 1; row < rows; ++row) {
        shown.action("whyNext")->trigger();
        QCOMPARE(steps.currentStep(), std::optional(static_cast<std::size_t>(row)));
        QCOMPARE(steps.sentence(), QString::fromStdString(replayText(*steps.model()->step(row))));
    }
    shown.action("whyNext")->trigger(); // stays
    for (int row = rows - 2; row >= 0; --row) {
        shown.action("whyBack")->trigger();
        QCOMPARE(steps.currentStep(), std::optional(static_cast<std::size_t>(row)));
    }
    shown.action("whyLastStep")->trigger();
    QCOMPARE(steps.currentStep(), std::optional<std::size_t>(rows - 1));
}

void TestWhySteps::keysWalk() {
    const DocumentPtr document = inSlices(sample("resnet8"), 1, 40); // of 144
    QVERIFY(document->runner);
    ShownWhy shown(document);
    QVERIFY(QTest::qWaitForWindowExposed(&shown.view));
    QVERIFY(shown.select(QStringLiteral("op/1/element/0,0,1")));
    StepsPanel& steps = *shown.view.steps();
    QCOMPARE(shown.explanation()->slices, std::int64_t{4});
    QCOMPARE(steps.chain()->chain()[3].name, QStringLiteral("slice 2"));
    steps.table()->setFocus();
    QTest::keyClick(steps.table(), Qt::Key_Home, Qt::ControlModifier);
    QCOMPARE(steps.currentStep(), std::optional<std::size_t>(0));
    QTest::keyClick(steps.table(), Qt::Key_Period);
    QTest::keyClick(steps.table(), Qt::Key_Down);
    QCOMPARE(steps.currentStep(), std::optional<std::size_t>(2));
    QTest::keyClick(steps.table(), Qt::Key_Comma);
    QCOMPARE(steps.currentStep(), std::optional<std::size_t>(1));
    QCOMPARE(steps.model()->step(1)->slice, std::int64_t{0});
    QTest::keyClick(steps.table(), Qt::Key_S);
    const auto second = static_cast<int>(*steps.currentStep());
    QCOMPARE(steps.model()->step(second)->slice, std::int64_t{1});
    QCOMPARE(steps.model()->step(second - 1)->kind, ReplayKind::SliceEnd);
    QTest::keyClick(steps.table(), Qt::Key_S, Qt::ShiftModifier);
    QCOMPARE(steps.currentStep(), std::optional<std::size_t>(1));
    QTest::keyClick(steps.table(), Qt::Key_End, Qt::ControlModifier);
    QCOMPARE(steps.model()->step(static_cast<int>(*steps.currentStep()))->kind, ReplayKind::Clamp);
}

void TestWhySteps::tableKeysAreThoseOfTheButtons() {
    ShownWhy shown(sample("ds-cnn"));
    QVERIFY(QTest::qWaitForWindowExposed(&shown.view));
    QVERIFY(shown.select(QStringLiteral("op/2/element/1,1,4")));
    StepsPanel& steps = *shown.view.steps();
    const auto last = static_cast<std::size_t>(steps.model()->rowCount()) - 1;
    steps.table()->setFocus();
    QTest::keyClick(steps.table(), Qt::Key_PageUp);
    const auto page = last - *steps.currentStep();
    QVERIFY(page > 1 && page < last);
    QTest::keyClick(steps.table(), Qt::Key_PageDown);
    QCOMPARE(steps.currentStep(), std::optional(last));
    QTest::keyClick(steps.table(), Qt::Key_Home);
    QCOMPARE(steps.currentStep(), std::optional<std::size_t>(0));
    QTest::keyClick(steps.table(), Qt::Key_End);
    QCOMPARE(steps.currentStep(), std::optional(last));
    QTest::keyClick(steps.table(), Qt::Key_Home);
    steps.table()->setCurrentIndex(steps.model()->index(0, StepModel::What)); // stands for nothing
    QTest::keyClick(steps.table(), Qt::Key_Return); // so Enter follows what the step read: the bias
    QVERIFY(shown.session.selection().span);
    QCOMPARE(shown.session.selection().span->region, std::string("params"));
}

void TestWhySteps::theChainGoesToSteps() {
    ShownWhy shown(sample("ds-cnn"));
    QVERIFY(QTest::qWaitForWindowExposed(&shown.view));
    QVERIFY(shown.select(QStringLiteral("op/0/element/0,0,0")));
    StepsPanel& steps = *shown.view.steps();
    ChainStrip& chain = *steps.chain();
    QCOMPARE(chain.chain().front().name, QStringLiteral("bias"));
    QTest::mouseClick(&chain, Qt::LeftButton, {}, chain.chainLayout().card(0).center());
    QCOMPARE(steps.currentStep(), std::optional<std::size_t>(0));
    chain.setFocus();
    QTest::keyClick(&chain, Qt::Key_Right);
    QCOMPARE(chain.current(), std::optional<std::size_t>(1));
    QCOMPARE(steps.model()->step(static_cast<int>(*steps.currentStep()))->kind,
             ReplayKind::SliceEnd);
    QTest::keyClick(&chain, Qt::Key_End);
    QCOMPARE(chain.current(), std::optional(chain.chain().size() - 1));
    QTest::keyClick(&chain, Qt::Key_Home);
    QCOMPARE(steps.currentStep(), std::optional<std::size_t>(0));
    // A step inside the reduction belongs to the link that ends it.
    steps.goToStep(3);
    QCOMPARE(chain.current(), std::optional<std::size_t>(1));
}

void TestWhySteps::inputCellsSelectArenaBytes() {
    const DocumentPtr document = sample("ds-cnn");
    ShownWhy shown(document);
    QVERIFY(shown.select(QStringLiteral("op/0/element/3,2,1")));
    StepsPanel& steps = *shown.view.steps();
    int row = rowOf(steps, ReplayKind::Product);
    while (!steps.model()->step(row)->inputFrom)
        ++row;
    const ElementIndex at = steps.model()->step(row)->at;
    const LoweredOperator& op = document->lowering->operators.front();
    const auto index =
        static_cast<std::size_t>((at.h * op.geometry.w + at.w) * op.geometry.cin + at.c);
    QCOMPARE(steps.model()->step(row)->input,
             std::int64_t{static_cast<std::int8_t>(document->input[index])});
    emit steps.table()->activated(steps.model()->index(row, StepModel::Input));
    QCOMPARE(shown.session.selection(),
             selectSpan("arena", document->job->inputOffset + index, 1, 0));
}

void TestWhySteps::weightCellsSelectWeights() {
    const DocumentPtr document = sample("ds-cnn");
    ShownWhy shown(document);
    QVERIFY(shown.select(QStringLiteral("op/2/element/1,1,4")));
    StepsPanel& steps = *shown.view.steps();
    const int row = rowOf(steps, ReplayKind::Product) + 2;
    emit steps.table()->activated(steps.model()->index(row, StepModel::Weight));
    QVERIFY(shown.session.selection().span);
    const AddressSpan span = *shown.session.selection().span;
    QCOMPARE(span.region, std::string("weights"));
    QCOMPARE(span.bytes, std::uint64_t{1});
    const RegionSlice& own = *document->lowering->operators[2].weights;
    QVERIFY(span.offset >= own.offset && span.offset - own.offset < own.bytes);
    QCOMPARE(std::int64_t{static_cast<std::int8_t>(document->lowering->weights[span.offset])},
             steps.model()->step(row)->weight);
}

void TestWhySteps::parameterCellsSelectParameters() {
    const DocumentPtr document = sample("ds-cnn");
    ShownWhy shown(document);
    QVERIFY(shown.select(QStringLiteral("op/0/element/0,0,3")));
    StepsPanel& steps = *shown.view.steps();
    steps.goToStep(0);
    steps.table()->setCurrentIndex(steps.model()->index(0, StepModel::What));
    shown.action("whyFollow")->trigger(); // the bias is all that the first step read
    QVERIFY(shown.session.selection().span);
    const AddressSpan span = *shown.session.selection().span;
    QCOMPARE(span.region, std::string("params"));
    QCOMPARE(span.bytes, std::uint64_t{4});
    std::uint32_t word = 0;
    for (std::size_t i = 0; i < 4; ++i)
        word |= std::uint32_t{document->lowering->params[span.offset + i]} << (8 * i);
    QCOMPARE(std::int64_t{static_cast<std::int32_t>(word)}, steps.model()->step(0)->result);
    // The clamp's bounds stand in the record.
    const int last = steps.model()->rowCount() - 1;
    emit steps.table()->activated(steps.model()->index(last, StepModel::Parameter));
    QCOMPARE(shown.session.selection().span->region, std::string("descriptors"));
    QCOMPARE(shown.session.place().record, std::optional<std::int64_t>(0));
}

void TestWhySteps::followingKeepsTheElement() {
    ShownWhy shown(sample("ds-cnn"));
    QVERIFY(shown.select(QStringLiteral("op/2/element/1,1,4")));
    StepsPanel& steps = *shown.view.steps();
    const std::shared_ptr<const Explanation> before = steps.model()->explanation();
    const int row = rowOf(steps, ReplayKind::Product);
    for (const int column : {StepModel::Input, StepModel::Weight}) {
        emit steps.table()->activated(steps.model()->index(row, column));
        QVERIFY(shown.settle());
        QCOMPARE(steps.model()->explanation(), before);
        QCOMPARE(shown.view.element(), std::optional(ElementIndex{1, 1, 4}));
    }
    QVERIFY(shown.select(QStringLiteral("op/2/word/3")));
    QCOMPARE(steps.model()->explanation(), before);
    // A cell that stands for nothing follows nothing.
    const QString address = shown.session.address();
    emit steps.table()->activated(steps.model()->index(row, StepModel::K));
    QCOMPARE(shown.session.address(), address);
}

void TestWhySteps::narrowViewsKeepTheValue() {
    ShownWhy shown(sample("resnet8"), {1100, 700});
    QVERIFY(QTest::qWaitForWindowExposed(&shown.view));
    QVERIFY(shown.select(QStringLiteral("op/1/element/3,4,5")));
    QTableView& table = *shown.view.steps()->table();
    QVERIFY(!table.isColumnHidden(StepModel::Place));
    shown.view.resize(640, 700);
    QTRY_VERIFY(table.isColumnHidden(StepModel::Place));
    QVERIFY(!table.isColumnHidden(StepModel::Input));
    const auto hasValue = [&table] {
        return table.columnViewportPosition(StepModel::Value) >= 0 &&
               table.columnViewportPosition(StepModel::Value) +
                       table.columnWidth(StepModel::Value) <=
                   table.viewport()->width();
    };
    const StepModel& model = *shown.view.steps()->model();
    const QModelIndex input = model.index(model.rowCount() / 2, StepModel::Input);
    QVERIFY(hasValue());
    QVERIFY(input.data().toString().contains(QStringLiteral("0x")));
    for (const int width : {520, 460, 400, 360}) {
        shown.view.resize(width, 700);
        QTRY_VERIFY2(hasValue(), qPrintable(QString::number(width)));
        QVERIFY(table.isColumnHidden(StepModel::K));
        QVERIFY(!table.isColumnHidden(StepModel::Input));
    }
    QVERIFY(table.isColumnHidden(StepModel::Adds));
    QVERIFY(!input.data().toString().contains(QStringLiteral("0x")));
    shown.view.resize(1100, 700);
    QTRY_VERIFY(!table.isColumnHidden(StepModel::Place));
}

QTEST_MAIN(TestWhySteps)
#include "tst_why_steps.moc"
