// SPDX-License-Identifier: GPL-3.0-or-later
// Part files: JSON that holds the SHA-256 of its own values.
#include "app/cli/corpus_part.h"

#include <algorithm>
#include <limits>

#include "core/artifacts/json_reader.h"
#include "core/base/file.h"
#include "core/base/sha256.h"

namespace plumbline::cli {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

constexpr std::string_view kFormat = "plumbline-corpus-part";
constexpr std::int64_t kVersion = 1;
constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();

/// Paths may hold bytes that are not UTF-8; those become U+FFFD.
std::string dump(const json& value, int indent) {
    return value.dump(indent, ' ', false, json::error_handler_t::replace);
}

std::string digestOf(const json& value) {
    const std::string text = dump(value, -1);
    return sha256Hex({reinterpret_cast<const std::uint8_t*>(text.data()), text.size()});
}

template <class T> json valueOrNull(const std::optional<T>& value) {
    return value ? json(*value) : json(nullptr);
}

// Readers of members give a default for what is bad: it is reported, and nothing is used then.

std::uint64_t natural(const JsonValue& value, std::uint64_t least, std::uint64_t most) {
    const auto number =
        value.integer(static_cast<std::int64_t>(least), static_cast<std::int64_t>(most));
    return static_cast<std::uint64_t>(number.value_or(0));
}

std::string text(const JsonValue& value) { return value.text().value_or(""); }
std::string sha256(const JsonValue& value) { return value.sha256().value_or(""); }

/// Whether this is a part file of our version, unchanged since it was written.
bool isWhole(const json& document, const JsonValue& root) {
    const auto format = root.member("format").text();
    if (!format)
        return false;
    if (*format != kFormat) {
        root.member("format").report("The file is no part of a corpus run.");
        return false;
    }
    const auto version = root.member("version").integer(0, kMost);
    if (!version)
        return false;
    if (*version != kVersion) {
        root.member("version").report(fmt::format(
            "The part has format version {}; this program reads version {}.", *version, kVersion));
        return false;
    }
    const auto stated = root.member("sha256").sha256();
    if (!stated)
        return false;
    json rest = document;
    rest.erase("sha256");
    const bool same = digestOf(rest) == *stated;
    if (!same)
        root.member("sha256").report("The file is not as it was written: its SHA-256 differs.");
    return same;
}

CorpusRun readRun(const JsonValue& value) {
    CorpusRun run;
    const JsonValue subject = value.member("subject");
    run.subjectKind = text(subject.member("kind"));
    run.subjectSha256 = sha256(subject.member("sha256"));
    run.engine = text(value.member("engine"));
    const JsonValue inputs = value.member("inputs");
    run.inputsKind = text(inputs.member("kind"));
    run.available = natural(inputs.member("available"), 1, kMost);
    run.inputs = natural(inputs.member("used"), 1, run.available);
    run.form.bytes = natural(inputs.member("item_bytes"), 1, kMost);
    constexpr std::size_t kMostDimensions = 32;
    const auto shape = inputs.member("item_shape").integers(0, kMost, kMostDimensions);
    run.form.shape = shape.value_or(std::vector<std::int64_t>{});
    run.fingerprint = sha256(inputs.member("fingerprint"));
    const JsonValue labels = value.member("labels_sha256");
    if (!labels.isNull())
        run.labelsSha256 = sha256(labels);
    run.digests = value.member("digests").boolean().value_or(false);
    run.shards = natural(value.member("shards"), 1, kMaxShards);
    return run;
}

PartDigests readDigests(const JsonValue& value, const fs::path& part) {
    PartDigests digests;
    digests.path = part.parent_path() / text(value.member("file"));
    digests.bytes = natural(value.member("bytes"), 0, kMost);
    digests.sha256 = sha256(value.member("sha256"));
    return digests;
}

CorpusPart readMembers(const JsonValue& root, const JsonReport& report, const fs::path& file) {
    CorpusPart part;
    part.run = readRun(root.member("run"));
    part.shardIndex = natural(root.member("shard"), 1, part.run.shards);
    if (!report.diagnostics.empty())
        return part;
    const IndexRange range = part.range();
    natural(root.member("first"), range.first, range.first);
    part.result.inputs = natural(root.member("inputs"), range.count, range.count);
    part.corpus = text(root.member("corpus"));
    part.inputsSha256 = sha256(root.member("inputs_sha256"));
    if (part.run.labelsSha256)
        part.result.correct = natural(root.member("correct"), 0, range.count);
    part.result.faults = natural(root.member("faults"), 0, range.count);
    const JsonValue seconds = root.member("seconds");
    part.result.seconds = seconds.number().value_or(0);
    if (part.result.seconds < 0)
        seconds.report("A run takes no negative time.");
    if (part.run.digests)
        part.digests = readDigests(root.member("digests"), file);
    return part;
}

} // namespace

