// SPDX-License-Identifier: GPL-3.0-or-later
// The Why view on every kind of document, those with nothing to explain too.
#include <QTemporaryDir>

#include "core/artifacts/package.h"
#include "tests/views/provenance/why_fixture.h"

using namespace plumbline;
using namespace plumbline::test;

class TestWhyDocuments : public QObject {
    Q_OBJECT

  private slots:
    void everyLayerIsExplained();
    void packagesAreExplained();
    void damagedNumbersAreSaid();
    void experimentsKeepTheElement();
    void nothingToExplain_data();
    void nothingToExplain();
    void referenceOfDigests();
    void runsWithoutAnInput();
};

void TestWhyDocuments::everyLayerIsExplained() {
    for (const char* name : {"every-operator", "resnet8"}) {
        const DocumentPtr document = sample(name);
        ShownWhy shown(document);
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

void TestWhyDocuments::packagesAreExplained() {
    const DocumentPtr compiled = sample("every-operator");
    QTemporaryDir folder;
    OpenRequest request;
    request.path = folder.filePath(QStringLiteral("package")).toStdString();
    QVERIFY(writePackage(request.path, *compiled->lowering, "every-operator"));
    const auto package = openDocument(request, npuP0Target());
    QVERIFY(package);
    ShownWhy shown(*package);
    for (const LayerStep& step : compiled->runner->steps()) {
        QVERIFY(shown.select(QStringLiteral("op/%1/element/0,0,1").arg(step.operatorIndex)));
        QVERIFY2(shown.explanation(), qPrintable(shown.view.note()));
        QCOMPARE(shown.explanation()->operatorIndex, step.operatorIndex);
        QCOMPARE(shown.explanation()->value,
                 std::int64_t{executedValue(compiled, step.operatorIndex, {0, 0, 1})});
    }
}

void TestWhyDocuments::damagedNumbersAreSaid() {
    const DocumentPtr healthy = sample("ds-cnn");
    auto lowering = std::make_shared<Lowering>(*healthy->lowering);
    lowering->operators[1].geometry.oh = std::int64_t{1} << 40;
    lowering->operators[2].geometry.ow = 0;
    lowering->operators[3].tiles.kSlice = -5;
    auto damaged = std::make_shared<Document>(*healthy);
    damaged->lowering = lowering;
    ShownWhy shown(damaged);
    QVERIFY(shown.view.pickOperator(1));
    QVERIFY(shown.settle());
    QVERIFY(!shown.view.offer()->isVisible());
    QVERIFY(shown.select(QStringLiteral("op/1/element/1000000,0,0")));
    QVERIFY2(shown.view.note().contains(QStringLiteral("There is no element")),
             qPrintable(shown.view.note()));
    QVERIFY(!shown.view.hypotheses()->loadDump(QStringLiteral("/dev/null")));
    QVERIFY(shown.select(QStringLiteral("op/2")));
    QVERIFY(!shown.view.note().isEmpty());
    QVERIFY(shown.select(QStringLiteral("op/3/element/0,0,0"))); // without a walk, but explained
    QVERIFY(shown.explanation());
    QCOMPARE(shown.explanation()->value, std::int64_t{executedValue(healthy, 3, {})});
    shown.view.grab();
}

void TestWhyDocuments::experimentsKeepTheElement() {
    const DocumentPtr original = sample("ds-cnn");
    ShownWhy shown(original);
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

void TestWhyDocuments::nothingToExplain_data() {
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

void TestWhyDocuments::nothingToExplain() {
    QFETCH(DocumentPtr, document);
    ShownWhy shown(document);
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

void TestWhyDocuments::referenceOfDigests() {
    const DocumentPtr original = sample("ds-cnn");
    Trace digests = original->execution->trace;
    for (TraceLayer& layer : digests.layers)
        layer.bytes.clear();
    ShownWhy shown(withReference(original, std::move(digests), "digests"));
    QVERIFY(shown.select(QStringLiteral("op/1/element/0,0,0")));
    QVERIFY(!shown.view.inputsBox()->isEnabled());
    const QString values = shown.view.steps()->valuesText();
    QVERIFY2(values.contains(QStringLiteral("no bytes")), qPrintable(values));
    QVERIFY(shown.view.hypotheses()->status().contains(QStringLiteral("digest")));
}

void TestWhyDocuments::runsWithoutAnInput() {
    const DocumentPtr original = sample("ds-cnn");
    auto starved = std::make_shared<Document>(*original);
    starved->input.clear();
    ShownWhy shown(starved);
    QVERIFY(shown.select(QStringLiteral("op/1/element/0,0,0")));
    QVERIFY2(shown.view.note().contains(QStringLiteral("input has 0 bytes")),
             qPrintable(shown.view.note()));
    QVERIFY(!shown.view.offer()->isVisible());
    QCOMPARE(shown.view.steps()->model()->rowCount(), 0);
}

QTEST_MAIN(TestWhyDocuments)
#include "tst_why_documents.moc"
