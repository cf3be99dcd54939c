// SPDX-License-Identifier: GPL-3.0-or-later
// References from disk: packages, traces, folders of dumps and of arena images, and what is wrong
// with them.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "core/artifacts/trace_io.h"
#include "core/base/file.h"
#include "tests/core/compare/reference_folder.h"
#include "tests/support/sample_package.h"

namespace plumbline {
namespace {

namespace fs = std::filesystem;
using test::kArenaBytes;
using test::matchText;
using test::ReferenceFolder;
using test::someBytes;

std::string textOf(const Result<Reference>& reference) {
    if (reference)
        return matchText(*reference);
    std::string text;
    for (const Diagnostic& diagnostic : reference.diagnostics())
        text += std::string(codeInfo(diagnostic.code).name) + " " + diagnostic.message + "\n";
    return text;
}

// ---- Dumps

TEST(ReferenceFiles, numberedDumps) {
    const ReferenceFolder folder;
    folder.add("layer_000.bin", someBytes(1, 40));
    folder.addNpy("run2_3.npy", someBytes(2, 12), {1, 12});
    folder.add("notes.txt", someBytes(3, 12));
    folder.add(".hidden_1.bin", someBytes(3, 40));
    fs::create_directory(folder.path() / "1.bin");
    const auto found = folder.load();
    EXPECT_EQ(textOf(found), "layer_000.bin index 0\nrun2_3.npy index 3\n");
    EXPECT_EQ(found->name, "dumps in dumps");
    EXPECT_EQ(found->trace.layerOf(0)->bytes, someBytes(1, 40));
    EXPECT_EQ(found->trace.layerOf(3)->bytes, someBytes(2, 12));
    EXPECT_EQ(found->trace.layerOf(3)->sha256.size(), 64U);
}

TEST(ReferenceFiles, namedDumps) {
    const ReferenceFolder folder;
    folder.add("dense.bin", someBytes(1, 12));
    folder.add("net_conv2d_9_Relu_bias.bin", someBytes(2, 40));
    folder.add("unknown.bin", someBytes(3, 7));
    EXPECT_EQ(textOf(folder.load()), "dense.bin name 3\nnet_conv2d_9_Relu_bias.bin name 1\n"
                                     "unknown.bin size 5\n");
}

TEST(ReferenceFiles, aFolderHasItsNameHoweverItIsCalled) {
    const ReferenceFolder folder;
    folder.add("0.bin", someBytes(1, 40));
    fs::create_directory(folder.path() / "x");
    const fs::path before = fs::current_path();
    const auto nameFrom = [&](const fs::path& place, const char* path) {
        fs::current_path(place);
        const auto found = loadReference(path, test::fewLayers(), kArenaBytes);
        fs::current_path(before);
        return found ? found->name : std::string();
    };
    for (const char* path : {".", "./", "./x/..", "x/../", "../dumps", "../dumps/."})
        EXPECT_EQ(nameFrom(folder.path(), path), "dumps in dumps") << path;
    for (const char* path : {"..", "../", "./.."})
        EXPECT_EQ(nameFrom(folder.path() / "x", path), "dumps in dumps") << path;
}

TEST(ReferenceFiles, digitsOfATensorNameAreNoNumber) {
    const ReferenceFolder folder;
    folder.add("Identity_3.bin", someBytes(1, 12)); // operator 3 has 12 bytes too
    folder.add("001_net_conv2d_9_Relu_bias.bin", someBytes(2, 40));
    folder.add("dense-3.bin", someBytes(3, 12));
    folder.add("x_net_conv2d_Relu.bin", someBytes(4, 40));
    EXPECT_EQ(textOf(folder.load()), "001_net_conv2d_9_Relu_bias.bin index 1\n"
                                     "Identity_3.bin name 4\n"
                                     "dense-3.bin index 3\n"
                                     "x_net_conv2d_Relu.bin name 0\n");
}

TEST(ReferenceFiles, aPlainNumberIsAnOperatorWhateverTensorsAreCalled) {
    const ReferenceFolder folder;
    folder.add("layer_3.bin", someBytes(1, 12));
    std::vector<LayerIdentity> layers = test::fewLayers();
    layers[3].tensorName = "3"; // of operator 4
    EXPECT_EQ(textOf(loadReference(folder.path(), layers, kArenaBytes)), "layer_3.bin index 3\n");
}

TEST(ReferenceFiles, numberAndNameMayDisagree) {
    const ReferenceFolder folder;
    folder.add("4_dense.bin", someBytes(1, 12));
    folder.add("5_dense.bin", someBytes(2, 12));
    EXPECT_EQ(textOf(folder.load()),
              "4_dense.bin index 4: its name is that of operator 3's output\n"
              "5_dense.bin name 3: operator 5 makes 7 bytes, this has 12\n");
}

TEST(ReferenceFiles, theFirstOfTwoFilesWins) {
    const ReferenceFolder folder;
    folder.add("a_3.bin", someBytes(1, 12));
    folder.add("b_3.bin", someBytes(2, 12));
    const auto found = folder.load();
    EXPECT_EQ(textOf(found), "a_3.bin index 3\n"
                             "b_3.bin none: operator 3 is matched already, with a_3.bin\n");
    EXPECT_EQ(found->trace.layerOf(3)->bytes, someBytes(1, 12));
}

TEST(ReferenceFiles, numbersBeyondAnyOperatorAreNone) {
    const ReferenceFolder folder;
    folder.add("99999999999999999999.bin", someBytes(1, 7));
    EXPECT_EQ(textOf(folder.load()), "99999999999999999999.bin size 5\n");
}

TEST(ReferenceFiles, arraysOfOtherTypesAreNotTaken) {
    const ReferenceFolder folder;
    Bytes file = writeNpy(someBytes(1, 12), std::vector<std::int64_t>{12});
    const std::string_view type = "|i1";
    const auto at = std::search(file.begin(), file.end(), type.begin(), type.end());
    ASSERT_NE(at, file.end());
    at[1] = 'u';
    folder.add("3.npy", file);
    folder.add("4.bin", someBytes(2, 12));
    EXPECT_EQ(textOf(folder.load()), "3.npy none: int8 (|i1) expected, the file has |u1\n"
                                     "4.bin index 4\n");
}

TEST(ReferenceFiles, damagedArraysAreAnError) {
    const ReferenceFolder folder;
    folder.add("0.bin", someBytes(1, 40));
    folder.add("3.npy", someBytes(1, 12));
    const auto found = folder.load();
    ASSERT_FALSE(found);
    EXPECT_EQ(found.diagnostics()[0].code, Code::BadTrace);
    EXPECT_EQ(found.diagnostics()[0].where.file, (folder.path() / "3.npy").string());
}

TEST(ReferenceFiles, moreBytesThanTheLimitAreAnError) {
    const ReferenceFolder folder;
    folder.add("0.bin", {});
    fs::resize_file(folder.path() / "0.bin", kMaxFileBytes + 1); // sparse
    const auto found = folder.load();
    ASSERT_FALSE(found);
    EXPECT_EQ(found.diagnostics()[0].code, Code::BadTrace);
}

TEST(ReferenceFiles, randomFoldersGiveMatchesOrErrors) {
    SplitMix64 random(3);
    const std::vector<std::string> parts{"0",    "3",          "17", "dense", "net_conv2d_Relu",
                                         "_",    "-",          ".",  " ",     "x",
                                         "last", "Identity_3", "é",  "00000", "99999999999"};
    const std::vector<std::size_t> sizes{0, 7, 12, 40, kArenaBytes};
    std::size_t loaded = 0;
    for (int round = 0; round < 150; ++round) {
        const ReferenceFolder folder;
        std::set<std::string> names;
        for (std::uint64_t i = random.below(6); i > 0; --i) {
            std::string name = "f";
            for (std::uint64_t k = random.below(5); k > 0; --k)
                name += parts[random.below(parts.size())];
            name += random.below(30) == 0 ? ".npy" : ".bin"; // never a valid array
            names.insert(name);
            folder.add(name, someBytes(random.next(), sizes[random.below(sizes.size())]));
        }
        const auto found = folder.load();
        if (!found) {
            EXPECT_EQ(found.diagnostics().at(0).code, Code::BadTrace);
            continue;
        }
        ++loaded;
        EXPECT_FALSE(found->trace.layers.empty());
        std::set<std::string> seen;
        for (const LayerMatch& match : found->matches)
            EXPECT_TRUE(seen.insert(match.from).second);
        EXPECT_EQ(seen, names);
    }
    EXPECT_GT(loaded, 50U);
}

// ---- Nothing to be had

TEST(ReferenceFiles, whatIsNoReference) {
    const ReferenceFolder folder;
    EXPECT_EQ(textOf(folder.load()),
              "BadTrace There is no trace.json, no npu.json and no .bin or .npy file.\n");
    const auto missing = loadReference(folder.path() / "no", test::fewLayers(), kArenaBytes);
    EXPECT_EQ(textOf(missing), "FileUnreadable Cannot open the reference: No such file or "
                               "directory.\n");
    folder.add("0.bin", someBytes(1, 40));
    const auto file = loadReference(folder.path() / "0.bin", test::fewLayers(), kArenaBytes);
    EXPECT_EQ(textOf(file),
              "BadTrace A reference is a package, a trace or a folder; this is a file.\n");
}

TEST(ReferenceFiles, whereNothingMatchesTheReasonsAreSaid) {
    const ReferenceFolder folder;
    for (const char* name : {"a.bin", "b.bin", "c.bin", "d.bin"})
        folder.add(name, someBytes(1, 3));
    EXPECT_EQ(textOf(folder.load()),
              "BadTrace Nothing here matches a layer (a.bin: no layer that is left has 3 bytes; "
              "b.bin: no layer that is left has 3 bytes; c.bin: no layer that is left has 3 bytes; "
              "and so on).\n");
}

// ---- Arena images

/// Images of the arena after operators; the layer's bytes are where the plan puts them.
Bytes imageWith(const Bytes& layer, std::size_t offset, std::uint64_t seed) {
    Bytes image = someBytes(seed, kArenaBytes);
    std::copy(layer.begin(), layer.end(), image.begin() + static_cast<std::ptrdiff_t>(offset));
    return image;
}

TEST(ReferenceFiles, arenaImages) {
    const ReferenceFolder folder;
    folder.add("step_0.bin", imageWith(someBytes(1, 40), 0, 101));
    folder.add("step_1.bin", imageWith(someBytes(2, 40), 64, 102));
    folder.add("step_2.bin", someBytes(103, kArenaBytes));
    folder.addNpy("step_3.npy", imageWith(someBytes(3, 12), 128, 104), {192});
    folder.add("step_4.bin", someBytes(105, kArenaBytes));
    folder.add("step_5.bin", imageWith(someBytes(5, 7), 180, 106));
    folder.add("input.bin", someBytes(107, 20));
    const auto found = folder.load();
    EXPECT_EQ(textOf(found),
              "input.bin none: no number in its name says after which operator it was taken\n"
              "step_0.bin index 0\nstep_1.bin index 1\n"
              "step_2.bin none: there is no layer of operator 2\n"
              "step_3.npy index 3\n"
              "step_4.bin none: the output of operator 4 is not in the arena\n"
              "step_5.bin index 5\n");
    EXPECT_EQ(found->name, "arena images in dumps");
    EXPECT_EQ(found->trace.layers.size(), 4U);
    EXPECT_EQ(found->trace.layerOf(0)->bytes, someBytes(1, 40));
    EXPECT_EQ(found->trace.layerOf(1)->bytes, someBytes(2, 40));
    EXPECT_EQ(found->trace.layerOf(3)->bytes, someBytes(3, 12));
    EXPECT_EQ(found->trace.layerOf(5)->bytes, someBytes(5, 7));
}

TEST(ReferenceFiles, anOutputOutsideTheArenaIsNotRead) {
    const ReferenceFolder folder;
    folder.add("0.bin", someBytes(1, kArenaBytes));
    folder.add("5.bin", someBytes(2, kArenaBytes));
    std::vector<LayerIdentity> layers = test::fewLayers();
    for (const std::uint64_t offset :
         {std::uint64_t{186}, std::uint64_t{193}, ~std::uint64_t{0} - 3}) {
        layers[4].arenaOffset = offset;
        EXPECT_EQ(textOf(loadReference(folder.path(), layers, kArenaBytes)),
                  "0.bin index 0\n5.bin none: the output of operator 5 is not in the arena\n");
    }
    layers[4].arenaOffset = 185; // up to the last byte
    EXPECT_EQ(textOf(loadReference(folder.path(), layers, kArenaBytes)),
              "0.bin index 0\n5.bin index 5\n");
}

TEST(ReferenceFiles, oneFileOfAnotherSizeMakesThemDumps) {
    const ReferenceFolder folder;
    folder.add("0.bin", someBytes(1, kArenaBytes));
    folder.add("3.bin", someBytes(1, 12));
    EXPECT_EQ(folder.load()->name, "dumps in dumps");
}

TEST(ReferenceFiles, tensorsAsLargeAsTheArenaAreDumpsWhenAllFit) {
    const ReferenceFolder folder;
    folder.add("0.bin", someBytes(1, 40));
    folder.add("1.bin", someBytes(2, 40));
    const auto dumps = loadReference(folder.path(), test::fewLayers(), 40);
    ASSERT_TRUE(dumps);
    EXPECT_EQ(dumps->name, "dumps in dumps");
    EXPECT_EQ(dumps->trace.layerOf(1)->bytes, someBytes(2, 40));

    folder.add("3.bin", imageWith(someBytes(3, 12), 20, 9)); // its own layer has 12 bytes
    fs::resize_file(folder.path() / "3.bin", 40);
    std::vector<LayerIdentity> layers = test::fewLayers();
    layers[2].arenaOffset = 20;
    const auto images = loadReference(folder.path(), layers, 40);
    ASSERT_TRUE(images);
    EXPECT_EQ(images->name, "arena images in dumps");
    EXPECT_EQ(images->trace.layerOf(3)->bytes, someBytes(3, 12));
}

// ---- Traces and packages

class SampleReference : public testing::Test {
  protected:
    SampleReference()
        : m_job(jobOf(m_sample.lowering()))
        , m_run(npuP0Target().execute(m_job, seededBytes(1, m_job.inputBytes)))
        , m_layers(layerIdentities(m_sample.lowering())) {}

