// SPDX-License-Identifier: GPL-3.0-or-later
// Matching layers from elsewhere with operators; shared by traces and folders of files.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/compare/reference.h"

namespace plumbline {

/// A layer from elsewhere and what is known about where it belongs.
struct ReferenceCandidate {
    std::string from;                   ///< as LayerMatch::from
    std::optional<std::int64_t> number; ///< operator index that it states
    std::string name;                   ///< tensor name that it states; may be empty
    TraceLayer layer;                   ///< its operatorIndex does not count
    std::string refusal;                ///< why it can be no layer; empty where it can
};

/// `name` with everything but letters and digits of ASCII turned into '_'.
std::string fileNameOfTensor(std::string_view name);

/// Matches `candidates` by number, then by name, then by size; in each pass the first one wins.
/// `header` gives everything of the reference's trace but the layers.
Reference matchCandidates(std::vector<ReferenceCandidate> candidates, Trace header,
                          std::string name, const std::vector<LayerIdentity>& identities);

} // namespace plumbline
