// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/golden_compare.h"

#include <set>

namespace plumbline::test {
namespace {

using nlohmann::json;

const std::set<std::string, std::less<>> kFreeText{"note", "arena_note", "cycle_model", "compiler"};

std::string different(const std::string& path, const json& ours, const json& golden) {
    return path + ": " + ours.dump().substr(0, 200) + " instead of " + golden.dump().substr(0, 200);
}

std::string objectDifference(const json& ours, const json& golden, const std::string& path) {
    for (const auto& [key, value] : ours.items()) {
        if (!golden.contains(key))
            return path + "." + key + ": a key that the golden data lacks";
    }
    for (const auto& [key, value] : golden.items()) {
        if (!ours.contains(key))
            return path + "." + key + ": missing";
        if (kFreeText.contains(key))
            continue;
        if (std::string inner = firstDifference(ours[key], value, path + "." + key); !inner.empty())
            return inner;
    }
    return "";
}

} // namespace

std::string firstDifference(const json& ours, const json& golden, const std::string& path) {
    if (ours.is_object() && golden.is_object())
        return objectDifference(ours, golden, path);
    if (ours.is_array() && golden.is_array()) {
        if (ours.size() != golden.size())
            return different(path + " (size)", ours.size(), golden.size());
        for (std::size_t i = 0; i < ours.size(); ++i) {
            const std::string at = path + "[" + std::to_string(i) + "]";
            if (std::string inner = firstDifference(ours[i], golden[i], at); !inner.empty())
                return inner;
        }
        return "";
    }
    const bool sameKind = ours.is_number_float() == golden.is_number_float();
    return sameKind && ours == golden ? "" : different(path, ours, golden);
}

} // namespace plumbline::test
