// SPDX-License-Identifier: GPL-3.0-or-later
// Whose values the tensor view shows where a side has none, and how much room it gives them.
#include <QComboBox>
#include <QLabel>
#include <QRegularExpression>
#include <QTableView>
#include <QTest>

#include "tests/views/layers/layer_documents.h"
#include "views/layers/tensor_view.h"

using namespace plumbline;
using plumbline::test::opened;
using plumbline::test::withWrongWeight;

namespace {

constexpr std::size_t kWrong = 4; ///< operator with the wrong weight

struct Shown {
    Shown(const DocumentPtr& document, const QString& address)
        : view(session) {
        session.setDocument(document, Session::Keep::Nothing);
        session.selectAddress(address);
        view.show();
    }
    QString elementText() {
        return view.findChild<QLabel*>(QStringLiteral("tensorElement"))->text();
    }
    QString missing() { return view.findChild<QLabel*>(QStringLiteral("tensorMissing"))->text(); }
    QString sideInBox() {
        return view.findChild<QComboBox*>(QStringLiteral("tensorSide"))->currentText();
    }

    Session session;
    TensorView view;
};

} // namespace

class TestTensorSides : public QObject {
    Q_OBJECT

  private slots:
    void initTestCase() {
        m_right = opened("ds-cnn");
        m_wrong = withWrongWeight(m_right, kWrong);
    }

    void aFaultedLayerShowsWhoseBytesThereAre() {
        auto document = std::make_shared<Document>(*m_wrong);
        auto verdicts = std::make_shared<Verdicts>(*m_wrong->verdicts);
        constexpr std::int64_t kFaulted = 5;
        LayerVerdict& faulted = verdicts->layers[kFaulted];
        QCOMPARE(faulted.operatorIndex, kFaulted);
        faulted.fault = Fault{};
        faulted.accumulated.reset();
        faulted.isolated.reset();
        faulted.ours.clear();
        faulted.isolatedOurs.clear();
        auto& ran = document->execution->trace.layers;
        ran.resize(static_cast<std::size_t>(kFaulted));
        document->verdicts = verdicts;
        Shown f(document, QStringLiteral("op/4"));
        QCOMPARE(f.sideInBox(), QStringLiteral("Ours"));
        QVERIFY(f.missing().isEmpty());
        f.session.selectAddress(QStringLiteral("op/5/element/0,0,1"));
        QCOMPARE(f.view.side(), TensorSide::Theirs);
        QCOMPARE(f.sideInBox(), QStringLiteral("Reference"));
        QCOMPARE(f.missing(), QStringLiteral("Ours has no bytes: the run faulted in this layer."));
        QVERIFY(!f.elementText().contains(QStringLiteral("ours")));
        f.session.selectAddress(QStringLiteral("op/4")); // the chosen side is not forgotten
        QCOMPARE(f.sideInBox(), QStringLiteral("Ours"));
        QVERIFY(f.missing().isEmpty());
    }

    void thePictureHasTheLargerShare() {
        Shown f(m_wrong, QStringLiteral("op/4"));
        f.view.resize(820, 600);
        for (const QSize size : {QSize(380, 330), QSize(380, 300), QSize(400, 600)}) {
            f.view.resize(size);
            QApplication::processEvents(); // layouts
            const TensorCanvas& canvas = *f.view.canvas();
            const bool isBeside = size.width() > size.height();
            const int room = isBeside ? f.view.width() : f.view.height() - f.view.bar()->height();
            const int picture = isBeside ? canvas.width() : canvas.height();
            QVERIFY2(picture * 100 >= room * 53, qPrintable(QString::number(picture)));
            // The whole slice is in it, and as large as can be.
            const SliceGeometry slice = canvas.sliceGeometry();
            const QRectF all = slice.rectOf(slice.grid.all());
            const QRectF area = canvas.viewport()->rect();
            QVERIFY(area.contains(all));
            QVERIFY(all.width() > area.width() * 0.8 || all.height() > area.height() * 0.8 ||
                    slice.zoom == SliceGeometry::kMostZoom);
        }
    }

    void leavingAnElementIsQuiet() {
        QTest::failOnWarning(QRegularExpression(QStringLiteral("not valid")));
        Shown f(m_wrong, QStringLiteral("op/4/element/1,1,1"));
        f.session.selectAddress(QStringLiteral("op/4"));
        QVERIFY(!f.view.table()->currentIndex().isValid());
        QVERIFY(!f.view.model()->elementAt({}));
        QCOMPARE(f.session.address(), QStringLiteral("op/4"));
    }

    void aLoneTraceShowsItsTensors() {
        auto trace = std::make_shared<Document>();
        trace->kind = DocumentKind::Trace;
        trace->lowering = m_right->lowering;
        auto reference = std::make_shared<Reference>();
        reference->trace = m_right->execution->trace;
        trace->reference = reference;
        Shown f(trace, QStringLiteral("op/4"));
        QCOMPARE(f.view.side(), TensorSide::Theirs);
        QCOMPARE(f.view.shownOperator(), std::optional<std::int64_t>(4));
        QCOMPARE(f.sideInBox(), QStringLiteral("Trace"));
        QVERIFY(f.missing().isEmpty()); // nothing was expected
        f.session.selectAddress(QStringLiteral("op/4/element/0,0,0"));
        QVERIFY(f.elementText().contains(QStringLiteral(": trace ")));
        QVERIFY(!f.elementText().contains(QStringLiteral("ours")));
    }

  private:
    DocumentPtr m_right, m_wrong;
};

QTEST_MAIN(TestTensorSides)
#include "tst_tensor_sides.moc"
