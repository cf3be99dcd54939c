// SPDX-License-Identifier: GPL-3.0-or-later
// The map of what a hypothesis explains.
#include "tests/views/provenance/why_fixture.h"

using namespace plumbline;
using namespace plumbline::test;

namespace {

std::int64_t countUnequal(const Bytes& a, const Bytes& b) {
    std::int64_t unequal = 0;
    for (std::size_t i = 0; i < a.size(); ++i)
        unequal += a[i] == b[i] ? 0 : 1;
    return unequal;
}

} // namespace

class TestWhyMap : public QObject {
    Q_OBJECT

  private slots:
    void theMapMarksWhatIsExplained();
    void clicksOnTheMapSelectElements();
    void keysOnTheMap();
    void showMeHidesTheMap();
};

void TestWhyMap::theMapMarksWhatIsExplained() {
    const DocumentPtr healthy = sample("ds-cnn");
    const DocumentPtr document = withMistake(healthy, 0, "bias-missing");
    QVERIFY(document->runner);
    ShownWhy shown(document);
    QVERIFY(shown.select(QStringLiteral("op/0")));
    const Bytes& observed = bytesOf(document->reference->trace, 0);
    const Bytes& right = bytesOf(healthy->execution->trace, 0);
    const std::int64_t wrong = countUnequal(observed, right);
    const ElementMarks::Counts counts = shown.panel.map()->marks().counts();
    QCOMPARE(counts, (ElementMarks::Counts{static_cast<std::int64_t>(observed.size()) - wrong,
                                           wrong, 0, 0}));
    QCOMPARE(std::int64_t{shown.view.accessibleTable()->rowCount()}, wrong);
    // Each listed hypothesis marks as explained just what it gives and what was observed.
    const Hwc shape = *outputShape(*document->lowering, 0);
    for (int row = 0; row < shown.panel.model()->rowCount(); ++row) {
        shown.panel.table()->setCurrentIndex(shown.panel.model()->index(row, 0));
        const Bytes& made = shown.panel.model()->hypothesis(row)->output;
        const ElementMarks& marks = shown.panel.map()->marks();
        std::size_t i = 0;
        for (ElementIndex at; at.h < shape.h; ++at.h)
            for (at.w = 0; at.w < shape.w; ++at.w)
                for (at.c = 0; at.c < shape.c; ++at.c, ++i) {
                    const ElementMark mark = marks.at(at);
                    QCOMPARE(mark == ElementMark::Right || mark == ElementMark::Explained,
                             made[i] == observed[i]);
                    QCOMPARE(mark == ElementMark::Explained || mark == ElementMark::Unexplained,
                             right[i] != observed[i]);
                }
        shown.view.grab();
    }
}

void TestWhyMap::clicksOnTheMapSelectElements() {
    const DocumentPtr document = withMistake(sample("ds-cnn"), 0, "bias-missing");
    QVERIFY(document->runner);
    ShownWhy shown(document);
    QVERIFY(QTest::qWaitForWindowExposed(&shown.view));
    QVERIFY(shown.select(QStringLiteral("op/0")));
    ElementMap& map = *shown.panel.map();
    QVERIFY(map.isVisible());
    shown.panel.channel()->setValue(2);
    QCOMPARE(map.channel(), std::optional<std::int64_t>(2));
    const QPoint pixel = map.geometryNow().rectOf({4, 3}).center().toPoint();
    QTest::mouseClick(&map, Qt::LeftButton, {}, pixel);
    QCOMPARE(shown.session.address(), QStringLiteral("op/0/element/4,3,2"));
    QVERIFY(shown.settle());
    QCOMPARE(shown.view.steps()->model()->explanation()->element, (ElementIndex{4, 3, 2}));
    // With all channels a cell stands for its worst one.
    shown.panel.channel()->setValue(-1);
    QTest::mouseClick(&map, Qt::LeftButton, {},
                      map.geometryNow().rectOf({1, 1}).center().toPoint());
    const ElementIndex picked = *shown.session.place().element;
    QCOMPARE(map.marks().at(picked), map.shownMark({1, 1}));
    QCOMPARE(shown.panel.model()->rowCount() > 0, true); // the ranking stays
}

void TestWhyMap::keysOnTheMap() {
    const DocumentPtr document = withMistake(sample("ds-cnn"), 0, "bias-missing");
    QVERIFY(document->runner);
    ShownWhy shown(document);
    QVERIFY(QTest::qWaitForWindowExposed(&shown.view));
    QVERIFY(shown.select(QStringLiteral("op/0/element/2,2,0")));
    shown.panel.channel()->setValue(0);
    ElementMap& map = *shown.panel.map();
    map.setFocus();
    QTest::keyClick(&map, Qt::Key_Right);
    QTest::keyClick(&map, Qt::Key_Down);
    QTest::keyClick(&map, Qt::Key_Return);
    QCOMPARE(shown.session.address(), QStringLiteral("op/0/element/3,3,0"));
    for (int i = 0; i < 60; ++i)
        QTest::keyClick(&map, Qt::Key_Up);
    QTest::keyClick(&map, Qt::Key_Left);
    QTest::keyClick(&map, Qt::Key_Space);
    QCOMPARE(shown.session.address(), QStringLiteral("op/0/element/0,2,0"));
}

void TestWhyMap::showMeHidesTheMap() {
    const DocumentPtr document = withMistake(sample("ds-cnn"), 0, "bias-missing");
    QVERIFY(document->runner);
    ShownWhy shown(document);
    QVERIFY(shown.select(QStringLiteral("op/0")));
    QVERIFY(shown.panel.map()->isVisible());
    shown.action("whyShowMe")->trigger();
    QVERIFY(!shown.panel.map()->isVisible());
    shown.action("whyShowMe")->trigger();
    QVERIFY(shown.panel.map()->isVisible());
}

QTEST_MAIN(TestWhyMap)
#include "tst_why_map.moc"
