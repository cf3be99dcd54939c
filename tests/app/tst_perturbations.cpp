// SPDX-License-Identifier: GPL-3.0-or-later
// Packages with one thing changed: a weight byte, a parameter, a relocation or a field. The program
// must say whose fault it is. What is to be expected comes from running the changed job layer by
// layer and looking at the arena where npu.json puts each tensor, without any comparing code.
#include <filesystem>
#include <fstream>
#include <map>
#include <random>

#include <gtest/gtest.h>

#include "core/artifacts/package.h"
#include "core/base/sha256.h"
#include "core/lowering/layer_runner.h"
#include "core/lowering/target.h"
#include "core/samples/samples.h"
#include "tests/app/plumb_process.h"

namespace plumbline::test {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

enum class Kind { Weight, Parameter, Relocation, Field };

/// One change, and whose it is.
struct Perturbation {
    Kind kind{};
    std::int64_t operatorIndex = -1;   ///< of the record concerned
    std::vector<std::int64_t> records; ///< it; of a relocation that points at another now, both
    std::int64_t relocation = -1;
    std::uint64_t offset = 0; ///< of the changed byte in its region
    std::string field;
    std::string text; ///< for messages
};

enum class Ending { Culprit, Fault, Nothing };

/// The SHA-256 of every layer as the arena holds it where `report` puts it; nothing at a fault.
std::optional<std::map<std::int64_t, std::string>> layersOf(const Job& job, const json& report,
                                                            const Bytes& input) {
    std::optional<Fault> fault;
    const LayerRunnerPtr runner = npuP0Target().layerRunner(job, fault);
    if (!runner)
        return std::nullopt;
    Bytes arena(job.arenaBytes);
    std::copy(input.begin(), input.end(),
              arena.begin() + static_cast<std::ptrdiff_t>(job.inputOffset));
    std::map<std::int64_t, std::string> digests;
    for (std::size_t step = 0; step < runner->steps().size(); ++step) {
        const LayerRun run = runner->run(step, arena);
        if (run.fault)
            return std::nullopt;
        const std::int64_t op = runner->steps()[step].operatorIndex;
        digests[op] = run.layer.sha256;
        if (const json& entry = report.at("operators").at(static_cast<std::size_t>(op));
            entry.contains("arena")) {
            const auto offset = entry.at("arena").at("output_offset").get<std::size_t>();
            const auto bytes = entry.at("arena").at("output_bytes").get<std::size_t>();
            digests[op] = sha256Hex(ByteView(arena).subspan(offset, bytes));
        }
    }
    return digests;
}

class Perturber {
  public:
    Perturber(fs::path package, std::uint32_t seed)
        : m_package(std::move(package))
        , m_random(seed)
        , m_manifest(readJson(m_package / "npu.json")) {}

    /// Changes one thing in a copy of the package.
    Perturbation perturb(const fs::path& copy) {
        fs::copy(m_package, copy, fs::copy_options::recursive);
        const std::uint32_t die = draw(20);
        if (die < 6)
            return perturbWeight(copy);
        if (die < 17)
            return perturbParameter(copy);
        return die < 18 ? perturbRelocation(copy) : perturbField(copy);
    }

  private:
    std::uint32_t draw(std::size_t bound) {
        return static_cast<std::uint32_t>(m_random() % static_cast<std::uint32_t>(bound));
    }

