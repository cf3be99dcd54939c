// SPDX-License-Identifier: GPL-3.0-or-later
// Reading references: packages, traces, folders of dumps and of arena images. Entry point:
// loadReference. What is read is untrusted.
#include <algorithm>
#include <set>
#include <unordered_map>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/artifacts/npy.h"
#include "core/artifacts/numbered_files.h"
#include "core/artifacts/trace_io.h"
#include "core/base/file.h"
#include "core/compare/diff.h"
#include "core/compare/reference.h"
#include "core/compare/reference_match.h"
#include "core/graph/tensor_size.h"

namespace plumbline {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kIndexFile = "trace.json";
constexpr std::string_view kDigits = "0123456789";
constexpr std::string_view kSeparators = "-_. ";
constexpr std::size_t kShownNotes = 3;

/// The last part of `path` that is a name: "run" of "a/run/", of "." the folder's own.
std::string nameOf(const fs::path& path) {
    std::error_code error;
    const fs::path normal = fs::absolute(path, error).lexically_normal();
    return (normal.has_filename() ? normal : normal.parent_path()).filename().string();
}

/// The last run of digits in `text`; nothing when there is none or it is no operator index.
std::optional<std::int64_t> numberIn(std::string_view text) {
    const std::size_t last = text.find_last_of(kDigits);
    if (last == std::string_view::npos)
        return std::nullopt;
    const std::size_t before = text.find_last_not_of(kDigits, last);
    std::int64_t number = 0;
    for (std::size_t i = before == std::string_view::npos ? 0 : before + 1; i <= last; ++i) {
        number = number * 10 + (text[i] - '0');
        if (number > kMaxTraceOperator)
            return std::nullopt;
    }
    return number;
}

/// What a file name says about the layer in it.
struct FileLabel {
    std::optional<std::int64_t> number;
    std::string name; ///< a tensor's; empty when the file name holds none
};

/// Reads file names. Digits of a tensor's name are no number: "conv2d_1" is the tensor of that
/// name where there is one, and "004_conv2d_1" has the number 4.
class LabelReader {
  public:
    explicit LabelReader(const std::vector<LayerIdentity>& identities) {
        for (const LayerIdentity& identity : identities) {
            if (identity.tensorName.find_first_not_of(kDigits) == std::string::npos)
                continue; // a plain number in a file name is an operator index
            m_names.insert(identity.tensorName);
            m_names.insert(fileNameOfTensor(identity.tensorName));
        }
    }

    FileLabel read(const std::string& stem) const {
        if (m_names.contains(stem))
            return {std::nullopt, stem};
        const std::string_view text = stem;
        for (std::size_t at = text.find_first_of(kSeparators); at != std::string_view::npos;
             at = text.find_first_of(kSeparators, at + 1))
            if (m_names.contains(text.substr(at + 1)))
                return {numberIn(text.substr(0, at)), stem.substr(at + 1)};
        for (std::size_t at = text.find_last_of(kSeparators);
             at != std::string_view::npos && at > 0; at = text.find_last_of(kSeparators, at - 1))
            if (m_names.contains(text.substr(0, at)))
                return {numberIn(text.substr(at + 1)), stem.substr(0, at)};
        return {numberIn(text), {}};
    }

