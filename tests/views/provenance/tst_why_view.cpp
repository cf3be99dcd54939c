// SPDX-License-Identifier: GPL-3.0-or-later
// The Why view on a session: what it explains, walking, following addresses, both kinds of inputs,
// and documents that have nothing to explain.
#include <QAction>
#include <QApplication>
#include <QDir>
#include <QTest>

#include "tests/views/provenance/why_documents.h"
#include "views/common/palette.h"
#include "views/provenance/why_view.h"

using namespace plumbline;
using namespace plumbline::test;

namespace {

/// A shown view on a document.
struct Shown {
    explicit Shown(const DocumentPtr& document, QSize size = {900, 700})
        : view(session) {
        session.setDocument(document, Session::Keep::Nothing);
        view.resize(size);
        view.show();
    }

    bool select(const QString& address) { return session.selectAddress(address) && settle(); }
    bool settle() {
        const bool isDone = QTest::qWaitFor([this] { return !view.isBusy(); }, 60'000);
        QCoreApplication::processEvents(); // lays out what has come
        return isDone;
    }
    const Explanation* explanation() const { return view.steps()->model()->explanation().get(); }
    QAction* action(const char* name) const {
        for (QAction* candidate : view.actions())
            if (candidate->objectName() == QLatin1String(name))
                return candidate;
        return nullptr;
    }

    Session session;
    WhyView view;
};

/// The row of the first step of a kind; -1 for none.
int rowOf(const StepsPanel& steps, ReplayKind kind) {
    for (int row = 0; row < steps.model()->rowCount(); ++row)
        if (steps.model()->step(row)->kind == kind)
            return row;
    return -1;
}

} // namespace

class TestWhyView : public QObject {
    Q_OBJECT

