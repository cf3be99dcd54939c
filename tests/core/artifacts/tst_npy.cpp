// SPDX-License-Identifier: GPL-3.0-or-later
#include <fstream>

#include <gtest/gtest.h>

#include "core/artifacts/npy.h"
#include "tests/support/test_data.h"

namespace plumbline {
namespace {

using Shape = std::vector<std::int64_t>;

/// A file of the format's version `major` with this header text, unpadded, and `data`.
Bytes npyFile(const std::string& header, const Bytes& data, int major = 1) {
    Bytes file{0x93, 'N', 'U', 'M', 'P', 'Y'};
    file.push_back(static_cast<std::uint8_t>(major));
    file.push_back(0);
    for (int i = 0; i < (major == 1 ? 2 : 4); ++i)
        file.push_back(static_cast<std::uint8_t>(header.size() >> (8 * i)));
    file.insert(file.end(), header.begin(), header.end());
    file.insert(file.end(), data.begin(), data.end());
    return file;
}

std::string header(const std::string& descr, const std::string& shape,
                   const std::string& order = "False") {
    return "{'descr': '" + descr + "', 'fortran_order': " + order + ", 'shape': " + shape + ", }\n";
}

// What numpy.save wrote for numpy.array([[1, -2, 3]], dtype=numpy.int8), NumPy 1.24.
Bytes savedByNumpy() {
    std::string head = "{'descr': '|i1', 'fortran_order': False, 'shape': (1, 3), }";
    head.resize(117, ' ');
    return npyFile(head + "\n", {0x01, 0xFE, 0x03});
}

TEST(Npy, fileOfNumpyIsRead) {
    const Bytes file = savedByNumpy();
    ASSERT_EQ(file.size(), 128u + 3u);
    const auto array = parseNpy(file);
    ASSERT_TRUE(array);
    EXPECT_EQ(array->dtype, "|i1");
    EXPECT_EQ(array->shape, (Shape{1, 3}));
    EXPECT_EQ(array->data, (Bytes{0x01, 0xFE, 0x03}));
}

struct Good {
    const char* name;
    std::string header;
    int major;
    std::size_t dataBytes;
    Shape shape;
};

class NpyGood : public testing::TestWithParam<Good> {};

TEST_P(NpyGood, isRead) {
    const Good& row = GetParam();
    const Bytes data = seededBytes(3, row.dataBytes);
    const auto array = parseNpy(npyFile(row.header, data, row.major));
    ASSERT_TRUE(array) << array.diagnostics()[0].message;
    EXPECT_EQ(array->shape, row.shape);
    EXPECT_EQ(array->data, data);
}

INSTANTIATE_TEST_SUITE_P(
    Header, NpyGood,
    testing::Values(
        Good{"version_2", header("|i1", "(4,)"), 2, 4, {4}},
        Good{"version_3", header("|i1", "(4,)"), 3, 4, {4}},
        Good{"scalar", header("|i1", "()"), 1, 1, {}},
        Good{"empty_array", header("|i1", "(0, 5)"), 1, 0, {0, 5}},
        Good{"empty_with_huge_extents",
             header("|i1", "(9223372036854775807, 9223372036854775807, 0)"),
             1,
             0,
             {INT64_MAX, INT64_MAX, 0}},
        Good{"float32", header("<f4", "(2, 3)"), 1, 24, {2, 3}},
        Good{"bool", header("|b1", "(3,)"), 1, 3, {3}},
        Good{"uint8", header("|u1", "(3,)"), 1, 3, {3}},
        Good{"int16_big_endian", header(">i2", "(3,)"), 1, 6, {3}},
        Good{"bytes_5", header("|S5", "(2,)"), 1, 10, {2}},
        Good{"unicode_2", header("<U2", "(3,)"), 1, 24, {3}},
        Good{"void_7", header("|V7", "(1,)"), 1, 7, {1}},
        Good{"datetime", header("<M8[ns]", "(2,)"), 1, 16, {2}},
        Good{"other_key_order",
             "{'shape': (2, 2), 'descr': '|i1', 'fortran_order': False}",
             1,
             4,
             {2, 2}},
        Good{"double_quotes_and_spaces",
             "  {\n\"descr\" :\t\"|i1\" , \"fortran_order\":False,\"shape\":( 2 ,2 , ) }  \n",
             1,
             4,
             {2, 2}},
        Good{"python_2_longs", header("|i1", "(2L, 2L)"), 1, 4, {2, 2}}),
    [](const auto& row) { return std::string(row.param.name); });

struct Bad {
    const char* name;
    Bytes file;
    std::string words;
};

class NpyBad : public testing::TestWithParam<Bad> {};

TEST_P(NpyBad, isRefused) {
    const auto array = parseNpy(GetParam().file);
    ASSERT_FALSE(array);
    EXPECT_EQ(array.diagnostics()[0].code, Code::BadNpy);
    EXPECT_NE(array.diagnostics()[0].message.find(GetParam().words), std::string::npos)
        << array.diagnostics()[0].message;
}

Bytes cut(Bytes file, std::size_t size) {
    file.resize(size);
    return file;
}

std::string ones(int count) {
    std::string shape = "(";
    for (int i = 0; i < count; ++i)
        shape += "1, ";
    return shape + ")";
}

INSTANTIATE_TEST_SUITE_P(
    File, NpyBad,
    testing::Values(
        Bad{"empty", {}, "0x93 NUMPY"}, Bad{"other_magic", Bytes(200, 'x'), "0x93 NUMPY"},
        Bad{"version_0", npyFile(header("|i1", "(1,)"), {1}, 0), "version 0"},
        Bad{"version_4", npyFile(header("|i1", "(1,)"), {1}, 4), "version 4"},
        Bad{"ends_in_length", cut(npyFile("", {}, 2), 11), "ends in its header"},
        Bad{"ends_in_header", cut(savedByNumpy(), 60), "ends after 50"},
        Bad{"header_limit", npyFile(std::string(70'000, ' '), {}, 2), "70000 bytes"},
        Bad{"header_4_GiB",
            {0x93, 'N', 'U', 'M', 'P', 'Y', 2, 0, 0xFF, 0xFF, 0xFF, 0xFF},
            "4294967295 bytes"},
        Bad{"header_blank", npyFile("     ", {1}), "'{'"},
        Bad{"no_closing_brace", npyFile("{'descr': '|i1', ", {1}), "a string"},
        Bad{"text_after_brace", npyFile("{} x", {1}), "nothing after"},
        Bad{"no_colon", npyFile("{'descr' '|i1'}", {1}), "':'"},
        Bad{"no_comma", npyFile("{'descr': '|i1' 'shape': ()}", {1}), "','"},
        Bad{"unterminated_string", npyFile("{'descr': '|i1", {1}), "a string"},
        Bad{"escape_in_string", npyFile("{'descr': '\\x41'}", {1}), "without escapes"},
        Bad{"no_descr", npyFile("{'fortran_order': False, 'shape': ()}", {1}), "'descr'"},
        Bad{"no_order", npyFile("{'descr': '|i1', 'shape': ()}", {1}), "'fortran_order'"},
        Bad{"no_shape", npyFile("{'descr': '|i1', 'fortran_order': False}", {1}), "'shape'"},
        Bad{"unknown_key", npyFile("{'colour': 'red'}", {1}), "unknown or repeated"},
        Bad{"repeated_key", npyFile("{'descr': '|i1', 'descr': '|i1'}", {1}), "repeated"},
        Bad{"order_is_number", npyFile(header("|i1", "()", "0"), {1}), "True or False"},
        Bad{"fortran_order", npyFile(header("|i1", "(2, 2)", "True"), Bytes(4)), "Fortran"},
        Bad{"shape_is_list", npyFile(header("|i1", "[1]"), {1}), "'('"},
        Bad{"shape_without_comma", npyFile(header("|i1", "(1 1)"), {1}), "',' or ')'"},
        Bad{"shape_open", npyFile("{'shape': (1, ", {1}), "an extent"},
        Bad{"negative_extent", npyFile(header("|i1", "(-1,)"), {1}), "an extent"},
        Bad{"extent_beyond_64_bits", npyFile(header("|i1", "(99999999999999999999,)"), {1}),
            "an extent"},
        Bad{"extent_is_text", npyFile(header("|i1", "(a,)"), {1}), "an extent"},
        Bad{"dimensions_33", npyFile(header("|i1", ones(33)), {1}), "32 dimensions"},
        Bad{"product_wraps_64_bits", npyFile(header("|i1", "(4294967296, 4294967296)"), {}),
            "more than"},
        Bad{"product_with_item_wraps", npyFile(header("<f8", "(2305843009213693952,)"), {}),
            "more than"},
        Bad{"one_byte_short", cut(savedByNumpy(), 130), "3 bytes of elements expected"},
        Bad{"one_byte_more", cut(savedByNumpy(), 132), "the file has 4"},
        Bad{"structured_type", npyFile("{'descr': [('a', '|i1')], }", {1}), "a string"},
        Bad{"python_objects", npyFile(header("|O", "()"), {1}), "no fixed size"},
        Bad{"objects_with_size", npyFile(header("|O8", "()"), Bytes(8)), "no fixed size"},
        Bad{"size_0", npyFile(header("|S0", "()"), {}), "no fixed size"},
        Bad{"size_huge", npyFile(header("|V99999999999999999999", "()"), {}), "no fixed size"},
        Bad{"size_above_limit", npyFile(header("|V2000000", "()"), {}), "no fixed size"},
        Bad{"text_after_size", npyFile(header("|i1x", "()"), {1}), "no fixed size"},
        Bad{"type_empty", npyFile(header("", "()"), {1}), "no fixed size"},
        Bad{"type_unprintable", npyFile(header("|i\x01", "()"), {1}), "printable"},
        Bad{"type_long", npyFile(header("|i" + std::string(1000, '1'), "()"), {1}), "printable"}),
    [](const auto& row) { return std::string(row.param.name); });

TEST(Npy, everyCutOfAFileIsRefused) {
    const Bytes file = savedByNumpy();
    for (std::size_t size = 0; size < file.size(); ++size)
        EXPECT_FALSE(parseNpy(ByteView(file).first(size))) << size << " bytes";
}

TEST(Npy, writtenFileHasTheDocumentedLayout) {
    const Bytes data{1, 0xFE, 3};
    const Bytes file = writeNpy(data, Shape{1, 3});
    const std::string text(file.begin(), file.end());
    EXPECT_EQ(text.substr(0, 8), std::string("\x93NUMPY\x01\x00", 8));
    const std::size_t headerBytes = file[8] + 256u * file[9];
    EXPECT_EQ((10 + headerBytes) % 64, 0u);
    EXPECT_EQ(text[9 + headerBytes], '\n');
    EXPECT_EQ(text.substr(10, 59), "{'descr': '|i1', 'fortran_order': False, 'shape': (1, 3), }");
    EXPECT_EQ(text.substr(10 + headerBytes), std::string("\x01\xFE\x03"));
}

TEST(Npy, writtenShapesAreReadBack) {
    for (const Shape& shape : {Shape{}, Shape{1}, Shape{12}, Shape{3, 4}, Shape{1, 2, 3, 2}}) {
        std::size_t count = 1;
        for (const std::int64_t extent : shape)
            count *= static_cast<std::size_t>(extent);
        const Bytes data = seededBytes(4, count);
        const auto array = parseNpy(writeNpy(data, shape));
        ASSERT_TRUE(array) << array.diagnostics()[0].message;
        EXPECT_EQ(array->shape, shape);
        EXPECT_EQ(array->data, data);
    }
}

class LoadInput : public testing::Test {
  protected:
    std::filesystem::path put(const std::string& name, const Bytes& content) {
        const auto path = m_directory.path() / name;
        std::ofstream(path, std::ios::binary)
            .write(reinterpret_cast<const char*>(content.data()),
                   static_cast<std::streamsize>(content.size()));
        return path;
    }

    void expectRefused(const std::filesystem::path& path, Code code, const std::string& message) {
        const auto input = loadInput(path, 490, Shape{49, 10, 1});
        ASSERT_FALSE(input);
        EXPECT_EQ(input.diagnostics()[0].code, code);
        EXPECT_EQ(input.diagnostics()[0].where.file, path.string());
        EXPECT_EQ(input.diagnostics()[0].message, message);
    }

    test::TemporaryDirectory m_directory;
    const Bytes m_data = seededBytes(5, 490);
};

TEST_F(LoadInput, rawFileOfTheExactSize) {
    const auto input = loadInput(put("in.bin", m_data), 490, Shape{49, 10, 1});
    ASSERT_TRUE(input);
    EXPECT_EQ(*input, m_data);
}

TEST_F(LoadInput, npyOfMatchingShapes) {
    for (const char* shape : {"(49, 10, 1)", "(1, 49, 10, 1)", "(1, 1, 1, 49, 10, 1)"}) {
        const auto path = put("in.npy", npyFile(header("|i1", shape), m_data));
        const auto input = loadInput(path, 490, Shape{49, 10, 1});
        ASSERT_TRUE(input) << shape << ": " << input.diagnostics()[0].message;
        EXPECT_EQ(*input, m_data);
        EXPECT_TRUE(loadInput(path, 490, Shape{1, 49, 10, 1})) << shape;
    }
}

TEST_F(LoadInput, npyVectorMatchesDenseInput) {
    const auto path = put("in.npy", npyFile(header("|i1", "(490,)"), m_data));
    EXPECT_TRUE(loadInput(path, 490, Shape{1, 1, 490}));
}

TEST_F(LoadInput, int8InAnyByteOrderMark) {
    for (const char* descr : {"i1", "<i1", ">i1", "=i1"}) {
        const auto path = put("in.npy", npyFile(header(descr, "(49, 10, 1)"), m_data));
        EXPECT_TRUE(loadInput(path, 490, Shape{49, 10, 1})) << descr;
    }
}

TEST_F(LoadInput, rawFileOneByteLonger) {
    expectRefused(put("in.bin", seededBytes(5, 491)), Code::InputSize,
                  "490 bytes expected ([49,10,1] int8), the file has 491.");
}

TEST_F(LoadInput, rawFileEmpty) {
    expectRefused(put("in.bin", {}), Code::InputSize,
                  "490 bytes expected ([49,10,1] int8), the file has 0.");
}

TEST_F(LoadInput, npyOfAnotherType) {
    expectRefused(put("in.npy", npyFile(header("|u1", "(49, 10, 1)"), m_data)), Code::InputType,
                  "int8 (|i1) expected, the file has [49,10,1] |u1; 490 bytes expected "
                  "([49,10,1] int8).");
}

TEST_F(LoadInput, npyOfAnotherSize) {
    expectRefused(put("in.npy", npyFile(header("|i1", "(3,)"), Bytes(3))), Code::InputSize,
                  "490 bytes expected ([49,10,1] int8), the file has 3 ([3] |i1).");
}

TEST_F(LoadInput, npyOfAnotherShape) {
    expectRefused(put("in.npy", npyFile(header("|i1", "(10, 49, 1)"), m_data)), Code::InputType,
                  "Shape [49,10,1] expected (leading ones aside), the file has [10,49,1] |i1.");
}

TEST_F(LoadInput, damagedNpy) {
    const auto input = loadInput(put("in.npy", m_data), 490, Shape{49, 10, 1});
    ASSERT_FALSE(input);
    EXPECT_EQ(input.diagnostics()[0].code, Code::BadNpy);
    EXPECT_EQ(input.diagnostics()[0].where.file, (m_directory.path() / "in.npy").string());
}

TEST_F(LoadInput, missingFile) {
    const auto input = loadInput(m_directory.path() / "none.bin", 490, Shape{49, 10, 1});
    ASSERT_FALSE(input);
    EXPECT_EQ(input.diagnostics()[0].code, Code::FileUnreadable);
}

} // namespace
} // namespace plumbline
