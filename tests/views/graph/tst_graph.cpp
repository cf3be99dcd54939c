// SPDX-License-Identifier: GPL-3.0-or-later
// The graph view in a window.
#include <QAbstractItemModelTester>
#include <QLineEdit>
#include <QSignalSpy>
#include <QtTest>

#include "core/document/document.h"
#include "core/graph/layout.h"
#include "views/common/palette.h"
#include "views/common/picture_export.h"
#include "views/graph/graph_view.h"

using namespace plumbline;

namespace {

DocumentPtr openSample(const char* name, bool simulate = false) {
    OpenRequest request;
    request.sample = name;
    request.simulate = simulate;
    return *openDocument(request, npuP0Target());
}

struct Shown {
    explicit Shown(const DocumentPtr& document, const QSize& size = {900, 600})
        : view(session) {
        view.resize(size);
        session.setDocument(document, Session::Keep::Nothing);
        view.show();
        QVERIFY2(QTest::qWaitForWindowExposed(&view), "not shown");
    }
    Session session;
    GraphView view;
};

void grabImage(const QImage& image, const QString& name) {
    QDir().mkpath(QStringLiteral(PLUMBLINE_PICTURES));
    QVERIFY(image.save(QStringLiteral(PLUMBLINE_PICTURES "/graph-%1.png").arg(name)));
}

void grab(QWidget& widget, const QString& name) {
    QCoreApplication::processEvents();
    grabImage(widget.grab().toImage(), name);
}

QPoint windowCentre(const GraphView& view, std::int32_t node) {
    const GraphCanvas& canvas = *view.canvas();
    const GraphRect& box = canvas.scene()->facts.layout().nodes[static_cast<std::size_t>(node)].box;
    return canvas.view().toWindow(toRect(box).center()).toPoint();
}

} // namespace

class TestGraph : public QObject {
    Q_OBJECT

  private slots:
    void selection_goesBothWays() {
        Shown shown(openSample("resnet8"));
        QVERIFY(!shown.view.shownOperator());
        QVERIFY(shown.session.selectAddress(QStringLiteral("op/9")));
        QCOMPARE(shown.view.shownOperator(), std::optional<std::int64_t>(9));
        QVERIFY(shown.view.canvas()->viewport()->rect().contains(windowCentre(shown.view, 9)));
        QTest::mouseClick(shown.view.canvas()->viewport(), Qt::LeftButton, {},
                          windowCentre(shown.view, 8));
        QCOMPARE(shown.session.place().operatorIndex, std::optional<std::int64_t>(8));
        QVERIFY(shown.view.pickOperator(3));
        QCOMPARE(shown.session.address(), QStringLiteral("op/3"));
        QVERIFY(!shown.view.pickOperator(-1));
        QVERIFY(!shown.view.pickOperator(1000));
    }

    void hidden_catchesUpWhenShown() {
        Session session;
        GraphView view(session);
        session.setDocument(openSample("ds-cnn"), Session::Keep::Nothing);
        session.select(selectOperator(4));
        QVERIFY(!view.shownOperator());
        view.show();
        QCOMPARE(view.shownOperator(), std::optional<std::int64_t>(4));
    }

    void keys_walkAlongEdges() {
        Shown shown(openSample("ds-cnn"));
        GraphCanvas* const canvas = shown.view.canvas();
        QTest::keyClick(canvas, Qt::Key_Home);
        QCOMPARE(shown.view.shownOperator(), std::optional<std::int64_t>(0));
        QTest::keyClick(canvas, Qt::Key_Down);
        QCOMPARE(shown.view.shownOperator(), std::optional<std::int64_t>(1));
        QTest::keyClick(canvas, Qt::Key_Up);
        QTest::keyClick(canvas, Qt::Key_Up); // the input
        QVERIFY(!shown.view.shownOperator());
        QCOMPARE(shown.session.selection().tensor.has_value(), true);
        QTest::keyClick(canvas, Qt::Key_End);
        QTest::keyClick(canvas, Qt::Key_Down); // the output
        QVERIFY(!shown.view.shownOperator());
        QTest::keyClick(canvas, Qt::Key_Up);
        QVERIFY(shown.view.shownOperator());
    }

