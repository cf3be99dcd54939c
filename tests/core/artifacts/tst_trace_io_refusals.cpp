// SPDX-License-Identifier: GPL-3.0-or-later
#include <sys/stat.h>

#include "tests/core/artifacts/trace_io_fixture.h"

namespace plumbline {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using test::kDigest1;
using test::kDigest4;
using TraceIoRefusal = test::TraceIo;

struct BadEntry {
    const char* name;
    const char* key; ///< of the layer; null: of the whole
    json value;      ///< discarded: the key is removed
    const char* part;
    const char* words;
};

class TraceIoBadEntry : public test::TraceIo, public testing::WithParamInterface<BadEntry> {};

TEST_P(TraceIoBadEntry, isReportedWithItsKey) {
    const BadEntry& row = GetParam();
    put("a.bin", m_bytes);
    json& object = std::string(row.part).starts_with("layers[0]") ? layer() : m_index;
    if (row.value.is_discarded())
        object.erase(row.key);
    else
        object[row.key] = row.value;
    expectBadIndex(row.part, row.words);
}

const json kRemoved = json(json::value_t::discarded);

INSTANTIATE_TEST_SUITE_P(
    Key, TraceIoBadEntry,
    testing::Values(
        BadEntry{"producer_missing", "producer", kRemoved, "producer", "missing"},
        BadEntry{"producer_number", "producer", 3, "producer", "a string expected, found 3"},
        BadEntry{"model_digest_short", "model_sha256", "abc", "model_sha256", "64 lower-case"},
        BadEntry{"input_digest_number", "input_sha256", 1, "input_sha256", "64 lower-case"},
        BadEntry{"layers_missing", "layers", kRemoved, "layers", "missing"},
        BadEntry{"layers_object", "layers", json::object(), "layers", "an array"},
        BadEntry{"operator_missing", "operator", kRemoved, "layers[0].operator", "missing"},
        BadEntry{"operator_negative", "operator", -1, "layers[0].operator", "found -1"},
        BadEntry{"operator_name", "operator", "CONV_2D", "layers[0].operator", "an integer"},
        BadEntry{"operator_real", "operator", 1.5, "layers[0].operator", "found 1.5"},
        BadEntry{"operator_beyond_31_bits", "operator", 2147483648, "layers[0].operator",
                 "2147483648"},
        BadEntry{"name_number", "name", 5, "layers[0].name", "a string"},
        BadEntry{"shape_missing", "shape", kRemoved, "layers[0].shape", "missing"},
        BadEntry{"shape_null", "shape", nullptr, "layers[0].shape", "an array"},
        BadEntry{"shape_negative", "shape", {1, -2, 2}, "layers[0].shape[1]", "found -2"},
        BadEntry{"shape_of_33", "shape", std::vector<int>(33, 1), "layers[0].shape", "at most 32"},
        BadEntry{"shape_product_wraps",
                 "shape",
                 {1099511627776, 1099511627776, 16},
                 "layers[0].shape",
                 "does not fit 4 bytes"},
        BadEntry{"shape_zero", "shape", {0, 2, 2}, "layers[0].shape", "does not fit"},
        BadEntry{"shape_larger", "shape", {1, 2, 3}, "layers[0].shape", "does not fit 4 bytes"},
        BadEntry{"scale_text", "scale", "0.1", "layers[0].scale", "a number"},
        BadEntry{"zero_point_real", "zero_point", 0.5, "layers[0].zero_point", "an integer"},
        BadEntry{"bytes_missing", "bytes", kRemoved, "layers[0].bytes", "missing"},
        BadEntry{"bytes_beyond_64_bits", "bytes", 18446744073709551615u, "layers[0].bytes",
                 "18446744073709551615"},
        BadEntry{"bytes_more_than_file", "bytes", 8, "layers[0].bytes",
                 "8 bytes stated, the file \"a.bin\" has 4"},
        BadEntry{"digest_missing", "sha256", kRemoved, "layers[0].sha256", "missing"},
        BadEntry{"digest_upper_case", "sha256", std::string(64, 'A'), "layers[0].sha256",
                 "64 lower-case"},
        BadEntry{"digest_of_other_bytes", "sha256", kDigest1, "layers[0].sha256", kDigest4},
        BadEntry{"file_number", "file", 5, "layers[0].file", "a string"},
        BadEntry{"file_absent_on_disk", "file", "b.bin", "layers[0].file", "No such file"},
        BadEntry{"file_empty", "file", "", "layers[0].file", "leads out"},
        BadEntry{"file_absolute", "file", "/etc/passwd", "layers[0].file", "leads out"},
        BadEntry{"file_above", "file", "../trace/a.bin", "layers[0].file", "leads out"},
        BadEntry{"file_above_in_the_middle", "file", "x/../../trace/a.bin", "layers[0].file",
                 "leads out"},
        BadEntry{"file_with_nul", "file", std::string("a.bin\0", 6), "layers[0].file", "leads out"},
        BadEntry{"file_is_directory", "file", ".", "layers[0].file", "not a regular file"}),
    [](const auto& row) { return std::string(row.param.name); });

TEST_F(TraceIoRefusal, fileLongerThanStatedIsReported) {
    put("a.bin", Bytes(5));
    expectBadIndex("layers[0].bytes", "4 bytes stated, the file \"a.bin\" has more");
}

TEST_F(TraceIoRefusal, linkOutOfTheDirectoryIsRefused) {
    std::ofstream(m_directory.path() / "secret") << "abcd";
    fs::create_directory(dir());
    fs::create_symlink(m_directory.path() / "secret", dir() / "a.bin");
    expectBadIndex("layers[0].file", "leads out");
}

TEST_F(TraceIoRefusal, linkedDirectoryOutOfTheDirectoryIsRefused) {
    fs::create_directory(m_directory.path() / "trace2"); // shares the name's start
    std::ofstream(m_directory.path() / "trace2" / "a.bin") << "abcd";
    fs::create_directory(dir());
    fs::create_directory_symlink(m_directory.path() / "trace2", dir() / "sub");
    layer()["file"] = "sub/a.bin";
    expectBadIndex("layers[0].file", "leads out");
}

TEST_F(TraceIoRefusal, pipeAsTensorFileIsRefusedWithoutWaiting) {
    fs::create_directory(dir());
    ASSERT_EQ(::mkfifo((dir() / "a.bin").c_str(), 0600), 0);
    expectBadIndex("layers[0].file", "not a regular file");
}

TEST_F(TraceIoRefusal, repeatedOperatorIsReported) {
    put("a.bin", m_bytes);
    m_index["layers"].push_back(layer());
    expectBadIndex("layers[1].operator", "more than one layer");
}

TEST_F(TraceIoRefusal, sumOfSizesIsLimitedBeforeReading) {
    layer()["bytes"] = 1 << 30;
    layer()["shape"] = {1 << 30};
    m_index["layers"].push_back(layer());
    layer(1)["operator"] = 1;
    expectBadIndex("layers[1].bytes", "1073741824 bytes in all");
}

TEST_F(TraceIoRefusal, layerCountIsLimited) {
    m_index["layers"] = std::vector<int>(100'001, 0);
    expectBadIndex("layers", "at most 100000");
}

TEST_F(TraceIoRefusal, allProblemsAreReported) {
    layer()["name"] = 1;
    layer()["scale"] = "x";
    putIndex();
    expectBad(dir() / "trace.json", "layers[0].name", "a string", 2);
}

TEST_F(TraceIoRefusal, textThatIsNoJsonIsReported) {
    put("trace.json", std::string("{"));
    expectBad(dir() / "trace.json", "", "not valid JSON");
    put("trace.json", std::string(100'000, '['));
    expectBad(dir() / "trace.json", "", "100000 levels");
    put("trace.json", std::string("[]"));
    EXPECT_FALSE(loadTrace(dir()));
}

TEST_F(TraceIoRefusal, indexThatIsNoRegularFileIsReported) {
    fs::create_directories(dir() / "trace.json");
    expectBad(dir() / "trace.json", "", "not a regular file");
    fs::remove(dir() / "trace.json");
    fs::create_symlink("nowhere", dir() / "trace.json");
    expectBad(dir() / "trace.json", "", "not a regular file");
}

TEST_F(TraceIoRefusal, whatIsNoDirectoryIsReported) {
    expectBad(dir(), "", "No such file or directory");
    std::ofstream(m_directory.path() / "trace") << "text";
    expectBad(dir(), "", "A trace is a directory");
}

} // namespace
} // namespace plumbline
