// SPDX-License-Identifier: GPL-3.0-or-later
// Geometry and rasters of tensors without a document: what lies where, and what is asked for.
#include <set>

#include <QApplication>
#include <QPainter>
#include <QScrollBar>
#include <QSignalSpy>
#include <QTableView>
#include <QTest>

#include "views/layers/difference_histogram.h"
#include "views/layers/tensor_canvas.h"
#include "views/layers/tensor_table_model.h"

using namespace plumbline;

namespace {

/// Made-up values of any size; remembers what was asked for.
class MadeValues final : public TensorValues {
  public:
    explicit MadeValues(const Hwc& shape)
        : m_shape(shape) {}
    Hwc shape() const override { return m_shape; }
    bool has(TensorSide side) const override { return side != TensorSide::Alone; }
    int at(TensorSide side, std::int64_t index) const override {
        ++asked;
        const ElementIndex element = elementOf(index);
        rows.insert(element.h);
        columns.insert(element.w);
        channels.insert(element.c);
        const int theirs = static_cast<int>(index * 31 % 256) - 128;
        const int difference = different.count(index) != 0 ? (theirs > 0 ? -5 : 5) : 0;
        if (side == TensorSide::Difference)
            return difference;
        return side == TensorSide::Ours ? theirs + difference : theirs;
    }
    void forget() {
        asked = 0;
        rows.clear();
        columns.clear();
        channels.clear();
    }

    std::set<std::int64_t> different;
    mutable std::int64_t asked = 0;
    mutable std::set<std::int64_t> rows, columns, channels;

  private:
    Hwc m_shape;
};

TensorColors valueColors() { return TensorColors::ofValues(-128, 127, QApplication::palette()); }

std::int64_t largestOf(const std::set<std::int64_t>& values) {
    return values.empty() ? -1 : *values.rbegin();
}

} // namespace

class TestTensorPictures : public QObject {
    Q_OBJECT

  private slots:
    void cellsAndPixelsAgree_data() {
        QTest::addColumn<double>("zoom");
        for (const double zoom : {0.25, 1.0, 3.7, 40.0})
            QTest::newRow(qPrintable(QString::number(zoom))) << zoom;
    }

    void cellsAndPixelsAgree() {
        QFETCH(const double, zoom);
        const SliceGeometry geometry{SliceGrid(Hwc{7, 11, 3}), zoom, QPointF(13, -5)};
        for (std::int64_t row = 0; row < 7; ++row)
            for (std::int64_t column = 0; column < 11; ++column) {
                const GridCell cell{row, column};
                QCOMPARE(geometry.cellAt(geometry.rectOf(cell).center()), std::optional(cell));
            }
        QVERIFY(!geometry.cellAt(geometry.origin - QPointF(0.01, 0)));
        QVERIFY(!geometry.cellAt(geometry.origin + QPointF(11 * zoom, 0)));
        const QRectF area(20, 3, 9, 14);
        const CellRange range = geometry.visible(area);
        for (std::int64_t row = 0; row < 7; ++row)
            for (std::int64_t column = 0; column < 11; ++column) {
                const bool isIn = row >= range.row && row < range.row + range.rows &&
                                  column >= range.column && column < range.column + range.columns;
                if (geometry.rectOf(GridCell{row, column}).intersects(area))
                    QVERIFY(isIn);
            }
        QVERIFY(geometry.rectOf(range).width() <= area.width() + 2 * zoom);
    }

    void vectorsAreWrapped() {
        for (const std::int64_t channels : {1, 2, 7, 10, 12, 64, 640, 4096}) {
            const SliceGrid grid(Hwc{1, 1, channels});
            QVERIFY(grid.isVector());
            std::int64_t next = 0;
            for (std::int64_t row = 0; row < grid.rows(); ++row)
                for (std::int64_t column = 0; column < grid.columns(); ++column) {
                    const auto element = grid.elementAt({row, column}, 0);
                    if (!element)
                        continue;
                    QCOMPARE(element->c, next++);
                    QCOMPARE(grid.cellOf(*element), (GridCell{row, column}));
                }
            QCOMPARE(next, channels);
        }
        QVERIFY(!SliceGrid(Hwc{2, 1, 8}).isVector());
    }

