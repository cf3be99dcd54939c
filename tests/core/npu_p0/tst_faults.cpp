// SPDX-License-Identifier: GPL-3.0-or-later
// The golden fault jobs: each changed as described, the same fault, stage, record and finished
// layers.
#include <gtest/gtest.h>

#include <fstream>

#include "core/artifacts/package.h"
#include "core/lowering/target.h"
#include "core/npu_p0/relocate.h"
#include "core/samples/samples.h"
#include "core/tflite/importer.h"
#include "tests/core/npu_p0/job_ways.h"
#include "tests/support/test_data.h"

namespace plumbline {
namespace {

using nlohmann::json;

/// A job package of the archive, unpacked and loaded.
struct LoadedJob {
    Job job;
    Bytes input;
};

LoadedJob loadJob(const std::string& name) {
    const test::TemporaryDirectory folder;
    for (const char* file : {"npu.json", "descriptors.bin", "weights.bin", "params.bin"}) {
        const ByteView bytes = test::goldenFile("faults/" + name + "/" + file);
        std::ofstream(folder.path() / file, std::ios::binary)
            .write(reinterpret_cast<const char*>(bytes.data()),
                   static_cast<std::streamsize>(bytes.size()));
    }
    const auto package = loadPackage(folder.path());
    EXPECT_TRUE(package && !package->damaged) << name;
    const ByteView input = test::goldenFile("faults/" + name + "/input.bin");
    return {package ? package->job : Job{}, Bytes(input.begin(), input.end())};
}

void setRelocation(Relocation& r, const json& set) {
    r.record = set.value("descriptor_index", r.record);
    r.word = set.value("word_index", r.word);
    r.region = set.value("region", r.region);
    r.offset = set.value("offset", r.offset);
}

void setStep(Step& step, const json& change) {
    const std::map<std::string, std::optional<std::int64_t>*> fields{
        {"input_multiplier", &step.inputMultiplier},
        {"input_left_shift", &step.inputLeftShift},
        {"diff_min", &step.diffMin},
        {"source_descriptor", &step.sourceRecord},
        {"first_descriptor", &step.firstRecord},
        {"count", &step.count}};
    for (const auto& [key, value] : change["set"].items())
        *fields.at(key) = value.get<std::int64_t>();
    for (const std::string key : change["remove"])
        *fields.at(key) = std::nullopt;
}

void setBase(RegionBases& bases, const std::string& region, std::uint32_t value) {
    (region == "arena"     ? bases.arena
     : region == "weights" ? bases.weights
     : region == "params"  ? bases.params
                           : bases.descriptors) = value;
}

void apply(LoadedJob& loaded, const json& change) {
    Job& job = loaded.job;
    const std::string what = change["do"];
    Bytes& region = change.value("region", "") == "weights" ? job.weights : job.params;
    const std::size_t index = change.value("index", std::size_t{0});
    if (what == "set_word") {
        const std::size_t at =
            change["descriptor"].get<std::size_t>() * 128 + change["word"].get<std::size_t>() * 4;
        storeU32(job.descriptors, at, change["value"].get<std::uint32_t>());
    } else if (what == "poke") {
        const Bytes bytes = *fromHex(change["hex"].get<std::string>());
        std::copy(bytes.begin(), bytes.end(), region.begin() + change["offset"].get<long>());
    } else if (what == "cut") {
        region.resize(change["bytes"].get<std::size_t>());
    } else if (what == "set_relocation") {
        setRelocation(job.relocations.at(index), change["set"]);
    } else if (what == "drop_relocation") {
        job.relocations.erase(job.relocations.begin() + static_cast<long>(index));
    } else if (what == "add_relocation") {
        setRelocation(job.relocations.emplace_back(), change["relocation"]);
    } else if (what == "set_step") {
        setStep(job.steps.at(index), change);
    } else if (what == "arena_bytes") {
        job.arenaBytes = change["value"].get<std::uint64_t>();
    } else if (what == "base") {
        setBase(job.bases, change["region"], change["value"].get<std::uint32_t>());
    } else if (what == "input") {
        loaded.input = *fromHex(change["hex"].get<std::string>());
    } else {
        ADD_FAILURE() << "unknown change " << what;
    }
}

json faultJson(const std::optional<Fault>& fault) {
    if (!fault)
        return nullptr;
    const auto orNull = [](const auto& value) { return value ? json(*value) : json(nullptr); };
    return {{"code", static_cast<int>(fault->code)},
            {"stage", fault->stage},
            {"descriptor", orNull(fault->record)},
            {"word", orNull(fault->word)},
            {"relocation", orNull(fault->relocation)}};
}

TEST(Faults, EveryChangedJobEndsAsStated) {
    const std::vector<json> lines = test::goldenLines("faults.jsonl");
    ASSERT_EQ(lines.size(), 112U);
    for (const json& line : lines) {
        SCOPED_TRACE(line["id"].get<std::string>() + " " + line["title"].get<std::string>());
        LoadedJob loaded = loadJob(line["job"]);
        for (const json& change : line["changes"])
            apply(loaded, change);
        const Execution run = npuP0Target().execute(loaded.job, loaded.input);
        ExecuteOptions checked;
        checked.checked = true;
        EXPECT_EQ(test::differenceOf(npuP0Target().execute(loaded.job, loaded.input, checked), run),
                  "");
        EXPECT_EQ(faultJson(run.fault), line["fault"]) << (run.fault ? run.fault->reason : "");
        std::vector<std::string> digests;
        for (const TraceLayer& layer : run.trace.layers)
            digests.push_back(layer.sha256);
        EXPECT_EQ(json(digests), line["layers"]);
        if (line.contains("output_hex")) {
            EXPECT_EQ(toHex(run.output), line["output_hex"]);
        }
    }
}

/// The every-operator sample whose records run, one by one, `runs` times in all.
Job jobOfRuns(std::int64_t runs) {
    Job job = jobOf(**npuP0Target().lower(*importTflite(*makeSample("every-operator"))));
    Step one = job.steps.front();
    one.count = 1;
    job.steps.assign(static_cast<std::size_t>(runs), one);
    return job;
}

TEST(Faults, AJobOfTooManyRunsIsRefusedBeforeItRuns) {
    constexpr std::int64_t kMost = 131'072; // docs/file-formats.md
    std::optional<Fault> fault;
    EXPECT_NE(npuP0Target().layerRunner(jobOfRuns(kMost), fault), nullptr);
    EXPECT_EQ(npuP0Target().layerRunner(jobOfRuns(kMost + 1), fault), nullptr);
    ASSERT_TRUE(fault);
    EXPECT_EQ(fault->code, FaultCode::Unsupported);
    EXPECT_EQ(fault->stage, "input");
    const Job tooMany = jobOfRuns(kMost + 1);
    const Execution run = npuP0Target().execute(tooMany, Bytes(tooMany.inputBytes));
    ASSERT_TRUE(run.fault);
    EXPECT_EQ(run.fault->reason, fault->reason);
    EXPECT_TRUE(run.trace.layers.empty());
}

} // namespace
} // namespace plumbline
