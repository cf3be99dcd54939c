// SPDX-License-Identifier: GPL-3.0-or-later
// Drawings painted with QPainter look like their SVG, and real fonts fit the table of widths.
#include <QFontDatabase>
#include <QImage>
#include <QSvgRenderer>
#include <QTest>

#include "core/chart/svg.h"
#include "views/common/drawing_painter.h"
#include "views/common/palette.h"

using namespace plumbline;

namespace {

constexpr int kScale = 2;

DrawnBox boxOf(const GraphRect& rect, const Ink& fill, const Ink& edge) {
    DrawnBox box;
    box.box = rect;
    box.fill = fill;
    box.edge = edge;
    return box;
}

/// Shapes far enough apart to be looked at one by one.
Drawing shapes() {
    DrawnBox framed = boxOf({10, 10, 40, 20}, Ink::ofCategory(2), Ink::of(Tone::Error));
    framed.edgeWidth = 4;
    DrawnBox hatched = boxOf({70, 10, 40, 20}, Ink::of(Tone::Surface), Ink::of(Tone::Error));
    hatched.hatched = true;
    DrawnBox rounded = boxOf({130, 10, 40, 20}, Ink::ofHeat(1), Ink::none());
    rounded.radius = 8;
    DrawnLine bent;
    bent.points = {{20, 50}, {60, 90}};
    bent.ink = Ink::of(Tone::Accent);
    bent.width = 4;
    bent.curved = true;
    DrawnLine arrow;
    arrow.points = {{90, 50}, {90, 90}};
    arrow.ink = Ink::of(Tone::Ok);
    arrow.arrow = true;
    DrawnLine polygon;
    polygon.points = {{120, 50}, {160, 50}, {140, 90}};
    polygon.closed = true;
    polygon.fill = Ink::of(Tone::Warning);
    DrawnLabel label;
    label.box = {10, 100, 120, 20};
    label.text = "MMMMMMMM";
    label.size = 16;
    label.bold = true;
    return {200, 130, "Shapes", "", {framed, hatched, rounded, bent, arrow, polygon, label}};
}

QPalette paletteOf(bool dark) {
    QPalette palette;
    palette.setColor(QPalette::Window, dark ? Qt::black : Qt::white);
    return palette;
}

QImage blank(const Drawing& drawing, const QPalette& palette) {
    QImage image(qRound(drawing.width * kScale), qRound(drawing.height * kScale),
                 QImage::Format_RGB32);
    image.fill(toneColor(Tone::Background, palette));
    return image;
}

QImage painted(const Drawing& drawing, bool dark) {
    const QPalette palette = paletteOf(dark);
    QImage image = blank(drawing, palette);
    QPainter painter(&image);
    painter.scale(kScale, kScale);
    paintDrawing(painter, drawing, palette);
    return image;
}

QImage rendered(const Drawing& drawing, bool dark) {
    QImage image = blank(drawing, paletteOf(dark));
    QSvgRenderer renderer(
        QByteArray::fromStdString(svgFile(drawing, dark ? SvgTheme::Dark : SvgTheme::Light)));
    QPainter painter(&image);
    renderer.render(&painter);
    return image;
}

QColor at(const QImage& image, double x, double y) {
    return image.pixelColor(qRound(x * kScale), qRound(y * kScale));
}

/// Pixels of a region, in units, that are not `color`.
int others(const QImage& image, const QRect& units, const QColor& color) {
    int count = 0;
    for (int y = units.top() * kScale; y < units.bottom() * kScale; ++y)
        for (int x = units.left() * kScale; x < units.right() * kScale; ++x)
            count += image.pixelColor(x, y) != color ? 1 : 0;
    return count;
}

} // namespace

class TestDrawingPainter : public QObject {
    Q_OBJECT

  private slots:
    void paintsShapes_data();
    void paintsShapes();
    void hatchesAndWrites();
    void keepsThePainter();
    void fontsFitTheTable_data();
    void fontsFitTheTable();
};

void TestDrawingPainter::paintsShapes_data() {
    QTest::addColumn<bool>("dark");
    QTest::addColumn<bool>("svg");
    QTest::newRow("painter, light") << false << false;
    QTest::newRow("painter, dark") << true << false;
    QTest::newRow("SVG, light") << false << true;
    QTest::newRow("SVG, dark") << true << true;
}

