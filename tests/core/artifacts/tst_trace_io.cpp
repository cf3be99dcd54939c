// SPDX-License-Identifier: GPL-3.0-or-later
#include <filesystem>
#include <fstream>

#include <gtest/gtest.h>
#include <sys/stat.h>

#include "core/artifacts/npy.h"
#include "core/artifacts/trace_io.h"
#include "tests/core/base/file_size_limit.h"
#include "tests/support/test_data.h"

namespace plumbline {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

// SHA-256 of the bytes 00 01 02 03 and of 80, by coreutils' sha256sum.
constexpr const char* kDigest4 = "054edec1d0211f624fed0cbca9d4f9400b0e491c43742af2c5b0abebf0c990d8";
constexpr const char* kDigest1 = "76be8b528d0075f7aae98d6fa57a6d3c83ae480a8469e668d7b0af968995ac71";

Trace sampleTrace() {
    Trace trace;
    trace.producer = "plumbline test";
    trace.modelSha256 = std::string(64, 'a');
    TraceLayer conv;
    conv.operatorIndex = 0;
    conv.record = 0;
    conv.name = "CONV_2D";
    conv.shape = {1, 2, 2};
    conv.scale = 0.1;
    conv.zeroPoint = -3;
    conv.bytes = {0, 1, 2, 3};
    sealLayer(conv);
    TraceLayer softmax;
    softmax.operatorIndex = 1234;
    softmax.name = "SOFTMAX";
    softmax.shape = {1, 1, 1};
    softmax.bytes = {0x80};
    sealLayer(softmax);
    trace.layers = {conv, softmax};
    return trace;
}

class TraceIo : public testing::Test {
  protected:
    fs::path dir() const { return m_directory.path() / "trace"; }

    void put(const std::string& name, const Bytes& content) const {
        fs::create_directories((dir() / name).parent_path());
        std::ofstream(dir() / name, std::ios::binary)
            .write(reinterpret_cast<const char*>(content.data()),
                   static_cast<std::streamsize>(content.size()));
    }
    void put(const std::string& name, const std::string& text) const {
        put(name, Bytes(text.begin(), text.end()));
    }

    /// A correct directory with one layer of 4 bytes in a.bin; tests change it.
    void putIndex() const { put("trace.json", m_index.dump()); }

    void expectBad(const fs::path& file, const std::string& part, const std::string& words,
                   std::size_t count = 1) const {
        const auto trace = loadTrace(dir());
        ASSERT_FALSE(trace);
        ASSERT_EQ(trace.diagnostics().size(), count);
        const Diagnostic& found = trace.diagnostics()[0];
        EXPECT_EQ(found.code, Code::BadTrace);
        EXPECT_EQ(found.where.file, file.string());
        EXPECT_EQ(found.where.part, part);
        EXPECT_NE(found.message.find(words), std::string::npos) << found.message;
    }

    void expectBadIndex(const std::string& part, const std::string& words) const {
        putIndex();
        expectBad(dir() / "trace.json", part, words);
    }

    json& layer(std::size_t i = 0) { return m_index["layers"][i]; }

    test::TemporaryDirectory m_directory;
    json m_index = {{"producer", "other tool"},
                    {"model_sha256", nullptr},
                    {"input_sha256", nullptr},
                    {"layers",
                     {{{"operator", 0},
                       {"name", "CONV_2D"},
                       {"shape", {1, 2, 2}},
                       {"scale", 0.1},
                       {"zero_point", -3},
                       {"bytes", 4},
                       {"sha256", kDigest4},
                       {"file", "a.bin"}}}}};
    const Bytes m_bytes{0, 1, 2, 3};
};

TEST_F(TraceIo, writtenTextIsAsDocumented) {
    ASSERT_TRUE(writeTrace(dir(), sampleTrace()));
    const Bytes text = test::readBytes(dir() / "trace.json");
    EXPECT_EQ(std::string(text.begin(), text.end()),
              R"({
  "input_sha256": null,
  "layers": [
    {
      "bytes": 4,
      "file": "layer_000.bin",
      "name": "CONV_2D",
      "operator": 0,
      "scale": 0.1,
      "sha256": ")" +
                  std::string(kDigest4) + R"(",
      "shape": [
        1,
        2,
        2
      ],
      "zero_point": -3
    },
    {
      "bytes": 1,
      "file": "layer_1234.bin",
      "name": "SOFTMAX",
      "operator": 1234,
      "scale": null,
      "sha256": ")" +
                  kDigest1 +
                  R"(",
      "shape": [
        1,
        1,
        1
      ],
      "zero_point": null
    }
  ],
  "model_sha256": ")" +
                  std::string(64, 'a') + R"(",
  "producer": "plumbline test"
}
)");
    EXPECT_EQ(test::readBytes(dir() / "layer_000.bin"), m_bytes);
    EXPECT_EQ(test::readBytes(dir() / "layer_1234.bin"), Bytes{0x80});
}

