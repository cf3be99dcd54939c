// SPDX-License-Identifier: GPL-3.0-or-later
// What is observed of a layer, which mistakes explain it, and looking for them in the background.
#include <map>

#include <QAbstractItemModelTester>
#include <QFile>
#include <QLayout>
#include <QTemporaryDir>
#include <QToolButton>

#include "core/artifacts/npy.h"
#include "tests/views/provenance/why_fixture.h"

using namespace plumbline;
using namespace plumbline::test;

namespace {

/// Mistakes that change the layer and give the same bytes; found by running all of them.
std::vector<std::string> sameBytes(const DocumentPtr& document, const LayerStep& step) {
    const auto site = siteOf(document->runner, document->input, nullptr, step.operatorIndex);
    if (!step.record || !site)
        return {};
    const auto mistakes = npuP0Target().mistakes();
    std::map<Bytes, std::vector<std::string>> byOutput;
    for (std::size_t i = 0; i < mistakes.size(); ++i) {
        if (((mistakes[i].opcodes >> step.opcode) & 1U) == 0)
            continue;
        const auto made =
            document->runner->runWith(site->step, site->mistakeSite(), std::span(&i, 1));
        if (made && *made != site->healthy)
            byOutput[*made].emplace_back(mistakes[i].name);
    }
    for (const auto& entry : byOutput)
        if (entry.second.size() > 1)
            return entry.second;
    return {};
}

bool writeFile(const QString& path, const Bytes& bytes) {
    QFile file(path);
    return file.open(QIODevice::WriteOnly) &&
           file.write(reinterpret_cast<const char*>(bytes.data()),
                      static_cast<qint64>(bytes.size())) == static_cast<qint64>(bytes.size());
}

} // namespace

class TestWhyHypotheses : public QObject {
    Q_OBJECT

  private slots:
    void injectedMistakesComeFirst_data();
    void injectedMistakesComeFirst();
    void healthyLayersHaveNothingToExplain();
    void laterLayersAreHealthyAlone();
    void strangeBytesAreNotExplained();
    void cpuLayersHaveNoNamedMistakes();
    void equivalentMistakesAreNamed();
    void experimentsAreExplained();
    void dumpsAreExplained();
    void dumpsOfAnotherSizeAreRefused();
    void withoutBytesItSaysWhatToDo();
    void aSentenceTakesNoMoreRoomThanItNeeds();
    void rankingsCanBeStopped();
    void theNewestLayerWins();
    void resultsAreRemembered();
};

void TestWhyHypotheses::injectedMistakesComeFirst_data() {
    QTest::addColumn<QString>("opcode");
    QTest::addColumn<QString>("mistake");
    const auto row = [](const char* opcode, const char* mistake) {
        QTest::addRow("%s in %s", mistake, opcode)
            << QString::fromLatin1(opcode) << QString::fromLatin1(mistake);
    };
    row("CONV2D", "bias-missing");
    row("CONV2D", "weights-unsigned");
    row("CONV2D", "lanes-reversed");
    row("DEPTHWISE3X3", "output-zero-missing");
    row("FULLY_CONNECTED", "multiplier-channel-0");
    row("ADD", "output-zero-missing");
    row("MAX_POOL", "max-from-zero");
}

void TestWhyHypotheses::injectedMistakesComeFirst() {
    QFETCH(QString, opcode);
    QFETCH(QString, mistake);
    const DocumentPtr healthy = sample("every-operator");
    const std::int64_t index = firstOf(healthy, opcode.toStdString());
    const DocumentPtr document = withMistake(healthy, index, mistake.toStdString());
    QVERIFY(document->runner);
    ShownWhy shown(document);
    QAbstractItemModelTester tester(shown.panel.model());
    QVERIFY(shown.select(QStringLiteral("op/%1").arg(index))); // it differs, so it is looked for
    QVERIFY(shown.panel.model()->rowCount() > 0);
    const Hypothesis& best = *shown.panel.model()->hypothesis(0);
    QVERIFY(best.exact);
    const std::string wanted = mistake.toStdString();
    QVERIFY(best.name == wanted || std::find(best.equivalent.begin(), best.equivalent.end(),
                                             wanted) != best.equivalent.end());
    const auto elements = static_cast<qlonglong>(bytesOf(document->reference->trace, index).size());
    QCOMPARE(shown.cell(0, HypothesisModel::Exact), QStringLiteral("✓ exact"));
    QCOMPARE(shown.cell(0, HypothesisModel::Explains).remove(QLatin1Char(',')),
             QStringLiteral("%1 of %1").arg(elements));
    QCOMPARE(shown.panel.model()
                 ->index(0, HypothesisModel::Explains)
                 .data(HypothesisModel::ShareRole)
                 .toDouble(),
             1.0);
    QVERIFY(!shown.cell(0, HypothesisModel::Change).isEmpty());
    QVERIFY2(shown.panel.status().contains(QStringLiteral("explains every byte of device")),
             qPrintable(shown.panel.status()));
}

