// SPDX-License-Identifier: GPL-3.0-or-later
// Packages, loaded: everything that can be understood is kept, every disagreement is reported.
#include "core/artifacts/package.h"

#include <algorithm>

#include <fmt/format.h>

#include "core/artifacts/json_reader.h"
#include "core/artifacts/package_format.h"
#include "core/artifacts/report_reader.h"
#include "core/base/file.h"
#include "core/base/sha256.h"

namespace plumbline {
namespace {

constexpr std::int64_t kAnyInteger = std::int64_t{1} << 53; ///< what JSON numbers hold exactly
constexpr std::size_t kMaxEntries = 1'000'000;              ///< relocations, operators, steps
constexpr std::string_view kManifestKeys[] = {"arena_bytes",
                                              "compiler",
                                              "files",
                                              "input_offset",
                                              "numeric_profile",
                                              "relocations",
                                              "report",
                                              "required_capability_bits",
                                              "required_capability_mask",
                                              "required_opcode_mask",
                                              "schema",
                                              "source_model_sha256",
                                              "steps",
                                              "tensors",
                                              "workload"};
constexpr std::string_view kReportKeys[] = {"arena_bytes", "arena_note", "compiler",
                                            "cycle_model", "input",      "numeric_profile",
                                            "operators",   "output",     "source_model_sha256",
                                            "totals",      "workload"};

class PackageLoader {
  public:
    explicit PackageLoader(std::filesystem::path directory) {
        m_out.directory = std::move(directory);
        m_report.file = (m_out.directory / kManifestName).string();
        m_report.missingKey = Code::ManifestKeyMissing;
        m_report.unknownKey = Code::ManifestKeyUnknown;
        m_report.badValue = Code::ManifestValue;
    }

    Result<Package> run() {
        const auto text = readFile(m_report.file, kMaxManifestBytes);
        if (!text)
            return text.diagnostics();
        auto parsed = parseJson(*text, m_report.file, Code::BadManifest);
        if (!parsed)
            return std::move(parsed).diagnostics();
        if (!parsed->is_object())
            return makeError(Code::BadManifest, "npu.json holds no object", placeOf(""));
        m_out.manifest = *std::move(parsed);
        readManifest(JsonValue(m_out.manifest, m_report));
        m_out.diagnostics = std::move(m_report.diagnostics);
        m_out.damaged = hasErrors(m_out.diagnostics);
        return std::move(m_out);
    }

  private:
    Location placeOf(std::string part) const {
        Location where;
        where.file = m_report.file;
        where.part = std::move(part);
        return where;
    }

    void inconsistent(std::string part, std::string message) {
        m_report.diagnostics.push_back(
            makeError(Code::ManifestInconsistent, std::move(message), placeOf(std::move(part))));
    }

    void readManifest(const JsonValue& root) {
        root.allowOnly(kManifestKeys);
        for (const std::string_view key : kManifestKeys)
            root.member(key);
        expectNumber(root, "schema", kSchemaVersion);
        expectNumber(root, "numeric_profile", kNumericProfile);
        readCapabilities(root);
        m_out.workload = root.optionalMember("workload").text().value_or("");
        readFiles(root.optionalMember("files"));
        m_out.job.arenaBytes = size(root.optionalMember("arena_bytes"));
        m_out.job.inputOffset = size(root.optionalMember("input_offset"));
        readRelocations(root.optionalMember("relocations"));
        readSteps(root.optionalMember("steps"));
        readReport(root.optionalMember("report"));
        readTensors(root.optionalMember("tensors"));
        checkAgreement(root);
    }

    static std::uint64_t size(const JsonValue& value) {
        return static_cast<std::uint64_t>(value.integer(0, kAnyInteger).value_or(0));
    }

