// SPDX-License-Identifier: GPL-3.0-or-later
// What a run is judged by: layers from elsewhere, matched with the operators of a lowering.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/artifacts/package.h"
#include "core/base/result.h"
#include "core/graph/trace.h"
#include "core/lowering/lowering.h"

namespace plumbline {

/// How a layer of a reference found its operator. Tried in this order.
enum class MatchedBy : std::uint8_t {
    Index, ///< the operator index that it states, or the number in its file name
    Name,  ///< the name of the operator's output tensor, in its file name
    Size,  ///< the only operator left whose output has that many bytes
    None,  ///< not at all
};

/// "index", "name", "size" or "none".
std::string_view matchedByName(MatchedBy by);

/// What became of one layer of a reference.
struct LayerMatch {
    std::string from; ///< file name, or "operator 3" of a trace
    MatchedBy by = MatchedBy::None;
    std::optional<std::int64_t> operatorIndex;
    std::string note; ///< why it was not matched, or what else there is to say; may be empty
};

struct Reference {
    std::string name; ///< what verdicts call it: "reference kernels", "digests in npu.json", a path
    Trace trace;      ///< matched layers by operator index; bytes or digests
    std::vector<LayerMatch> matches;

    const LayerMatch* matchOf(std::int64_t operatorIndex) const;
};

/// What there is to say about layers that were not matched, or not by what they state: a warning
/// each, at most kMaxMatchNotes and one that counts the rest.
inline constexpr std::size_t kMaxMatchNotes = 20;
Diagnostics matchNotes(const Reference& reference);

/// What a reference is matched against: one entry per layer that the lowering's job makes.
struct LayerIdentity {
    std::int64_t operatorIndex = 0;
    std::string name;       ///< TFLite operator name
    std::string tensorName; ///< of the output; empty where a package names none
    Hwc shape;
    std::optional<std::uint64_t> arenaOffset; ///< where the plan puts the output; not for softmax
};
std::vector<LayerIdentity> layerIdentities(const Lowering& lowering);

/// The layers of `trace` as a reference called `name`. Layers are matched by operator index where
/// the size fits, then by tensor name, then by size. A digest without a size fits every size.
Reference matchReference(Trace trace, std::string name,
                         const std::vector<LayerIdentity>& identities);

/// Loads what `path` is: a package (its digests), a trace directory, a folder of raw or .npy dumps
/// (numbered or named like tensors), or a folder of arena images, one per step, each exactly
/// `arenaBytes` long and numbered by operator. A partial reference is fine. Digits that belong to
/// a tensor's name are no number. docs/file-formats.md has the rules. Errors: FileUnreadable,
/// BadTrace (nothing in it matches any layer, or a part of it is damaged), BadManifest. Limits:
/// 100,000 files, 1 GiB in all.
Result<Reference> loadReference(const std::filesystem::path& path,
                                const std::vector<LayerIdentity>& identities,
                                std::uint64_t arenaBytes);

} // namespace plumbline
