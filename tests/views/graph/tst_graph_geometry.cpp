// SPDX-License-Identifier: GPL-3.0-or-later
// Index and viewport of the graph view, without a window.
#include <QtTest>

#include "core/graph/layout.h"
#include "views/graph/graph_index.h"
#include "views/graph/graph_viewport.h"

using namespace plumbline;

namespace {

/// A chain of operators with an edge from every one to the next and the one after that.
GraphLayout ladder(std::size_t operators) {
    Graph graph;
    graph.tensors.resize(operators + 1);
    graph.inputs = {0};
    for (std::size_t i = 0; i < operators; ++i) {
        Operator op;
        op.inputs = {static_cast<std::int32_t>(i), static_cast<std::int32_t>(i > 0 ? i - 1 : 0)};
        op.outputs = {static_cast<std::int32_t>(i) + 1};
        graph.operators.push_back(op);
    }
    graph.outputs = {static_cast<std::int32_t>(operators)};
    return *layoutGraph(graph);
}

} // namespace

class TestGraphGeometry : public QObject {
    Q_OBJECT

  private slots:
    void index_findsWhatALoopFinds_data() {
        QTest::addColumn<QRectF>("area");
        QTest::newRow("a corner") << QRectF(0, 0, 300, 200);
        QTest::newRow("the middle") << QRectF(100, 900, 500, 700);
        QTest::newRow("everything") << QRectF(-1e6, -1e6, 2e6, 2e6);
        QTest::newRow("nothing") << QRectF(-5000, -5000, 10, 10);
        QTest::newRow("a point") << QRectF(110, 160, 0, 0);
    }

    void index_findsWhatALoopFinds() {
        QFETCH(const QRectF, area);
        const GraphLayout layout = ladder(300);
        const GraphIndex index(layout);
        std::vector<std::int32_t> expected;
        for (std::size_t i = 0; i < layout.nodes.size(); ++i) {
            const QRectF box = toRect(layout.nodes[i].box);
            if (box.left() <= area.right() && area.left() <= box.right() &&
                box.top() <= area.bottom() && area.top() <= box.bottom())
                expected.push_back(static_cast<std::int32_t>(i));
        }
        QCOMPARE(index.nodesIn(area), expected);
        if (area.width() > 1e6)
            QCOMPARE(index.edgesIn(area).size(), layout.edges.size());
    }

    void index_hitsNodesAndEdges() {
        const GraphLayout layout = ladder(40);
        const GraphIndex index(layout);
        for (std::size_t i = 0; i < layout.nodes.size(); ++i) {
            const QRectF box = toRect(layout.nodes[i].box);
            QCOMPARE(index.nodeAt(box.center()), std::optional(static_cast<std::int32_t>(i)));
            QVERIFY(!index.nodeAt(box.bottomLeft() + QPointF(-1, 1)));
        }
        const GraphPoint from = layout.edges[0].route.front();
        const auto hit = index.edgeAt(QPointF(from.x + 2, from.y + 4), 5);
        QVERIFY(hit);
        QCOMPARE(layout.edges[static_cast<std::size_t>(*hit)].from, layout.edges[0].from);
        QVERIFY(!index.edgeAt(QPointF(-50, -50), 5));
    }

    void index_walksAlongEdges() {
        const GraphLayout layout = ladder(10);
        const GraphIndex index(layout);
        QCOMPARE(index.step(3, GraphStep::Down), std::optional(4));
        QCOMPARE(index.step(3, GraphStep::Up), std::optional(2));
        QVERIFY(!index.step(3, GraphStep::Left));
        QVERIFY(!index.step(99, GraphStep::Up));
        QVERIFY(!index.step(-1, GraphStep::Up));
        const auto output = index.step(9, GraphStep::Down);
        QVERIFY(output);
        QVERIFY(!index.step(*output, GraphStep::Down));
    }

    void index_emptyLayout() {
        const GraphLayout layout;
        const GraphIndex index(layout);
        QVERIFY(index.nodesIn(QRectF(0, 0, 100, 100)).empty());
        QVERIFY(!index.nodeAt({1, 1}));
    }

    void viewport_keepsThePointUnderTheMouse() {
        GraphViewport view;
        view.setContent({4000, 9000});
        view.setWindow({800, 600});
        view.centreOn({2000, 4000});
        const QPointF mouse(300, 200);
        const QPointF before = view.toScene(mouse);
        view.zoomTo(view.zoom() * 1.5, mouse);
        QVERIFY(QLineF(view.toScene(mouse), before).length() < 1e-6);
        QVERIFY(QLineF(view.toWindow(before), mouse).length() < 1e-6);
    }

    void viewport_staysInside() {
        GraphViewport view;
        view.setContent({4000, 9000});
        view.setWindow({800, 600});
        view.panBy({1e9, 1e9});
        QCOMPARE(view.origin(), QPointF(0, 0));
        view.panBy({-1e9, -1e9});
        QCOMPARE(view.visible().bottomRight(), QPointF(4000, 9000));
        view.zoomTo(0, {});
        QVERIFY(view.showsAll());
        view.zoomTo(1e9, {});
        QVERIFY(view.zoom() < 10);
    }

    void viewport_centresWhatIsSmaller() {
        GraphViewport view;
        view.setContent({100, 100});
        view.setWindow({800, 600});
        view.fit();
        QCOMPARE(view.zoom(), 1.0);
        QCOMPARE(view.toWindow({50, 50}), QPointF(400, 300));
    }

    void viewport_revealsWithLittleMotion() {
        GraphViewport view;
        view.setContent({4000, 9000});
        view.setWindow({800, 600});
        view.setOrigin({1000, 1000});
        view.reveal(QRectF(1100, 1100, 100, 50), 20);
        QCOMPARE(view.origin(), QPointF(1000, 1000));
        view.reveal(QRectF(1100, 1590, 100, 50), 20);
        QCOMPARE(view.origin(), QPointF(1000, 1060));
        view.reveal(QRectF(3000, 8000, 100, 50), 20);
        QCOMPARE(view.visible().center(), QPointF(3050, 8025));
    }

    void detail_followsTheZoom() {
        QCOMPARE(detailAt(1, 62), GraphDetail::Full);
        QCOMPARE(detailAt(0.4, 62), GraphDetail::Names);
        QCOMPARE(detailAt(0.1, 62), GraphDetail::Boxes);
        QCOMPARE(detailAt(0.001, 62), GraphDetail::Dots);
    }
};

QTEST_GUILESS_MAIN(TestGraphGeometry)
#include "tst_graph_geometry.moc"