    void expectNumber(const JsonValue& root, std::string_view key, std::int64_t expected) {
        const JsonValue value = root.optionalMember(key);
        const auto number = value.integer(-kAnyInteger, kAnyInteger);
        if (number && *number != expected)
            value.report(fmt::format("{} is {}, not {}", key, *number, expected));
    }

    void readCapabilities(const JsonValue& root) {
        std::int64_t mask = 0;
        nlohmann::json names = nlohmann::json::array();
        for (const Capability& capability : kCapabilities) {
            mask |= std::int64_t{1} << capability.bit;
            names.push_back(capability.name);
        }
        expectNumber(root, "required_capability_mask", mask);
        const JsonValue bits = root.optionalMember("required_capability_bits");
        if (bits.exists() && bits.json() != names)
            bits.report(fmt::format("the capabilities are {}, not {}", describeJson(bits.json()),
                                    names.dump()));
    }

    void readFiles(const JsonValue& files) {
        if (!files.exists())
            return;
        files.allowOnly(kBinaryFiles);
        m_out.job.descriptors = readBinary(files, kDescriptorsFile);
        m_out.job.weights = readBinary(files, kWeightsFile);
        m_out.job.params = readBinary(files, kParamsFile);
    }

    Bytes readBinary(const JsonValue& files, std::string_view name) {
        const std::string path = (m_out.directory / name).string();
        auto bytes = readFile(path);
        const JsonValue entry = files.member(name);
        if (!bytes) {
            m_report.diagnostics.push_back(bytes.diagnostics().front());
            return {};
        }
        constexpr std::string_view kFileKeys[] = {"bytes", "sha256"};
        if (entry.exists())
            entry.allowOnly(kFileKeys);
        const auto stated = entry.member("bytes").integer(0, kAnyInteger);
        Location where;
        where.file = path;
        if (stated && static_cast<std::uint64_t>(*stated) != bytes->size())
            m_report.diagnostics.push_back(makeError(
                Code::FileSizeDiffers,
                fmt::format("the file has {} bytes, npu.json says {}", bytes->size(), *stated),
                where));
        const auto digest = entry.member("sha256").sha256();
        const std::string actual = sha256Hex(*bytes);
        if (digest && *digest != actual)
            m_report.diagnostics.push_back(makeError(
                Code::FileDigestDiffers,
                fmt::format("the file has SHA-256 {}, npu.json says {}", actual, *digest), where));
        return *std::move(bytes);
    }

    void readRelocations(const JsonValue& list) {
        constexpr std::string_view kKeys[] = {"descriptor_index", "offset", "region", "word_index"};
        for (const JsonValue& entry : itemsOf(list)) {
            entry.allowOnly(kKeys);
            Relocation r;
            r.record =
                entry.member("descriptor_index").integer(-kAnyInteger, kAnyInteger).value_or(-1);
            r.word = entry.member("word_index").integer(-kAnyInteger, kAnyInteger).value_or(-1);
            r.region = entry.member("region").text().value_or("");
            r.offset = entry.member("offset").integer(-kAnyInteger, kAnyInteger).value_or(-1);
            m_out.job.relocations.push_back(std::move(r));
        }
    }

    static std::vector<JsonValue> itemsOf(const JsonValue& list) {
        return list.exists() ? list.items(kMaxEntries).value_or(std::vector<JsonValue>{})
                             : std::vector<JsonValue>{};
    }

    static std::optional<std::int64_t> anyInteger(const JsonValue& value) {
        return value.exists() ? value.integer(-kAnyInteger, kAnyInteger) : std::nullopt;
    }

