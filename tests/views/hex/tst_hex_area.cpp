// SPDX-License-Identifier: GPL-3.0-or-later
// The hex view's geometry, keys, mouse and copy forms.
#include <sys/mman.h>

#include <QScrollBar>
#include <QSignalSpy>
#include <QTest>

#include "views/hex/byte_text.h"
#include "views/hex/hex_area.h"

using namespace plumbline;

namespace {

Bytes counting(std::size_t size) {
    Bytes bytes(size);
    for (std::size_t i = 0; i < size; ++i)
        bytes[i] = static_cast<std::uint8_t>(i);
    return bytes;
}

} // namespace

class TestHexArea : public QObject {
    Q_OBJECT

  private slots:
    void geometry_everyCellIsHitWhereItStands() {
        const HexGeometry g(1000, 7, 17);
        QCOMPARE(g.rowCount(), std::uint64_t{63});
        for (const std::uint64_t first : {0U, 5U, 62U}) {
            for (std::uint64_t offset = first * 16; offset < 1000; ++offset) {
                const auto onHex = g.hit(g.hexCell(offset, first).center(), first);
                QVERIFY(onHex && onHex->offset == offset && !onHex->inText);
                const auto onText = g.hit(g.textCell(offset, first).center(), first);
                QVERIFY(onText && onText->offset == offset && onText->inText);
            }
        }
    }

    void geometry_cellsDoNotOverlap() {
        const HexGeometry g(64, 8, 16);
        for (std::uint64_t a = 0; a < 32; ++a) {
            QVERIFY(g.hexCell(a, 0).right() < g.textCell(a - a % 16, 0).left());
            for (std::uint64_t b = a + 1; b < 32; ++b)
                QVERIFY(!g.hexCell(a, 0).intersects(g.hexCell(b, 0)));
            QVERIFY(g.gutter(a / 16, 0).right() < g.hexCell(a - a % 16, 0).left());
            QVERIFY(g.textCell(a, 0).right() < g.width());
        }
    }

    void geometry_pointsBesideBytes() {
        const HexGeometry g(20, 8, 16);
        QVERIFY(!g.hit({2, 5}, 0)); // gutter
        QVERIFY(!g.hit(g.hexCell(0, 0).center() - QPoint(0, 100), 0));
        QVERIFY(!g.hit({200, 16 * 2 + 1}, 0)); // below the last row
        QCOMPARE(g.hit({100000, 1}, 0)->offset, std::uint64_t{15});
        QCOMPARE(g.hit({100000, 17}, 0)->offset, std::uint64_t{19}); // clamped to the last byte
        QVERIFY(!HexGeometry(0, 8, 16).hit({100, 1}, 0));
        QCOMPARE(HexGeometry(0, 0, 0).rowCount(), std::uint64_t{0});
    }

    void geometry_hugeSizes() {
        const std::uint64_t size = ~std::uint64_t{0};
        const HexGeometry g(size, 8, 16);
        QCOMPARE(g.gutterDigits(), 16);
        QCOMPARE(g.rowCount(), size / 16 + 1);
        QVERIFY(g.hexCell(size - 1, 0).top() > 0);
        QCOMPARE(HexGeometry(std::uint64_t{1} << 32, 8, 16).gutterDigits(), 8);
        QCOMPARE(HexGeometry((std::uint64_t{1} << 32) + 1, 8, 16).gutterDigits(), 9);
    }

    void geometry_scrollsAsLittleAsPossible() {
        const HexGeometry g(16 * 100, 8, 16);
        QCOMPARE(g.firstRowFor(16 * 5, 0, 10), std::uint64_t{0});
        QCOMPARE(g.firstRowFor(16 * 10, 0, 10), std::uint64_t{1});
        QCOMPARE(g.firstRowFor(16 * 3, 20, 10), std::uint64_t{3});
        QCOMPARE(g.firstRowFor(16 * 99, 20, 10), std::uint64_t{90});
    }

    void text_data() {
        QTest::addColumn<int>("form");
        QTest::addColumn<QString>("expected");
        QTest::newRow("hex") << int(ByteForm::Hex) << "00 FF 7F 80";
        QTest::newRow("decimal") << int(ByteForm::Decimal) << "0 -1 127 -128";
        QTest::newRow("csv") << int(ByteForm::Csv) << "0x00,0xFF,0x7F,0x80";
        QTest::newRow("c") << int(ByteForm::CArray)
                           << "static const uint8_t bytes[4] = {\n    0x00, 0xFF, 0x7F, 0x80};\n";
    }
    void text() {
        QFETCH(int, form);
        const Bytes bytes{0x00, 0xFF, 0x7F, 0x80};
        QTEST(bytesAs(static_cast<ByteForm>(form), bytes), "expected");
    }
    void text_breaksLines() {
        QCOMPARE(bytesAs(ByteForm::Hex, counting(33)).count(QLatin1Char('\n')), 2);
        QCOMPARE(bytesAs(ByteForm::Csv, counting(16)).count(QLatin1Char(',')), 15);
        QCOMPARE(bytesAs(ByteForm::Hex, {}), QString());
    }