void TestWhyHypotheses::healthyLayersHaveNothingToExplain() {
    ShownWhy shown(sample("ds-cnn"));
    QVERIFY(shown.select(QStringLiteral("op/0/element/0,0,0")));
    QVERIFY(shown.panel.status().contains(QStringLiteral("nothing to explain")));
    QCOMPARE(shown.panel.model()->rowCount(), 0);
    shown.action("whyFind")->trigger();
    QVERIFY(shown.settle());
    QVERIFY(shown.panel.status().contains(QStringLiteral("nothing to explain")));
    QCOMPARE(shown.panel.model()->rowCount(), 0);
    QVERIFY(!shown.panel.map()->isVisible());
}

void TestWhyHypotheses::laterLayersAreHealthyAlone() {
    // The device's mistake in layer 0 reaches layer 1, whose own arithmetic is right.
    const DocumentPtr document = withMistake(sample("ds-cnn"), 0, "bias-missing");
    QVERIFY(document->runner);
    QVERIFY(bytesOf(document->reference->trace, 1) != bytesOf(document->execution->trace, 1));
    ShownWhy shown(document);
    QVERIFY(shown.select(QStringLiteral("op/1")));
    QVERIFY2(shown.panel.status().contains(QStringLiteral("nothing to explain")),
             qPrintable(shown.panel.status()));
}

void TestWhyHypotheses::strangeBytesAreNotExplained() {
    const DocumentPtr healthy = sample("ds-cnn");
    Trace trace = healthy->execution->trace;
    for (std::uint8_t& byte : trace.layers[0].bytes)
        byte = static_cast<std::uint8_t>(byte ^ 0x55U);
    sealLayer(trace.layers[0]);
    ShownWhy shown(withReference(healthy, std::move(trace), "strange"));
    QVERIFY(shown.select(QStringLiteral("op/0")));
    const QString status = shown.panel.status();
    for (int row = 0; row < shown.panel.model()->rowCount(); ++row)
        QVERIFY(shown.cell(row, HypothesisModel::Exact).isEmpty());
    if (shown.panel.model()->rowCount() == 0) {
        QVERIFY2(status.contains(QStringLiteral("No named mistake")), qPrintable(status));
        return;
    }
    // No byte is right, so all that the best explains is more than the right arithmetic does.
    const Bytes& observed = bytesOf(shown.session.document()->reference->trace, 0);
    const Bytes& best = shown.panel.model()->hypothesis(0)->output;
    qlonglong explained = 0;
    for (std::size_t i = 0; i < observed.size(); ++i)
        explained += best[i] == observed[i] ? 1 : 0;
    QVERIFY2(status.startsWith(QStringLiteral("No mistake is exact")), qPrintable(status));
    QVERIFY2(QString(status)
                 .remove(QLatin1Char(','))
                 .contains(QStringLiteral("is %1 more than the right").arg(explained)),
             qPrintable(status));
}

void TestWhyHypotheses::cpuLayersHaveNoNamedMistakes() {
    const DocumentPtr healthy = sample("every-operator");
    Trace trace = healthy->execution->trace;
    TraceLayer& last = trace.layers.back();
    QVERIFY(!last.record);
    last.bytes[0] = static_cast<std::uint8_t>(last.bytes[0] ^ 1U);
    sealLayer(last);
    const std::int64_t index = last.operatorIndex;
    ShownWhy shown(withReference(healthy, std::move(trace), "device"));
    QVERIFY(shown.select(QStringLiteral("op/%1").arg(index)));
    QVERIFY2(shown.panel.status().contains(QStringLiteral("CPU")),
             qPrintable(shown.panel.status()));
    QCOMPARE(shown.panel.model()->rowCount(), 0);
}

void TestWhyHypotheses::equivalentMistakesAreNamed() {
    for (const char* name : {"every-operator", "ds-cnn", "resnet8"}) {
        const DocumentPtr healthy = sample(name);
        for (const LayerStep& step : healthy->runner->steps()) {
            const std::vector<std::string> same = sameBytes(healthy, step);
            if (same.empty())
                continue;
            ShownWhy shown(withMistake(healthy, step.operatorIndex, same.front()));
            QVERIFY(shown.select(QStringLiteral("op/%1").arg(step.operatorIndex)));
            const QString status = shown.panel.status();
            QVERIFY2(status.contains(QStringLiteral("told apart")), qPrintable(status));
            for (const std::string& one : same)
                QVERIFY2(status.contains(QString::fromStdString(one)), qPrintable(status));
            QVERIFY(!shown.panel.table()->isColumnHidden(HypothesisModel::SameBytes));
            return;
        }
    }
    QFAIL("no layer of the samples has two mistakes with the same bytes");
}

