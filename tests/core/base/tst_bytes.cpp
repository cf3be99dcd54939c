// SPDX-License-Identifier: GPL-3.0-or-later
#include <gtest/gtest.h>

#include "core/base/bytes.h"
#include "core/base/sha256.h"

namespace plumbline {
namespace {

TEST(Bytes, wordsAreLittleEndian) {
    Bytes bytes{0xFF};
    appendU32(bytes, 0x04030201);
    EXPECT_EQ(bytes, (Bytes{0xFF, 1, 2, 3, 4}));
    EXPECT_EQ(loadU32(bytes, 1), 0x04030201u);
    storeU32(bytes, 0, 0xFFFFFFFE);
    EXPECT_EQ(bytes, (Bytes{0xFE, 0xFF, 0xFF, 0xFF, 4}));
    EXPECT_EQ(loadI32(bytes, 0), -2);
}

TEST(Bytes, hexIsLowerCaseWithoutSeparators) {
    EXPECT_EQ(toHex(Bytes{0x00, 0x9A, 0xFF}), "009aff");
    EXPECT_EQ(toHex({}), "");
}

TEST(Bytes, hexOfEitherCaseIsRead) {
    EXPECT_EQ(fromHex("009aFf"), (Bytes{0x00, 0x9A, 0xFF}));
    EXPECT_EQ(fromHex(""), Bytes{});
}

struct BadHex {
    const char* name;
    const char* text;
};

class BytesBadHex : public testing::TestWithParam<BadHex> {};

TEST_P(BytesBadHex, isRefused) { EXPECT_FALSE(fromHex(GetParam().text).has_value()); }

INSTANTIATE_TEST_SUITE_P(Text, BytesBadHex,
                         testing::Values(BadHex{"odd_length", "abc"}, BadHex{"letter_g", "0g"},
                                         BadHex{"space", "0 "}, BadHex{"prefix", "0x"},
                                         BadHex{"sign", "-1"}),
                         [](const auto& row) { return std::string(row.param.name); });

// The published first outputs of SplitMix64 for seed 1234567.
TEST(Bytes, splitMixGivesThePublishedValues) {
    SplitMix64 generator(1234567);
    EXPECT_EQ(generator.next(), 6457827717110365317u);
    EXPECT_EQ(generator.next(), 3203168211198807973u);
    EXPECT_EQ(generator.next(), 9817491932198370423u);
}

// The first output for seed 0 is E220A8397B1DCDAF.
TEST(Bytes, seededBytesAreLowByteFirst) {
    EXPECT_EQ(seededBytes(0, 8), (Bytes{0xAF, 0xCD, 0x1D, 0x7B, 0x39, 0xA8, 0x20, 0xE2}));
    EXPECT_EQ(seededBytes(0, 3), (Bytes{0xAF, 0xCD, 0x1D}));
    EXPECT_TRUE(seededBytes(5, 0).empty());
}

// FIPS 180-2, appendix B.
TEST(Sha256, publishedExamples) {
    const std::string_view abc = "abc";
    EXPECT_EQ(sha256Hex(Bytes(abc.begin(), abc.end())),
              "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    EXPECT_EQ(sha256Hex({}), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
}

TEST(Sha256, ofPiecesIsThatOfTheWhole) {
    // FIPS 180-2, example B.2: longer than one block of 64 bytes.
    const std::string_view text = "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq";
    const Bytes bytes(text.begin(), text.end());
    for (const std::size_t first : {0U, 1U, 55U, 56U}) {
        Sha256 digest;
        digest.add(ByteView(bytes).first(first));
        digest.add({});
        digest.add(ByteView(bytes).subspan(first));
        EXPECT_EQ(digest.finish(),
                  "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
    }
    EXPECT_EQ(Sha256().finish(), sha256Hex({}));
    Sha256 million; // example B.3
    for (int i = 0; i < 1000; ++i)
        million.add(Bytes(1000, 'a'));
    EXPECT_EQ(million.finish(), "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

} // namespace
} // namespace plumbline
