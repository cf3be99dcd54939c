// SPDX-License-Identifier: GPL-3.0-or-later
// plumb corpus-merge refuses whatever is not all the shards of one run.
#include <filesystem>

#include <gtest/gtest.h>

#include "tests/app/corpus_parts.h"

namespace plumbline::test {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

/// The first diagnostic of a failure object.
json diagnosticOf(const Outcome& outcome) { return outcome.json().at("diagnostics").at(0); }

/// The part file with changed values and the digest that goes with them.
void resign(const std::string& file, json part) {
    part.erase("sha256");
    const std::string text = part.dump();
    part["sha256"] = sha256Hex(Bytes(text.begin(), text.end()));
    writeFile(file, part.dump());
}

class CorpusMerge : public CorpusParts {
  protected:
    /// Parts 1/2 and 2/2 in a.json and b.json, the second with arguments of its own.
    Outcome second(std::vector<std::string> arguments) const {
        arguments.insert(arguments.begin(), "corpus");
        arguments.insert(arguments.end(), {"--part", path("b.json")});
        return plumb(arguments);
    }
    /// One of two shards with everything that a part can have.
    std::vector<std::string> usual(const std::string& shard) const {
        return {m_model,  "--inputs",  m_inputs,        "--item-bytes", "490", "--labels",
                m_labels, "--digests", path("b.jsonl"), "--shard",      shard};
    }
    void SetUp() override {
        writeLabels();
        for (const char* name : {"a", "b"}) {
            const std::string shard = name == std::string("a") ? "1/2" : "2/2";
            const Outcome made = corpus({"--labels", m_labels, "--shard", shard, "--part",
                                         path(name + std::string(".json")), "--digests",
                                         path(name + std::string(".jsonl"))});
            ASSERT_EQ(made.exitCode, 0) << made.err;
        }
        fs::create_directory(path("out"));
    }
    Outcome mergeBoth() const {
        return merge({path("a.json"), path("b.json")}, {"--digests", path("out/m.jsonl")});
    }
    /// Exit 3 with this code; nothing was written.
    void expectRefused(const Outcome& outcome, const std::string& code) const {
        EXPECT_EQ(outcome.exitCode, 3) << outcome.err;
        ASSERT_TRUE(outcome.json().is_object()) << outcome.out;
        for (const std::string& found : codesOf(outcome.json()))
            EXPECT_EQ(found, code) << outcome.err;
        EXPECT_TRUE(fs::is_empty(path("out")));
    }
    void expectDiffers(const std::vector<std::string>& arguments, const std::string& key) const {
        const Outcome made = second(arguments);
        ASSERT_EQ(made.exitCode, 0) << made.err;
        const Outcome merged = mergeBoth();
        expectRefused(merged, "PL-D011");
        const json diagnostic = diagnosticOf(merged);
        EXPECT_EQ(diagnostic.at("part"), key) << merged.err;
        EXPECT_EQ(diagnostic.at("file"), path("b.json"));
        const std::string message = diagnostic.at("message");
        EXPECT_NE(message.find("Shard 2 of "), std::string::npos) << message;
        EXPECT_NE(message.find("Shard 1 of 2 in " + path("a.json")), std::string::npos) << message;
        EXPECT_FALSE(diagnostic.at("hint").is_null());
    }
    /// The usual second part with the value after `option` replaced.
    std::vector<std::string> with(const std::string& option, const std::string& value) const {
        std::vector<std::string> arguments = usual("2/2");
        for (std::size_t i = 0; i + 1 < arguments.size(); ++i) {
            if (arguments[i] == option)
                arguments[i + 1] = value;
        }
        return arguments;
    }
};

TEST_F(CorpusMerge, TheUsualPartsAreTaken) {
    ASSERT_EQ(second(usual("2/2")).exitCode, 0);
    EXPECT_EQ(mergeBoth().exitCode, 0);
}

TEST_F(CorpusMerge, OtherSubject) {
    std::vector<std::string> arguments = usual("2/2");
    arguments[0] = sampleFile(m_directory.path(), "ds-cnn", 2);
    expectDiffers(arguments, "run.subject.sha256");
    ASSERT_EQ(plumb({"compile", m_model, "-o", path("p0")}).exitCode, 0);
    arguments[0] = path("p0");
    expectDiffers(arguments, "run.subject.kind");
    arguments[0] = m_model;
    arguments.insert(arguments.end(), {"--engine", "reference"});
    expectDiffers(arguments, "run.engine");
}

TEST_F(CorpusMerge, OtherInputs) {
    Bytes changed = m_bytes;
    changed.front() ^= 1; // an input that the second part does not run
    expectDiffers(with("--inputs", writeFile(m_directory.path() / "changed.bin", changed)),
                  "run.inputs.fingerprint");
    const Bytes labels = readBytes(m_labels);
    const std::string more = std::string(labels.begin(), labels.end()) + "23,x,0\n";
    changed = m_bytes;
    changed.resize(changed.size() + kItem);
    std::vector<std::string> longer =
        with("--inputs", writeFile(m_directory.path() / "longer.bin", changed));
    longer[6] = writeFile(m_directory.path() / "more.csv", more);
    expectDiffers(longer, "run.inputs.available");
    std::vector<std::string> arguments = usual("2/2");
    arguments.insert(arguments.end(), {"--limit", "22"});
    expectDiffers(arguments, "run.inputs.fingerprint"); // of the last input, too
    fs::create_directory(path("files"));
    for (std::size_t i = 0; i < kInputs; ++i)
        writeFile(m_directory.path() / "files" / std::string(1, static_cast<char>('a' + i)),
                  ByteView(m_bytes).subspan(i * kItem, kItem));
    expectDiffers(with("--inputs", path("files")), "run.inputs.fingerprint");
}

TEST_F(CorpusMerge, RenamedFilesOfADirectoryAreOtherInputs) {
    for (const char* folder : {"one", "two"}) {
        fs::create_directory(path(folder));
        writeFile(m_directory.path() / folder / "a", ByteView(m_bytes).first(kItem));
        const std::string last = folder == std::string("one") ? "b" : "c";
        writeFile(m_directory.path() / folder / last, ByteView(m_bytes).first(kItem));
    }
    ASSERT_EQ(plumb({"corpus", m_model, "--inputs", path("one"), "--shard", "1/2", "--part",
                     path("a.json")})
                  .exitCode,
              0);
    expectDiffers({m_model, "--inputs", path("two"), "--shard", "2/2"}, "run.inputs.fingerprint");
}

TEST_F(CorpusMerge, OtherOptions) {
    const Bytes labels = readBytes(m_labels);
    const std::string text(labels.begin(), labels.end());
    const std::string other = text + "23,beyond,0\n"; // concerns no input
    expectDiffers(with("--labels", writeFile(m_directory.path() / "other.csv", other)),
                  "run.labels_sha256");
    expectDiffers({m_model, "--inputs", m_inputs, "--item-bytes", "490", "--labels", m_labels,
                   "--shard", "2/2"},
                  "run.digests");
    expectDiffers({m_model, "--inputs", m_inputs, "--item-bytes", "490", "--digests",
                   path("b.jsonl"), "--shard", "2/2"},
                  "run.labels_sha256");
    expectDiffers(usual("2/3"), "run.shards");
}

TEST_F(CorpusMerge, MissingAndRepeatedShards) {
    const Outcome half = merge({path("b.json")}, {"--digests", path("out/m.jsonl")});
    expectRefused(half, "PL-D011");
    EXPECT_EQ(diagnosticOf(half).at("message"), "Of 2 shards, shard 1 is missing.");
    const Outcome twice =
        merge({path("b.json"), path("a.json"), path("b.json")}, {"--digests", path("out/m.jsonl")});
    expectRefused(twice, "PL-D011");
    EXPECT_EQ(diagnosticOf(twice).at("message"),
              "Shard 2 of 2 is there twice, also in " + path("b.json") + ".");

    const std::vector<std::string> parts = runShards(30, {}, false);
    const Outcome few = merge({parts[1], parts[3], parts[1]}, {});
    expectRefused(few, "PL-D011");
    EXPECT_EQ(few.json().at("diagnostics").size(), 2U) << few.err;
    EXPECT_EQ(few.json().at("diagnostics").at(1).at("message"),
              "Of 30 shards, shards 1, 3, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, "
              "20, 21, 22 and 8 more are missing.");
}

TEST_F(CorpusMerge, DamagedPartFiles) {
    const Bytes bytes = readBytes(path("b.json"));
    const std::string text(bytes.begin(), bytes.end());
    std::string digit = text;
    const std::size_t correct = text.find("\"correct\": ") + 11;
    digit[correct] = digit[correct] == '1' ? '2' : '1';
    for (const std::string& damaged :
         {std::string(), text.substr(0, text.size() / 2), std::string("[]"), std::string("{}"),
          std::string("no JSON"), std::string(3000, '['), digit}) {
        writeFile(m_directory.path() / "b.json", damaged);
        const Outcome merged = mergeBoth();
        expectRefused(merged, "PL-D010");
        EXPECT_EQ(diagnosticOf(merged).at("file"), path("b.json"));
        EXPECT_EQ(diagnosticOf(merged).at("hint"), "Run that shard again.");
    }
    fs::remove(path("b.json"));
    expectRefused(mergeBoth(), "PL-F001");
    fs::create_directory(path("b.json"));
    EXPECT_EQ(mergeBoth().exitCode, 3);
}

TEST_F(CorpusMerge, OtherFormatsAndVersions) {
    json part = readJson(path("b.json"));
    part["version"] = 2;
    resign(path("b.json"), part);
    const Outcome version = mergeBoth();
    expectRefused(version, "PL-D010");
    EXPECT_EQ(diagnosticOf(version).at("message"),
              "The part has format version 2; this program reads version 1.");
    part["version"] = 1;
    part["format"] = "something else";
    resign(path("b.json"), part);
    expectRefused(mergeBoth(), "PL-D010");
}

TEST_F(CorpusMerge, WrongValuesInAWholePartFile) {
    const json part = readJson(path("b.json"));
    resign(path("b.json"), part);
    ASSERT_EQ(mergeBoth().exitCode, 0);
    fs::remove(path("out/m.jsonl"));
    const json flat = part.flatten();
    for (const auto& [pointer, value] : flat.items()) {
        if (pointer == "/sha256" || pointer.find("item_shape/") != std::string::npos)
            continue;
        const json::json_pointer place(pointer);
        json lacking = part;
        lacking[place.parent_pointer()].erase(place.back());
        resign(path("b.json"), lacking);
        expectRefused(mergeBoth(), "PL-D010");
        for (const json& wrong : {json(-1), json(json::array({1})), json(true)}) {
            if (wrong == value)
                continue;
            json changed = part;
            changed[place] = wrong;
            resign(path("b.json"), changed);
            SCOPED_TRACE(pointer + " " + wrong.dump());
            expectRefused(mergeBoth(), "PL-D010");
        }
    }
}

TEST_F(CorpusMerge, NumbersThatCannotBe) {
    const json part = readJson(path("b.json"));
    for (const auto& [key, value] : {std::pair<const char*, json>{"first", 11},
                                     {"inputs", 12},
                                     {"correct", 12},
                                     {"faults", 12},
                                     {"seconds", -1},
                                     {"shard", 3},
                                     {"shard", 0}}) {
        json changed = part; // 12 inputs in the first part, 11 in this one
        changed[key] = value;
        resign(path("b.json"), changed);
        SCOPED_TRACE(key);
        expectRefused(mergeBoth(), "PL-D010");
    }
}

TEST_F(CorpusMerge, DigestLinesThatAreNotThePartsOwn) {
    const Bytes lines = readBytes(path("b.jsonl"));
    Bytes changed = lines;
    changed[changed.size() / 2] ^= 1;
    const Bytes shorter(lines.begin(), lines.end() - 1);
    Bytes longer = lines;
    longer.push_back('\n');
    for (const Bytes& wrong : {changed, shorter, longer, Bytes()}) {
        writeFile(m_directory.path() / "b.jsonl", wrong);
        const Outcome merged = mergeBoth();
        expectRefused(merged, "PL-D010");
        EXPECT_EQ(diagnosticOf(merged).at("file"), path("b.jsonl"));
    }
    fs::remove(path("b.jsonl"));
    expectRefused(mergeBoth(), "PL-F001");
    EXPECT_EQ(merge({path("a.json"), path("b.json")}, {}).exitCode, 0); // nobody asks for them
}

TEST_F(CorpusMerge, WithoutDigestLinesNoneAreJoined) {
    const std::vector<std::string> parts = runShards(2, {}, false);
    expectRefused(merge(parts, {"--digests", path("out/m.jsonl")}), "PL-D011");
}

TEST_F(CorpusMerge, InputsOfEachPartAreChecked) {
    const std::string model = sampleFile(m_directory.path(), "autoencoder");
    constexpr std::size_t kCount = 200;
    constexpr std::size_t kBytes = 640;
    Bytes inputs = splitMixBytes(9, kCount * kBytes);
    const std::string first = writeFile(m_directory.path() / "first.bin", inputs);
    inputs[kBytes] ^= 1; // in input 1, which is not among the 64 of the fingerprint
    const std::string other = writeFile(m_directory.path() / "other.bin", inputs);
    std::vector<std::string> parts;
    for (const char* shard : {"1/2", "2/2"}) {
        parts.push_back(path(std::string(1, shard[0]) + ".json"));
        const Outcome made = plumb(
            {"corpus", model, "--inputs", shard == std::string("1/2") ? first : other,
             "--item-bytes", std::to_string(kBytes), "--shard", shard, "--part", parts.back()});
        ASSERT_EQ(made.exitCode, 0) << made.err;
    }
    EXPECT_EQ(merge(parts, {"--inputs", first}).exitCode, 0); // the second half is the same
    const Outcome refused = merge(parts, {"--inputs", other});
    expectRefused(refused, "PL-D011");
    EXPECT_EQ(refused.json().at("diagnostics").size(), 1U);
    EXPECT_EQ(diagnosticOf(refused).at("file"), parts[0]);
    inputs.resize(inputs.size() - kBytes);
    const std::string fewer = writeFile(m_directory.path() / "fewer.bin", inputs);
    expectRefused(merge(parts, {"--inputs", fewer}), "PL-D011");
    expectRefused(merge(parts, {"--inputs", path("missing")}), "PL-F001");
}

TEST_F(CorpusMerge, NothingThatIsReadIsReplaced) {
    for (const char* name : {"a.json", "b.jsonl"}) {
        const Bytes before = readBytes(path(name));
        const Outcome merged = merge({path("a.json"), path("b.json")}, {"--digests", path(name)});
        EXPECT_EQ(merged.exitCode, 4) << merged.err;
        EXPECT_EQ(codesOf(merged.json()), std::vector<std::string>{"PL-F004"});
        EXPECT_EQ(readBytes(path(name)), before);
    }
    EXPECT_EQ(merge({path("a.json"), path("b.json")}, {"--digests", "/dev/full"}).exitCode, 4);
    const Outcome part = corpus({"--part", m_inputs});
    EXPECT_EQ(part.exitCode, 4) << part.err;
    EXPECT_EQ(readBytes(m_inputs), m_bytes);
    EXPECT_EQ(corpus({"--part", "/dev/full"}).exitCode, 4);
}

TEST_F(CorpusMerge, WrongUsageOfShards) {
    for (const char* shard :
         {"0/2", "3/2", "2", "a/b", "1/0", "1/2/3", "/2", "1/", "-1/2", "1/10001", "1 /2"}) {
        const Outcome outcome = corpus({"--part", path("out/p.json"), "--shard", shard});
        EXPECT_EQ(outcome.exitCode, 2) << shard << outcome.err;
        EXPECT_EQ(codesOf(outcome.json()), std::vector<std::string>{"PL-U001"}) << shard;
    }
    EXPECT_EQ(corpus({"--shard", "1/2"}).exitCode, 2);
    EXPECT_EQ(corpus({"--part", path("out/p"), "--digests", path("out/../out/p")}).exitCode, 2);
    EXPECT_EQ(corpus({"--part", path("out/p"), "--digests", "/dev/null"}).exitCode, 2);
    EXPECT_EQ(plumb({"corpus-merge"}).exitCode, 2);
    EXPECT_TRUE(fs::is_empty(path("out")));
    const Outcome whole = corpus({"--part", path("out/p.json")});
    ASSERT_EQ(whole.exitCode, 0) << whole.err;
    EXPECT_EQ(timeless(merge({path("out/p.json")}, {}).json()), timeless(whole.json()));
}

} // namespace
} // namespace plumbline::test
