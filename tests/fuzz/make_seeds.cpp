// SPDX-License-Identifier: GPL-3.0-or-later
// Writes the seed inputs of every fuzz target: make_seeds FOLDER makes FOLDER/TARGET/NAME. They
// come from the golden archive and the built-in samples.
#include <array>
#include <cstdio>
#include <exception>
#include <fstream>
#include <stdexcept>

#include "core/artifacts/npy.h"
#include "core/artifacts/package.h"
#include "core/artifacts/trace_io.h"
#include "core/report/p0_report.h"
#include "core/samples/samples.h"
#include "core/tflite/importer.h"
#include "tests/fuzz/sections.h"
#include "tests/support/test_data.h"

namespace plumbline::fuzz {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMaxSeedBytes = 65536; ///< a larger seed only slows the mutations down

class SeedFolder {
  public:
    explicit SeedFolder(fs::path path)
        : m_path(std::move(path)) {}

    void add(const std::string& target, const std::string& name, ByteView content) const {
        if (content.size() > kMaxSeedBytes)
            return;
        fs::create_directories(m_path / target);
        std::ofstream file(m_path / target / name, std::ios::binary);
        file.write(reinterpret_cast<const char*>(content.data()),
                   static_cast<std::streamsize>(content.size()));
        if (!file)
            throw std::runtime_error("cannot write " + (m_path / target / name).string());
    }

    void add(const std::string& target, const std::string& name,
             std::initializer_list<ByteView> sections) const {
        add(target, name, joinSections({sections.begin(), sections.size()}));
    }

