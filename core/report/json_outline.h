// SPDX-License-Identifier: GPL-3.0-or-later
// JSON with long lists that are made entry by entry, for texts that are larger than what they tell.
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <string>
#include <string_view>

#include <nlohmann/json.hpp>

namespace plumbline {

/// What the entries are made from outlives the outline.
struct JsonOutline {
    struct List {
        std::size_t count = 0;
        std::function<nlohmann::json(std::size_t)> entry; ///< called with 0..count-1, in order
    };

    nlohmann::json json = nlohmann::json::object();
    /// By their place in `json`, where an empty array stands: each key behind a point,
    /// ".report.operators".
    std::map<std::string, List> lists;

    void addList(const std::string& key, List list);
    /// Puts `inner` with its lists under `key`.
    void add(const std::string& key, JsonOutline inner);
    /// The whole value.
    nlohmann::json expanded() const;
};

/// Takes the next piece of a text.
using TextSink = std::function<void(std::string_view)>;

/// Hands the text of canonicalJson(outline.expanded()) over in pieces of about 64 KiB.
void writeCanonicalJson(const JsonOutline& outline, const TextSink& sink);

} // namespace plumbline