    /// A record with a blob in `region`, and where the blob lies.
    struct Blob {
        std::int64_t operatorIndex = 0;
        std::int64_t record = 0;
        std::uint64_t offset = 0;
        std::uint64_t bytes = 0;
        std::string opcode;
        std::uint64_t fullK = 0;
        std::uint64_t params = 0;            ///< offset
        std::vector<std::uint64_t> channels; ///< those that are not flushed to the zero point
    };
    Blob drawBlob(const std::string& region) {
        std::vector<Blob> all;
        const Bytes params = readBytes(m_package / "params.bin");
        for (const json& op : m_manifest.at("report").at("operators")) {
            if (!op.contains(region) || op.at(region).is_null())
                continue;
            Blob blob{op.at("index"),
                      op.at("descriptor_index"),
                      op.at(region).at("offset"),
                      op.at(region).at("bytes"),
                      op.at("opcode_name"),
                      op.at("full_k"),
                      op.at("params").at("offset"),
                      {}};
            const auto channels = op.at("geometry").at("cout").get<std::uint64_t>();
            for (std::uint64_t c = 0; c < channels && blob.opcode != "ADD"; ++c)
                if (loadU32(params, blob.params + c * 16 + 4) != 0)
                    blob.channels.push_back(c);
            all.push_back(std::move(blob));
        }
        return all.at(draw(all.size()));
    }

    Perturbation perturbWeight(const fs::path& copy) {
        Bytes bytes = readBytes(copy / "weights.bin");
        const Blob blob = drawBlob("weights");
        const std::uint64_t channel = blob.channels.at(draw(blob.channels.size()));
        const std::uint64_t offset =
            blob.offset + (channel / 8 * blob.fullK + draw(blob.fullK)) * 8 + channel % 8;
        bytes[offset] ^= static_cast<std::uint8_t>(0x40 + draw(64));
        rewritePackageFile(copy, "weights.bin", bytes);
        return blobPerturbation(Kind::Weight, blob, offset, "weights");
    }

    /// Changes a word that the record computes with: a bias, a multiplier or a shift of a channel.
    Perturbation perturbParameter(const fs::path& copy) {
        Bytes bytes = readBytes(copy / "params.bin");
        const Blob blob = drawBlob("params");
        const bool isAdd = blob.opcode == "ADD"; // multipliers and shifts in turn from word 1
        // Biases mostly: raised, they show behind a ReLU too.
        const std::uint64_t die = draw(6);
        const std::uint64_t part = die < 2 ? die + 1 : 0;
        const std::uint64_t word =
            isAdd ? 1 + draw(6) : 4 * blob.channels.at(draw(blob.channels.size())) + part;
        const bool isShift = isAdd ? word % 2 == 0 : part == 2;
        const bool isBias = !isAdd && part == 0;
        const std::uint64_t at = blob.offset + word * 4;
        const std::uint32_t before = loadU32(bytes, at);
        storeU32(bytes, at,
                 isBias    ? before + (1U << (16 + draw(6)))
                 : isShift ? before + (draw(2) == 0 ? 1U : ~0U)
                           : before ^ (1U << 28));
        std::uint64_t offset = at;
        while (bytes[offset] == static_cast<std::uint8_t>(before >> (offset - at) * 8))
            ++offset;
        rewritePackageFile(copy, "params.bin", bytes);
        return blobPerturbation(Kind::Parameter, blob, offset, "params");
    }

    static Perturbation blobPerturbation(Kind kind, const Blob& blob, std::uint64_t offset,
                                         const std::string& region) {
        Perturbation made;
        made.kind = kind;
        made.operatorIndex = blob.operatorIndex;
        made.records = {blob.record};
        made.offset = offset;
        made.text = region + " byte " + std::to_string(offset) + " of record " +
                    std::to_string(blob.record);
        return made;
    }

    Perturbation perturbRelocation(const fs::path& copy) {
        json manifest = readJson(copy / "npu.json");
        json& list = manifest.at("relocations");
        Perturbation made;
        made.kind = Kind::Relocation;
        made.relocation = draw(list.size());
        json& one = list.at(static_cast<std::size_t>(made.relocation));
        takeRecord(made, one.at("descriptor_index").get<std::int64_t>());
        static const std::vector<std::string> kRegions{"arena", "weights", "params", "nowhere"};
        switch (draw(4)) {
        case 0:
            one["region"] =
                kRegions[(draw(3) + 1 +
                          static_cast<std::size_t>(
                              std::find(kRegions.begin(), kRegions.end(), one.at("region")) -
                              kRegions.begin())) %
                         kRegions.size()];
            break;
        case 1:
            one["offset"] = one.at("offset").get<std::int64_t>() + 64;
            break;
        case 2:
            one["word_index"] = one.at("word_index").get<std::int64_t>() + 1 + draw(3);
            break;
        default:
            one["descriptor_index"] = made.records[0] + 1 + draw(3);
            made.records.push_back(one.at("descriptor_index"));
        }
        std::ofstream(copy / "npu.json", std::ios::binary) << manifest.dump();
        made.text = "relocation " + std::to_string(made.relocation) + ": " + one.dump();
        return made;
    }

