// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/text.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <utility>

#include <fmt/format.h>

namespace plumbline {
namespace {

constexpr std::string_view kReplacement = "\xEF\xBF\xBD";

/// `digits` with a comma before every third one from the right.
std::string grouped(std::string digits) {
    for (std::size_t at = digits.size(); at > 3;)
        digits.insert(at -= 3, 1, ',');
    return digits;
}

template <std::size_t N>
std::string scaled(double value, double unit, const std::array<std::string_view, N>& names) {
    std::size_t name = 0;
    for (; value >= unit && name + 1 < N; ++name)
        value /= unit;
    const int decimals = name > 0 && value < 10 ? 1 : 0;
    return fmt::format("{:.{}f}{}{}", value, decimals, names[name].empty() ? "" : " ", names[name]);
}

/// Controls, invisible format marks, private use and what is no character.
bool isHidden(char32_t c) {
    constexpr std::array<std::pair<char32_t, char32_t>, 12> kHidden{{
        {0x00, 0x1F},
        {0x7F, 0x9F},
        {0xAD, 0xAD},
        {0x61C, 0x61C},
        {0x200B, 0x200F},
        {0x2028, 0x202E},
        {0x2060, 0x206F},
        {0xE000, 0xF8FF},
        {0xFEFF, 0xFEFF},
        {0xFFF9, 0xFFFB},
        {0xE0000, 0xE0FFF},
        {0xF0000, 0x10FFFF},
    }};
    return (c & 0xFFFEU) == 0xFFFE || (c >= 0xFDD0 && c <= 0xFDEF) ||
           std::any_of(kHidden.begin(), kHidden.end(),
                       [c](const auto& range) { return c >= range.first && c <= range.second; });
}

} // namespace

CodePoint codePointAt(std::string_view text) {
    const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
    const unsigned first = byte(0);
    if (first < 0x80)
        return {first, 1};
    const std::size_t bytes = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2;
    if (first < 0xC2 || first > 0xF4 || text.size() < bytes)
        return {};
    char32_t value = first & (0x7FU >> bytes);
    for (std::size_t i = 1; i < bytes; ++i) {
        if ((byte(i) & 0xC0U) != 0x80)
            return {};
        value = value << 6 | (byte(i) & 0x3FU);
    }
    constexpr std::array<char32_t, 5> kLeast{0, 0, 0x80, 0x800, 0x10000};
    if (value < kLeast.at(bytes) || value > 0x10FFFF || (value >= 0xD800 && value < 0xE000))
        return {};
    return {value, bytes};
}

std::string groupedDigits(std::int64_t value) {
    return value < 0 ? "-" + grouped(std::to_string(value).substr(1))
                     : grouped(std::to_string(value));
}

std::string countedText(std::int64_t count, std::string_view one, std::string_view many) {
    const std::string_view plural = many.empty() ? one : many;
    return fmt::format("{} {}{}", groupedDigits(count), count == 1 ? one : plural,
                       count == 1 || !many.empty() ? "" : "s");
}

std::string shortBytesText(std::uint64_t bytes) {
    constexpr std::array<std::string_view, 5> kNames{"B", "KiB", "MiB", "GiB", "TiB"};
    return scaled(static_cast<double>(bytes), 1024, kNames);
}

std::string exactBytesText(std::uint64_t bytes) {
    return grouped(std::to_string(bytes)) + " bytes";
}

std::string shortCountText(std::int64_t value) {
    constexpr std::array<std::string_view, 5> kNames{"", "k", "M", "G", "T"};
    return value < 0 ? groupedDigits(value) : scaled(static_cast<double>(value), 1000, kNames);
}

std::string hexText(std::uint64_t value, int digits) {
    return fmt::format("0x{:0{}X}", value, digits);
}

std::string printable(std::string_view text) {
    std::string shown;
    shown.reserve(text.size());
    while (!text.empty()) {
        const CodePoint at = codePointAt(text);
        const std::size_t bytes = std::max<std::size_t>(at.bytes, 1);
        if (at.bytes == 0 || isHidden(at.value))
            shown += kReplacement;
        else
            shown += text.substr(0, bytes);
        text.remove_prefix(bytes);
    }
    return shown;
}

std::string lastPart(std::string_view path) {
    while (path.size() > 1 && path.ends_with('/'))
        path.remove_suffix(1);
    return std::string(path.substr(path.find_last_of('/') + 1));
}

std::string csvRow(const std::vector<std::string>& cells) {
    std::string line;
    for (const std::string& cell : cells) {
        if (&cell != &cells.front())
            line += ',';
        if (cell.find_first_of(",\"\r\n") == std::string::npos) {
            line += cell;
            continue;
        }
        line += '"';
        for (const char c : cell) {
            if (c == '"')
                line += '"';
            line += c;
        }
        line += '"';
    }
    return line + '\n';
}

} // namespace plumbline
