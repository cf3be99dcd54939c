// SPDX-License-Identifier: GPL-3.0-or-later
// Packages: what is written loads back clean; each kind of damage is reported with its place.
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>

#include "core/artifacts/edited_package.h"
#include "tests/support/sample_package.h"

namespace plumbline {
namespace {

using nlohmann::json;
using test::SamplePackage;

bool has(const Diagnostics& diagnostics, Code code, const std::string& part = "") {
    return std::any_of(diagnostics.begin(), diagnostics.end(), [&](const Diagnostic& d) {
        return d.code == code && d.severity == Severity::Error &&
               d.where.part.find(part) != std::string::npos;
    });
}

std::string text(const Diagnostics& diagnostics) {
    std::string all;
    for (const Diagnostic& d : diagnostics)
        all += toText(d) + "\n";
    return all;
}

TEST(Package, WhatIsWrittenLoadsAndChecksClean) {
    for (const char* name : {"ds-cnn", "resnet8", "autoencoder", "every-operator", "branches-60"}) {
        const SamplePackage sample(name);
        const auto package = loadPackage(sample.path());
        ASSERT_TRUE(package) << name;
        EXPECT_FALSE(package->damaged) << name << "\n" << text(package->diagnostics);
        EXPECT_EQ(text(checkPackage(*package, npuP0Target())), "") << name;
        EXPECT_EQ(package->workload, name);
        EXPECT_EQ(package->job.descriptors, sample.lowering().descriptorBytes());
        EXPECT_EQ(package->job.relocations, sample.lowering().relocations);
        EXPECT_EQ(package->job.steps, sample.lowering().steps);
    }
}

TEST(Package, TheManifestOnDiskIsTheTextOfItsValue) {
    for (const char* name : {"every-operator", "autoencoder", "branches-300"}) {
        const SamplePackage sample(name);
        const Bytes written = test::readBytes(sample.path() / "npu.json");
        EXPECT_EQ(std::string(written.begin(), written.end()),
                  canonicalJson(manifestJson(sample.lowering(), name)))
            << name;
    }
}

TEST(Package, BuffersBeforeTheLastReshapeMayLiveLonger) {
    const SamplePackage sample; // its RESHAPE is followed by one record, whose buffer is exact
    const Package package = *loadPackage(sample.path());
    const auto& operators = sample.lowering().operators;
    std::int64_t last = -1;
    for (const LoweredOperator& op : operators)
        last = op.placement == Placement::Alias ? op.index : last;
    ASSERT_GE(last, 0);
    std::size_t exact = 0;
    for (const JobBuffer& buffer : package.job.buffers) {
        EXPECT_EQ(buffer.lastIsExact, buffer.firstOperator > last) << buffer.name;
        exact += buffer.lastIsExact ? 1 : 0;
    }
    EXPECT_EQ(exact, 1U);
}

TEST(Package, AnEditedPackageIsTheChangedJobAndNotDamaged) {
    const SamplePackage sample;
    const Package original = *loadPackage(sample.path());
    Job changed = original.job;
    changed.descriptors[2 * 128 + 15 * 4] ^= 1;
    changed.weights[7] ^= 0x80;
    changed.params.back() ^= 1;
    changed.relocations[4].offset = -64;
    changed.relocations[5].region = "params";
    const test::TemporaryDirectory folder;
    const auto path = folder.path() / "edited";
    ASSERT_TRUE(writeEditedPackage(path, original.manifest, changed));
    const Package edited = *loadPackage(path);
    EXPECT_FALSE(edited.damaged) << text(edited.diagnostics);
    EXPECT_EQ(edited.job.descriptors, changed.descriptors);
    EXPECT_EQ(edited.job.weights, changed.weights);
    EXPECT_EQ(edited.job.params, changed.params);
    EXPECT_EQ(edited.job.relocations, changed.relocations);
    json kept = edited.manifest, before = original.manifest;
    for (json* manifest : {&kept, &before})
        for (const char* key : {"files", "relocations"})
            manifest->erase(key);
    EXPECT_EQ(kept, before);
}

TEST(Package, AnUneditedPackageIsWrittenAgainByteForByte) {
    const SamplePackage sample;
    const Package original = *loadPackage(sample.path());
    const test::TemporaryDirectory folder;
    const auto path = folder.path() / "same";
    ASSERT_TRUE(writeEditedPackage(path, original.manifest, original.job));
    for (const char* name : {"npu.json", "descriptors.bin", "weights.bin", "params.bin"})
        EXPECT_EQ(test::readBytes(path / name), test::readBytes(sample.path() / name)) << name;
}

TEST(Package, RunsFromThePackageAloneAsFromTheModel) {
    const SamplePackage sample;
    const auto package = loadPackage(sample.path() / "npu.json");
    ASSERT_TRUE(package);
    const Bytes input = seededBytes(3, package->job.inputBytes);
    const Execution fromPackage = npuP0Target().execute(package->job, input);
    const Execution fromModel = npuP0Target().execute(jobOf(sample.lowering()), input);
    ASSERT_FALSE(fromPackage.fault || fromModel.fault);
    EXPECT_EQ(fromPackage.output, fromModel.output);
    ASSERT_EQ(fromPackage.trace.layers.size(), fromModel.trace.layers.size());
    for (std::size_t i = 0; i < fromModel.trace.layers.size(); ++i) {
        EXPECT_EQ(fromPackage.trace.layers[i].sha256, fromModel.trace.layers[i].sha256);
        EXPECT_EQ(fromPackage.trace.layers[i].operatorIndex,
                  fromModel.trace.layers[i].operatorIndex);
        EXPECT_EQ(fromPackage.trace.layers[i].name, fromModel.trace.layers[i].name);
        EXPECT_EQ(fromPackage.trace.layers[i].scale, fromModel.trace.layers[i].scale);
    }
}

TEST(Package, IsTheSameBytesTwice) {
    const SamplePackage first, second;
    for (const char* file : {"npu.json", "descriptors.bin", "weights.bin", "params.bin"})
        EXPECT_EQ(test::readBytes(first.path() / file), test::readBytes(second.path() / file));
}

TEST(Package, AFlippedBitOfAFileIsADigestThatDiffers) {
    for (const char* file : {"descriptors.bin", "weights.bin", "params.bin"}) {
        const SamplePackage sample;
        sample.flip(file, 40);
        const auto package = loadPackage(sample.path());
        ASSERT_TRUE(package);
        EXPECT_TRUE(package->damaged);
        EXPECT_TRUE(has(package->diagnostics, Code::FileDigestDiffers)) << file;
    }
}

TEST(Package, AMissingBinaryStillOpensAsDamaged) {
    const SamplePackage sample;
    std::filesystem::remove(sample.path() / "weights.bin");
    const auto package = loadPackage(sample.path());
    ASSERT_TRUE(package);
    EXPECT_TRUE(package->damaged);
    EXPECT_TRUE(has(package->diagnostics, Code::FileUnreadable));
    EXPECT_TRUE(package->job.weights.empty());
}

TEST(Package, AShortBinaryIsASizeThatDiffers) {
    const SamplePackage sample;
    std::filesystem::resize_file(sample.path() / "params.bin", 100);
    const auto package = loadPackage(sample.path());
    ASSERT_TRUE(package);
    EXPECT_TRUE(has(package->diagnostics, Code::FileSizeDiffers));
}

TEST(Package, TextThatIsNoManifestIsRefused) {
    const SamplePackage sample;
    for (const char* content : {"", "{", "[]", "nonsense"}) {
        std::ofstream(sample.path() / "npu.json", std::ios::binary) << content;
        const auto package = loadPackage(sample.path());
        EXPECT_FALSE(package) << content;
        EXPECT_TRUE(has(package.diagnostics(), Code::BadManifest)) << content;
    }
    std::filesystem::remove(sample.path() / "npu.json");
    EXPECT_TRUE(has(loadPackage(sample.path()).diagnostics(), Code::FileUnreadable));
}

struct ManifestDamage {
    const char* title;
    std::function<void(json&)> apply;
    Code code;
    const char* part;
};

TEST(Package, EachDisagreementNamesItsKey) {
    const ManifestDamage kDamages[] = {
        {"key missing", [](json& m) { m.erase("steps"); }, Code::ManifestKeyMissing, "steps"},
        {"key unknown", [](json& m) { m["extra"] = 1; }, Code::ManifestKeyUnknown, "extra"},
        {"schema 2", [](json& m) { m["schema"] = 2; }, Code::ManifestValue, "schema"},
        {"profile", [](json& m) { m["numeric_profile"] = 3; }, Code::ManifestValue,
         "numeric_profile"},
        {"mask", [](json& m) { m["required_capability_mask"] = 2; }, Code::ManifestValue,
         "required_capability_mask"},
        {"text for a number", [](json& m) { m["arena_bytes"] = "big"; }, Code::ManifestValue,
         "arena_bytes"},
        {"negative size", [](json& m) { m["arena_bytes"] = -1; }, Code::ManifestValue,
         "arena_bytes"},
        {"report differs", [](json& m) { m["report"]["arena_bytes"] = 64; },
         Code::ManifestInconsistent, "report.arena_bytes"},
        {"input differs", [](json& m) { m["tensors"]["input"]["zero_point"] = 9; },
         Code::ManifestInconsistent, "report.input"},
        {"a layer less", [](json& m) { m["tensors"]["layers"].erase(0); },
         Code::ManifestInconsistent, "tensors.layers"},
        {"relocation key", [](json& m) { m["relocations"][2].erase("region"); },
         Code::ManifestKeyMissing, "relocations[2].region"},
    };
    const SamplePackage sample;
    const json good = sample.manifest();
    for (const ManifestDamage& damage : kDamages) {
        json bad = good;
        damage.apply(bad);
        sample.setManifest(bad);
        const auto package = loadPackage(sample.path());
        ASSERT_TRUE(package) << damage.title;
        EXPECT_TRUE(package->damaged) << damage.title;
        EXPECT_TRUE(has(package->diagnostics, damage.code, damage.part))
            << damage.title << "\n"
            << text(package->diagnostics);
    }
}

/// The numbers and names of the report's operator that are read, as JSON pointers.
std::vector<json::json_pointer> readMembers(const json& entry) {
    std::vector<json::json_pointer> found;
    for (const char* key : {"operator", "placement", "descriptor_index", "opcode", "opcode_name",
                            "full_k", "k_slice", "weights", "params"})
        found.emplace_back(std::string("/") + key);
    for (const char* key : {"geometry", "quantization", "tile", "buffers", "dma", "arena"})
        for (const auto& [name, value] : entry.at(key).items())
            if (name != "read_bytes") // a sum of others
                found.emplace_back(std::string("/") + key + "/" + name);
    return found;
}

void eraseAt(json& entry, const json::json_pointer& member) {
    entry.at(member.parent_pointer()).erase(member.back());
}

TEST(Package, EachMemberOfTheReportThatCannotBeReadIsNamed) {
    const SamplePackage sample;
    const json good = sample.manifest();
    const json& first = good["report"]["operators"][0];
    ASSERT_EQ(first.at("placement"), "npu");
    const auto members = readMembers(first);
    ASSERT_GT(members.size(), 40U);
    for (const json::json_pointer& member : members) {
        std::string place = "report.operators[0]" + member.to_string();
        std::replace(place.begin(), place.end(), '/', '.');
        for (const json& value : {json(json::array({true})), json(1e308), json(-1e19), json()}) {
            if (value.is_null() && first.at(member).is_null())
                continue;
            if (value == 1e308 && place.ends_with("scale"))
                continue; // absurd, but a scale
            json bad = good;
            bad["report"]["operators"][0][member] = value;
            if (value.is_null())
                eraseAt(bad["report"]["operators"][0], member);
            sample.setManifest(bad);
            const auto package = loadPackage(sample.path());
            ASSERT_TRUE(package) << place;
            EXPECT_TRUE(package->damaged) << place << " " << value;
            const Code code = value.is_null() ? Code::ManifestKeyMissing : Code::ManifestValue;
            EXPECT_TRUE(has(package->diagnostics, code, place)) << place << " " << value << "\n"
                                                                << text(package->diagnostics);
        }
    }
}

TEST(Package, AnAliasNeedsNoNote) {
    const SamplePackage sample;
    json manifest = sample.manifest();
    std::size_t aliases = 0;
    for (json& entry : manifest["report"]["operators"]) {
        if (entry["placement"] != "none")
            continue;
        entry["note"] = nullptr;
        ++aliases;
    }
    ASSERT_GT(aliases, 0U);
    sample.setManifest(manifest);
    EXPECT_FALSE(loadPackage(sample.path())->damaged);
}

TEST(Package, AHalfBufferAboveItsLimitIsDamage) {
    const SamplePackage sample;
    const json good = sample.manifest();
    for (const char* key : {"raw_gather_half_bytes", "packed_a_bytes", "packed_w_bytes"}) {
        json manifest = good;
        json& buffers = manifest["report"]["operators"][0]["buffers"];
        buffers[key] = buffers["limit_bytes"];
        sample.setManifest(manifest);
        EXPECT_FALSE(loadPackage(sample.path())->damaged) << key;
        buffers[key] = buffers["limit_bytes"].get<std::int64_t>() + 1;
        sample.setManifest(manifest);
        const auto package = loadPackage(sample.path());
        EXPECT_TRUE(package->damaged) << key;
        EXPECT_TRUE(has(package->diagnostics, Code::ManifestValue, key));
    }
}

TEST(PackageCheck, AStatedNumberThatTheRecordContradictsIsAWarning) {
    const SamplePackage sample("resnet8");
    Package package = *loadPackage(sample.path());
    storeU32(package.job.descriptors, 2 * 128 + 4 * 15, 8); // K_SLICE
    const Diagnostics found = checkPackage(package, npuP0Target());
    ASSERT_EQ(found.size(), 1U) << text(found);
    EXPECT_EQ(found[0].code, Code::RecordDiffers);
    EXPECT_EQ(found[0].severity, Severity::Warning);
    EXPECT_EQ(found[0].where.record, 2);
    EXPECT_EQ(found[0].where.word, 15);
    EXPECT_EQ(found[0].message, "K_SLICE is 8, the report says 144");
}

TEST(PackageCheck, RelocationsMustBeThoseOfThePointers) {
    const SamplePackage sample;
    const json good = sample.manifest();
    const std::function<void(json&)> kChanges[] = {
        [](json& r) { r.erase(1); },
        [](json& r) { r.push_back(r[0]); },
        [](json& r) { std::swap(r[0], r[1]); },
        [](json& r) { r[0]["region"] = "weights"; },
    };
    for (const auto& change : kChanges) {
        json bad = good;
        change(bad["relocations"]);
        sample.setManifest(bad);
        const auto package = loadPackage(sample.path());
        ASSERT_TRUE(package);
        EXPECT_TRUE(has(checkPackage(*package, npuP0Target()), Code::BadRelocation));
    }
}

TEST(PackageCheck, AnInvalidRecordIsNamedWithItsWord) {
    const SamplePackage sample;
    Package package = *loadPackage(sample.path());
    storeU32(package.job.descriptors, 128 + 4 * 28, 5); // reserved word 28 of record 1
    const Diagnostics found = checkPackage(package, npuP0Target());
    const auto record = std::find_if(found.begin(), found.end(), [](const Diagnostic& d) {
        return d.code == Code::RecordInvalid;
    });
    ASSERT_NE(record, found.end());
    EXPECT_EQ(record->where.record, 1);
    EXPECT_EQ(record->where.word, 28);
}

TEST(PackageWrite, ForeignDirectoriesAreLeftAlone) {
    const SamplePackage sample;
    EXPECT_TRUE(writePackage(sample.path(), sample.lowering(), "again"));
    EXPECT_EQ(sample.manifest()["workload"], "again");
    std::ofstream(sample.path() / "mine.txt") << "keep";
    const auto refused = writePackage(sample.path(), sample.lowering(), "third");
    EXPECT_FALSE(refused);
    EXPECT_TRUE(has(refused.diagnostics(), Code::ForeignDirectory));
    EXPECT_EQ(sample.manifest()["workload"], "again");
    EXPECT_TRUE(std::filesystem::exists(sample.path() / "mine.txt"));
}

} // namespace
} // namespace plumbline
