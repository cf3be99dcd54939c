// SPDX-License-Identifier: GPL-3.0-or-later
// Ticks of axes: addresses at powers of two or at round numbers, counts at round numbers.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace plumbline {

enum class AddressBase : std::uint8_t { Hexadecimal, Decimal };

/// The distance between ticks for `span` and about `count` ticks (not more): 1, 2 or 5 times a
/// power of ten; at least 1.
double roundTickStep(double span, int count);

/// The same for `span` bytes: a power of two where addresses are hexadecimal; at least 1.
double addressTickStep(double span, int count, AddressBase base);

/// "0x1800" or "6,144"; empty below zero and beyond 10^15.
std::string addressText(double offset, AddressBase base);

/// "96 KiB", likewise.
std::string shortAddressText(double offset);

/// The multiples of `step` from `low` to `high`; at most 1,000, none where the numbers make no
/// axis.
std::vector<double> ticksBetween(double low, double high, double step);

} // namespace plumbline