    void find_countsAndGoesOn() {
        Shown shown(openSample("ds-cnn"));
        QTest::keyClick(&shown.view, Qt::Key_F, Qt::ControlModifier);
        auto* const edit = shown.view.findChild<QLineEdit*>();
        QTRY_VERIFY(edit->isVisible());
        QTest::keyClicks(edit, QStringLiteral("depthwise"));
        QCOMPARE(shown.view.foundCount(), std::size_t{4});
        const auto first = shown.view.shownOperator();
        QTest::keyClick(edit, Qt::Key_Return);
        QVERIFY(shown.view.shownOperator() > first);
        QTest::keyClick(edit, Qt::Key_Return, Qt::ShiftModifier);
        QCOMPARE(shown.view.shownOperator(), first);
        edit->clear();
        QTest::keyClicks(edit, QStringLiteral("fully")); // F is a command as well
        QCOMPARE(edit->text(), QStringLiteral("fully"));
        QCOMPARE(shown.view.foundCount(), std::size_t{1});
        edit->setText(QStringLiteral("25x5x64"));
        QVERIFY(shown.view.foundCount() > 4);
        edit->setText(QStringLiteral("no such thing"));
        QCOMPARE(shown.view.foundCount(), std::size_t{0});
        QTest::keyClick(edit, Qt::Key_Escape);
        QVERIFY(!edit->isVisible());
    }

    void zoom_byKeysAndWheel() {
        Shown shown(openSample("branches-300"));
        GraphCanvas* const canvas = shown.view.canvas();
        canvas->setFocus();
        QTest::keyClick(canvas, Qt::Key_F);
        QVERIFY(canvas->view().showsAll());
        QTest::keyClick(canvas, Qt::Key_Plus);
        QVERIFY(!canvas->view().showsAll());
        QTest::keyClick(canvas, Qt::Key_0);
        QCOMPARE(canvas->view().zoom(), 1.0);
        QTest::keyClick(canvas, Qt::Key_Minus);
        QVERIFY(canvas->view().zoom() < 1);
        const QPointF before = canvas->view().origin();
        const QPoint middle = canvas->viewport()->rect().center();
        QWheelEvent down(middle, canvas->viewport()->mapToGlobal(middle), {}, {0, -240}, {}, {},
                         Qt::NoScrollPhase, false);
        QCoreApplication::sendEvent(canvas->viewport(), &down);
        QVERIFY(canvas->view().origin().y() > before.y());
        QWheelEvent in(middle, canvas->viewport()->mapToGlobal(middle), {}, {0, 240}, {},
                       Qt::ControlModifier, Qt::NoScrollPhase, false);
        const double zoom = canvas->view().zoom();
        QCoreApplication::sendEvent(canvas->viewport(), &in);
        QVERIFY(canvas->view().zoom() > zoom);
    }

    void later_stagesKeepThePlace() {
        Shown shown(openSample("branches-300"));
        shown.session.select(selectOperator(200));
        const QPointF origin = shown.view.canvas()->view().origin();
        auto later = std::make_shared<Document>(*shown.session.document());
        shown.session.setDocument(later, Session::Keep::Selection);
        QCOMPARE(shown.view.canvas()->view().origin(), origin);
        QCOMPARE(shown.view.shownOperator(), std::optional<std::int64_t>(200));
    }

    void marks_tellWhatIsWrong() {
        Shown shown(openSample("refused"));
        const GraphFacts& facts = shown.view.canvas()->scene()->facts;
        QVERIFY(facts.marksOf(0).refused);
        QVERIFY(facts.nodeTip(0).contains(QStringLiteral("P0-")));
        Shown equal(openSample("ds-cnn", true));
        QCOMPARE(equal.view.canvas()->scene()->facts.marksOf(0).verdict, GraphVerdict::Equal);
    }

    void mismatches_areMarked() {
        auto document = std::make_shared<Document>(*openSample("ds-cnn", true));
        auto verdicts = std::make_shared<Verdicts>(*document->verdicts);
        verdicts->layers[2].accumulated->equal = false;
        verdicts->layers[2].accumulated->mismatches = 7;
        document->verdicts = verdicts;
        Shown shown(document);
        const GraphFacts& facts = shown.view.canvas()->scene()->facts;
        QCOMPARE(facts.marksOf(2).mismatches, std::optional<std::int64_t>(7));
        QVERIFY(facts.marksOf(2).alarming());
        grab(shown.view, QStringLiteral("mismatch"));
    }

    void table_isAModel() {
        Shown shown(openSample("resnet8"));
        QAbstractItemModel* const table = shown.view.accessibleTable();
        const QAbstractItemModelTester tester(
            table, QAbstractItemModelTester::FailureReportingMode::QtTest);
        QVERIFY(table->rowCount() > 10);
        QCOMPARE(table->index(0, 1).data().toString(), QStringLiteral("op/0"));
    }