TEST_F(TraceIo, writtenTraceIsReadBack) {
    const Trace written = sampleTrace();
    ASSERT_TRUE(writeTrace(dir(), written));
    const auto read = loadTrace(dir());
    ASSERT_TRUE(read) << read.diagnostics()[0].message;
    EXPECT_EQ(read->producer, written.producer);
    EXPECT_EQ(read->modelSha256, written.modelSha256);
    EXPECT_FALSE(read->inputSha256.has_value());
    ASSERT_EQ(read->layers.size(), 2u);
    for (std::size_t i = 0; i < 2; ++i) {
        EXPECT_EQ(read->layers[i].operatorIndex, written.layers[i].operatorIndex);
        EXPECT_EQ(read->layers[i].name, written.layers[i].name);
        EXPECT_EQ(read->layers[i].shape, written.layers[i].shape);
        EXPECT_EQ(read->layers[i].scale, written.layers[i].scale);
        EXPECT_EQ(read->layers[i].zeroPoint, written.layers[i].zeroPoint);
        EXPECT_EQ(read->layers[i].bytes, written.layers[i].bytes);
        EXPECT_EQ(read->layers[i].byteCount, written.layers[i].byteCount);
        EXPECT_EQ(read->layers[i].sha256, written.layers[i].sha256);
        EXPECT_FALSE(read->layers[i].record.has_value());
    }
}

TEST_F(TraceIo, digestsOnlyHasNoFiles) {
    ASSERT_TRUE(writeTrace(dir(), sampleTrace(), true));
    EXPECT_EQ(std::distance(fs::directory_iterator(dir()), fs::directory_iterator()), 1);
    const auto read = loadTrace(dir());
    ASSERT_TRUE(read);
    EXPECT_TRUE(read->layers[0].bytes.empty());
    EXPECT_FALSE(read->layers[0].hasBytes());
    EXPECT_EQ(read->layers[0].byteCount, 4u);
    EXPECT_EQ(read->layers[0].sha256, kDigest4);
    EXPECT_EQ(test::readJson(dir() / "trace.json")["layers"][0]["file"], nullptr);
}

TEST_F(TraceIo, ourTraceIsReplaced) {
    ASSERT_TRUE(writeTrace(dir(), sampleTrace()));
    ASSERT_TRUE(writeTrace(dir(), sampleTrace(), true));
    EXPECT_EQ(std::distance(fs::directory_iterator(dir()), fs::directory_iterator()), 1);
    ASSERT_TRUE(writeTrace(dir(), sampleTrace()));
    EXPECT_EQ(std::distance(fs::directory_iterator(dir()), fs::directory_iterator()), 3);
}

TEST_F(TraceIo, copyOfAForeignTraceIsMarkedAsOurs) {
    Trace trace = sampleTrace();
    trace.producer = "other tool";
    ASSERT_TRUE(writeTrace(dir(), trace));
    EXPECT_EQ(test::readJson(dir() / "trace.json")["producer"], "plumbline: other tool");
    EXPECT_TRUE(writeTrace(dir(), trace));
}

TEST_F(TraceIo, foreignDirectoriesAreRefused) {
    const auto expectForeign = [&](const std::string& what) {
        const Status status = writeTrace(dir(), sampleTrace());
        ASSERT_FALSE(status) << what;
        EXPECT_EQ(status.diagnostics()[0].code, Code::ForeignDirectory) << what;
    };
    put("a.bin", m_bytes);
    expectForeign("no trace.json");
    putIndex();
    expectForeign("another producer");
    put("trace.json", std::string("{\"producer\": \"plumbline"));
    expectForeign("damaged trace.json");
    fs::remove_all(dir());
    ASSERT_TRUE(writeTrace(dir(), sampleTrace()));
    put("notes.txt", std::string("precious"));
    expectForeign("a file beside ours");
    fs::remove(dir() / "notes.txt");
    fs::create_directory(dir() / "sub");
    expectForeign("a directory beside ours");
    fs::remove(dir() / "sub");
    EXPECT_TRUE(writeTrace(dir(), sampleTrace()));
}

TEST_F(TraceIo, fullDiskKeepsTheOldTrace) {
    ASSERT_TRUE(writeTrace(dir(), sampleTrace(), true));
    const Status status = [&] {
        const test::FileSizeLimit limit(2);
        return writeTrace(dir(), sampleTrace());
    }();
    ASSERT_FALSE(status);
    EXPECT_EQ(status.diagnostics()[0].code, Code::FileUnwritable);
    EXPECT_TRUE(loadTrace(dir()));
}