void TestWhyHypotheses::experimentsAreExplained() {
    const DocumentPtr original = sample("ds-cnn");
    const FieldTable& fields = original->target->fields();
    std::optional<std::size_t> zero;
    for (std::size_t i = 0; i < fields.fields.size(); ++i)
        if (fields.fields[i].name == "OUTPUT_ZERO")
            zero = i;
    QVERIFY(zero);
    const std::int64_t record = *original->lowering->operators[1].record;
    const auto experiment = openExperiment(original, {FieldEdit{record, *zero, 0}});
    QVERIFY(experiment);
    QVERIFY(bytesOf((*experiment)->execution->trace, 1) != bytesOf(original->execution->trace, 1));
    ShownWhy shown(*experiment);
    QCOMPARE(shown.panel.observed(), Observed::Experiment);
    QVERIFY(shown.select(QStringLiteral("op/1")));
    const Hypothesis* const best = shown.panel.model()->hypothesis(0);
    QVERIFY2(best, qPrintable(shown.panel.status()));
    QVERIFY(best->exact);
    QCOMPARE(best->name, std::string("output-zero-missing"));
    // Its later layers are right on what they got.
    QVERIFY(shown.select(QStringLiteral("op/2")));
    QVERIFY(shown.panel.status().contains(QStringLiteral("nothing to explain")));
    // The reference can be looked at as well.
    QVERIFY(shown.panel.setObserved(Observed::Reference));
    QVERIFY(shown.settle());
    QCOMPARE(shown.panel.observed(), Observed::Reference);
    QVERIFY(!shown.panel.setObserved(Observed::Dump));
}

void TestWhyHypotheses::dumpsAreExplained() {
    const DocumentPtr healthy = sample("ds-cnn");
    const DocumentPtr device = withMistake(healthy, 1, "truncation");
    QVERIFY(device->runner);
    const Bytes& observed = bytesOf(device->reference->trace, 1);
    const Hwc shape = *outputShape(*healthy->lowering, 1);
    QTemporaryDir folder;
    const QString raw = folder.filePath(QStringLiteral("layer.bin"));
    const QString npy = folder.filePath(QStringLiteral("layer.npy"));
    QVERIFY(writeFile(raw, observed));
    QVERIFY(writeFile(npy, writeNpy(observed, std::array{shape.h, shape.w, shape.c})));
    for (const QString& path : {raw, npy}) {
        ShownWhy shown(healthy);
        QVERIFY(shown.select(QStringLiteral("op/1")));
        QVERIFY(shown.panel.loadDump(path));
        QVERIFY(shown.settle());
        QCOMPARE(shown.panel.observed(), Observed::Dump);
        QVERIFY(shown.panel.model()->rowCount() > 0);
        QVERIFY(shown.panel.model()->hypothesis(0)->exact);
        // The dump belongs to its layer.
        QVERIFY(shown.select(QStringLiteral("op/2")));
        QCOMPARE(shown.panel.observed(), Observed::Reference);
        // It outlives an experiment, but not another document.
        QVERIFY(shown.select(QStringLiteral("op/1")));
        const auto experiment = openExperiment(healthy, {ByteEdit{"weights", 0, 1}});
        QVERIFY(experiment);
        shown.session.setDocument(*experiment, Session::Keep::Selection);
        QVERIFY(shown.settle());
        QVERIFY(shown.panel.setObserved(Observed::Dump));
        shown.session.setDocument(sample("mobilenet"), Session::Keep::Nothing);
        QVERIFY(shown.select(QStringLiteral("op/1")));
        QVERIFY(!shown.panel.setObserved(Observed::Dump));
    }
}

void TestWhyHypotheses::dumpsOfAnotherSizeAreRefused() {
    QTemporaryDir folder;
    const QString path = folder.filePath(QStringLiteral("short.bin"));
    QVERIFY(writeFile(path, Bytes(3)));
    ShownWhy shown(sample("ds-cnn"));
    QVERIFY(!shown.panel.loadDump(path)); // no layer is selected
    QVERIFY(shown.select(QStringLiteral("op/1")));
    QVERIFY(!shown.panel.loadDump(path));
    QVERIFY2(shown.panel.status().contains(QStringLiteral("3")), qPrintable(shown.panel.status()));
    QCOMPARE(shown.panel.observed(), Observed::Reference);
    QVERIFY(!shown.panel.loadDump(folder.filePath(QStringLiteral("missing.bin"))));
}