    Perturbation perturbField(const fs::path& copy) {
        const FieldTable& table = npuP0Target().fields();
        Bytes bytes = readBytes(copy / "descriptors.bin");
        Perturbation made;
        made.kind = Kind::Field;
        takeRecord(made, draw(bytes.size() / table.recordBytes));
        const FieldSpec& spec = table.fields[draw(table.fields.size())];
        const auto record = std::span(bytes).subspan(
            static_cast<std::size_t>(made.records[0]) * table.recordBytes, table.recordBytes);
        const std::int64_t before = fieldValue(record, spec);
        setField(record, spec, before ^ (std::int64_t{1} << draw(spec.width)));
        made.field = spec.name;
        made.text = made.field + " of record " + std::to_string(made.records[0]) + ": " +
                    std::to_string(before) + " to " + std::to_string(fieldValue(record, spec));
        rewritePackageFile(copy, "descriptors.bin", bytes);
        return made;
    }

    void takeRecord(Perturbation& made, std::int64_t record) const {
        made.records.push_back(record);
        for (const json& op : m_manifest.at("report").at("operators"))
            if (op.at("descriptor_index") == record)
                made.operatorIndex = op.at("index").get<std::int64_t>();
    }

    fs::path m_package;
    std::mt19937 m_random;
    json m_manifest;
};

/// Whether a fault object or a diagnostic speaks of the changed record or relocation.
bool names(const json& value, const Perturbation& made) {
    const bool isRecord = value.contains("record") &&
                          std::find(made.records.begin(), made.records.end(), value.at("record")) !=
                              made.records.end();
    return isRecord || (made.relocation >= 0 && value.contains("relocation") &&
                        value.at("relocation") == made.relocation);
}

bool anyNames(const json& values, const Perturbation& made) {
    return std::any_of(values.begin(), values.end(), [&](const json& value) {
        return names(value.contains("where") ? value.at("where") : value, made);
    });
}

/// The one ending that the program's answer is; nothing when it is none or several.
std::optional<Ending> endingOf(const Outcome& run, const Perturbation& made) {
    const json said = run.json();
    const bool isRefused = run.exitCode == 3 && anyNames(said.at("diagnostics"), made);
    const bool hasFault = run.exitCode == 1 && said.contains("fault") &&
                          !said.at("fault").is_null() && names(said.at("fault"), made);
    // A layer that faults may be the culprit too; no other layer may.
    if (hasFault && !said.at("culprit").is_null() && said.at("culprit") != made.operatorIndex)
        return std::nullopt;
    if (isRefused || hasFault)
        return Ending::Fault;
    if (run.exitCode == 1 && said.contains("fault") && !said.at("fault").is_null())
        return std::nullopt; // a fault that is not the change's
    if (run.exitCode == 0 && said.at("culprit").is_null())
        return Ending::Nothing;
    if (run.exitCode == 1 && said.at("culprit") == made.operatorIndex)
        return Ending::Culprit;
    return std::nullopt;
}

/// Whether the differences that `plumb diff` lists hold the change.
bool diffNames(const json& differences, const Perturbation& made) {
    return std::any_of(differences.begin(), differences.end(), [&](const json& d) {
        switch (made.kind) {
        case Kind::Weight:
        case Kind::Parameter:
            return d.at("kind") == (made.kind == Kind::Weight ? "weights" : "params") &&
                   d.at("offset") == made.offset;
        case Kind::Relocation:
            return d.at("kind") == "relocation" &&
                   d.at("key") == "relocations[" + std::to_string(made.relocation) + "]";
        case Kind::Field:
            return d.at("record") == made.records[0] &&
                   d.at("key").get<std::string>().find(made.field) != std::string::npos;
        }
        return false;
    });
}

class Perturbations : public testing::TestWithParam<const char*> {
  protected:
    /// The model file and, for a public one, its input.
    void prepare() {
        const std::string name = GetParam();
        if (name.starts_with("sample-")) {
            m_model = sampleFile(m_folder.path(), name.substr(7));
            m_input = {"--seed", "3"};
            return;
        }
        m_model = (*sharedData() / "models" / (name + ".tflite")).string();
        const fs::path inputs = *sharedData() / "models" / "inputs" / name;
        m_input = {"--input", fs::directory_iterator(inputs)->path().string()};
    }
    std::vector<std::string> command(std::vector<std::string> words) const {
        words.insert(words.end(), m_input.begin(), m_input.end());
        words.push_back("--json");
        return words;
    }

