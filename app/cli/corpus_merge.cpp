// SPDX-License-Identifier: GPL-3.0-or-later
// plumb corpus-merge: joins the parts of a corpus run into what one run gives.
#include <algorithm>
#include <cerrno>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "app/cli/commands.h"
#include "app/cli/corpus_part.h"
#include "app/cli/output_stream.h"
#include "core/base/sha256.h"
#include "core/base/text.h"

namespace plumbline::cli {
namespace {

using nlohmann::json;

struct MergeOptions {
    std::vector<std::string> parts;
    std::string digests;
    std::string inputs;
};

struct NamedPart {
    std::string file;
    CorpusPart part;
};

Diagnostic problem(Code code, const std::string& file, std::string message,
                   std::string place = {}) {
    Location where;
    where.file = file;
    where.part = std::move(place);
    return makeError(code, std::move(message), std::move(where));
}

/// "Shard 2 of 8"
std::string shardText(const CorpusPart& part) {
    return fmt::format("Shard {} of {}", part.shardIndex, part.run.shards);
}

/// All parts in the order of their shards; a failure names each that cannot be used.
std::vector<NamedPart> readParts(const std::vector<std::string>& files) {
    std::vector<NamedPart> parts;
    Diagnostics diagnostics;
    for (const std::string& file : files) {
        Result<CorpusPart> part = readPart(file);
        if (part)
            parts.push_back({file, *std::move(part)});
        else
            diagnostics.insert(diagnostics.end(), part.diagnostics().begin(),
                               part.diagnostics().end());
    }
    if (!diagnostics.empty())
        throw Failure(std::move(diagnostics));
    std::stable_sort(parts.begin(), parts.end(), [](const NamedPart& a, const NamedPart& b) {
        return a.part.shardIndex < b.part.shardIndex;
    });
    return parts;
}

/// Each value of `ours` that differs from that of `theirs`; both have the same keys.
void compareValues(const NamedPart& ours, const NamedPart& theirs, const json& ourValues,
                   const json& theirValues, const std::string& place, Diagnostics& out) {
    for (const auto& [key, value] : ourValues.items()) {
        const json& other = theirValues.at(key);
        const std::string inner = place + "." + key;
        if (value.is_object())
            compareValues(ours, theirs, value, other, inner, out);
        else if (value != other)
            out.push_back(problem(Code::PartsDiffer, ours.file,
                                  fmt::format("{} has {}, but {} in {} has {}.",
                                              shardText(ours.part), value.dump(),
                                              shardText(theirs.part), theirs.file, other.dump()),
                                  inner));
    }
}

/// "shards 3, 5 and 2 more"
std::string missingText(const std::vector<std::uint64_t>& missing) {
    constexpr std::size_t kMostNamed = 20;
    const std::size_t named = std::min(missing.size(), kMostNamed);
    std::string text = missing.size() == 1 ? "shard " : "shards ";
    for (std::size_t i = 0; i < named; ++i)
        text += (i == 0 ? "" : ", ") + std::to_string(missing[i]);
    if (named < missing.size())
        text += fmt::format(" and {} more", missing.size() - named);
    return text;
}

/// The parts, which are sorted, are all shards of one run, each of them once.
void checkParts(const std::vector<NamedPart>& parts) {
    Diagnostics diagnostics;
    const NamedPart& first = parts.front();
    const json run = runJson(first.part.run);
    for (const NamedPart& other : parts)
        compareValues(other, first, runJson(other.part.run), run, "run", diagnostics);
    if (!diagnostics.empty())
        throw Failure(std::move(diagnostics));
    std::vector<std::uint64_t> missing;
    std::uint64_t expected = 1;
    for (std::size_t i = 0; i < parts.size(); ++i) {
        const std::uint64_t index = parts[i].part.shardIndex;
        if (index < expected) // equal to the one before
            diagnostics.push_back(
                problem(Code::PartsDiffer, parts[i].file,
                        fmt::format("{} is there twice, also in {}.", shardText(parts[i].part),
                                    parts[i - 1].file)));
        for (; expected < index; ++expected)
            missing.push_back(expected);
        expected = index + 1;
    }
    for (; expected <= first.part.run.shards; ++expected)
        missing.push_back(expected);
    if (!missing.empty())
        diagnostics.push_back(
            makeError(Code::PartsDiffer,
                      fmt::format("Of {}, {} missing.", counted(first.part.run.shards, "shard"),
                                  missingText(missing) + (missing.size() == 1 ? " is" : " are"))));
    if (!diagnostics.empty())
        throw Failure(std::move(diagnostics));
}

/// The inputs are those that each part says it ran.
void checkInputs(const std::vector<NamedPart>& parts, const std::string& path, Console& console) {
    const CorpusRun& run = parts.front().part.run;
    const CorpusInputs inputs(path, run.form.bytes, run.form, run.inputs);
    if (inputs.available() != run.available)
        throw Failure(problem(Code::PartsDiffer, path,
                              fmt::format("There are {}; the parts are of {}.",
                                          counted(inputs.available(), "input"), run.available)));
    Diagnostics diagnostics;
    for (const auto& [file, part] : parts) {
        const IndexRange range = part.range();
        Sha256 digest;
        for (std::uint64_t i = 0; i < range.count; ++i) {
            if (console.stopRequested())
                failCancelled();
            digest.add(inputs.read(range.first + i));
        }
        if (digest.finish() != part.inputsSha256)
            diagnostics.push_back(
                problem(Code::PartsDiffer, file,
                        fmt::format("{} ran other inputs than those of {}.", shardText(part), path),
                        "inputs_sha256"));
    }
    if (!diagnostics.empty())
        throw Failure(std::move(diagnostics));
}

/// Copies a part's digest lines, which must be as the part says.
void copyDigests(const PartDigests& digests, OutputStream& out, Console& console) {
    const posix::FileDescriptor file = posix::openAt(AT_FDCWD, digests.path, O_RDONLY);
    if (!file.isOpen())
        throw Failure(posix::failure(Code::FileUnreadable, digests.path, "open", errno));
    constexpr std::size_t kBlock = 64 * 1024;
    std::string block(kBlock, '\0');
    Sha256 sha256;
    std::uint64_t bytes = 0;
    while (bytes <= digests.bytes) {
        if (console.stopRequested())
            failCancelled();
        const ssize_t count = ::read(file.get(), block.data(), block.size());
        if (count < 0 && errno == EINTR)
            continue;
        if (count < 0)
            throw Failure(posix::failure(Code::FileUnreadable, digests.path, "read", errno));
        if (count == 0)
            break;
        const std::string_view piece(block.data(), static_cast<std::size_t>(count));
        sha256.add({reinterpret_cast<const std::uint8_t*>(piece.data()), piece.size()});
        out.write(piece);
        bytes += piece.size();
    }
    if (bytes != digests.bytes || sha256.finish() != digests.sha256)
        throw Failure(problem(Code::BadCorpusPart, digests.path.string(),
                              "The digest lines are not those that the part was written with."));
}

/// Joins the digest lines of all parts.
void mergeDigests(const std::vector<NamedPart>& parts, const std::string& path, Console& console) {
    std::vector<std::string> read;
    for (const auto& [file, part] : parts) {
        if (!part.digests)
            throw Failure(problem(Code::PartsDiffer, file,
                                  "The parts were run without --digests; there are no digest "
                                  "lines to join."));
        read.push_back(file);
        read.push_back(part.digests->path.string());
    }
    refuseReplacing(path, read);
    OutputStream out(path);
    for (const NamedPart& named : parts)
        copyDigests(*named.part.digests, out, console);
    out.commit();
}

CorpusResult sum(const std::vector<NamedPart>& parts) {
    CorpusResult total;
    for (const auto& [file, part] : parts) {
        total.inputs += part.result.inputs;
        total.faults += part.result.faults;
        total.seconds += part.result.seconds;
        if (part.result.correct)
            total.correct = total.correct.value_or(0) + *part.result.correct;
    }
    return total;
}

ExitCode runMerge(const MergeOptions& options, Console& console) {
    const std::vector<NamedPart> parts = readParts(options.parts);
    checkParts(parts);
    if (!options.inputs.empty())
        checkInputs(parts, options.inputs, console);
    if (!options.digests.empty())
        mergeDigests(parts, options.digests, console);
    const CorpusPart& first = parts.front().part;
    const CorpusHeading heading{
        first.corpus, first.run.engine, counted(parts.size(), "part"), options.digests, {}};
    return printCorpusResult(sum(parts), heading, console);
}

} // namespace

void addCorpusMerge(Program& program) {
    Command command(program, "corpus-merge", "Join the parts of a corpus run",
                    "plumb corpus-merge parts/*.json --digests digests.jsonl");
    auto options = std::make_shared<MergeOptions>();
    command.texts("PART", options->parts, "", "What plumb corpus --part wrote, in any order",
                  Presence::Required);
    command.text("--digests", options->digests, "FILE",
                 "Write the joined layer digests here, one JSON line per input");
    command.text("--inputs", options->inputs, "FILE|DIR",
                 "Read the inputs once and check that each part ran these very ones");
    command.action(std::move(options), runMerge);
}

} // namespace plumbline::cli