void TestDrawingPainter::paintsShapes() {
    QFETCH(bool, dark);
    QFETCH(bool, svg);
    const QImage image = svg ? rendered(shapes(), dark) : painted(shapes(), dark);
    const auto tone = [dark](Tone wanted) { return toneColor(wanted, paletteOf(dark)); };
    QCOMPARE(at(image, 30, 20), categoryColor(2, paletteOf(dark)));
    QCOMPARE(at(image, 10, 20), tone(Tone::Error)); // the edge lies on both sides
    QCOMPARE(at(image, 8.5, 20), tone(Tone::Error));
    QCOMPARE(at(image, 7, 20), tone(Tone::Background));
    QCOMPARE(at(image, 150, 20), heatColor(1, paletteOf(dark)));
    QCOMPARE(at(image, 130.5, 10.5), tone(Tone::Background)); // the corner is round
    QCOMPARE(at(image, 40, 70), tone(Tone::Accent));          // the middle of the curve
    QCOMPARE(at(image, 20, 54), tone(Tone::Accent));          // it begins downwards
    QCOMPARE(at(image, 90, 86), tone(Tone::Ok));
    QCOMPARE(at(image, 92, 84.5), tone(Tone::Ok)); // the head of the arrow is wider
    QCOMPARE(at(image, 94, 60), tone(Tone::Background));
    QCOMPARE(at(image, 140, 60), tone(Tone::Warning));
    QCOMPARE(at(image, 125, 80), tone(Tone::Background));
}

void TestDrawingPainter::hatchesAndWrites() {
    for (const QImage& image : {painted(shapes(), false), rendered(shapes(), false)}) {
        const QColor background = toneColor(Tone::Background, paletteOf(false));
        const QColor surface = toneColor(Tone::Surface, paletteOf(false));
        const int hatched = others(image, QRect(72, 12, 36, 16), surface);
        QVERIFY2(hatched > 300 && hatched < 36 * 16 * kScale * kScale - 300,
                 qPrintable(QString::number(hatched)));
        QVERIFY(others(image, QRect(10, 102, 100, 16), background) > 500);
        QCOMPARE(others(image, QRect(10, 122, 180, 8), background), 0);
        QCOMPARE(others(image, QRect(142, 100, 50, 20), background), 0);
    }
}

void TestDrawingPainter::keepsThePainter() {
    QImage image = blank(shapes(), paletteOf(false));
    QPainter painter(&image);
    painter.setPen(Qt::red);
    painter.setBrush(Qt::green);
    painter.translate(3, 4);
    const QTransform before = painter.transform();
    paintDrawing(painter, shapes(), paletteOf(false));
    QCOMPARE(painter.pen(), QPen(Qt::red));
    QCOMPARE(painter.brush(), QBrush(Qt::green));
    QCOMPARE(painter.transform(), before);
}

void TestDrawingPainter::fontsFitTheTable_data() {
    QTest::addColumn<bool>("bold");
    QTest::newRow("regular") << false;
    QTest::newRow("bold") << true;
}

void TestDrawingPainter::fontsFitTheTable() {
    QFETCH(bool, bold);
    const QString family = QStringLiteral("DejaVu Sans"); // the table's; ./dev installs it
    QVERIFY(QFontDatabase::families().contains(family));
    QFont font(family);
    font.setPixelSize(1000);
    font.setBold(bold);
    font.setHintingPreference(QFont::PreferNoHinting);
    const QFontMetricsF metrics(font);
    for (char32_t c = 0x20; c < 0x100; ++c) {
        const bool isShown = c < 0x7F || (c > 0xA0 && c != 0xAD);
        if (!isShown)
            continue;
        const QString text = QString::fromUcs4(&c, 1);
        const double width = metrics.horizontalAdvance(text);
        QVERIFY2(width <= textWidth(text.toStdString(), 1000, Face::Sans, bold) + 1,
                 qPrintable(QStringLiteral("U+%1: %2").arg(c, 4, 16).arg(width)));
    }
}

QTEST_MAIN(TestDrawingPainter)
#include "tst_drawing_painter.moc"
