// SPDX-License-Identifier: GPL-3.0-or-later
// plumb corpus --shard and plumb corpus-merge: the parts of any number of shards give what one run
// gives.
#include <algorithm>
#include <filesystem>
#include <sstream>

#include <gtest/gtest.h>

#include "tests/app/corpus_parts.h"

namespace plumbline::test {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

TEST_F(CorpusParts, AnyNumberOfShardsMergesToOneRun) {
    writeLabels();
    const Outcome one = corpus({"--labels", m_labels, "--digests", path("one.jsonl")});
    ASSERT_EQ(one.exitCode, 0) << one.err;
    ASSERT_EQ(one.json().at("correct"), kRight);
    for (const std::size_t shards : {1U, 2U, 3U, 7U, 22U, 23U, 40U}) {
        const std::vector<std::string> parts =
            runShards(shards, {"--labels", m_labels, "--jobs", "2"}, true);
        Outcome merged = merge(parts, {"--digests", path("merged.jsonl")});
        ASSERT_EQ(merged.exitCode, 0) << merged.err;
        EXPECT_EQ(readBytes(path("merged.jsonl")), readBytes(path("one.jsonl"))) << shards;
        EXPECT_EQ(timeless(merged.json()), timeless(one.json())) << shards;
        double seconds = 0;
        for (const std::string& part : parts)
            seconds += readJson(part).at("seconds").get<double>();
        EXPECT_DOUBLE_EQ(merged.json().at("seconds").get<double>(), seconds);
        EXPECT_DOUBLE_EQ(merged.json().at("inputs_per_second").get<double>(), kInputs / seconds);
    }
}

TEST_F(CorpusParts, OrderOfThePartsDoesNotMatter) {
    std::vector<std::string> parts = runShards(5, {}, true);
    ASSERT_EQ(corpus({"--digests", path("one.jsonl")}).exitCode, 0);
    SplitMix64 random(3);
    for (int i = 0; i < 4; ++i) {
        for (std::size_t k = parts.size(); k > 1; --k)
            std::swap(parts[k - 1], parts[random.below(k)]);
        ASSERT_EQ(merge(parts, {"--digests", path("merged.jsonl")}).exitCode, 0);
        EXPECT_EQ(readBytes(path("merged.jsonl")), readBytes(path("one.jsonl")));
    }
}

TEST_F(CorpusParts, ShardsFollowOneAnotherAndDifferByOneAtMost) {
    for (const std::size_t shards : {1U, 4U, 23U, 30U}) {
        std::size_t next = 0;
        for (const std::string& file : runShards(shards, {}, false)) {
            const json part = readJson(file);
            EXPECT_EQ(part.at("first"), next);
            const auto count = part.at("inputs").get<std::size_t>();
            EXPECT_GE(count, kInputs / shards);
            EXPECT_LE(count, (kInputs + shards - 1) / shards);
            const Bytes own(m_bytes.begin() + static_cast<std::ptrdiff_t>(next * kItem),
                            m_bytes.begin() + static_cast<std::ptrdiff_t>((next + count) * kItem));
            EXPECT_EQ(part.at("inputs_sha256"), sha256Hex(own));
            next += count;
        }
        EXPECT_EQ(next, kInputs);
    }
}

TEST_F(CorpusParts, ShardSaysWhatItRan) {
    const Outcome outcome =
        plumb({"corpus", m_model, "--inputs", m_inputs, "--item-bytes", "490", "--shard", "2/4",
               "--part", path("p.json"), "--digests", path("d.jsonl")});
    ASSERT_EQ(outcome.exitCode, 0) << outcome.err;
    EXPECT_NE(outcome.out.find(m_inputs + ", 6 inputs"), std::string::npos) << outcome.out;
    EXPECT_NE(outcome.out.find("2 of 4, " + path("p.json")), std::string::npos) << outcome.out;
    Outcome lines;
    const Bytes text = readBytes(path("d.jsonl"));
    lines.out.assign(text.begin(), text.end());
    std::vector<std::size_t> indices;
    for (const json& line : lines.jsonLines())
        indices.push_back(line.at("index"));
    EXPECT_EQ(indices, (std::vector<std::size_t>{6, 7, 8, 9, 10, 11})); // 6, 6, 6 and 5 of 23
    const json digests = readJson(path("p.json")).at("digests");
    EXPECT_EQ(digests.at("file"), "d.jsonl");
    EXPECT_EQ(digests.at("bytes"), text.size());
    EXPECT_EQ(digests.at("sha256"), sha256Hex(text));
}

TEST_F(CorpusParts, TextIsLikeThatOfOneRun) {
    writeLabels();
    std::vector<std::string> arguments{"corpus-merge", "--digests", path("m.jsonl")};
    for (const std::string& part : runShards(3, {"--labels", m_labels}, true))
        arguments.push_back(part);
    const Outcome merged = plumb(arguments);
    const Outcome one = plumb({"corpus", m_model, "--inputs", m_inputs, "--item-bytes", "490",
                               "--labels", m_labels, "--jobs", "3", "--digests", path("m.jsonl")});
    std::istringstream mergedLines(merged.out);
    std::istringstream oneLines(one.out);
    std::string line;
    std::string other;
    while (std::getline(oneLines, line)) {
        ASSERT_TRUE(std::getline(mergedLines, other)) << line;
        if (line.starts_with("Engine"))
            line = line.substr(0, line.find(',')) + ", 3 parts";
        if (line.starts_with("Time"))
            other = line;
        EXPECT_EQ(other, line);
    }
    EXPECT_FALSE(std::getline(mergedLines, other)) << other;
}

TEST_F(CorpusParts, LimitDirectoryPackageAndReference) {
    fs::create_directory(path("files"));
    for (std::size_t i = 0; i < kInputs; ++i)
        writeFile(m_directory.path() / "files" / std::string(1, static_cast<char>('a' + i)),
                  ByteView(m_bytes).subspan(i * kItem, kItem));
    ASSERT_EQ(plumb({"compile", m_model, "-o", path("p0")}).exitCode, 0);
    ASSERT_EQ(corpus({"--limit", "10", "--digests", path("one.jsonl")}).exitCode, 0);
    struct Row {
        std::string subject;
        std::vector<std::string> options;
    };
    const Row rows[] = {
        {m_model, {"--inputs", m_inputs, "--item-bytes", "490"}},
        {m_model, {"--inputs", path("files")}},
        {path("p0"), {"--inputs", m_inputs, "--item-bytes", "490"}},
        {m_model, {"--inputs", m_inputs, "--item-bytes", "490", "--engine", "reference"}}};
    for (const Row& row : rows) {
        std::vector<std::string> parts;
        for (const char* shard : {"1/3", "2/3", "3/3"}) {
            parts.push_back(path(std::string("p") + shard[0] + ".json"));
            std::vector<std::string> arguments{
                "corpus",    row.subject,
                "--limit",   "10",
                "--shard",   shard,
                "--part",    parts.back(),
                "--digests", path(std::string("p") + shard[0] + ".jsonl")};
            arguments.insert(arguments.end(), row.options.begin(), row.options.end());
            const Outcome shardRun = plumb(arguments);
            ASSERT_EQ(shardRun.exitCode, 0) << shardRun.err;
        }
        const Outcome merged = merge(parts, {"--digests", path("m.jsonl")});
        ASSERT_EQ(merged.exitCode, 0) << merged.err;
        EXPECT_EQ(merged.json().at("inputs"), 10);
        EXPECT_EQ(readBytes(path("m.jsonl")), readBytes(path("one.jsonl")));
        EXPECT_EQ(merge(parts, {"--inputs", row.options[1]}).exitCode, 0);
    }
}

TEST_F(CorpusParts, FaultsAreThoseOfOneRun) {
    const std::string model = goldenOnDisk(m_directory.path(), "faults/prefix/model.tflite");
    const ByteView faulting = goldenFile("faults/prefix/input.bin");
    Bytes inputs(faulting.begin(), faulting.end());
    inputs.resize(4 * faulting.size()); // three of zeros behind it
    const std::string file = writeFile(m_directory.path() / "four.bin", inputs);
    const std::vector<std::string> run{"corpus", model,          "--inputs",
                                       file,     "--item-bytes", std::to_string(faulting.size()),
                                       "--json", "--digests"};
    std::vector<std::string> arguments = run;
    arguments.push_back(path("one.jsonl"));
    const Outcome one = plumb(arguments);
    ASSERT_EQ(one.exitCode, 1) << one.err;
    ASSERT_GE(one.json().at("faults"), 1);
    std::vector<std::string> parts;
    for (const char* shard : {"1/2", "2/2"}) {
        arguments = run;
        parts.push_back(path(std::string("f") + shard[0] + ".json"));
        for (const std::string& more :
             {path(std::string("f") + shard[0] + ".jsonl"), std::string("--shard"),
              std::string(shard), std::string("--part"), parts.back()})
            arguments.push_back(more);
        const Outcome part = plumb(arguments);
        EXPECT_EQ(part.exitCode, part.json().at("faults") == 0 ? 0 : 1) << part.err;
    }
    const Outcome merged = merge(parts, {"--digests", path("merged.jsonl")});
    EXPECT_EQ(merged.exitCode, 1) << merged.err;
    EXPECT_EQ(timeless(merged.json()), timeless(one.json()));
    EXPECT_EQ(readBytes(path("merged.jsonl")), readBytes(path("one.jsonl")));
}

TEST_F(CorpusParts, PartsAndDigestLinesMayMoveTogether) {
    fs::create_directory(path("there"));
    fs::create_directory(path("there/digests"));
    std::vector<std::string> parts;
    for (const char* shard : {"1/2", "2/2"}) {
        const std::string name(1, shard[0]);
        ASSERT_EQ(corpus({"--shard", shard, "--part", path("there/" + name + ".json"), "--digests",
                          path("there/digests/" + name + ".jsonl")})
                      .exitCode,
                  0);
        parts.push_back(path("elsewhere/" + name + ".json"));
    }
    fs::rename(path("there"), path("elsewhere"));
    EXPECT_EQ(merge(parts, {"--digests", path("merged.jsonl")}).exitCode, 0);
    ASSERT_EQ(corpus({"--digests", path("one.jsonl")}).exitCode, 0);
    EXPECT_EQ(readBytes(path("merged.jsonl")), readBytes(path("one.jsonl")));
}

TEST(KwsCorpusParts, EightShardsGive901Of1000) {
    SKIP_WITHOUT_SHARED_DATA();
    const TemporaryDirectory directory;
    const auto path = [&](const std::string& name) { return (directory.path() / name).string(); };
    const fs::path models = *sharedData() / "models";
    const std::vector<std::string> run{"corpus",       (models / "kws.tflite").string(),
                                       "--inputs",     (models / "kws01.bin").string(),
                                       "--item-bytes", "490",
                                       "--labels",     (models / "kws01_labels.csv").string(),
                                       "--json",       "--digests"};
    std::vector<std::string> arguments = run;
    arguments.push_back(path("one.jsonl"));
    const Outcome one = plumb(arguments);
    ASSERT_EQ(one.exitCode, 0) << one.err;
    std::vector<std::string> parts{"corpus-merge", "--json",
                                   "--digests",    path("merged.jsonl"),
                                   "--inputs",     (models / "kws01.bin").string()};
    for (int i = 1; i <= 8; ++i) {
        const std::string name = std::to_string(i);
        parts.push_back(path(name + ".json"));
        arguments = run;
        arguments.insert(arguments.end(),
                         {path(name + ".jsonl"), "--part", parts.back(), "--shard", name + "/8"});
        const Outcome part = plumb(arguments);
        ASSERT_EQ(part.exitCode, 0) << part.err;
        EXPECT_EQ(part.json().at("inputs"), 125);
    }
    const Outcome merged = plumb(parts);
    ASSERT_EQ(merged.exitCode, 0) << merged.err;
    EXPECT_EQ(merged.json().at("correct"), 901);
    EXPECT_EQ(merged.json().at("inputs"), 1000);
    EXPECT_EQ(timeless(merged.json()), timeless(one.json()));
    EXPECT_EQ(readBytes(path("merged.jsonl")), readBytes(path("one.jsonl")));
}

} // namespace
} // namespace plumbline::test