    void arrowKeysStayInside() {
        const SliceGrid slice(Hwc{3, 4, 5});
        QCOMPARE(slice.moved({1, 1, 2}, 1, -1), (ElementIndex{2, 0, 2}));
        QCOMPARE(slice.moved({2, 3, 2}, 1, 1), (ElementIndex{2, 3, 2}));
        const SliceGrid vector(Hwc{1, 1, 10}); // 8 columns: the second row has two
        QCOMPARE(vector.moved({0, 0, 1}, 1, 0), (ElementIndex{0, 0, 9}));
        QCOMPARE(vector.moved({0, 0, 5}, 1, 0), (ElementIndex{0, 0, 5}));
    }

    void theSheetFindsItsChannels() {
        const SheetGeometry sheet(Hwc{10, 25, 37}, 400, 16);
        for (std::int64_t channel = 0; channel < 37; ++channel) {
            QCOMPARE(sheet.channelAt(sheet.pictureOf(channel).center()), std::optional(channel));
            QVERIFY(sheet.captionOf(channel).right() <= 400);
            QVERIFY(sheet.captionOf(channel).bottom() <= sheet.height());
            for (std::int64_t other = 0; other < channel; ++other)
                QVERIFY(!sheet.pictureOf(channel).intersects(sheet.pictureOf(other)));
        }
        QVERIFY(!sheet.channelAt(sheet.pictureOf(36).center() + QPointF(0, sheet.rowHeight())));
        const auto [first, count] = sheet.visible(sheet.rowHeight() * 2.5, 10);
        QVERIFY(first <= 2 * sheet.perRow() && first + count > 2 * sheet.perRow());
        QVERIFY(count <= 2 * sheet.perRow());
    }

    void imagesShowOneColourPerValue() {
        const MadeValues values(Hwc{5, 6, 4});
        const SliceContent content{&values, TensorSide::Theirs, 2};
        const SliceGrid grid(values.shape());
        const TensorColors colors = valueColors();
        const QImage image = sliceImage(content, grid, {1, 2, 3, 4}, {4, 3}, colors);
        for (int y = 0; y < 3; ++y)
            for (int x = 0; x < 4; ++x) {
                const int index = ((1 + y) * 6 + 2 + x) * 4 + 2; // [h,w,c] order
                QCOMPARE(image.pixel(x, y), colors.of(index * 31 % 256 - 128));
            }
        QVERIFY(sliceImage(content, grid, {0, 0, 0, 5}, {4, 4}, colors).isNull());
    }

    void scalesAreMonotonousAndSigned() {
        const TensorColors values = valueColors();
        for (int value = -127; value <= 127; ++value)
            QVERIFY(qGray(values.of(value)) <= qGray(values.of(value - 1)) + 1);
        const TensorColors differences = TensorColors::ofDifferences(20, QApplication::palette());
        QVERIFY(differences.of(-20) != differences.of(20));
        QVERIFY(differences.of(1) != differences.of(0));
        for (int value = 1; value <= 20; ++value) {
            QVERIFY(qGray(differences.of(value)) < qGray(differences.of(value - 1)));
            QVERIFY(qGray(differences.of(-value)) < qGray(differences.of(1 - value)));
        }
    }

    void aDifferenceIsNotLostBetweenPixels() {
        MadeValues values(Hwc{40, 40, 1});
        values.different = {17 * 40 + 22};
        const TensorColors colors = TensorColors::ofDifferences(5, QApplication::palette());
        const QImage image =
            sliceImage({&values, TensorSide::Difference, 0}, SliceGrid(values.shape()),
                       {0, 0, 40, 40}, {10, 10}, colors);
        int marked = 0;
        for (int y = 0; y < 10; ++y)
            for (int x = 0; x < 10; ++x)
                marked += image.pixel(x, y) != colors.of(0) ? 1 : 0;
        QCOMPARE(marked, 1);
        QVERIFY(image.pixel(22 / 4, 17 / 4) != colors.of(0));
    }