  private slots:
    void explainsTheSelectedElement();
    void offersAnElement();
    void offersTheFirstMismatch();
    void walksBothWays();
    void keysWalk();
    void theChainGoesToSteps();
    void inputCellsSelectArenaBytes();
    void weightCellsSelectWeights();
    void parameterCellsSelectParameters();
    void followingKeepsTheElement();
    void otherInputsGiveOtherValues();
    void inputsNeedBytes();
    void theNewestElementWins();
    void hiddenViewsDoNothing();
    void everyLayerIsExplained();
    void experimentsKeepTheElement();
    void nothingToExplain_data();
    void nothingToExplain();
    void referenceOfDigests();
    void runsWithoutAnInput();
    void everythingIsNamed();
    void pictures();
};

void TestWhyView::explainsTheSelectedElement() {
    const DocumentPtr document = sample("ds-cnn");
    Shown shown(document);
    QVERIFY(shown.select(QStringLiteral("op/1/element/2,3,5")));
    QVERIFY(shown.view.note().isEmpty());
    const Explanation* const made = shown.explanation();
    QVERIFY(made);
    QCOMPARE(made->value, std::int64_t{executedValue(document, 1, {2, 3, 5})});
    QVERIFY(shown.view.steps()->heading().contains(QStringLiteral("element (2,3,5)")));
    const QString values = shown.view.steps()->valuesText();
    QVERIFY2(values.contains(QStringLiteral("ours %1").arg(made->value)), qPrintable(values));
    QVERIFY2(values.contains(QStringLiteral("✓ equal")), qPrintable(values));
    QVERIFY2(values.contains(QStringLiteral("reference kernels %1").arg(made->value)),
             qPrintable(values));
    QCOMPARE(shown.view.shownOperator(), std::optional<std::int64_t>(1));
}

void TestWhyView::offersAnElement() {
    Shown shown(sample("ds-cnn"));
    QVERIFY(shown.select(QStringLiteral("op/2")));
    QVERIFY(shown.view.note().contains(QStringLiteral("Operator 2")));
    QVERIFY(shown.view.offer()->isVisible());
    QCOMPARE(shown.view.offer()->text(), QStringLiteral("Explain element (0,0,0)"));
    QVERIFY(!shown.action("whyExplainFirst")->isEnabled());
    QTest::mouseClick(shown.view.offer(), Qt::LeftButton);
    QCOMPARE(shown.session.address(), QStringLiteral("op/2/element/0,0,0"));
    QVERIFY(shown.settle());
    QVERIFY(shown.view.note().isEmpty());
    // Another operator has no element yet.
    QVERIFY(shown.select(QStringLiteral("op/3")));
    QVERIFY(!shown.view.element());
    QVERIFY(!shown.view.note().isEmpty());
}

void TestWhyView::offersTheFirstMismatch() {
    const DocumentPtr original = sample("ds-cnn");
    Trace trace = original->execution->trace;
    TraceLayer* layer = nullptr;
    for (TraceLayer& candidate : trace.layers)
        if (candidate.operatorIndex == 2)
            layer = &candidate;
    QVERIFY(layer);
    // Row 1, column 2, channel 3 of the layer.
    const auto at = static_cast<std::size_t>((layer->shape[1] + 2) * layer->shape[2] + 3);
    layer->bytes[at] = static_cast<std::uint8_t>(layer->bytes[at] + 5U);
    sealLayer(*layer);
    Shown shown(withReference(original, std::move(trace), "device"));
    QVERIFY(shown.select(QStringLiteral("op/2")));
    QCOMPARE(shown.view.offer()->text(), QStringLiteral("Explain the first mismatch (1,2,3)"));
    shown.action("whyExplainFirst")->trigger();
    QVERIFY(shown.settle());
    QCOMPARE(shown.session.address(), QStringLiteral("op/2/element/1,2,3"));
    const QString values = shown.view.steps()->valuesText();
    const auto theirs = static_cast<std::int8_t>(executedValue(original, 2, {1, 2, 3}) + 5);
    QVERIFY2(values.contains(QStringLiteral("device %1").arg(theirs)), qPrintable(values));
    QVERIFY2(values.contains(QStringLiteral("✗ differs by")), qPrintable(values));
    QVERIFY(shown.view.pickOperator(2));
}

void TestWhyView::walksBothWays() {
    Shown shown(sample("mobilenet"));
    QVERIFY(shown.select(QStringLiteral("op/0/element/1,1,1")));
    StepsPanel& steps = *shown.view.steps();
    const int rows = steps.model()->rowCount();
    QCOMPARE(steps.currentStep(), std::optional<std::size_t>(rows - 1)); // the byte first
    shown.action("whyFirstStep")->trigger();
    QCOMPARE(steps.currentStep(), std::optional<std::size_t>(0));
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

void TestWhyView::keysWalk() {
    const DocumentPtr document = inSlices(sample("resnet8"), 1, 40); // of 144
    QVERIFY(document->runner);
    Shown shown(document);
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

void TestWhyView::theChainGoesToSteps() {
    Shown shown(sample("ds-cnn"));
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

void TestWhyView::inputCellsSelectArenaBytes() {
    const DocumentPtr document = sample("ds-cnn");
    Shown shown(document);
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

void TestWhyView::weightCellsSelectWeights() {
    const DocumentPtr document = sample("ds-cnn");
    Shown shown(document);
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

void TestWhyView::parameterCellsSelectParameters() {
    const DocumentPtr document = sample("ds-cnn");
    Shown shown(document);
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

void TestWhyView::followingKeepsTheElement() {
    Shown shown(sample("ds-cnn"));
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

void TestWhyView::otherInputsGiveOtherValues() {
    const DocumentPtr original = sample("ds-cnn");
    // A reference whose layer 0 is all 7: alone, layer 1 computes on that.
    Trace trace = original->execution->trace;
    std::fill(trace.layers[0].bytes.begin(), trace.layers[0].bytes.end(), std::uint8_t{7});
    sealLayer(trace.layers[0]);
    QCOMPARE(trace.layers[0].operatorIndex, std::int64_t{0});
    Shown shown(withReference(original, std::move(trace), "sevens"));
    QVERIFY(shown.select(QStringLiteral("op/1/element/4,2,0")));
    StepsPanel& steps = *shown.view.steps();
    const auto inputs = [&steps] {
        std::vector<std::int64_t> values;
        for (const ReplayStep& step : steps.model()->explanation()->steps)
            if (step.kind == ReplayKind::Product && !step.isPadding)
                values.push_back(step.input);
        return values;
    };
    QCOMPARE(shown.view.inputs(), LayerInputs::AsRun);
    for (std::size_t i = 0; const std::int64_t value : inputs()) {
        const ReplayStep* product = nullptr;
        for (std::size_t seen = 0; const ReplayStep& step : shown.explanation()->steps)
            if (step.kind == ReplayKind::Product && !step.isPadding && seen++ == i)
                product = &step;
        QCOMPARE(value, std::int64_t{executedValue(original, 0, product->at)});
        ++i;
    }
    QCOMPARE(shown.explanation()->value, std::int64_t{executedValue(original, 1, {4, 2, 0})});
    QVERIFY(shown.view.setInputs(LayerInputs::FromReference));
    QVERIFY(shown.settle());
    QVERIFY(!inputs().empty());
    for (const std::int64_t value : inputs())
        QCOMPARE(value, std::int64_t{7});
    shown.action("whyInputs")->trigger();
    QVERIFY(shown.settle());
    QCOMPARE(shown.explanation()->value, std::int64_t{executedValue(original, 1, {4, 2, 0})});
}

void TestWhyView::inputsNeedBytes() {
    auto bare = std::make_shared<Document>(*sample("ds-cnn"));
    bare->reference.reset();
    bare->verdicts.reset();
    Shown shown(bare);
    QVERIFY(shown.select(QStringLiteral("op/1/element/0,0,0")));
    QVERIFY(!shown.view.inputsBox()->isEnabled());
    QVERIFY(!shown.view.setInputs(LayerInputs::FromReference));
    QVERIFY(shown.view.steps()->valuesText().contains(QStringLiteral("no reference")));
}

void TestWhyView::theNewestElementWins() {
    const DocumentPtr document = sample("mobilenet");
    Shown shown(document);
    QVERIFY(shown.session.selectAddress(QStringLiteral("op/9/element/0,0,0")));
    QVERIFY(shown.view.isBusy());
    for (int c = 0; c < 8; ++c)
        QVERIFY(shown.session.selectAddress(QStringLiteral("op/3/element/1,2,%1").arg(c)));
    QVERIFY(shown.settle());
    QTest::qWait(50); // for what might still arrive
    QCOMPARE(shown.explanation()->operatorIndex, std::int64_t{3});
    QCOMPARE(shown.explanation()->element, (ElementIndex{1, 2, 7}));
    QCOMPARE(shown.explanation()->value, std::int64_t{executedValue(document, 3, {1, 2, 7})});
}

void TestWhyView::hiddenViewsDoNothing() {
    Session session;
    session.setDocument(sample("ds-cnn"), Session::Keep::Nothing);
    WhyView view(session);
    QVERIFY(session.selectAddress(QStringLiteral("op/0/element/0,0,0")));
    QVERIFY(!view.isBusy());
    QVERIFY(!view.shownOperator());
    view.show();
    QVERIFY(QTest::qWaitFor([&view] { return !view.isBusy(); }, 60'000));
    QVERIFY(view.steps()->model()->rowCount() > 0);
}

void TestWhyView::everyLayerIsExplained() {
    for (const char* name : {"every-operator", "resnet8"}) {
        const DocumentPtr document = sample(name);
        Shown shown(document);
        for (const LoweredOperator& op : document->lowering->operators) {
            const bool isLayer = document->execution->trace.layerOf(op.index) != nullptr;
            QCOMPARE(shown.view.pickOperator(op.index), isLayer);
            if (!isLayer) {
                QVERIFY(shown.select(QStringLiteral("op/%1").arg(op.index)));
                QVERIFY(shown.view.note().contains(QStringLiteral("makes no bytes")));
                continue;
            }
            const Hwc shape = *outputShape(*document->lowering, op.index);
            const ElementIndex last{shape.h - 1, shape.w - 1, shape.c - 1};
            QVERIFY(shown.select(QStringLiteral("op/%1/element/%2,%3,%4")
                                     .arg(op.index)
                                     .arg(last.h)
                                     .arg(last.w)
                                     .arg(last.c)));
            QCOMPARE(shown.explanation()->value,
                     std::int64_t{executedValue(document, op.index, last)});
            QCOMPARE(shown.explanation()->element, last);
            shown.view.grab();
        }
    }
}

void TestWhyView::experimentsKeepTheElement() {
    const DocumentPtr original = sample("ds-cnn");
    Shown shown(original);
    QVERIFY(shown.select(QStringLiteral("op/1/element/2,3,5")));
    const std::int64_t before = shown.explanation()->value;
    QVERIFY(shown.select(QStringLiteral("op/1/word/3")));
    // The weights of the whole layer become zero: only the bias is left.
    const RegionSlice& weights = *original->lowering->operators[1].weights;
    std::vector<Edit> edits;
    for (std::uint64_t i = 0; i < weights.bytes; ++i)
        edits.push_back(ByteEdit{"weights", weights.offset + i, 0});
    const auto experiment = openExperiment(original, edits);
    QVERIFY(experiment);
    shown.session.setDocument(*experiment, Session::Keep::Selection);
    QVERIFY(shown.settle());
    QCOMPARE(shown.view.element(), std::optional(ElementIndex{2, 3, 5}));
    QCOMPARE(shown.explanation()->value, std::int64_t{executedValue(*experiment, 1, {2, 3, 5})});
    const auto& steps = shown.explanation()->steps;
    const auto end = std::find_if(steps.begin(), steps.end(), [](const ReplayStep& step) {
        return step.kind == ReplayKind::SliceEnd;
    });
    QVERIFY(end != steps.end());
    QCOMPARE(end->result, steps.front().result);
    QCOMPARE(std::int64_t{executedValue(original, 1, {2, 3, 5})}, before);
    // Another document does not keep it.
    shown.session.setDocument(sample("mobilenet"), Session::Keep::Nothing);
    QVERIFY(!shown.view.element());
    QVERIFY(!shown.view.shownOperator());
}

void TestWhyView::nothingToExplain_data() {
    QTest::addColumn<DocumentPtr>("document");
    QTest::newRow("nothing open") << DocumentPtr();
    QTest::newRow("refused") << sample("refused");
    auto trace = std::make_shared<Document>();
    trace->kind = DocumentKind::Trace;
    trace->title = "trace";
    auto lowering = std::make_shared<Lowering>();
    lowering->operators.resize(2);
    lowering->operators[1].index = 1;
    trace->lowering = lowering;
    QTest::newRow("trace") << DocumentPtr(trace);
    auto refusedJob = std::make_shared<Document>(*sample("ds-cnn"));
    refusedJob->runner.reset();
    QTest::newRow("job that does not validate") << DocumentPtr(refusedJob);
    QTest::newRow("nothing selected") << sample("ds-cnn");
}

void TestWhyView::nothingToExplain() {
    QFETCH(DocumentPtr, document);
    Shown shown(document);
    QVERIFY2(shown.view.note().size() > 25, qPrintable(shown.view.note()));
    QVERIFY(!shown.view.isBusy());
    const bool hasRunner = document && document->runner;
    if (!hasRunner)
        QVERIFY(!shown.view.pickOperator(0));
    if (document && !hasRunner && !document->lowering->operators.empty()) {
        QVERIFY(shown.select(QStringLiteral("op/0")));
        QVERIFY(shown.view.note().size() > 25);
        QCOMPARE(shown.view.shownOperator(), std::optional<std::int64_t>(0));
    }
    for (QAction* action : shown.view.actions())
        if (action->objectName() != QLatin1String("whyLoadDump"))
            action->trigger();
    QVERIFY(shown.settle());
    shown.view.grab();
}

void TestWhyView::referenceOfDigests() {
    const DocumentPtr original = sample("ds-cnn");
    Trace digests = original->execution->trace;
    for (TraceLayer& layer : digests.layers)
        layer.bytes.clear();
    Shown shown(withReference(original, std::move(digests), "digests"));
    QVERIFY(shown.select(QStringLiteral("op/1/element/0,0,0")));
    QVERIFY(!shown.view.inputsBox()->isEnabled());
    const QString values = shown.view.steps()->valuesText();
    QVERIFY2(values.contains(QStringLiteral("no bytes")), qPrintable(values));
    QVERIFY(shown.view.hypotheses()->status().contains(QStringLiteral("digest")));
}

void TestWhyView::runsWithoutAnInput() {
    const DocumentPtr original = sample("ds-cnn");
    auto starved = std::make_shared<Document>(*original);
    starved->input.clear();
    Shown shown(starved);
    QVERIFY(shown.select(QStringLiteral("op/1/element/0,0,0")));
    QVERIFY2(shown.view.note().contains(QStringLiteral("input has 0 bytes")),
             qPrintable(shown.view.note()));
    QVERIFY(!shown.view.offer()->isVisible());
    QCOMPARE(shown.view.steps()->model()->rowCount(), 0);
}

void TestWhyView::everythingIsNamed() {
    Shown shown(sample("ds-cnn"));
    QVERIFY(shown.select(QStringLiteral("op/1/element/0,0,0")));
    for (const QWidget* widget : shown.view.findChildren<QWidget*>())
        if ((widget->focusPolicy() & Qt::TabFocus) != 0 &&
            !widget->objectName().startsWith(QLatin1String("qt_")) &&
            !widget->inherits("QComboBoxListView") && !qobject_cast<const QAbstractButton*>(widget))
            QVERIFY2(!widget->accessibleName().isEmpty() || widget->inherits("QLineEdit"),
                     widget->metaObject()->className());
    QVERIFY(shown.view.steps()->chain()->accessibleDescription().contains(QStringLiteral("bias")));
    for (const QAction* action : shown.view.actions()) {
        QVERIFY(!action->objectName().isEmpty());
        QVERIFY(!action->text().isEmpty());
    }
}

void TestWhyView::pictures() {
    QDir().mkpath(QStringLiteral(PLUMBLINE_PICTURES));
    const DocumentPtr healthy = sample("mobilenet");
    const DocumentPtr wrong = withMistake(sample("resnet8"), 1, "single-rounding");
    const DocumentPtr sliced =
        withMistake(inSlices(sample("resnet8"), 1, 12), 1, "last-slice-dropped");
    QVERIFY(wrong->runner && sliced->runner);
    for (const Theme theme : {Theme::Light, Theme::Dark}) {
        applyTheme(*qApp, theme);
        const QString suffix =
            theme == Theme::Light ? QStringLiteral("light") : QStringLiteral("dark");
        const auto save = [&](const DocumentPtr& document, const QString& address, QSize size,
                              const char* name) {
            Shown shown(document, size);
            QVERIFY(shown.select(address));
            QCoreApplication::processEvents();
            QVERIFY(shown.view.grab().save(
                QStringLiteral(PLUMBLINE_PICTURES "/%1-%2.png").arg(QLatin1String(name), suffix)));
        };
        const QString element = QStringLiteral("op/1/element/%1,%2,%3")
                                    .arg(firstMismatch(*wrong, 1)->h)
                                    .arg(firstMismatch(*wrong, 1)->w)
                                    .arg(firstMismatch(*wrong, 1)->c);
        save(wrong, element, {820, 420}, "why-low");
        save(wrong, element, {600, 700}, "why-narrow");
        save(wrong, element, {1280, 360}, "why-flat");
        save(healthy, QStringLiteral("op/2/element/0,0,3"), {820, 420}, "why-healthy");
        save(healthy, QStringLiteral("op/2"), {820, 420}, "why-offer");
        save(healthy, QStringLiteral("tensor/0"), {820, 420}, "why-first");
        save(sliced, QStringLiteral("op/1/element/1,1,1"), {900, 640}, "why-slices");
        save(sample("every-operator"),
             QStringLiteral("op/%1/element/0,0,1")
                 .arg(sample("every-operator")->lowering->operators.size() - 1),
             {820, 420}, "why-softmax");
    }
    applyTheme(*qApp, Theme::Light);
}

QTEST_MAIN(TestWhyView)
#include "tst_why_view.moc"
