// SPDX-License-Identifier: GPL-3.0-or-later
// Marks of elements, where a map shows them, and what a ranking comes to in words.
#include <QAbstractItemModelTester>
#include <QTest>

#include "views/provenance/element_map.h"
#include "views/provenance/hypothesis_model.h"

using namespace plumbline;

class TestWhyMarks : public QObject {
    Q_OBJECT

  private slots:
    void marksSayWhatBytesSay();
    void shapesThatDoNotFitBecomeChannels();
    void worstOfACellIsShown();
    void mapOfChannelsWraps();
    void mapCellsAreFound();
    void mapOfNothing();
    void markTableHasTheWrongOnes();
    void verdictsInWords();
};

void TestWhyMarks::marksSayWhatBytesSay() {
    // 1x2 positions of 2 channels: right, explained, spoiled, unexplained.
    const Bytes healthy{1, 2, 3, 4}, observed{1, 9, 3, 9}, hypothesis{1, 9, 7, 7};
    const ElementMarks marks(healthy, observed, hypothesis, {1, 2, 2});
    QCOMPARE(marks.at({0, 0, 0}), ElementMark::Right);
    QCOMPARE(marks.at({0, 0, 1}), ElementMark::Explained);
    QCOMPARE(marks.at({0, 1, 0}), ElementMark::Spoiled);
    QCOMPARE(marks.at({0, 1, 1}), ElementMark::Unexplained);
    QCOMPARE(marks.counts(), (ElementMarks::Counts{1, 1, 1, 1}));
    QCOMPARE(marks.countsAt(0, 1, {}), (ElementMarks::Counts{0, 0, 1, 1}));
    QCOMPARE(marks.countsAt(0, 1, 0), (ElementMarks::Counts{0, 0, 1, 0}));
}

void TestWhyMarks::shapesThatDoNotFitBecomeChannels() {
    const Bytes bytes(6);
    QCOMPARE(ElementMarks(bytes, bytes, bytes, {1, 2, 3}).shape(), (Hwc{1, 2, 3}));
    for (const Hwc& shape : {Hwc{2, 2, 2}, Hwc{0, 2, 3}, Hwc{-1, -2, 3}, Hwc{4, 1, 1},
                             Hwc{std::int64_t{1} << 40, std::int64_t{1} << 40, 6}})
        QCOMPARE(ElementMarks(bytes, bytes, bytes, shape).shape(), (Hwc{1, 1, 6}));
}

void TestWhyMarks::worstOfACellIsShown() {
    QCOMPARE(worstOf({9, 0, 0, 0}), ElementMark::Right);
    QCOMPARE(worstOf({9, 1, 0, 0}), ElementMark::Explained);
    QCOMPARE(worstOf({9, 5, 1, 0}), ElementMark::Spoiled);
    QCOMPARE(worstOf({9, 5, 5, 1}), ElementMark::Unexplained);
    const Bytes healthy{1, 2, 3}, observed{1, 9, 9}, hypothesis{1, 9, 8};
    const ElementMarks marks(healthy, observed, hypothesis, {1, 1, 3});
    QCOMPARE(marks.worstAt(0, 0, {}), (ElementIndex{0, 0, 2}));
    QCOMPARE(marks.worstAt(0, 0, 1), (ElementIndex{0, 0, 1}));
}

void TestWhyMarks::mapOfChannelsWraps() {
    const MapGeometry map({1, 1, 40}, {0, 0, 160, 200});
    QCOMPARE(map.columns(), std::int64_t{16});
    QCOMPARE(map.rows(), std::int64_t{3});
    QCOMPARE(map.cellOf({0, 0, 17}), (MapCell{1, 1}));
    QVERIFY(map.exists({2, 7}));
    QVERIFY(!map.exists({2, 8})); // channel 40
    const Bytes bytes(40);
    const ElementMarks marks(bytes, bytes, bytes, {1, 1, 40});
    QCOMPARE(map.elementAt({1, 1}, marks, {}), (ElementIndex{0, 0, 17}));
}