  private:
    std::set<std::string, std::less<>> m_names;
};

/// A file of a folder, read.
struct Dump {
    std::string file;
    std::string stem;
    TraceLayer layer;    ///< not sealed
    std::string refusal; ///< why it is no tensor; empty where it is one
};

/// The .bin and .npy files of `folder` by name; hidden ones are passed over.
Result<std::vector<fs::path>> listDumps(const fs::path& folder) {
    std::vector<fs::path> files;
    std::error_code error;
    for (fs::directory_iterator entry(folder, error), end; !error && entry != end;
         entry.increment(error)) {
        const fs::path& path = entry->path();
        std::error_code ignored;
        if ((path.extension() != ".bin" && path.extension() != ".npy") ||
            path.filename().string().front() == '.' || !entry->is_regular_file(ignored))
            continue;
        files.push_back(path);
        if (files.size() > kMaxTraceLayers)
            return badTrace(folder, fmt::format("There are more than {} files.", kMaxTraceLayers));
    }
    if (error)
        return badTrace(folder, fmt::format("Cannot list: {}.", error.message()));
    if (files.empty())
        return badTrace(folder, "There is no trace.json, no npu.json and no .bin or .npy file.");
    std::sort(files.begin(), files.end());
    return files;
}

Result<Dump> readDump(const fs::path& path, std::uint64_t maxBytes) {
    auto file = readFile(path, maxBytes);
    if (!file)
        return badTrace(path, file.diagnostics().front().message);
    Dump dump;
    dump.file = path.filename().string();
    dump.stem = path.stem().string();
    if (path.extension() == ".bin") {
        dump.layer.shape = {static_cast<std::int64_t>(file->size())};
        dump.layer.bytes = *std::move(file);
        return dump;
    }
    auto array = parseNpy(*file);
    if (!array)
        return badTrace(path, array.diagnostics().front().message);
    if (array->dtype != "|i1")
        dump.refusal = fmt::format("int8 (|i1) expected, the file has {}", array->dtype);
    dump.layer.shape = std::move(array->shape);
    dump.layer.bytes = std::move(array->data);
    return dump;
}

Result<std::vector<Dump>> readDumps(const fs::path& folder) {
    const auto files = listDumps(folder);
    if (!files)
        return files.diagnostics();
    std::vector<Dump> dumps;
    Diagnostics problems;
    std::uint64_t left = kMaxFileBytes;
    for (const fs::path& path : *files) {
        auto dump = readDump(path, left);
        if (!dump) {
            problems.push_back(dump.diagnostics().front());
            continue;
        }
        left -= std::min<std::uint64_t>(left, dump->layer.bytes.size());
        dumps.push_back(*std::move(dump));
    }
    if (!problems.empty())
        return problems;
    return dumps;
}

using IdentityIndex = std::unordered_map<std::int64_t, const LayerIdentity*>;

IdentityIndex indexOf(const std::vector<LayerIdentity>& identities) {
    IdentityIndex index;
    for (const LayerIdentity& identity : identities)
        index.emplace(identity.operatorIndex, &identity);
    return index;
}

/// Whether the numbered files of `dumps` are images of an arena of `arenaBytes`: all are that long,
/// and they are not simply the tensors of their operators.
bool areArenaImages(const std::vector<Dump>& dumps, const IdentityIndex& identities,
                    std::uint64_t arenaBytes) {
    bool any = false;
    bool allTensors = true;
    for (const Dump& dump : dumps) {
        const auto number = numberIn(dump.stem);
        if (!number)
            continue;
        if (!dump.refusal.empty() || dump.layer.bytes.size() != arenaBytes)
            return false;
        any = true;
        const auto found = identities.find(*number);
        allTensors = allTensors && found != identities.end() &&
                     tensorBytes(found->second->shape) == arenaBytes;
    }
    return any && !allTensors;
}

/// The output of the operator that an arena image is numbered by.
ReferenceCandidate candidateOfImage(Dump dump, const IdentityIndex& identities) {
    ReferenceCandidate made;
    made.from = dump.file;
    made.number = numberIn(dump.stem);
    const Bytes image = std::move(dump.layer.bytes);
    if (!made.number) {
        made.refusal = "no number in its name says after which operator it was taken";
        return made;
    }
    const auto found = identities.find(*made.number);
    if (found == identities.end()) {
        made.refusal = fmt::format("there is no layer of operator {}", *made.number);
        return made;
    }
    const LayerIdentity& identity = *found->second;
    const auto bytes = tensorBytes(identity.shape);
    const std::uint64_t offset = identity.arenaOffset.value_or(image.size());
    if (!bytes || offset > image.size() || *bytes > image.size() - offset) {
        made.refusal = fmt::format("the output of operator {} is not in the arena", *made.number);
        return made;
    }
    const auto begin = image.begin() + static_cast<std::ptrdiff_t>(offset);
    made.layer.bytes.assign(begin, begin + static_cast<std::ptrdiff_t>(*bytes));
    made.layer.shape = {identity.shape.h, identity.shape.w, identity.shape.c};
    sealLayer(made.layer);
    return made;
}

ReferenceCandidate candidateOfDump(Dump dump, const LabelReader& labels) {
    FileLabel label = labels.read(dump.stem);
    sealLayer(dump.layer);
    return {std::move(dump.file), label.number, std::move(label.name), std::move(dump.layer),
            std::move(dump.refusal)};
}

Result<Reference> loadFolder(const fs::path& folder, const std::vector<LayerIdentity>& identities,
                             std::uint64_t arenaBytes) {
    auto dumps = readDumps(folder);
    if (!dumps)
        return dumps.diagnostics();
    const IdentityIndex index = indexOf(identities);
    const bool images = areArenaImages(*dumps, index, arenaBytes);
    const LabelReader labels(identities);
    std::vector<ReferenceCandidate> candidates;
    for (Dump& dump : *dumps)
        candidates.push_back(images ? candidateOfImage(std::move(dump), index)
                                    : candidateOfDump(std::move(dump), labels));
    Trace header;
    header.producer = "files in " + folder.string();
    return matchCandidates(std::move(candidates), std::move(header),
                           (images ? "arena images in " : "dumps in ") + nameOf(folder),
                           identities);
}

Result<Reference> loadDigests(const fs::path& path, const std::vector<LayerIdentity>& identities) {
    const auto package = loadPackage(path);
    if (!package)
        return package.diagnostics();
    Trace digests = referenceTrace(*package);
    if (digests.layers.empty())
        return badTrace(path, "npu.json holds no reference digests.");
    return matchReference(std::move(digests), "digests in npu.json", identities);
}

/// `folder` is the one that holds `path`, or `path` itself.
Result<Reference> loadTraceReference(const fs::path& path, const fs::path& folder,
                                     const std::vector<LayerIdentity>& identities) {
    auto trace = loadTrace(path);
    if (!trace)
        return trace.diagnostics();
    std::string name = "trace " + nameOf(folder);
    if (trace->producer.find(" executor with ") != std::string::npos)
        name += " (" + trace->producer + ")"; // a mistake was made on purpose
    return matchReference(*std::move(trace), std::move(name), identities);
}

/// Why nothing in `reference` could be used.
std::string nothingMatched(const Reference& reference) {
    if (reference.matches.empty())
        return "It holds no layers.";
    std::vector<std::string> shown;
    for (const LayerMatch& match : reference.matches)
        if (shown.size() < kShownNotes)
            shown.push_back(fmt::format("{}: {}", match.from, match.note));
    return fmt::format("Nothing here matches a layer ({}{}).", fmt::join(shown, "; "),
                       reference.matches.size() > shown.size() ? "; and so on" : "");
}

} // namespace

Result<Reference> loadReference(const fs::path& path, const std::vector<LayerIdentity>& identities,
                                std::uint64_t arenaBytes) {
    std::error_code error;
    const fs::file_status status = fs::status(path, error);
    if (!fs::exists(status)) {
        Location where;
        where.file = path.string();
        return makeError(Code::FileUnreadable,
                         fmt::format("Cannot open the reference: {}.",
                                     error ? error.message() : "No such file or directory"),
                         std::move(where));
    }
    const bool isFolder = fs::is_directory(status);
    const bool isTrace = isFolder ? fs::exists(fs::symlink_status(path / kIndexFile, error))
                                  : path.filename() == kIndexFile;
    auto reference = [&]() -> Result<Reference> {
        if (isPackagePath(path))
            return loadDigests(path, identities);
        if (isTrace)
            return loadTraceReference(
                path, isFolder ? path : fs::absolute(path, error).parent_path(), identities);
        if (isFolder)
            return loadFolder(path, identities, arenaBytes);
        return badTrace(path, "A reference is a package, a trace or a folder; this is a file.");
    }();
    if (reference && reference->trace.layers.empty())
        return badTrace(path, nothingMatched(*reference));
    return reference;
}

} // namespace plumbline