    void readSteps(const JsonValue& list) {
        constexpr std::string_view kNpuKeys[] = {"count", "first_descriptor", "kind"};
        constexpr std::string_view kCpuKeys[] = {
            "diff_min", "input_left_shift", "input_multiplier", "kind", "note",
            "op",       "source_descriptor"};
        for (const JsonValue& entry : itemsOf(list)) {
            Step step;
            step.kind = entry.member("kind").text().value_or("");
            const bool isNpu = step.kind == "npu";
            entry.allowOnly(isNpu ? std::span<const std::string_view>(kNpuKeys)
                                  : std::span<const std::string_view>(kCpuKeys));
            if (isNpu) {
                step.firstRecord = anyInteger(entry.member("first_descriptor"));
                step.count = anyInteger(entry.member("count"));
            } else {
                readCpuStep(entry, step);
            }
            m_out.job.steps.push_back(std::move(step));
        }
    }

    static void readCpuStep(const JsonValue& entry, Step& step) {
        step.op = entry.member("op").text().value_or("");
        step.sourceRecord = anyInteger(entry.member("source_descriptor"));
        step.inputMultiplier = anyInteger(entry.member("input_multiplier"));
        step.inputLeftShift = anyInteger(entry.member("input_left_shift"));
        step.diffMin = anyInteger(entry.member("diff_min"));
        const JsonValue note = entry.member("note");
        if (note.exists() && !note.isNull())
            step.note = note.text().value_or("");
    }

    static Hwc hwc(const JsonValue& value) {
        const auto list = value.integers(1, kAnyInteger, 3);
        return list && list->size() == 3 ? Hwc{(*list)[0], (*list)[1], (*list)[2]} : Hwc{};
    }

    void readReport(const JsonValue& report) {
        if (!report.exists())
            return;
        report.allowOnly(kReportKeys);
        for (const std::string_view key : kReportKeys)
            report.member(key);
        const std::vector<JsonValue> entries = itemsOf(report.optionalMember("operators"));
        const auto count = static_cast<std::int64_t>(entries.size());
        m_out.job.buffers.push_back({"input", m_out.job.inputOffset, 0, -1, count, true});
        for (const JsonValue& entry : entries)
            readOperator(entry);
        for (std::size_t i = 0; i < m_inexactBuffers; ++i)
            m_out.job.buffers[i].lastIsExact = false;
        readOutput(report.optionalMember("output"));
    }

    std::int64_t readIndex(const JsonValue& index, std::int64_t position) {
        const auto value = index.integer(0, kAnyInteger);
        if (value && *value != position)
            inconsistent(index.place(), fmt::format("operator {} of the list says that it is {}",
                                                    position, *value));
        return value.value_or(position);
    }

    void readOperator(const JsonValue& entry) {
        const auto position = static_cast<std::int64_t>(m_out.operators.size());
        const std::int64_t index = readIndex(entry.member("index"), position);
        const std::size_t reported = m_report.diagnostics.size();
        m_out.operators.push_back(readReportedOperator(entry, position));
        const bool isRead = m_report.diagnostics.size() == reported;
        const LoweredOperator& op = m_out.operators.back();
        JobLayer layer{index, op.name, {}, {}};
        if (op.placement == Placement::Alias || op.placement == Placement::Refused) {
            // What RESHAPE aliases is not in the report: earlier buffers may live longer than
            // stated.
            m_inexactBuffers = m_out.job.buffers.size();
            return;
        }
        layer.scale = op.quantization.outputScale;
        layer.zeroPoint = op.quantization.outputZeroPoint;
        if (op.placement == Placement::CpuSoftmax) {
            m_out.job.softmax = std::move(layer);
            return;
        }
        addBuffer(op, index, isRead);
        const std::int64_t record = op.record.value_or(-1);
        if (record != static_cast<std::int64_t>(m_out.job.layers.size()))
            inconsistent(entry.place() + ".descriptor_index",
                         fmt::format("descriptor_index is {}, the {} records before suggest {}",
                                     record, m_out.job.layers.size(), m_out.job.layers.size()));
        m_out.job.layers.push_back(std::move(layer));
    }