void TestWhyMarks::mapCellsAreFound() {
    for (const Hwc& shape : {Hwc{5, 9, 3}, Hwc{300, 200, 1}, Hwc{1, 1, 10}}) {
        const MapGeometry map(shape, {10, 20, 200, 150});
        QVERIFY(map.frame().width() <= 200.001 && map.frame().height() <= 150.001);
        for (const MapCell& cell :
             {MapCell{0, 0}, MapCell{map.rows() - 1, 0}, MapCell{0, map.columns() - 1}})
            QCOMPARE(map.cellAt(map.rectOf(cell).center()), std::optional(cell));
        QVERIFY(!map.cellAt({5, 25}));
        QVERIFY(!map.cellAt({map.frame().right() + 1, 25}));
    }
}

void TestWhyMarks::mapOfNothing() {
    const MapGeometry map({0, 0, 0}, {0, 0, 100, 100});
    QVERIFY(!map.cellAt({1, 1}));
    QVERIFY(!map.exists({0, 0}));
    const MapGeometry flat({4, 4, 1}, {0, 0, 0, 0});
    QVERIFY(!flat.cellAt({0, 0}));
}

void TestWhyMarks::markTableHasTheWrongOnes() {
    MarkTableModel table;
    QAbstractItemModelTester tester(&table);
    const Bytes healthy{1, 2, 3, 4}, observed{1, 200, 3, 9}, hypothesis{1, 200, 7, 7};
    const ElementMarks marks(healthy, observed, hypothesis, {1, 2, 2});
    table.setMarks(marks, healthy, observed, hypothesis);
    QCOMPARE(table.rowCount(), 3);
    const auto value = [&table](int row, int column) { return table.index(row, column).data(); };
    QCOMPARE(value(0, MarkTableModel::Channel).toInt(), 1);
    QCOMPARE(value(0, MarkTableModel::Observed).toInt(), -56); // 200 - 256
    QCOMPARE(value(0, MarkTableModel::RightValue).toInt(), 2);
    QCOMPARE(value(2, MarkTableModel::ColumnOf).toInt(), 1);
    QCOMPARE(value(2, MarkTableModel::Mistaken).toInt(), 7);
    QCOMPARE(value(2, MarkTableModel::Mark).toString(), markText(ElementMark::Unexplained));
    table.setMarks({}, {}, {}, {});
    QCOMPARE(table.rowCount(), 0);
}

void TestWhyMarks::verdictsInWords() {
    const std::vector<MistakeInfo> mistakes{{"a", "A changes.", 2, 1}, {"b", "B changes.", 2, 2}};
    const QString device = QStringLiteral("device");
    HypothesisRanking ranking;
    ranking.elements = 10;
    ranking.healthyExplained = 10;
    ranking.healthy = true;
    QVERIFY(verdictText(ranking, mistakes, device).contains(QStringLiteral("nothing to explain")));
    ranking.healthy = false;
    ranking.healthyExplained = 6;
    QVERIFY(verdictText(ranking, mistakes, device).contains(QStringLiteral("all but 4 elements")));
    ranking.hypotheses.push_back({"a", {0}, 8, false, {}, {}});
    const QString inexact = verdictText(ranking, mistakes, device);
    QVERIFY(inexact.contains(QStringLiteral("No mistake is exact")));
    QVERIFY(inexact.contains(QStringLiteral("a, explains 8 of 10")));
    QVERIFY(inexact.contains(QStringLiteral("2 more than the right arithmetic")));
    ranking.hypotheses[0].explained = 10;
    ranking.hypotheses[0].exact = true;
    QVERIFY(verdictText(ranking, mistakes, device).contains(QStringLiteral("A changes.")));
    ranking.hypotheses[0].equivalent = {"b"};
    QVERIFY(verdictText(ranking, mistakes, device).contains(QStringLiteral("told apart from b")));
    ranking.unchanged = {"x", "y"};
    QVERIFY(unseenText(ranking).contains(QStringLiteral("x, y")));
    const Hypothesis pair{"a+b", {0, 1}, 10, true, {}, {}};
    QCOMPARE(changeText(pair, mistakes), QStringLiteral("A changes. B changes."));
    QVERIFY(changeText({"c", {7}, 1, false, {}, {}}, mistakes).isEmpty());
}

QTEST_MAIN(TestWhyMarks)
#include "tst_why_marks.moc"
