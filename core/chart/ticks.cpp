// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/chart/ticks.h"

#include <algorithm>
#include <cmath>

#include "core/base/text.h"

namespace plumbline {
namespace {

constexpr double kLargestOffset = 1e15; ///< beyond, labels are left out
constexpr double kMostTicks = 1000;

bool hasText(double offset) { return offset >= 0 && offset <= kLargestOffset; }

/// `span` in `count` parts; 1 where that is less, or no number.
double partOf(double span, int count) {
    const double part = span / std::max(count, 1);
    return std::isfinite(part) ? std::max(part, 1.0) : 1.0;
}

} // namespace

double roundTickStep(double span, int count) {
    const double part = partOf(span, count);
    const double decade = std::pow(10.0, std::floor(std::log10(part)));
    for (const double factor : {1.0, 2.0, 5.0})
        if (factor * decade >= part)
            return factor * decade;
    return 10 * decade;
}

double addressTickStep(double span, int count, AddressBase base) {
    if (base == AddressBase::Decimal)
        return roundTickStep(span, count);
    return std::exp2(std::ceil(std::log2(partOf(span, count))));
}

std::string addressText(double offset, AddressBase base) {
    if (!hasText(offset))
        return {};
    const auto bytes = std::llround(offset);
    return base == AddressBase::Hexadecimal ? hexText(static_cast<std::uint64_t>(bytes), 4)
                                            : groupedDigits(bytes);
}

std::string shortAddressText(double offset) {
    return hasText(offset) ? shortBytesText(static_cast<std::uint64_t>(std::llround(offset)))
                           : std::string();
}

std::vector<double> ticksBetween(double low, double high, double step) {
    std::vector<double> ticks;
    const double first = std::ceil(low / step), last = std::floor(high / step);
    if (!(step > 0) || !std::isfinite(first) || !(last - first < kMostTicks))
        return ticks;
    for (double i = first; i <= last; ++i)
        ticks.push_back(i * step + 0.0); // no negative zero
    return ticks;
}

} // namespace plumbline