    void picture_showsAllOfTheGraph() {
        Shown shown(openSample("resnet8"));
        shown.session.select(selectOperator(3));
        const std::vector<ViewPicture> pictures = shown.view.pictures();
        QCOMPARE(pictures.size(), std::size_t{1});
        const GraphLayout& layout = shown.view.canvas()->scene()->facts.layout();
        QCOMPARE(pictures[0].size, QSize(int(layout.width), int(layout.height)));
        const QSize half = pictures[0].size / 2;
        const QPalette palette = themePalette(true);
        const QImage image = pictureImage(pictures[0], half, 1, true);
        QCOMPARE(image.size(), half);
        for (const GraphNode& node : layout.nodes) { // the middle of the stripe, at half size
            if (node.kind != GraphNodeKind::Operator)
                continue;
            const QPoint stripe(int((node.box.x + 3.5) / 2),
                                int((node.box.y + node.box.height / 2) / 2));
            const LoweredOperator& op =
                shown.session.lowering().operators[static_cast<std::size_t>(node.index)];
            if (op.placement == Placement::Npu)
                QCOMPARE(image.pixelColor(stripe), categoryColor(0, palette));
        }
        QCOMPARE(image.pixelColor(0, 0), palette.color(QPalette::Base));
        grabImage(image, QStringLiteral("half"));
    }

    void picture_ofALargeGraphIsBounded() {
        Shown shown(openSample("branches-10000"));
        const QSize size = shown.view.pictures().at(0).size;
        QVERIFY(size.width() <= 16384 && size.height() <= 16384);
        QVERIFY(double(size.width()) * size.height() <= 64e6);
        const GraphLayout& layout = shown.view.canvas()->scene()->facts.layout();
        QVERIFY(std::abs(size.width() / layout.width - size.height() / layout.height) < 1e-3);
    }

    void nothing_toShow() {
        Session session;
        GraphView view(session);
        view.resize(400, 300);
        view.show();
        QVERIFY(view.pictures().empty());
        QVERIFY(!view.pickOperator(0));
        QTest::keyClick(view.canvas(), Qt::Key_Down);
        view.find(QStringLiteral("x"));
        grab(view, QStringLiteral("empty"));
    }

    void oddValues_doNotHurt() {
        auto document = std::make_shared<Document>(*openSample("ds-cnn"));
        auto lowering = std::make_shared<Lowering>(*document->lowering);
        lowering->operators[1].cost.estimatedCycles = std::numeric_limits<std::int64_t>::min();
        lowering->operators[2].cost.estimatedCycles = std::numeric_limits<std::int64_t>::max();
        lowering->operators[3].arena.outputBytes = std::numeric_limits<std::uint64_t>::max();
        lowering->operators.resize(5);
        document->lowering = lowering;
        Shown shown(document);
        for (const Heat heat :
             {Heat::Cycles, Heat::Macs, Heat::DmaBytes, Heat::ArenaBytes, Heat::Mismatches}) {
            shown.session.setHeat(heat);
            shown.view.grab();
        }
    }

    void pictures_data() {
        QTest::addColumn<QString>("sample");
        QTest::addColumn<bool>("dark");
        QTest::addColumn<int>("heat");
        QTest::addColumn<double>("zoom");
        QTest::newRow("mobilenet") << "mobilenet" << false << int(Heat::None) << 1.0;
        QTest::newRow("mobilenet-dark") << "mobilenet" << true << int(Heat::None) << 1.0;
        QTest::newRow("resnet8") << "resnet8" << false << int(Heat::None) << 1.0;
        QTest::newRow("resnet8-heat") << "resnet8" << false << int(Heat::Cycles) << 1.0;
        QTest::newRow("resnet8-heat-dark") << "resnet8" << true << int(Heat::DmaBytes) << 1.0;
        QTest::newRow("resnet8-names") << "resnet8" << false << int(Heat::None) << 0.4;
        QTest::newRow("refused") << "refused" << false << int(Heat::None) << 1.0;
        QTest::newRow("refused-dark") << "refused" << true << int(Heat::None) << 1.0;
        QTest::newRow("branches-whole") << "branches-1000" << false << int(Heat::None) << 0.0;
        QTest::newRow("branches") << "branches-1000" << true << int(Heat::None) << 1.0;
    }

    void pictures() {
        QFETCH(const QString, sample);
        QFETCH(const bool, dark);
        QFETCH(const int, heat);
        QFETCH(const double, zoom);
        applyTheme(*qApp, dark ? Theme::Dark : Theme::Light);
        Shown shown(
            openSample(sample.toUtf8().constData(), sample != QLatin1String("branches-1000")));
        shown.session.setHeat(static_cast<Heat>(heat));
        shown.session.select(selectOperator(sample == QLatin1String("branches-1000") ? 118 : 3));
        if (zoom == 0.0)
            shown.view.canvas()->fit();
        else
            shown.view.canvas()->zoomBy(zoom / shown.view.canvas()->view().zoom());
        grab(shown.view, QString::fromLatin1(QTest::currentDataTag()));
        applyTheme(*qApp, Theme::Light);
    }
};

QTEST_MAIN(TestGraph)
#include "tst_graph.moc"
