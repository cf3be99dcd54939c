// SPDX-License-Identifier: GPL-3.0-or-later
// Numbers and names as people read them: the same in programs, views and reports.
#pragma once

#include <concepts>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace plumbline {

/// "101,376"
std::string groupedDigits(std::int64_t value);
/// "1 layer", "3,000 layers"; with `many`, a plural that takes more than an s: "2 differ".
std::string countedText(std::int64_t count, std::string_view one, std::string_view many = {});
/// The same of any count below 2^63.
template <std::integral Count>
std::string counted(Count count, std::string_view one, std::string_view many = {}) {
    return countedText(static_cast<std::int64_t>(count), one, many);
}
/// "99 KiB" for a glance; "512 B" below one KiB; one decimal below ten units.
std::string shortBytesText(std::uint64_t bytes);
/// "101,376 bytes"
std::string exactBytesText(std::uint64_t bytes);
/// "1.2 M", for a glance at counts; negative ones as they are.
std::string shortCountText(std::int64_t value);
/// "0x00018C00": `digits` hexadecimal digits at least.
std::string hexText(std::uint64_t value, int digits = 8);

struct CodePoint {
    char32_t value = 0;
    std::size_t bytes = 0; ///< 0: the text does not begin with UTF-8
};
/// The first code point of `text`, which is not empty.
CodePoint codePointAt(std::string_view text);

/// `text` as UTF-8 that can be shown: what is not UTF-8, controls, and marks that change the
/// direction of text become U+FFFD. Names in files are hostile.
std::string printable(std::string_view text);

/// The last part of a path, "vww.tflite", also of one that ends in slashes.
std::string lastPart(std::string_view path);

/// The cells as one line of CSV, quoted as RFC 4180 says; it ends in a line feed alone.
std::string csvRow(const std::vector<std::string>& cells);

} // namespace plumbline