TEST_F(TraceIo, foreignTraceIsRead) {
    put("a.bin", m_bytes);
    layer()["record"] = 3; // other tools may say more
    putIndex();
    const auto trace = loadTrace(dir());
    ASSERT_TRUE(trace) << trace.diagnostics()[0].message;
    EXPECT_EQ(trace->layers[0].bytes, m_bytes);
    EXPECT_EQ(trace->layers[0].scale, 0.1);
    EXPECT_EQ(trace->layers[0].zeroPoint, -3);
    EXPECT_TRUE(loadTrace(dir() / "trace.json"));
}

TEST_F(TraceIo, optionalKeysMayBeAbsent) {
    m_index = {{"producer", "x"},
               {"layers",
                {{{"operator", 7}, {"shape", json::array()}, {"bytes", 1}, {"sha256", kDigest1}}}}};
    putIndex();
    const auto trace = loadTrace(dir());
    ASSERT_TRUE(trace) << trace.diagnostics()[0].message;
    EXPECT_EQ(trace->layers[0].operatorIndex, 7);
    EXPECT_FALSE(trace->layers[0].scale.has_value());
}

TEST_F(TraceIo, filesInSubdirectoriesAreRead) {
    put("tensors/a.bin", m_bytes);
    layer()["file"] = "tensors/./a.bin";
    putIndex();
    EXPECT_TRUE(loadTrace(dir()));
}

TEST_F(TraceIo, linkInsideTheDirectoryIsRead) {
    put("b.bin", m_bytes);
    fs::create_symlink("b.bin", dir() / "a.bin");
    putIndex();
    EXPECT_TRUE(loadTrace(dir()));
}

TEST_F(TraceIo, traceWithoutLayersIsRead) {
    m_index["layers"] = json::array();
    putIndex();
    const auto trace = loadTrace(dir());
    ASSERT_TRUE(trace);
    EXPECT_TRUE(trace->layers.empty());
}

struct BadEntry {
    const char* name;
    const char* key; ///< of the layer; null: of the whole
    json value;      ///< discarded: the key is removed
    const char* part;
    const char* words;
};

class TraceIoBadEntry : public TraceIo, public testing::WithParamInterface<BadEntry> {};

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
        BadEntry{"shape_negative", "shape", {1, -2, -2}, "layers[0].shape[1]", "found -2"},
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

TEST_F(TraceIo, fileLongerThanStatedIsReported) {
    put("a.bin", Bytes(5));
    expectBadIndex("layers[0].bytes", "4 bytes stated, the file \"a.bin\" has more");
}

TEST_F(TraceIo, linkOutOfTheDirectoryIsRefused) {
    std::ofstream(m_directory.path() / "secret") << "abcd";
    fs::create_directory(dir());
    fs::create_symlink(m_directory.path() / "secret", dir() / "a.bin");
    expectBadIndex("layers[0].file", "leads out");
}

TEST_F(TraceIo, linkedDirectoryOutOfTheDirectoryIsRefused) {
    fs::create_directory(m_directory.path() / "trace2"); // shares the name's start
    std::ofstream(m_directory.path() / "trace2" / "a.bin") << "abcd";
    fs::create_directory(dir());
    fs::create_directory_symlink(m_directory.path() / "trace2", dir() / "sub");
    layer()["file"] = "sub/a.bin";
    expectBadIndex("layers[0].file", "leads out");
}

TEST_F(TraceIo, pipeAsTensorFileIsRefusedWithoutWaiting) {
    fs::create_directory(dir());
    ASSERT_EQ(::mkfifo((dir() / "a.bin").c_str(), 0600), 0);
    expectBadIndex("layers[0].file", "not a regular file");
}

TEST_F(TraceIo, repeatedOperatorIsReported) {
    put("a.bin", m_bytes);
    m_index["layers"].push_back(layer());
    expectBadIndex("layers[1].operator", "more than one layer");
}

TEST_F(TraceIo, sumOfSizesIsLimitedBeforeReading) {
    layer()["bytes"] = 1 << 30;
    layer()["shape"] = {1 << 30};
    m_index["layers"].push_back(layer());
    layer(1)["operator"] = 1;
    expectBadIndex("layers[1].bytes", "1073741824 bytes in all");
}