    void offsets_data() {
        QTest::addColumn<QString>("typed");
        QTest::addColumn<qlonglong>("expected");
        QTest::newRow("decimal") << "416" << qlonglong{416};
        QTest::newRow("hexadecimal") << " 0x1A0 " << qlonglong{0x1A0};
        QTest::newRow("suffix") << "1A0h" << qlonglong{0x1A0};
        QTest::newRow("empty") << "" << qlonglong{-1};
        QTest::newRow("negative") << "-4" << qlonglong{-1};
        QTest::newRow("word") << "end" << qlonglong{-1};
        QTest::newRow("too large") << "0x1FFFFFFFFFFFFFFFFF" << qlonglong{-1};
    }
    void offsets() {
        QFETCH(QString, typed);
        QFETCH(qlonglong, expected);
        const auto offset = parseOffset(typed);
        QCOMPARE(offset ? static_cast<qlonglong>(*offset) : -1, expected);
    }

    void keys_moveAndExtend() {
        const Bytes bytes = counting(1000);
        HexArea area;
        area.resize(700, 300);
        area.setBytes(bytes, nullptr);
        area.show();
        QSignalSpy spy(&area, &HexArea::byteSelected);
        QTest::keyClick(&area, Qt::Key_Down); // the first key shows the cursor
        QCOMPARE(area.selection(), (HexRun{0, 1}));
        QTest::keyClick(&area, Qt::Key_Down);
        QTest::keyClick(&area, Qt::Key_Right);
        QCOMPARE(area.cursor(), std::uint64_t{17});
        QTest::keyClick(&area, Qt::Key_Right, Qt::ShiftModifier);
        QTest::keyClick(&area, Qt::Key_Down, Qt::ShiftModifier);
        QCOMPARE(area.selection(), (HexRun{17, 18}));
        QCOMPARE(spy.last().at(0).toULongLong(), 17ULL);
        QCOMPARE(spy.last().at(1).toULongLong(), 18ULL);
        QTest::keyClick(&area, Qt::Key_Home);
        QCOMPARE(area.cursor(), std::uint64_t{32});
        QTest::keyClick(&area, Qt::Key_End, Qt::ControlModifier);
        QCOMPARE(area.cursor(), std::uint64_t{999});
        QTest::keyClick(&area, Qt::Key_Down);
        QTest::keyClick(&area, Qt::Key_PageDown);
        QCOMPARE(area.cursor(), std::uint64_t{999});
        QTest::keyClick(&area, Qt::Key_PageUp);
        QVERIFY(area.cursor() < 999);
        QTest::keyClick(&area, Qt::Key_Home, Qt::ControlModifier);
        QTest::keyClick(&area, Qt::Key_Left);
        QTest::keyClick(&area, Qt::Key_Up);
        QCOMPARE(area.cursor(), std::uint64_t{0});
        QTest::keyClick(&area, Qt::Key_A, Qt::ControlModifier);
        QCOMPARE(area.selection(), (HexRun{0, 1000}));
        QCOMPARE(area.selectedText(ByteForm::Hex).left(5), QStringLiteral("00 01"));
    }

    void keys_ofNoBytesDoNothing() {
        HexArea area;
        area.show();
        QSignalSpy spy(&area, &HexArea::byteSelected);
        QTest::keyClick(&area, Qt::Key_Down);
        QTest::keyClick(&area, Qt::Key_A, Qt::ControlModifier);
        area.setSelection({5, 5});
        QCOMPARE(spy.count(), 0);
        QCOMPARE(area.selection(), HexRun{});
        QCOMPARE(area.selectedText(ByteForm::Csv), QString());
    }

    void mouse_dragSelects() {
        const Bytes bytes = counting(512);
        HexArea area;
        area.resize(700, 300);
        area.setBytes(bytes, nullptr);
        area.show();
        QSignalSpy spy(&area, &HexArea::byteSelected);
        QSignalSpy hovered(&area, &HexArea::byteHovered);
        const HexGeometry& g = area.geometryOfBytes();
        QTest::mousePress(area.viewport(), Qt::LeftButton, {}, g.hexCell(20, 0).center());
        QTest::mouseMove(area.viewport(), g.hexCell(35, 0).center());
        QTest::mouseRelease(area.viewport(), Qt::LeftButton, {}, g.hexCell(35, 0).center());
        QCOMPARE(area.selection(), (HexRun{20, 16}));
        QCOMPARE(spy.count(), 1);
        QVERIFY(hovered.count() >= 1);
        QTest::mouseClick(area.viewport(), Qt::LeftButton, Qt::ShiftModifier,
                          g.textCell(21, 0).center());
        QCOMPARE(area.selection(), (HexRun{20, 2}));
    }

