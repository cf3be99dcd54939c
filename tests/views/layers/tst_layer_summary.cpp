// SPDX-License-Identifier: GPL-3.0-or-later
// What is said of all layers together, and how close tensors are said to be.
#include <QTest>

#include "tests/views/layers/layer_documents.h"
#include "views/layers/layers_model.h"

using namespace plumbline;
using plumbline::test::opened;
using plumbline::test::withWrongWeight;

namespace {

constexpr std::size_t kWrong = 4; ///< operator with the wrong weight

} // namespace

class TestLayerSummary : public QObject {
    Q_OBJECT

  private slots:
    void initTestCase() { m_wrong = withWrongWeight(opened("ds-cnn"), kWrong); }

    void aRunThatMadeNothingIsSummedUp() {
        auto document = std::make_shared<Document>(*m_wrong);
        auto verdicts = std::make_shared<Verdicts>();
        verdicts->reference = "device";
        verdicts->fault = Fault{};
        verdicts->fault->reason = "a made-up fault";
        document->verdicts = verdicts;
        QCOMPARE(layersSummary(*document),
                 QStringLiteral("The run ended with a fault. A made-up fault. No layer ran, so "
                                "there is nothing to compare with device."));
        document->verdicts = nullptr;
        document->execution->fault = verdicts->fault;
        QCOMPARE(layersSummary(*document),
                 QStringLiteral("The run ended with a fault. A made-up fault."));
    }

    void layersThatCannotBeJudgedAreNamed() {
        auto document = std::make_shared<Document>(*m_wrong);
        auto verdicts = std::make_shared<Verdicts>(*m_wrong->verdicts);
        verdicts->culprit.reset();
        QStringList unjudged;
        int right = 0, different = 0;
        for (LayerVerdict& layer : verdicts->layers) {
            if (layer.operatorIndex < static_cast<std::int64_t>(kWrong)) {
                ++right;
                continue;
            }
            unjudged += QString::number(layer.operatorIndex);
            layer.isolated.reset();
        }
        verdicts->layers.back().accumulated.reset(); // compared in no way
        for (const LayerVerdict& layer : verdicts->layers)
            different += layer.accumulated && !layer.accumulated->equal ? 1 : 0;
        document->verdicts = verdicts;
        QVERIFY(unjudged.size() > 4 && different > 0);
        QCOMPARE(layersSummary(*document),
                 QStringLiteral("%1 of %2 compared layers differ from reference kernels. %3 layers "
                                "are right by themselves; alone, operators %4 and %5 more could "
                                "not be judged.")
                     .arg(different)
                     .arg(verdicts->layers.size() - 1)
                     .arg(right)
                     .arg(unjudged.mid(0, 4).join(QStringLiteral(", ")))
                     .arg(unjudged.size() - 4));
    }

    void nearlyParallelTensorsDoNotReadAsEqual_data() {
        QTest::addColumn<double>("cosine");
        QTest::addColumn<bool>("equal");
        QTest::addColumn<QString>("shown");
        QTest::newRow("usual") << 0.5 << false << QStringLiteral("0.500000");
        QTest::newRow("nearly") << 0.99999994 << false << QStringLiteral("0.9999999");
        QTest::newRow("nearer") << 0.9999999999 << false << QStringLiteral("0.9999999999");
        QTest::newRow("rounded") << 1.0 << false << QStringLiteral("> 0.999999");
        QTest::newRow("equal") << 1.0 << true << QStringLiteral("1.000000");
    }

    void nearlyParallelTensorsDoNotReadAsEqual() {
        QFETCH(const double, cosine);
        QFETCH(const bool, equal);
        QFETCH(const QString, shown);
        auto document = std::make_shared<Document>(*m_wrong);
        auto verdicts = std::make_shared<Verdicts>(*m_wrong->verdicts);
        verdicts->layers[kWrong].accumulated->cosine = cosine;
        verdicts->layers[kWrong].accumulated->equal = equal;
        document->verdicts = verdicts;
        LayersModel model;
        model.setDocument(document);
        const QModelIndex cell = model.index(static_cast<int>(kWrong), LayersModel::Cosine);
        QCOMPARE(cell.data().toString(), shown);
    }

  private:
    DocumentPtr m_wrong;
};

QTEST_MAIN(TestLayerSummary)
#include "tst_layer_summary.moc"
