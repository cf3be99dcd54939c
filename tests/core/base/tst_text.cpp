// SPDX-License-Identifier: GPL-3.0-or-later
#include <limits>

#include <gtest/gtest.h>

#include "core/base/text.h"

using namespace plumbline;

TEST(Text, GroupsDigitsFromTheRight) {
    EXPECT_EQ(groupedDigits(0), "0");
    EXPECT_EQ(groupedDigits(999), "999");
    EXPECT_EQ(groupedDigits(1000), "1,000");
    EXPECT_EQ(groupedDigits(-101376), "-101,376");
    EXPECT_EQ(groupedDigits(std::numeric_limits<std::int64_t>::min()),
              "-9,223,372,036,854,775,808");
    EXPECT_EQ(exactBytesText(std::numeric_limits<std::uint64_t>::max()),
              "18,446,744,073,709,551,615 bytes");
}

TEST(Text, ShortensBytesAndCounts) {
    EXPECT_EQ(shortBytesText(512), "512 B");
    EXPECT_EQ(shortBytesText(1536), "1.5 KiB");
    EXPECT_EQ(shortBytesText(101376), "99 KiB");
    EXPECT_EQ(shortCountText(999), "999");
    EXPECT_EQ(shortCountText(1234567), "1.2 M");
    EXPECT_EQ(shortCountText(-5000), "-5,000");
    EXPECT_EQ(hexText(0x18C00), "0x00018C00");
    EXPECT_EQ(hexText(0x18C00, 4), "0x18C00");
}

TEST(Text, CountsThings) {
    EXPECT_EQ(counted(0, "layer"), "0 layers");
    EXPECT_EQ(counted(1, "layer"), "1 layer");
    EXPECT_EQ(counted(std::size_t{3000}, "layer"), "3,000 layers");
    EXPECT_EQ(counted(-1, "step"), "-1 steps");
    EXPECT_EQ(counted(1, "differs", "differ"), "1 differs");
    EXPECT_EQ(counted(2, "differs", "differ"), "2 differ");
}

TEST(Text, TakesTheLastPartOfAPath) {
    EXPECT_EQ(lastPart("a/b/vww.tflite"), "vww.tflite");
    EXPECT_EQ(lastPart("vww.tflite"), "vww.tflite");
    EXPECT_EQ(lastPart("a/run//"), "run");
    EXPECT_EQ(lastPart(""), "");
}

TEST(Text, ShowsWhatIsNoTextAsReplacements) {
    EXPECT_EQ(printable("conv/Relu6 é 漢 😀"), "conv/Relu6 é 漢 😀");
    EXPECT_EQ(printable(std::string_view("a\0b\n", 4)), "a\uFFFDb\uFFFD");
    EXPECT_EQ(printable("a\u202Eb\uFEFF"), "a\uFFFDb\uFFFD");
    EXPECT_EQ(printable("\xC3"), "\uFFFD");                     // cut off
    EXPECT_EQ(printable("\xC0\x80"), "\uFFFD\uFFFD");           // overlong
    EXPECT_EQ(printable("\xED\xA0\x80"), "\uFFFD\uFFFD\uFFFD"); // a surrogate
    EXPECT_EQ(printable("\xF4\x90\x80\x80x"), "\uFFFD\uFFFD\uFFFD\uFFFDx");
}

TEST(Text, QuotesCsvCellsThatNeedIt) {
    EXPECT_EQ(csvRow({"a", "b,c", "d\"e", "f\ng", ""}), "a,\"b,c\",\"d\"\"e\",\"f\ng\",\n");
    EXPECT_EQ(csvRow({}), "\n");
}
