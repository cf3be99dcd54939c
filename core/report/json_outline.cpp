// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/json_outline.h"

#include <algorithm>
#include <utility>

namespace plumbline {

using nlohmann::json;

void JsonOutline::addList(const std::string& key, List list) {
    json[key] = nlohmann::json::array();
    lists["." + key] = std::move(list);
}

void JsonOutline::add(const std::string& key, JsonOutline inner) {
    json[key] = std::move(inner.json);
    for (auto& [place, list] : inner.lists)
        lists["." + key + place] = std::move(list);
}

json JsonOutline::expanded() const {
    nlohmann::json whole = json;
    for (const auto& [place, list] : lists) {
        nlohmann::json* at = &whole;
        for (std::size_t begin = 1; begin <= place.size();) {
            const std::size_t end = std::min(place.find('.', begin), place.size());
            at = &(*at)[place.substr(begin, end - begin)];
            begin = end + 1;
        }
        for (std::size_t i = 0; i < list.count; ++i)
            at->push_back(list.entry(i));
    }
    return whole;
}

} // namespace plumbline
