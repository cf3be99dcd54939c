// SPDX-License-Identifier: GPL-3.0-or-later
// The Why view on a session: what it explains, on which inputs, and how it looks.
#include <QApplication>
#include <QDir>

#include "tests/views/provenance/why_fixture.h"
#include "views/common/palette.h"

using namespace plumbline;
using namespace plumbline::test;

class TestWhyView : public QObject {
    Q_OBJECT

  private slots:
    void explainsTheSelectedElement();
    void offersAnElement();
    void offersTheFirstMismatch();
    void otherInputsGiveOtherValues();
    void inputsNeedBytes();
    void theNewestElementWins();
    void hiddenViewsDoNothing();
    void everythingIsNamed();
    void pictures();
};

void TestWhyView::explainsTheSelectedElement() {
    const DocumentPtr document = sample("ds-cnn");
    ShownWhy shown(document);
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
    ShownWhy shown(sample("ds-cnn"));
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
    ShownWhy shown(withReference(original, std::move(trace), "device"));
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

void TestWhyView::otherInputsGiveOtherValues() {
    const DocumentPtr original = sample("ds-cnn");
    // A reference whose layer 0 is all 7: alone, layer 1 computes on that.
    Trace trace = original->execution->trace;
    std::fill(trace.layers[0].bytes.begin(), trace.layers[0].bytes.end(), std::uint8_t{7});
    sealLayer(trace.layers[0]);
    QCOMPARE(trace.layers[0].operatorIndex, std::int64_t{0});
    ShownWhy shown(withReference(original, std::move(trace), "sevens"));
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
    ShownWhy shown(bare);
    QVERIFY(shown.select(QStringLiteral("op/1/element/0,0,0")));
    QVERIFY(!shown.view.inputsBox()->isEnabled());
    QVERIFY(!shown.view.setInputs(LayerInputs::FromReference));
    QVERIFY(shown.view.steps()->valuesText().contains(QStringLiteral("no reference")));
}

void TestWhyView::theNewestElementWins() {
    const DocumentPtr document = sample("mobilenet");
    ShownWhy shown(document);
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

void TestWhyView::everythingIsNamed() {
    ShownWhy shown(sample("ds-cnn"));
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
            ShownWhy shown(document, size);
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