    void selection_fromOutsideScrollsAndIsSilent() {
        const Bytes bytes = counting(100000);
        HexArea area;
        area.resize(700, 300);
        area.setBytes(bytes, nullptr);
        area.show();
        QSignalSpy spy(&area, &HexArea::byteSelected);
        area.setSelection({50000, 4});
        QCOMPARE(area.selection(), (HexRun{50000, 4}));
        QVERIFY(area.firstRow() > 0 && area.firstRow() <= 50000 / 16);
        QCOMPARE(spy.count(), 0);
        area.setSelection({99999, ~std::uint64_t{0}});
        QCOMPARE(area.selection(), (HexRun{99999, 1}));
        area.setBytes(ByteView(bytes).first(10), nullptr);
        QCOMPARE(area.selection(), HexRun{});
        area.grab();
    }

    void digitsOverwriteOnlyWhenEditable() {
        const Bytes bytes = counting(64);
        HexArea area;
        area.resize(700, 200);
        area.show();
        area.setBytes(bytes, nullptr);
        area.setSelection({16, 1});
        QSignalSpy edited(&area, &HexArea::byteEdited);
        QTest::keyClicks(&area, QStringLiteral("a7"));
        QCOMPARE(edited.count(), 0);
        area.setEditable(true);
        QTest::keyClicks(&area, QStringLiteral("a7B"));
        QCOMPARE(edited.count(), 1);
        QCOMPARE(edited[0][0].toULongLong(), 16ULL);
        QCOMPARE(edited[0][1].toInt(), 0xA7);
        QCOMPARE(area.selection(), (HexRun{17, 1}));  // goes on
        QCOMPARE(area.bytes()[16], std::uint8_t{16}); // the bytes are not the view's to change
        QTest::keyClick(&area, Qt::Key_Escape);       // takes the B back
        QTest::keyClicks(&area, QStringLiteral("0g1"));
        QCOMPARE(edited.count(), 2);
        QCOMPARE(edited[1][0].toULongLong(), 17ULL);
        QCOMPARE(edited[1][1].toInt(), 0x01);
        QTest::keyClicks(&area, QStringLiteral("5"));
        QTest::keyClick(&area, Qt::Key_Right); // and so does moving
        QTest::keyClicks(&area, QStringLiteral("66"));
        QCOMPARE(edited[2][0].toULongLong(), 19ULL);
        QCOMPARE(edited[2][1].toInt(), 0x66);
        QTest::keyClick(&area, Qt::Key_A, Qt::ControlModifier); // selects all
        QTest::keyClicks(&area, QStringLiteral("ff"));
        QCOMPARE(edited[3][0].toULongLong(), 0ULL); // the first byte of the selection
        area.setSelection({63, 1});
        QTest::keyClicks(&area, QStringLiteral("12"));
        QCOMPARE(edited[4][0].toULongLong(), 63ULL);
        QCOMPARE(area.selection(), (HexRun{63, 1})); // the last one
    }

    void firstDigitOutlivesNewBytes() {
        const Bytes before = counting(64);
        const Bytes after(64, 9);
        HexArea area;
        area.show();
        area.setBytes(before, nullptr);
        area.setSelection({5, 1});
        area.setEditable(true);
        QSignalSpy edited(&area, &HexArea::byteEdited);
        QTest::keyClicks(&area, QStringLiteral("c"));
        area.setBytes(after, nullptr); // the experiment before is there now
        area.setSelection({5, 1});
        QTest::keyClicks(&area, QStringLiteral("d"));
        QCOMPARE(edited.count(), 1);
        QCOMPARE(edited[0][1].toInt(), 0xCD);
    }

    void gibibyte_opensAtOnce() {
        constexpr std::size_t kSize = std::size_t{1} << 30;
        void* const map =
            mmap(nullptr, kSize, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        QVERIFY(map != MAP_FAILED);
        const ByteView bytes(static_cast<const std::uint8_t*>(map), kSize);
        HexArea area;
        area.resize(700, 300);
        area.show();
        area.setBytes(bytes, nullptr);
        QTest::keyClick(&area, Qt::Key_Down);
        QTest::keyClick(&area, Qt::Key_End, Qt::ControlModifier);
        QCOMPARE(area.cursor(), std::uint64_t{kSize - 1});
        QCOMPARE(area.firstRow(), std::uint64_t(area.verticalScrollBar()->maximum()));
        area.setContext({0, kSize});
        area.grab();
        area.setBytes({}, nullptr);
        munmap(map, kSize);
    }
};

QTEST_MAIN(TestHexArea)
#include "tst_hex_area.moc"