  private:
    fs::path m_path;
};

ByteView viewOf(std::string_view text) {
    return {reinterpret_cast<const std::uint8_t*>(text.data()), text.size()};
}

/// The job of a lowering, with its records relocated, and the package of it.
void addLowered(const SeedFolder& seeds, const std::string& name, ByteView file, ByteView input) {
    const Result<ModelPtr> model = importTflite(Bytes(file.begin(), file.end()));
    if (!model)
        return;
    const Result<LoweringPtr> lowering = npuP0Target().lower(*model);
    if (!lowering || !(*lowering)->complete)
        return;
    const Job job = jobOf(**lowering);
    std::optional<Fault> fault;
    const Bytes records = npuP0Target().relocate(job, fault);
    seeds.add("record", name, {records, job.weights, job.params, input});
    const std::string manifest = canonicalJson(manifestJson(**lowering, name));
    seeds.add("package", name, {viewOf(manifest), job.descriptors, job.weights, job.params});
}

void addModels(const SeedFolder& seeds) {
    for (const nlohmann::json& line : test::goldenLines("cases/index.jsonl")) {
        const std::string name = line.at("case").get<std::string>();
        const ByteView file = test::goldenFile("cases/" + name + ".tflite");
        seeds.add("import", name, file);
        if (line.at("lowers").get<bool>())
            addLowered(seeds, name, file, test::goldenFile("cases/" + name + ".input.bin"));
    }
    for (const SampleInfo& sample : allSamples()) {
        const std::string name(sample.name);
        const Result<Bytes> file = makeSample(name == "branches" ? "branches-12" : name);
        if (!file)
            throw std::runtime_error(toText(file.diagnostics().front()));
        seeds.add("import", name, *file);
        addLowered(seeds, name, *file, {});
    }
}

void addFaultyPackages(const SeedFolder& seeds) {
    for (const std::string& name : test::goldenNames("faults/")) {
        const fs::path path = name;
        if (path.filename() != "npu.json")
            continue;
        const std::string folder = path.parent_path().string();
        seeds.add("package", path.parent_path().filename().string(),
                  {test::goldenFile(name), test::goldenFile(folder + "/descriptors.bin"),
                   test::goldenFile(folder + "/weights.bin"),
                   test::goldenFile(folder + "/params.bin")});
    }
}

void addRecords(const SeedFolder& seeds) {
    std::size_t index = 0;
    for (const nlohmann::json& line : test::goldenLines("validator.jsonl")) {
        const std::optional<Bytes> record = fromHex(line.at("hex").get<std::string>());
        // Of 6000 lines every eighth: all kinds of violations and enough valid records.
        if (record && index % 8 == 0)
            seeds.add("record", "line_" + std::to_string(index), {*record, {}, {}, {}});
        ++index;
    }
}

TraceLayer layerOf(std::int64_t operatorIndex, std::string name, Bytes bytes) {
    TraceLayer layer;
    layer.operatorIndex = operatorIndex;
    layer.record = operatorIndex;
    layer.name = std::move(name);
    layer.shape = {1, 2, static_cast<std::int64_t>(bytes.size()) / 2};
    layer.scale = 0.5;
    layer.zeroPoint = -3;
    layer.bytes = std::move(bytes);
    sealLayer(layer);
    return layer;
}

void addTraces(const SeedFolder& seeds) {
    const Bytes first = seededBytes(1, 24);
    const Bytes second = seededBytes(2, 6);
    Trace trace;
    trace.producer = "plumbline executor";
    trace.modelSha256 = std::string(64, 'a');
    trace.layers = {layerOf(0, "CONV_2D", first), layerOf(1, "ADD", second)};
    const test::TemporaryDirectory directory;
    for (const bool digestsOnly : {false, true}) {
        const fs::path path = directory.path() / (digestsOnly ? "digests" : "tensors");
        if (!writeTrace(path, trace, digestsOnly))
            throw std::runtime_error("cannot write " + path.string());
        seeds.add("trace", path.filename().string(),
                  {test::readBytes(path / "trace.json"), first, second});
    }
    const std::array<std::int64_t, 3> shape{1, 2, 3};
    const Bytes npy = writeNpy(second, shape);
    seeds.add("trace", "plain_directory", {ByteView{}, first, npy});
}

/// A .npy file of `version` with this header text and data.
Bytes npyFile(std::uint8_t version, std::string_view header, ByteView data) {
    Bytes file{0x93, 'N', 'U', 'M', 'P', 'Y', version, 0};
    const auto length = static_cast<std::uint32_t>(header.size());
    file.push_back(static_cast<std::uint8_t>(length));
    file.push_back(static_cast<std::uint8_t>(length >> 8));
    if (version > 1)
        file.insert(file.end(), {0, 0});
    file.insert(file.end(), header.begin(), header.end());
    file.insert(file.end(), data.begin(), data.end());
    return file;
}

void addNpyFiles(const SeedFolder& seeds) {
    const Bytes data = seededBytes(3, 24);
    const std::array<std::int64_t, 4> shape{1, 2, 3, 4};
    seeds.add("npy", "int8", writeNpy(data, shape));
    seeds.add("npy", "float_version_2",
              npyFile(2, "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }\n", data));
    seeds.add("npy", "uint8_version_3",
              npyFile(3, "{'descr': '|u1', 'fortran_order': False, 'shape': (24,), }\n", data));
    seeds.add("npy", "fortran_order",
              npyFile(1, "{'descr': '|i1', 'fortran_order': True, 'shape': (4, 6), }\n", data));
    seeds.add("npy", "scalar",
              npyFile(1, "{\"shape\": (), 'descr': '|i1', 'fortran_order': False}", data));
}

void addFilters(const SeedFolder& seeds) {
    constexpr const char* kFilters[] = {
        "opcode == CONV2D and cout > 32",
        "arena.bytes >= 8KiB or not (placement != npu)",
        "mismatches > 0",
        "opcode in {CONV2D, ADD} and cin in 0x10..64",
        "name ~ \"^conv(_2d)?$\" or tensor contains 'relu'",
        "k in {8, 16..32} and h != oh",
        "record == unknown and severity >= warning",
        "field.OPCODE == 1 && INPUT_H <= 1.5k || !conv",
        "input.scale < 1e-3",
    };
    for (std::size_t i = 0; i < std::size(kFilters); ++i)
        seeds.add("filter", "filter_" + std::to_string(i), viewOf(kFilters[i]));
}

/// Three bytes that choose a layer, fill the arena and choose a mistake, then edits.
void addEdits(const SeedFolder& seeds) {
    constexpr const char* kEdits[] = {
        "\x01\x80!record/1/word/22/OUTPUT_ZERO=-3",
        "\x02\x7f&record/2/word/23/ACTIVATION_MIN=-128\nrecord/2/word/23/ACTIVATION_MAX=127",
        "\x01 +weights/0x10=-128\nweights/17=0x80\nparams/4=255",
        "\x03 0relocation/2/region=weights\nrelocation/3/offset=64",
        "\x04 5relocation/1/word=5\nrelocation/0/record=3",
        "\x05 :descriptors/0x30=2\nrecord/0/word/12/STRIDE_H=2",
    };
    for (std::size_t i = 0; i < std::size(kEdits); ++i)
        seeds.add("edit", "edit_" + std::to_string(i), viewOf(kEdits[i]));
}

} // namespace
} // namespace plumbline::fuzz

int main(int argc, char** argv) {
    using namespace plumbline::fuzz;
    if (argc != 2) {
        std::fprintf(stderr, "usage: make_seeds FOLDER\n");
        return 2;
    }
    try {
        const SeedFolder seeds(argv[1]);
        addModels(seeds);
        addFaultyPackages(seeds);
        addRecords(seeds);
        addTraces(seeds);
        addNpyFiles(seeds);
        addFilters(seeds);
        addEdits(seeds);
    } catch (const std::exception& error) {
        std::fprintf(stderr, "make_seeds: %s\n", error.what());
        return 1;
    }
    return 0;
}
