// SPDX-License-Identifier: GPL-3.0-or-later
// plumb corpus: order, digests, accuracy and every way its inputs can be wrong.
#include <algorithm>
#include <filesystem>

#include <gtest/gtest.h>

#include "tests/app/plumb_process.h"

namespace plumbline::test {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

constexpr std::size_t kItem = 490;
constexpr std::size_t kInputs = 23;

class Corpus : public testing::Test {
  protected:
    std::string path(const std::string& name) const { return (m_directory.path() / name).string(); }
    Outcome corpus(std::vector<std::string> arguments) const {
        arguments.insert(arguments.begin(), {"corpus", m_model, "--json"});
        return plumb(arguments);
    }
    Outcome packed(std::vector<std::string> arguments) const {
        arguments.insert(arguments.begin(),
                         {"--inputs", m_inputs, "--item-bytes", std::to_string(kItem)});
        return corpus(arguments);
    }
    std::string textOf(const std::string& name) const {
        const Bytes bytes = readBytes(path(name));
        return {bytes.begin(), bytes.end()};
    }

    TemporaryDirectory m_directory;
    std::string m_model = sampleFile(m_directory.path(), "ds-cnn");
    Bytes m_bytes = splitMixBytes(5, kItem* kInputs);
    std::string m_inputs = writeFile(m_directory.path() / "inputs.bin", m_bytes);
};

TEST_F(Corpus, DigestsAreTheSameForAnyNumberOfJobsAndEveryEngine) {
    std::vector<std::string> files;
    for (const char* engine : {"executor", "reference", "plain"}) {
        for (const char* jobs : {"1", "2", "3", "16"}) {
            const std::string file = std::string(engine) + jobs + ".jsonl";
            const Outcome outcome =
                packed({"--jobs", jobs, "--engine", engine, "--digests", path(file)});
            ASSERT_EQ(outcome.exitCode, 0) << outcome.err;
            EXPECT_EQ(outcome.json().at("inputs"), kInputs);
            EXPECT_EQ(outcome.json().at("engine"), engine);
            EXPECT_EQ(outcome.json().at("faults"), 0);
            EXPECT_TRUE(outcome.json().at("correct").is_null());
            EXPECT_TRUE(outcome.json().at("accuracy").is_null());
            EXPECT_GT(outcome.json().at("seconds"), 0);
            EXPECT_GT(outcome.json().at("inputs_per_second"), 0);
            files.push_back(textOf(file));
        }
    }
    for (const std::string& file : files)
        EXPECT_EQ(file, files[0]);
    EXPECT_EQ(std::count(files[0].begin(), files[0].end(), '\n'), kInputs);
}

/// The output of plumb run for one item of the corpus.
json runOf(const std::string& model, const fs::path& directory, ByteView item) {
    const std::string input = writeFile(directory / "item.bin", item);
    return plumb({"run", model, "--input", input, "--json"}).json();
}

TEST_F(Corpus, EachLineIsWhatRunGives) {
    ASSERT_EQ(packed({"--digests", path("d.jsonl"), "--limit", "4"}).exitCode, 0);
    Outcome lines;
    lines.out = textOf("d.jsonl");
    const std::vector<json> digests = lines.jsonLines();
    ASSERT_EQ(digests.size(), 4U);
    for (std::size_t i = 0; i < digests.size(); ++i) {
        const json run =
            runOf(m_model, m_directory.path(), ByteView(m_bytes).subspan(i * kItem, kItem));
        EXPECT_EQ(digests[i].size(), 3U);
        EXPECT_EQ(digests[i].at("index"), i);
        ASSERT_EQ(digests[i].at("layers").size(), run.at("layers").size());
        for (std::size_t l = 0; l < run["layers"].size(); ++l) {
            EXPECT_EQ(digests[i]["layers"][l].at("operator"), run["layers"][l].at("operator"));
            EXPECT_EQ(digests[i]["layers"][l].at("sha256"), run["layers"][l].at("sha256"));
        }
        Bytes output;
        for (const json& value : run.at("output"))
            output.push_back(static_cast<std::uint8_t>(value.get<int>()));
        EXPECT_EQ(digests[i].at("output_hex"), toHex(output));
    }
}

/// The predicted classes: the first of the largest outputs.
std::vector<std::size_t> predictions(const std::vector<json>& digests) {
    std::vector<std::size_t> classes;
    for (const json& line : digests) {
        const Bytes output = fromHex(line.at("output_hex").get<std::string>()).value();
        std::size_t best = 0;
        for (std::size_t c = 1; c < output.size(); ++c) {
            if (static_cast<std::int8_t>(output[c]) > static_cast<std::int8_t>(output[best]))
                best = c;
        }
        classes.push_back(best);
    }
    return classes;
}

TEST_F(Corpus, AccuracyIsTheShareOfRightLabels) {
    ASSERT_EQ(packed({"--digests", path("d.jsonl")}).exitCode, 0);
    Outcome lines;
    lines.out = textOf("d.jsonl");
    const std::vector<std::size_t> classes = predictions(lines.jsonLines());
    std::string labels = "index,name,class\r\n";
    for (std::size_t i = classes.size(); i-- > 0;) { // any order; names may hold commas
        const std::size_t label = i < 9 ? classes[i] : (classes[i] + 1) % 12;
        labels += std::to_string(i) + ",a, b," + std::to_string(label) + "\r\n";
    }
    const std::string file = writeFile(m_directory.path() / "labels.csv", labels);
    const Outcome outcome = packed({"--labels", file});
    ASSERT_EQ(outcome.exitCode, 0) << outcome.err;
    EXPECT_EQ(outcome.json().at("correct"), 9);
    EXPECT_DOUBLE_EQ(outcome.json().at("accuracy").get<double>(), 9.0 / kInputs);
    const Outcome limited = packed({"--labels", file, "--limit", "10"});
    EXPECT_EQ(limited.json().at("inputs"), 10);
    EXPECT_EQ(limited.json().at("correct"), 9);
}

TEST_F(Corpus, DirectoryOfFilesIsReadInTheOrderOfNames) {
    fs::create_directory(path("files"));
    for (std::size_t i = 0; i < 3; ++i)
        writeFile(m_directory.path() / "files" / ("in_" + std::to_string(i) + ".bin"),
                  ByteView(m_bytes).subspan(i * kItem, kItem));
    writeFile(m_directory.path() / "files" / ".hidden", std::string("no input"));
    ASSERT_EQ(corpus({"--inputs", path("files"), "--digests", path("a.jsonl")}).exitCode, 0);
    ASSERT_EQ(packed({"--limit", "3", "--digests", path("b.jsonl")}).exitCode, 0);
    EXPECT_EQ(textOf("a.jsonl"), textOf("b.jsonl"));
    writeFile(m_directory.path() / "files" / "in_3.bin", Bytes(kItem + 1));
    const Outcome wrong = corpus({"--inputs", path("files"), "--digests", path("c.jsonl")});
    EXPECT_EQ(wrong.exitCode, 3);
    EXPECT_EQ(codesOf(wrong.json()), std::vector<std::string>{"PL-D001"});
    EXPECT_NE(wrong.err.find("in_3.bin"), std::string::npos);
    EXPECT_FALSE(fs::exists(path("c.jsonl")));
}

TEST_F(Corpus, FirstBadInputIsNamedForAnyNumberOfJobs) {
    fs::create_directory(path("files"));
    for (char name = 'a'; name <= 'p'; ++name) {
        const bool isBad = name == 'f' || name == 'h' || name == 'p';
        writeFile(m_directory.path() / "files" / std::string(1, name),
                  Bytes(isBad ? kItem - 1 : kItem));
    }
    for (const char* jobs : {"1", "2", "3", "16"}) {
        const Outcome outcome = corpus({"--inputs", path("files"), "--jobs", jobs});
        EXPECT_EQ(outcome.exitCode, 3);
        ASSERT_EQ(outcome.json().at("diagnostics").size(), 1U);
        EXPECT_EQ(outcome.json().at("diagnostics").at(0).at("file"), path("files/f")) << jobs;
    }
}

TEST_F(Corpus, PackageGivesWhatItsModelGives) {
    ASSERT_EQ(plumb({"compile", m_model, "-o", path("p0")}).exitCode, 0);
    ASSERT_EQ(packed({"--digests", path("a.jsonl")}).exitCode, 0);
    ASSERT_EQ(plumb({"corpus", path("p0"), "--inputs", m_inputs, "--item-bytes", "490", "--digests",
                     path("b.jsonl")})
                  .exitCode,
              0);
    EXPECT_EQ(textOf("a.jsonl"), textOf("b.jsonl"));
    for (const char* engine : {"reference", "plain"})
        EXPECT_EQ(plumb({"corpus", path("p0"), "--inputs", m_inputs, "--item-bytes", "490",
                         "--engine", engine})
                      .exitCode,
                  2);
}

TEST_F(Corpus, FaultsAreCountedAndExitOne) {
    const std::string model = goldenOnDisk(m_directory.path(), "faults/prefix/model.tflite");
    const Bytes input(goldenFile("faults/prefix/input.bin").begin(),
                      goldenFile("faults/prefix/input.bin").end());
    const std::string file = writeFile(m_directory.path() / "one.bin", input);
    for (const char* engine : {"executor", "reference", "plain"}) {
        const Outcome outcome =
            plumb({"corpus", model, "--inputs", file, "--item-bytes", std::to_string(input.size()),
                   "--digests", path("d.jsonl"), "--engine", engine, "--json"});
        EXPECT_EQ(outcome.exitCode, 1) << outcome.err;
        EXPECT_EQ(outcome.json().at("faults"), 1);
        const json line = json::parse(textOf("d.jsonl"));
        EXPECT_TRUE(line.at("output_hex").is_null());
        EXPECT_EQ(line.at("fault").at("code"), 7);
    }
}

TEST_F(Corpus, WrongInputs) {
    EXPECT_EQ(corpus({"--inputs", m_inputs}).exitCode, 2);
    const Outcome size = corpus({"--inputs", m_inputs, "--item-bytes", "489"});
    EXPECT_EQ(size.exitCode, 3);
    EXPECT_EQ(codesOf(size.json()), std::vector<std::string>{"PL-D001"});
    const std::string odd = writeFile(m_directory.path() / "odd.bin", Bytes(kItem + 1));
    const Outcome part = corpus({"--inputs", odd, "--item-bytes", "490"});
    EXPECT_EQ(part.exitCode, 3);
    EXPECT_EQ(codesOf(part.json()), std::vector<std::string>{"PL-D006"});
    const std::string empty = writeFile(m_directory.path() / "empty.bin", Bytes());
    EXPECT_EQ(corpus({"--inputs", empty, "--item-bytes", "490"}).exitCode, 3);
    EXPECT_EQ(corpus({"--inputs", path("missing"), "--item-bytes", "490"}).exitCode, 3);
    EXPECT_EQ(packed({"--digests", "/dev/full"}).exitCode, 4);
    EXPECT_EQ(packed({"--digests", "/proc/d.jsonl"}).exitCode, 4);
}

struct LabelRow {
    const char* name;
    std::string text;
};

class WrongLabels : public Corpus, public testing::WithParamInterface<LabelRow> {};

TEST_P(WrongLabels, AreRefused) {
    const std::string file = writeFile(m_directory.path() / "labels.csv", GetParam().text);
    const Outcome outcome = packed({"--labels", file, "--limit", "2"});
    EXPECT_EQ(outcome.exitCode, 3);
    EXPECT_EQ(codesOf(outcome.json()), std::vector<std::string>{"PL-D005"}) << outcome.err;
}

INSTANTIATE_TEST_SUITE_P(Rows, WrongLabels,
                         testing::Values(LabelRow{"empty", ""},
                                         LabelRow{"no_header", "0,a,1\n1,b,2\n"},
                                         LabelRow{"two_columns", "h\n0,1\n1,2\n"},
                                         LabelRow{"no_number", "h\n0,a,1\n1,b,x\n"},
                                         LabelRow{"negative", "h\n0,a,1\n1,b,-2\n"},
                                         LabelRow{"beyond_classes", "h\n0,a,1\n1,b,12\n"},
                                         LabelRow{"missing", "h\n0,a,1\n"},
                                         LabelRow{"repeated", "h\n0,a,1\n0,b,2\n1,c,3\n"}),
                         [](const auto& row) { return std::string(row.param.name); });

} // namespace
} // namespace plumbline::test