    Result<Reference> load(const fs::path& path) const {
        return loadReference(path, m_layers, m_job.arenaBytes);
    }
    void expectAllByIndex(const Result<Reference>& found, bool withBytes) const {
        ASSERT_TRUE(found) << textOf(found);
        ASSERT_EQ(found->trace.layers.size(), m_run.trace.layers.size());
        for (const TraceLayer& made : m_run.trace.layers) {
            const TraceLayer* layer = found->trace.layerOf(made.operatorIndex);
            ASSERT_NE(layer, nullptr);
            EXPECT_EQ(layer->sha256, made.sha256);
            EXPECT_EQ(layer->hasBytes(), withBytes);
            EXPECT_EQ(layer->shape, made.shape);
            EXPECT_EQ(found->matchOf(made.operatorIndex)->by, MatchedBy::Index);
            EXPECT_EQ(found->matchOf(made.operatorIndex)->note, "");
        }
    }

    test::SamplePackage m_sample;
    test::TemporaryDirectory m_folder;
    Job m_job;
    Execution m_run;
    std::vector<LayerIdentity> m_layers;
};

TEST_F(SampleReference, traceDirectories) {
    const fs::path path = m_folder.path() / "run";
    ASSERT_TRUE(writeTrace(path, m_run.trace));
    for (const fs::path& given : {path, path / "trace.json", fs::path(path.string() + "/")}) {
        const auto found = load(given);
        expectAllByIndex(found, true);
        EXPECT_EQ(found->name, "trace run");
    }
    ASSERT_TRUE(writeTrace(path, m_run.trace, true));
    expectAllByIndex(load(path), false);
    std::ofstream(path / "trace.json") << "{";
    EXPECT_EQ(load(path).diagnostics().at(0).code, Code::BadTrace);
}

TEST_F(SampleReference, packagesWithAndWithoutDigests) {
    const fs::path path = m_folder.path() / "package";
    ASSERT_TRUE(writePackage(path, m_sample.lowering(), "sample", &m_run.trace));
    const auto found = load(path);
    expectAllByIndex(found, false);
    EXPECT_EQ(found->name, "digests in npu.json");
    expectAllByIndex(load(path / "npu.json"), false);
    EXPECT_EQ(textOf(load(m_sample.path())), "BadTrace npu.json holds no reference digests.\n");
    std::ofstream(path / "npu.json") << "{";
    EXPECT_EQ(load(path).diagnostics().at(0).code, Code::BadManifest);
}

TEST_F(SampleReference, dumpsNamedLikeTensors) {
    const Graph& graph = m_sample.lowering().model->graphs[0];
    for (const TraceLayer& layer : m_run.trace.layers) {
        const auto op = static_cast<std::size_t>(layer.operatorIndex);
        const auto tensor = static_cast<std::size_t>(graph.operators[op].outputs[0]);
        std::string name = graph.tensors[tensor].name;
        for (char& c : name)
            c = std::isalnum(static_cast<unsigned char>(c)) ? c : '_';
        ASSERT_TRUE(writeFileAtomically(m_folder.path() / (name + ".bin"), ByteView(layer.bytes)));
    }
    const auto found = load(m_folder.path());
    ASSERT_TRUE(found) << textOf(found);
    ASSERT_EQ(found->trace.layers.size(), m_run.trace.layers.size());
    for (const TraceLayer& layer : m_run.trace.layers) {
        EXPECT_EQ(found->trace.layerOf(layer.operatorIndex)->bytes, layer.bytes);
        EXPECT_EQ(found->matchOf(layer.operatorIndex)->by, MatchedBy::Name);
    }
}

} // namespace
} // namespace plumbline
