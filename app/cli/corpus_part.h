// SPDX-License-Identifier: GPL-3.0-or-later
// A part of a corpus run: one shard of the inputs, run on its own, and the file that says what it
// is and what it gave. `plumb corpus` writes it, `plumb corpus-merge` joins them.
#pragma once

#include <filesystem>
#include <string>

#include <nlohmann/json.hpp>

#include "app/cli/corpus.h"
#include "app/cli/corpus_result.h"

namespace plumbline::cli {

inline constexpr std::uint64_t kMaxShards = 10'000;

/// Shard `index` of `count`, from one.
struct Shard {
    std::uint64_t index = 1;
    std::uint64_t count = 1;
};

/// "2/8"; wrong usage for anything else, and unless 1 <= index <= count <= kMaxShards.
Shard parseShard(const std::string& text);

/// The inputs of a shard of `inputs` in all. Shards follow one another, and their sizes differ by
/// one at most: of 10 inputs in 4 shards 3, 3, 2 and 2. More shards than inputs leave some empty.
IndexRange rangeOf(const Shard& shard, std::uint64_t inputs);

/// What all parts of one run have in common: whatever the results depend on.
struct CorpusRun {
    std::string subjectKind;   ///< "model" or "package"
    std::string subjectSha256; ///< of the model's file, or of npu.json's values
    std::string engine;
    std::string inputsKind; ///< "file" or "directory"
    std::uint64_t available = 0;
    std::uint64_t inputs = 0; ///< those that take part, over all shards
    InputForm form;
    std::string fingerprint;                 ///< CorpusInputs::fingerprint()
    std::optional<std::string> labelsSha256; ///< Labels::sha256; nothing without labels
    bool digests = false;                    ///< whether digest lines are written
    std::uint64_t shards = 1;
};

/// The run as part files hold it: an object of values and of objects of values.
nlohmann::json runJson(const CorpusRun& run);

/// The file with a part's digest lines.
struct PartDigests {
    std::filesystem::path path;
    std::uint64_t bytes = 0;
    std::string sha256;
};

struct CorpusPart {
    CorpusRun run;
    std::uint64_t shardIndex = 1;
    std::string corpus;       ///< path of the inputs, as the run was given it
    std::string inputsSha256; ///< of the part's own inputs, one after another
    std::optional<PartDigests> digests;
    CorpusResult result;

    Shard shard() const { return {shardIndex, run.shards}; }
    IndexRange range() const { return rangeOf(shard(), run.inputs); }
};

/// The text of a part file at `path`; the path of the digest lines becomes relative to its folder.
std::string partText(const CorpusPart& part, const std::filesystem::path& path);

/// Errors: FileUnreadable, FileTooLarge, BadCorpusPart: whatever is not as partText wrote it.
Result<CorpusPart> readPart(const std::string& path);

} // namespace plumbline::cli
