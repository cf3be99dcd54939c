// SPDX-License-Identifier: GPL-3.0-or-later
// Entry points: writeTrace and loadTrace. A trace directory is untrusted: its numbers are bounded
// and its file names may not lead out of it.
#include "core/artifacts/trace_io.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/artifacts/json_reader.h"
#include "core/artifacts/numbered_files.h"
#include "core/base/file.h"
#include "core/base/output_directory.h"
#include "core/base/sha256.h"
#include "core/report/p0_report.h"

namespace plumbline {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

constexpr std::string_view kIndexName = "trace.json";
constexpr std::string_view kOurProducer = "plumbline";
constexpr std::uint64_t kMaxIndexBytes = std::uint64_t{64} << 20;
constexpr std::size_t kMaxRank = 32;
constexpr std::int64_t kMaxLayerBytes = std::int64_t{1} << 40; // of a layer that is a digest only

// ---- Writing

json layerJson(const TraceLayer& layer, const json& file) {
    json entry;
    entry["operator"] = layer.operatorIndex;
    entry["name"] = layer.name;
    entry["shape"] = layer.shape;
    entry["scale"] = nullptr;
    if (layer.scale && std::isfinite(*layer.scale))
        entry["scale"] = *layer.scale;
    entry["zero_point"] = layer.zeroPoint ? json(*layer.zeroPoint) : json();
    entry["bytes"] = layer.byteCount;
    entry["sha256"] = layer.sha256;
    entry["file"] = file;
    return entry;
}

/// The names of the files in a trace.json of ours; nothing when `directory` holds no such trace.
std::optional<std::set<std::string>> filesOfOurTrace(const fs::path& directory) {
    const fs::path path = directory / kIndexName;
    const auto text = readFile(path, kMaxIndexBytes);
    if (!text)
        return std::nullopt;
    const auto parsed = parseJson(*text, path.string(), Code::BadTrace);
    if (!parsed)
        return std::nullopt;
    JsonReport report;
    const JsonValue root(*parsed, report);
    const auto producer = root.member("producer").text();
    const auto layers = root.member("layers").items(kMaxTraceLayers);
    if (!producer || !producer->starts_with(kOurProducer) || !layers)
        return std::nullopt;
    std::set<std::string> names{std::string(kIndexName)};
    for (const JsonValue& layer : *layers) {
        const JsonValue file = layer.member("file");
        if (file.exists() && !file.isNull())
            names.insert(file.text().value_or(std::string(kIndexName)));
    }
    if (!report.diagnostics.empty())
        return std::nullopt;
    return names;
}

bool isOurTrace(const fs::path& directory) {
    std::error_code error;
    if (!fs::is_regular_file(fs::symlink_status(directory / kIndexName, error)))
        return false;
    const auto names = filesOfOurTrace(directory);
    if (!names)
        return false;
    for (fs::directory_iterator entry(directory, error), end; !error && entry != end;
         entry.increment(error)) {
        if (!fs::is_regular_file(entry->symlink_status(error)) ||
            !names->contains(entry->path().filename().string()))
            return false;
    }
    return !error;
}

// ---- Loading

/// Whether `bytes` is a whole number of bytes per element of `shape`.
bool sizeFitsShape(const std::vector<std::int64_t>& shape, std::int64_t bytes) {
    if (std::find(shape.begin(), shape.end(), 0) != shape.end())
        return bytes == 0;
    std::int64_t elements = 1;
    for (const std::int64_t extent : shape) {
        if (extent > kMaxLayerBytes / elements)
            return false;
        elements *= extent;
    }
    return bytes > 0 && bytes % elements == 0;
}

/// A layer of trace.json and the file that holds its bytes, if any.
struct IndexedLayer {
    TraceLayer layer;
    std::optional<std::string> file;
};

std::optional<std::string> nullableSha256(const JsonValue& value) {
    return value.exists() && !value.isNull() ? value.sha256() : std::nullopt;
}

std::optional<IndexedLayer> readLayer(const JsonValue& entry) {
    constexpr std::int64_t kMaxInt = std::numeric_limits<std::int64_t>::max();
    const auto operatorIndex = entry.member("operator").integer(0, kMaxTraceOperator);
    const JsonValue shapeValue = entry.member("shape");
    const auto shape = shapeValue.integers(0, kMaxLayerBytes, kMaxRank);
    const auto bytes = entry.member("bytes").integer(0, kMaxLayerBytes);
    const auto sha256 = entry.member("sha256").sha256();
    const JsonValue name = entry.optionalMember("name");
    const JsonValue scale = entry.optionalMember("scale");
    const JsonValue zeroPoint = entry.optionalMember("zero_point");
    const JsonValue file = entry.optionalMember("file");

    IndexedLayer indexed;
    TraceLayer& layer = indexed.layer;
    if (name.exists())
        layer.name = name.text().value_or("");
    if (scale.exists() && !scale.isNull())
        layer.scale = scale.number();
    if (zeroPoint.exists() && !zeroPoint.isNull())
        layer.zeroPoint = zeroPoint.integer(-kMaxInt - 1, kMaxInt);
    if (file.exists() && !file.isNull())
        indexed.file = file.text();
    if (!operatorIndex || !shape || !bytes || !sha256)
        return std::nullopt;
    if (!sizeFitsShape(*shape, *bytes))
        shapeValue.report(
            fmt::format("The shape [{}] does not fit {} bytes.", fmt::join(*shape, ","), *bytes));
    layer.operatorIndex = *operatorIndex;
    layer.shape = *shape;
    layer.byteCount = static_cast<std::uint64_t>(*bytes);
    layer.sha256 = *sha256;
    return indexed;
}

/// The real path of `name` below `directory`; nothing, with a problem, where it leads elsewhere.
std::optional<fs::path> pathInside(const fs::path& directory, const std::string& name,
                                   std::string& problem) {
    const fs::path relative(name);
    const bool plain =
        !name.empty() && name.find('\0') == std::string::npos && !relative.is_absolute() &&
        std::none_of(relative.begin(), relative.end(), [](const fs::path& p) { return p == ".."; });
    std::error_code error;
    const fs::path base = fs::canonical(directory, error);
    const fs::path real = plain && !error ? fs::canonical(base / relative, error) : fs::path();
    if (error) {
        problem = fmt::format("cannot be opened: {}", error.message());
        return std::nullopt;
    }
    if (!plain ||
        std::mismatch(base.begin(), base.end(), real.begin(), real.end()).first != base.end()) {
        problem = "leads out of the trace directory";
        return std::nullopt;
    }
    if (!fs::is_regular_file(real, error)) {
        problem = "is not a regular file";
        return std::nullopt;
    }
    return real;
}

/// Reads the bytes of a layer and checks them against its entry.
void loadLayerFile(const fs::path& directory, const JsonValue& entry, const std::string& name,
                   TraceLayer& layer) {
    const std::string shown = describeJson(json(name));
    std::string problem;
    const auto path = pathInside(directory, name, problem);
    if (!path) {
        entry.member("file").report(fmt::format("The file {} {}.", shown, problem));
        return;
    }
    auto bytes = readFile(*path, layer.byteCount);
    if (!bytes) {
        const Diagnostic& first = bytes.diagnostics().front();
        const bool tooLong = first.code == Code::FileTooLarge;
        entry.member(tooLong ? "bytes" : "file")
            .report(tooLong ? fmt::format("{} bytes stated, the file {} has more.", layer.byteCount,
                                          shown)
                            : first.message);
        return;
    }
    if (bytes->size() != layer.byteCount) {
        entry.member("bytes").report(fmt::format("{} bytes stated, the file {} has {}.",
                                                 layer.byteCount, shown, bytes->size()));
        return;
    }
    if (const std::string digest = sha256Hex(*bytes); digest != layer.sha256) {
        entry.member("sha256").report(
            fmt::format("{} stated, the file {} has {}.", layer.sha256, shown, digest));
        return;
    }
    layer.bytes = *std::move(bytes);
}

void loadLayers(const fs::path& directory, const std::vector<JsonValue>& entries,
                JsonReport& report, Trace& trace) {
    std::vector<IndexedLayer> indexed;
    std::set<std::int64_t> seen;
    std::uint64_t total = 0;
    for (const JsonValue& entry : entries) {
        auto layer = readLayer(entry);
        if (!layer)
            continue;
        const std::int64_t index = layer->layer.operatorIndex;
        if (!seen.insert(index).second)
            entry.member("operator")
                .report(fmt::format("Operator {} has more than one layer.", index));
        total += layer->file ? std::min(layer->layer.byteCount, 2 * kMaxFileBytes) : 0;
        if (total > kMaxFileBytes) {
            entry.member("bytes").report(fmt::format(
                "The layers up to here have more than {} bytes in all.", kMaxFileBytes));
            return;
        }
        indexed.push_back(*std::move(layer));
    }
    if (!report.diagnostics.empty())
        return;
    for (std::size_t i = 0; i < indexed.size(); ++i) {
        if (indexed[i].file)
            loadLayerFile(directory, entries[i], *indexed[i].file, indexed[i].layer);
        trace.layers.push_back(std::move(indexed[i].layer));
    }
}

Result<Trace> loadIndexed(const fs::path& directory, const fs::path& indexPath) {
    const auto text = readFile(indexPath, kMaxIndexBytes);
    if (!text)
        return badTrace(indexPath, text.diagnostics().front().message);
    const auto document = parseJson(*text, indexPath.string(), Code::BadTrace);
    if (!document)
        return document.diagnostics();
    JsonReport report{indexPath.string(), Code::BadTrace, Code::BadTrace, Code::BadTrace, {}};
    const JsonValue root(*document, report);
    Trace trace;
    trace.producer = root.member("producer").text().value_or("");
    trace.modelSha256 = nullableSha256(root.optionalMember("model_sha256"));
    trace.inputSha256 = nullableSha256(root.optionalMember("input_sha256"));
    if (const auto entries = root.member("layers").items(kMaxTraceLayers))
        loadLayers(directory, *entries, report, trace);
    if (!report.diagnostics.empty())
        return std::move(report.diagnostics);
    return trace;
}

} // namespace