TEST_F(TraceIo, layerCountIsLimited) {
    m_index["layers"] = std::vector<int>(100'001, 0);
    expectBadIndex("layers", "at most 100000");
}

TEST_F(TraceIo, allProblemsAreReported) {
    layer()["name"] = 1;
    layer()["scale"] = "x";
    putIndex();
    expectBad(dir() / "trace.json", "layers[0].name", "a string", 2);
}

TEST_F(TraceIo, textThatIsNoJsonIsReported) {
    put("trace.json", std::string("{"));
    expectBad(dir() / "trace.json", "", "not valid JSON");
    put("trace.json", std::string(100'000, '['));
    expectBad(dir() / "trace.json", "", "100000 levels");
    put("trace.json", std::string("[]"));
    EXPECT_FALSE(loadTrace(dir()));
}

TEST_F(TraceIo, indexThatIsNoRegularFileIsReported) {
    fs::create_directories(dir() / "trace.json");
    expectBad(dir() / "trace.json", "", "not a regular file");
    fs::remove(dir() / "trace.json");
    fs::create_symlink("nowhere", dir() / "trace.json");
    expectBad(dir() / "trace.json", "", "not a regular file");
}

TEST_F(TraceIo, whatIsNoDirectoryIsReported) {
    expectBad(dir(), "", "No such file or directory");
    std::ofstream(m_directory.path() / "trace") << "text";
    expectBad(dir(), "", "A trace is a directory");
}

// ---- Plain directories

TEST_F(TraceIo, numberedFilesAreLayersInNumericOrder) {
    put("model2_layer_010.bin", Bytes{1, 2, 3});
    put("layer_9.bin", m_bytes);
    put("out-0011.npy", writeNpy(m_bytes, std::vector<std::int64_t>{1, 1, 2, 2}));
    put("dense_12.npy", writeNpy(m_bytes, std::vector<std::int64_t>{1, 4}));
    put("weights.bin", Bytes(7)); // no number
    put("layer_3.txt", Bytes(7)); // not a tensor file
    fs::create_directory(dir() / "layer_4.bin");
    const auto trace = loadTrace(dir());
    ASSERT_TRUE(trace) << trace.diagnostics()[0].message;
    ASSERT_EQ(trace->layers.size(), 4u);
    EXPECT_EQ(trace->layers[0].operatorIndex, 9);
    EXPECT_EQ(trace->layers[0].shape, std::vector<std::int64_t>{4});
    EXPECT_EQ(trace->layers[0].sha256, kDigest4);
    EXPECT_EQ(trace->layers[1].operatorIndex, 10);
    EXPECT_EQ(trace->layers[1].bytes, (Bytes{1, 2, 3}));
    EXPECT_EQ(trace->layers[2].operatorIndex, 11);
    EXPECT_EQ(trace->layers[2].shape, (std::vector<std::int64_t>{1, 2, 2}));
    EXPECT_EQ(trace->layers[2].bytes, m_bytes);
    EXPECT_EQ(trace->layers[3].shape, (std::vector<std::int64_t>{1, 1, 4}));
    EXPECT_NE(trace->producer.find(dir().string()), std::string::npos);
}

TEST_F(TraceIo, twoFilesOfOneNumberAreReported) {
    put("layer_7.bin", m_bytes);
    put("layer_007.npy", writeNpy(m_bytes, std::vector<std::int64_t>{4}));
    expectBad(dir() / "layer_7.bin", "", "layer_007.npy and layer_7.bin both have the number 7");
}

TEST_F(TraceIo, plainDirectoryWithoutNumbersIsReported) {
    put("weights.bin", m_bytes);
    put("huge_99999999999999999999999.bin", m_bytes);
    expectBad(dir(), "", "no trace.json and no numbered");
}

TEST_F(TraceIo, damagedNpyInPlainDirectoryIsReported) {
    put("layer_0.npy", Bytes(10));
    put("layer_1.bin", m_bytes);
    expectBad(dir() / "layer_0.npy", "", "0x93 NUMPY");
}

TEST_F(TraceIo, npyOfAnotherTypeInPlainDirectoryIsReported) {
    Bytes file = writeNpy(m_bytes, std::vector<std::int64_t>{4});
    std::replace(file.begin(), file.end(), std::uint8_t{'i'}, std::uint8_t{'u'});
    std::string text(file.begin(), file.end());
    text.replace(text.find("fortran_order"), 13, "fortran_order");
    put("layer_0.npy", text);
    expectBad(dir() / "layer_0.npy", "", "int8 (|i1) expected, the file has |u1");
}

TEST_F(TraceIo, goldenLayersOfARealModelAreRead) {
    SKIP_WITHOUT_SHARED_DATA();
    const fs::path golden = *test::sharedData() / "golden" / "models" / "kws" / "rand";
    const auto trace = loadTrace(golden);
    ASSERT_TRUE(trace) << trace.diagnostics()[0].message;
    const json expected = test::readJson(golden / "layers.json")["layers"];
    std::size_t checked = 0;
    for (const json& entry : expected) {
        const TraceLayer* layer = trace->layerOf(entry["operator"].get<std::int64_t>());
        if (entry["file"].is_null())
            continue;
        ASSERT_NE(layer, nullptr);
        EXPECT_EQ(layer->sha256, entry["sha256"]);
        EXPECT_EQ(layer->byteCount, entry["bytes"]);
        ++checked;
    }
    EXPECT_EQ(checked, trace->layers.size());
    EXPECT_GT(checked, 0u);
}

} // namespace
} // namespace plumbline