    void mismatchesHaveAMarkOfTheirOwn() {
        MadeValues values(Hwc{4, 4, 1});
        values.different = {5}; // row 1, column 1
        TensorPicture picture;
        picture.content = {&values, TensorSide::Ours, 0};
        picture.colors = valueColors();
        picture.palette = QApplication::palette();
        picture.font = QApplication::font();
        QImage image(64, 64, QImage::Format_RGB32);
        image.fill(Qt::white);
        QPainter painter(&image);
        TensorPainter(painter, picture)
            .paintSlice({SliceGrid(values.shape()), 16, {}}, QRectF(0, 0, 64, 64));
        painter.end();
        for (int row = 0; row < 4; ++row)
            for (int column = 0; column < 4; ++column) {
                const QRgb middle = image.pixel(column * 16 + 4, row * 16 + 12);
                const QRgb corner = image.pixel(column * 16 + 14, row * 16 + 2);
                QCOMPARE(corner != middle, row == 1 && column == 1);
            }
    }

    void onlyVisibleElementsAreAskedFor() {
        const auto values = std::make_shared<MadeValues>(Hwc{4096, 4096, 16});
        TensorCanvas canvas;
        canvas.resize(400, 300);
        canvas.setTensor(values);
        canvas.setSide(TensorSide::Theirs, valueColors(), nullptr);
        canvas.setChannel(3);
        canvas.show();
        values->forget();
        canvas.grab();
        QVERIFY(values->asked > 1000);
        QVERIFY(values->asked <= std::int64_t{400} * 300); // fitted: a sample per pixel
        QCOMPARE(values->channels, std::set<std::int64_t>{3});
        canvas.setSide(TensorSide::Difference, valueColors(), nullptr);
        values->forget();
        canvas.grab();
        QVERIFY(values->asked <= std::int64_t{400} * 300 * kPixelSamples * kPixelSamples);

        while (canvas.sliceGeometry().zoom < 20)
            canvas.zoomBy(2);
        canvas.setCurrent(ElementIndex{4095, 4000, 7});
        values->forget();
        canvas.grab();
        QVERIFY(values->asked > 0);
        QVERIFY(values->asked <= (400 / 20 + 2) * (300 / 20 + 2) * 4); // colour, mark, value
        QCOMPARE(values->channels, std::set<std::int64_t>{7});
        QCOMPARE(largestOf(values->rows), std::int64_t{4095});
        QVERIFY(*values->rows.begin() >= 4095 - 300 / 20 - 1);
        QVERIFY(*values->columns.begin() <= 4000 && largestOf(values->columns) >= 4000);
    }

    void theSheetAsksForVisibleChannelsOnly() {
        const auto values = std::make_shared<MadeValues>(Hwc{4096, 4096, 16});
        TensorCanvas canvas;
        canvas.resize(200, 120);
        canvas.setTensor(values);
        canvas.setSide(TensorSide::Theirs, valueColors(), nullptr);
        canvas.setMode(TensorCanvas::Mode::Sheet);
        canvas.show();
        values->forget();
        canvas.grab();
        QVERIFY(values->asked <= std::int64_t{200} * 220); // two rows of channels at most
        QVERIFY(largestOf(values->channels) < 2 * canvas.sheetGeometry().perRow());
        canvas.setChannel(15);
        values->forget();
        canvas.grab();
        QCOMPARE(largestOf(values->channels), std::int64_t{15});
    }

    void theTableAsksForVisibleCellsOnly() {
        const auto values = std::make_shared<MadeValues>(Hwc{4096, 4096, 16});
        TensorTableModel model;
        QTableView table;
        table.setModel(&model);
        table.resize(600, 300);
        table.show();
        model.setTensor(values);
        QCOMPARE(model.allRows(), std::int64_t{4096} * 4096);
        QCOMPARE(model.rowCount(), static_cast<int>(TensorTableModel::kPageRows));
        QCOMPARE(model.columnCount(), 16);
        values->forget();
        table.grab();
        QVERIFY(values->asked > 0);
        QVERIFY(largestOf(values->columns) < 100); // row 0, the first positions
        QCOMPARE(values->rows, std::set<std::int64_t>{0});
        const ElementIndex last{4095, 4095, 15};
        QVERIFY(!model.indexOf(last).isValid());
        model.setPage(model.pageOf(last));
        QCOMPARE(model.page(), model.pages() - 1);
        const QModelIndex at = model.indexOf(last);
        QCOMPARE(model.elementAt(at), std::optional(last));
        QCOMPARE(at.data().toString(),
                 QString::number(static_cast<int>((std::int64_t{4096} * 4096 * 16 - 1) * 31 % 256) -
                                 128));
        QCOMPARE(model.headerData(at.row(), Qt::Vertical, Qt::DisplayRole).toString(),
                 QStringLiteral("h 4095, w 4095"));
    }

