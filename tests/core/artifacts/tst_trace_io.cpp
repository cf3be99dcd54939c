// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>

#include "core/artifacts/npy.h"
#include "tests/core/artifacts/trace_io_fixture.h"
#include "tests/core/base/file_size_limit.h"

namespace plumbline {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using test::kDigest1;
using test::kDigest4;
using test::TraceIo;

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
    *std::find(file.begin(), file.end(), 'i') = 'u'; // the first one stands in '|i1'
    put("layer_0.npy", file);
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