void TestWhyHypotheses::withoutBytesItSaysWhatToDo() {
    auto bare = std::make_shared<Document>(*sample("ds-cnn"));
    bare->reference.reset();
    bare->verdicts.reset();
    ShownWhy shown(bare);
    QVERIFY(shown.select(QStringLiteral("op/1")));
    QVERIFY(shown.panel.status().contains(QStringLiteral("load an observed dump")));
    QVERIFY(!shown.action("whyFind")->isEnabled());
    QVERIFY(shown.action("whyLoadDump")->isEnabled());
    auto partial = sample("ds-cnn")->execution->trace;
    partial.layers.pop_back();
    partial.layers.erase(partial.layers.begin() + 1);
    ShownWhy other(withReference(sample("ds-cnn"), std::move(partial), "partial"));
    QVERIFY(other.select(QStringLiteral("op/1")));
    QVERIFY2(other.panel.status().contains(QStringLiteral("does not have this layer")),
             qPrintable(other.panel.status()));
}

void TestWhyHypotheses::aSentenceTakesNoMoreRoomThanItNeeds() {
    const DocumentPtr document = withMistake(sample("ds-cnn"), 0, "bias-missing");
    QVERIFY(document->runner);
    ShownWhy shown(document, {800, 500});
    const auto buttons = shown.panel.findChildren<QToolButton*>();
    const auto showMe = std::find_if(buttons.begin(), buttons.end(), [&](const QToolButton* one) {
        return one->defaultAction() == shown.action("whyShowMe");
    });
    QVERIFY(showMe != buttons.end());
    for (int round = 0; round < 2; ++round) {
        QVERIFY(shown.select(QStringLiteral("op/1/element/0,0,0"))); // right by itself
        QVERIFY(!(*showMe)->isVisible());
        QVERIFY(shown.panel.height() <= shown.panel.layout()->totalHeightForWidth(800) + 1);
        QVERIFY(shown.panel.height() < 100);
        QVERIFY(shown.select(QStringLiteral("op/0/element/0,0,0")));
        QVERIFY((*showMe)->isVisible());
        QCOMPARE((*showMe)->text(), QStringLiteral("Hide the Map"));
        QVERIFY(shown.panel.height() > 180);
    }
    shown.action("whyShowMe")->trigger();
    QCOMPARE((*showMe)->text(), QStringLiteral("Show the Map"));
}

void TestWhyHypotheses::rankingsCanBeStopped() {
    const DocumentPtr document = withMistake(sample("mobilenet"), 1, "bias-missing");
    QVERIFY(document->runner);
    ShownWhy shown(document);
    QVERIFY(shown.session.selectAddress(QStringLiteral("op/1")));
    QVERIFY(shown.panel.isBusy());
    QVERIFY(shown.action("whyCancel")->isEnabled());
    shown.action("whyCancel")->trigger();
    QVERIFY(!shown.panel.isBusy());
    QVERIFY(!shown.action("whyCancel")->isEnabled());
    QVERIFY(shown.action("whyFind")->isEnabled());
    QTest::qWait(100); // for what might still arrive
    QCOMPARE(shown.panel.model()->rowCount(), 0);
    shown.action("whyFind")->trigger();
    QVERIFY(shown.settle());
    QVERIFY(shown.panel.model()->rowCount() > 0);
}

void TestWhyHypotheses::theNewestLayerWins() {
    const DocumentPtr healthy = sample("ds-cnn");
    const DocumentPtr document = withMistake(healthy, 0, "bias-missing");
    QVERIFY(document->runner);
    ShownWhy shown(document);
    for (const int op : {0, 2, 1, 0})
        QVERIFY(shown.session.selectAddress(QStringLiteral("op/%1").arg(op)));
    QVERIFY(shown.settle());
    QCOMPARE(shown.panel.model()->ranking()->operatorIndex, std::int64_t{0});
    QCOMPARE(shown.panel.model()->ranking()->elements,
             static_cast<std::int64_t>(bytesOf(healthy->execution->trace, 0).size()));
    QVERIFY(shown.panel.model()->hypothesis(0)->exact);
}

void TestWhyHypotheses::resultsAreRemembered() {
    const DocumentPtr document = withMistake(sample("ds-cnn"), 0, "bias-missing");
    QVERIFY(document->runner);
    ShownWhy shown(document);
    QVERIFY(shown.select(QStringLiteral("op/0")));
    const auto first = shown.panel.model()->ranking();
    QVERIFY(shown.select(QStringLiteral("op/2")));
    QVERIFY(shown.panel.model()->ranking() != first);
    QVERIFY(shown.session.selectAddress(QStringLiteral("op/0")));
    QVERIFY(!shown.panel.isBusy());
    QCOMPARE(shown.panel.model()->ranking(), first);
}

QTEST_MAIN(TestWhyHypotheses)
#include "tst_why_hypotheses.moc"