    void addBuffer(const LoweredOperator& op, std::int64_t index, bool isExact) {
        constexpr std::uint64_t kAlignment = 64;
        m_out.job.buffers.push_back(
            {fmt::format("{} {}", op.name, index), op.arena.output,
             (op.arena.outputBytes + kAlignment - 1) / kAlignment * kAlignment, index,
             op.arena.outputLiveUntilOperator, isExact});
    }

    void readOutput(const JsonValue& output) {
        if (!output.exists())
            return;
        PortSummary& port = m_out.output;
        port.tensor = anyInteger(output.member("tensor_index")).value_or(0);
        port.shape = hwc(output.member("shape"));
        port.bytes = size(output.member("bytes"));
        port.offset = size(output.member("source_offset"));
        port.sourceRecord = anyInteger(output.member("source_descriptor"));
        const std::string placement = output.member("placement").text().value_or("");
        port.placement = placement == "cpu-softmax" ? Placement::CpuSoftmax : Placement::Npu;
        if (port.placement == Placement::CpuSoftmax)
            m_out.job.softmaxShape = port.shape;
        else
            m_out.job.outputRecord = port.sourceRecord.value_or(-1);
    }

    void readTensors(const JsonValue& tensors) {
        if (!tensors.exists())
            return;
        constexpr std::string_view kKeys[] = {"input", "layers", "output"};
        tensors.allowOnly(kKeys);
        tensors.member("output");
        const JsonValue input = tensors.member("input");
        if (input.exists()) {
            PortSummary& port = m_out.input;
            port.tensor = anyInteger(input.member("tensor_index")).value_or(0);
            port.shape = hwc(input.member("shape"));
            port.scale = input.member("scale").number().value_or(0);
            port.zeroPoint = anyInteger(input.member("zero_point")).value_or(0);
            port.bytes = size(input.member("bytes"));
            port.offset = size(input.member("offset"));
            m_out.job.inputBytes = port.bytes;
            if (!m_out.job.buffers.empty())
                m_out.job.buffers.front().bytes = port.bytes;
        }
        const std::size_t layers = itemsOf(tensors.member("layers")).size();
        if (layers != m_out.job.layers.size())
            inconsistent("tensors.layers", fmt::format("{} layers, the report has {} records",
                                                       layers, m_out.job.layers.size()));
    }

    void checkAgreement(const JsonValue& root) {
        const nlohmann::json& m = m_out.manifest;
        const JsonValue report = root.optionalMember("report");
        if (report.exists() && report.json().is_object()) {
            for (const char* key : {"arena_bytes", "numeric_profile", "source_model_sha256",
                                    "workload", "compiler"}) {
                if (report.json().contains(key) && m.contains(key) && report.json()[key] != m[key])
                    inconsistent(std::string("report.") + key,
                                 fmt::format("the report says {}, npu.json {}",
                                             describeJson(report.json()[key]),
                                             describeJson(m[key])));
            }
            const JsonValue tensors = root.optionalMember("tensors");
            if (tensors.exists() && tensors.json().is_object() &&
                tensors.json().contains("input") && report.json().contains("input") &&
                report.json()["input"] != tensors.json()["input"])
                inconsistent("report.input", "the report's input differs from tensors.input");
        }
        if (m_out.input.offset != m_out.job.inputOffset)
            inconsistent("input_offset", fmt::format("input_offset is {}, tensors.input.offset {}",
                                                     m_out.job.inputOffset, m_out.input.offset));
    }

    Package m_out;
    JsonReport m_report;
    std::size_t m_inexactBuffers = 0; ///< how many come before the last RESHAPE
};

} // namespace

Result<Package> loadPackage(const std::filesystem::path& path) {
    const bool isManifest = path.filename() == kManifestName;
    return PackageLoader(isManifest ? path.parent_path() : path).run();
}

bool isPackagePath(const std::filesystem::path& path) {
    std::error_code error;
    if (std::filesystem::is_directory(path, error))
        return std::filesystem::exists(path / kManifestName, error);
    return path.filename() == kManifestName;
}

} // namespace plumbline