Status writeTrace(const fs::path& directory, const Trace& trace, bool digestsOnly) {
    json index;
    // The mark by which a later write knows the directory as one of Plumbline's.
    index["producer"] = trace.producer.starts_with(kOurProducer)
                            ? trace.producer
                            : fmt::format("{}: {}", kOurProducer, trace.producer);
    index["model_sha256"] = trace.modelSha256 ? json(*trace.modelSha256) : json();
    index["input_sha256"] = trace.inputSha256 ? json(*trace.inputSha256) : json();
    index["layers"] = json::array();
    std::vector<OutputFile> files;
    for (const TraceLayer& layer : trace.layers) {
        json name;
        if (!digestsOnly && layer.hasBytes()) {
            files.push_back({fmt::format("layer_{:03}.bin", layer.operatorIndex), layer.bytes});
            name = files.back().name;
        }
        index["layers"].push_back(layerJson(layer, name));
    }
    const std::string text = canonicalJson(index);
    files.push_back({std::string(kIndexName), Bytes(text.begin(), text.end())});
    return writeDirectoryAtomically(directory, files, isOurTrace);
}

Result<Trace> loadTrace(const fs::path& directory) {
    std::error_code error;
    const fs::file_status status = fs::status(directory, error);
    if (!fs::exists(status))
        return badTrace(directory,
                        fmt::format("Cannot open the directory: {}.",
                                    error ? error.message() : "No such file or directory"));
    if (fs::is_regular_file(status) && directory.filename() == kIndexName)
        return loadIndexed(directory.has_parent_path() ? directory.parent_path() : ".", directory);
    if (!fs::is_directory(status))
        return badTrace(directory, "A trace is a directory; this is none.");
    const fs::path index = directory / kIndexName;
    const fs::file_status indexStatus = fs::status(index, error);
    if (!fs::exists(fs::symlink_status(index, error)))
        return loadNumberedFiles(directory);
    if (!fs::is_regular_file(indexStatus))
        return badTrace(index, "This is not a regular file.");
    return loadIndexed(directory, index);
}

} // namespace plumbline