    TemporaryDirectory m_folder;
    std::string m_model;
    std::vector<std::string> m_input;
};

TEST_P(Perturbations, EndInTheirCulpritAFaultOrNothing) {
    if (!std::string(GetParam()).starts_with("sample-"))
        SKIP_WITHOUT_SHARED_DATA();
    prepare();
    const fs::path package = m_folder.path() / "package";
    ASSERT_EQ(plumb(command({"compile", m_model, "-o", package.string()})).exitCode, 0);
    const Job right = loadPackage(package)->job;
    const json report = readJson(package / "npu.json").at("report");
    const Bytes input =
        m_input[0] == "--seed" ? splitMixBytes(3, right.inputBytes) : readBytes(m_input[1]);
    const auto rightLayers = layersOf(right, report, input);
    ASSERT_TRUE(rightLayers.has_value());

    Perturber perturber(package, 20260 + static_cast<std::uint32_t>(right.weights.size()));
    constexpr int kCount = 50;
    int culprits = 0;
    for (int i = 0; i < kCount; ++i) {
        const fs::path copy = m_folder.path() / ("copy" + std::to_string(i));
        const Perturbation made = perturber.perturb(copy);
        SCOPED_TRACE(made.text);
        const Result<Package> changed = loadPackage(copy);
        ASSERT_TRUE(changed);
        Ending expected = Ending::Fault;
        if (const auto layers = layersOf(changed->job, report, input))
            expected = *layers == *rightLayers ? Ending::Nothing : Ending::Culprit;
        if (changed->damaged)
            expected = Ending::Fault; // such a package is not run at all

        const Outcome run = plumb(command({"run", copy.string(), "--reference", m_model}));
        const auto ending = endingOf(run, made);
        ASSERT_TRUE(ending.has_value()) << run.out.substr(0, 2000) << run.err;
        EXPECT_EQ(static_cast<int>(*ending), static_cast<int>(expected));
        culprits += *ending == Ending::Culprit ? 1 : 0;

        const Outcome diff = plumb({"diff", package.string(), copy.string(), "--json"});
        EXPECT_EQ(diff.exitCode, 1);
        EXPECT_TRUE(diffNames(diff.json().at("differences"), made)) << diff.out.substr(0, 2000);
        fs::remove_all(copy);
    }
    EXPECT_GE(culprits, kCount / 2);
    RecordProperty("culprits", culprits);
}

INSTANTIATE_TEST_SUITE_P(Models, Perturbations,
                         testing::Values("kws", "vww", "resnet8", "ad01", "sample-resnet8"),
                         [](const auto& row) {
                             std::string name = row.param;
                             std::replace(name.begin(), name.end(), '-', '_');
                             return name;
                         });

} // namespace
} // namespace plumbline::test