    void theWheelKeepsTheCellUnderThePointer() {
        TensorCanvas canvas;
        canvas.resize(400, 300);
        canvas.setTensor(std::make_shared<MadeValues>(Hwc{200, 300, 2}));
        canvas.show();
        while (canvas.sliceGeometry().zoom < 8) // larger than the window from here on
            canvas.zoomBy(2);
        const QPointF pointer(210, 140);
        const auto under = canvas.sliceGeometry().cellAt(pointer);
        QVERIFY(under.has_value());
        const double before = canvas.sliceGeometry().zoom;
        for (const int turn : {120, 120, -120}) {
            QWheelEvent wheel(pointer, canvas.viewport()->mapToGlobal(pointer), {}, {0, turn},
                              Qt::NoButton, Qt::NoModifier, Qt::NoScrollPhase, false);
            QApplication::sendEvent(canvas.viewport(), &wheel);
            QCOMPARE(canvas.sliceGeometry().cellAt(pointer), under);
        }
        QVERIFY(canvas.sliceGeometry().zoom > before);
    }

    void draggingPansAndSelectsNothing() {
        TensorCanvas canvas;
        canvas.resize(400, 300);
        canvas.setTensor(std::make_shared<MadeValues>(Hwc{200, 300, 2}));
        canvas.show();
        while (canvas.sliceGeometry().zoom < 8)
            canvas.zoomBy(2);
        QSignalSpy picked(&canvas, &TensorCanvas::elementPicked);
        const QPointF origin = canvas.sliceGeometry().origin;
        QTest::mousePress(canvas.viewport(), Qt::LeftButton, {}, QPoint(200, 150));
        QTest::mouseMove(canvas.viewport(), QPoint(160, 180));
        QTest::mouseRelease(canvas.viewport(), Qt::LeftButton, {}, QPoint(160, 180));
        QCOMPARE(canvas.sliceGeometry().origin, origin + QPointF(-40, 30));
        QCOMPARE(picked.count(), 0);
        QSignalSpy hovered(&canvas, &TensorCanvas::elementHovered);
        QTest::mouseMove(canvas.viewport(), QPoint(100, 100));
        QCOMPARE(hovered.count(), 1);
        const auto cell = canvas.sliceGeometry().cellAt(QPointF(100, 100));
        QCOMPARE(hovered[0][0].toLongLong(), (cell->row * 300 + cell->column) * 2);
    }

    void histogramsCoverEveryDifference() {
        const HistogramGeometry::Bars bars{{-255, 1}, {-1, 40}, {0, 1000000}, {3, 2}};
        const QRectF area(10, 20, 300, 80);
        const HistogramGeometry geometry(bars, area);
        double highest = 0;
        for (std::size_t i = 0; i < bars.size(); ++i) {
            const QRectF bar = geometry.rectOf(bars[i].first, bars[i].second);
            QVERIFY(area.adjusted(-1, -1, 1, 1).contains(bar));
            QVERIFY(bar.height() >= 2);
            QCOMPARE(geometry.barAt(
                         bars, QPointF(geometry.xOf(bars[i].first) + geometry.barWidth() / 2, 40)),
                     static_cast<int>(i));
            highest = std::max(highest, bar.height());
        }
        QCOMPARE(highest, 80.0);
        QVERIFY(geometry.heightOf(40) > geometry.heightOf(2));
        const HistogramGeometry oneSided({{2, 5}}, area); // 0 is on the axis all the same
        QCOMPARE(oneSided.first(), 0);
        QCOMPARE(oneSided.barAt({{2, 5}}, QPointF(oneSided.xOf(0) + 1, 40)), -1);
    }
};

QTEST_MAIN(TestTensorPictures)
#include "tst_tensor_pictures.moc"