Shard parseShard(const std::string& text) {
    Shard shard{0, 0};
    if (const std::size_t slash = text.find('/'); slash != std::string::npos) {
        shard.index = parseNumber(std::string_view(text).substr(0, slash)).value_or(0);
        shard.count = parseNumber(std::string_view(text).substr(slash + 1)).value_or(0);
    }
    if (shard.index < 1 || shard.index > shard.count || shard.count > kMaxShards)
        failUsage(
            fmt::format("--shard is I/N with 1 <= I <= N <= {}, not '{}'.", kMaxShards, text));
    return shard;
}

IndexRange rangeOf(const Shard& shard, std::uint64_t inputs) {
    const std::uint64_t size = inputs / shard.count;
    const std::uint64_t larger = inputs % shard.count; // so many shards have one input more
    const std::uint64_t before = shard.index - 1;
    return {before * size + std::min(before, larger), size + (before < larger ? 1 : 0)};
}

json runJson(const CorpusRun& run) {
    return {{"subject", {{"kind", run.subjectKind}, {"sha256", run.subjectSha256}}},
            {"engine", run.engine},
            {"inputs",
             {{"kind", run.inputsKind},
              {"available", run.available},
              {"used", run.inputs},
              {"item_bytes", run.form.bytes},
              {"item_shape", run.form.shape},
              {"fingerprint", run.fingerprint}}},
            {"labels_sha256", valueOrNull(run.labelsSha256)},
            {"digests", run.digests},
            {"shards", run.shards}};
}

std::string partText(const CorpusPart& part, const fs::path& path) {
    json digests;
    if (part.digests) {
        const fs::path folder = fs::absolute(path).parent_path();
        digests = {{"file", fs::absolute(part.digests->path).lexically_proximate(folder).string()},
                   {"bytes", part.digests->bytes},
                   {"sha256", part.digests->sha256}};
    }
    json document{{"format", kFormat},
                  {"version", kVersion},
                  {"run", runJson(part.run)},
                  {"shard", part.shardIndex},
                  {"first", part.range().first},
                  {"inputs", part.result.inputs},
                  {"corpus", part.corpus},
                  {"inputs_sha256", part.inputsSha256},
                  {"digests", std::move(digests)},
                  {"correct", valueOrNull(part.result.correct)},
                  {"faults", part.result.faults},
                  {"seconds", part.result.seconds}};
    document["sha256"] = digestOf(document);
    return dump(document, 2) + "\n";
}

Result<CorpusPart> readPart(const std::string& path) {
    constexpr std::uint64_t kMostBytes = 1 << 20;
    const Result<Bytes> file = readFile(path, kMostBytes);
    if (!file)
        return inFile(file.diagnostics(), path);
    const Result<json> document = parseJson(*file, path, Code::BadCorpusPart);
    if (!document)
        return document.diagnostics();
    JsonReport report{path, Code::BadCorpusPart, Code::BadCorpusPart, Code::BadCorpusPart, {}};
    const JsonValue root(*document, report);
    CorpusPart part;
    if (isWhole(*document, root))
        part = readMembers(root, report, path);
    if (!report.diagnostics.empty())
        return std::move(report.diagnostics);
    return part;
}

} // namespace plumbline::cli
