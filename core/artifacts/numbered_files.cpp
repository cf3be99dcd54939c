// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/artifacts/numbered_files.h"

#include <algorithm>
#include <map>
#include <optional>

#include <fmt/format.h>

#include "core/artifacts/npy.h"
#include "core/base/file.h"

namespace plumbline {
namespace {

namespace fs = std::filesystem;

/// The last run of digits in `stem` as a number within the operator range.
std::optional<std::int64_t> lastNumber(const std::string& stem) {
    constexpr std::string_view kDecimal = "0123456789";
    const std::size_t last = stem.find_last_of(kDecimal);
    if (last == std::string::npos)
        return std::nullopt;
    const std::size_t before = stem.find_last_not_of(kDecimal, last);
    std::int64_t number = 0;
    for (std::size_t i = before == std::string::npos ? 0 : before + 1; i <= last; ++i) {
        number = number * 10 + (stem[i] - '0');
        if (number > kMaxTraceOperator)
            return std::nullopt;
    }
    return number;
}

using NumberedFiles = std::map<std::int64_t, fs::path>;

Result<NumberedFiles> findNumberedFiles(const fs::path& directory) {
    NumberedFiles files;
    std::error_code error;
    for (fs::directory_iterator entry(directory, error), end; !error && entry != end;
         entry.increment(error)) {
        const fs::path& path = entry->path();
        const bool isTensor = path.extension() == ".bin" || path.extension() == ".npy";
        std::error_code ignored;
        if (!isTensor || !entry->is_regular_file(ignored))
            continue;
        const auto number = lastNumber(path.stem().string());
        if (!number)
            continue;
        const auto [place, added] = files.emplace(*number, path);
        if (!added) {
            const auto [first, second] = std::minmax(place->second, path);
            return badTrace(second, fmt::format("The files {} and {} both have the number {}.",
                                                first.filename().string(),
                                                second.filename().string(), *number));
        }
        if (files.size() > kMaxTraceLayers)
            return badTrace(directory,
                            fmt::format("There are more than {} numbered files.", kMaxTraceLayers));
    }
    if (error)
        return badTrace(directory, fmt::format("Cannot list: {}.", error.message()));
    if (files.empty())
        return badTrace(directory, "There is no trace.json and no numbered .bin or .npy file.");
    return files;
}

/// [H,W,C] of a batch-one shape; other shapes as they are.
std::vector<std::int64_t> layerShape(std::vector<std::int64_t> shape) {
    if (shape.size() == 4 && shape[0] == 1)
        shape.erase(shape.begin());
    else if (shape.size() == 2 && shape[0] == 1)
        shape.insert(shape.begin(), 1);
    return shape;
}

Result<TraceLayer> loadPlainLayer(std::int64_t number, const fs::path& path,
                                  std::uint64_t maxBytes) {
    auto file = readFile(path, maxBytes);
    if (!file)
        return badTrace(path, file.diagnostics().front().message);
    TraceLayer layer;
    layer.operatorIndex = number;
    if (path.extension() == ".bin") {
        layer.shape = {static_cast<std::int64_t>(file->size())};
        layer.bytes = *std::move(file);
    } else {
        auto array = parseNpy(*file);
        if (!array)
            return badTrace(path, array.diagnostics().front().message);
        if (array->dtype != "|i1")
            return badTrace(path,
                            fmt::format("int8 (|i1) expected, the file has {}.", array->dtype));
        layer.shape = layerShape(std::move(array->shape));
        layer.bytes = std::move(array->data);
    }
    sealLayer(layer);
    return layer;
}

} // namespace

Diagnostic badTrace(const fs::path& file, std::string message) {
    Location where;
    where.file = file.string();
    return makeError(Code::BadTrace, std::move(message), std::move(where));
}

Result<Trace> loadNumberedFiles(const fs::path& directory) {
    const auto files = findNumberedFiles(directory);
    if (!files)
        return files.diagnostics();
    Trace trace;
    trace.producer = "files in " + directory.string();
    Diagnostics problems;
    std::uint64_t left = kMaxFileBytes;
    for (const auto& [number, path] : *files) {
        auto layer = loadPlainLayer(number, path, left);
        if (!layer) {
            problems.push_back(layer.diagnostics().front());
            continue;
        }
        left -= layer->byteCount;
        trace.layers.push_back(*std::move(layer));
    }
    if (!problems.empty())
        return problems;
    return trace;
}

} // namespace plumbline
