// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/arena/address_ticker.h"

#include <algorithm>
#include <cmath>

#include "views/common/format.h"

namespace plumbline {
namespace {

constexpr double kLargestOffset = 1e15; ///< beyond, labels are left out

} // namespace

double addressTickStep(double span, int count, AddressBase base) {
    const double exact = span / std::max(count, 1);
    if (!std::isfinite(exact) || exact <= 1)
        return 1;
    if (base == AddressBase::Hexadecimal)
        return std::exp2(std::ceil(std::log2(exact)));
    const double decade = std::pow(10.0, std::floor(std::log10(exact)));
    for (const double factor : {1.0, 2.0, 5.0})
        if (factor * decade >= exact)
            return factor * decade;
    return 10 * decade;
}

QString addressText(double offset, AddressBase base) {
    if (offset < 0 || offset > kLargestOffset)
        return {};
    const auto bytes = static_cast<std::uint64_t>(std::llround(offset));
    return base == AddressBase::Hexadecimal ? hexNumber(bytes, 4)
                                            : groupedNumber(static_cast<std::int64_t>(bytes));
}

double AddressTicker::getTickStep(const QCPRange& range) {
    return addressTickStep(range.size(), tickCount(), m_base);
}

int AddressTicker::getSubTickCount(double tickStep) {
    return tickStep < 4 ? 0 : m_base == AddressBase::Hexadecimal ? 3 : 4;
}

QString AddressTicker::getTickLabel(double tick, const QLocale& /*locale*/, QChar /*formatChar*/,
                                    int /*precision*/) {
    return addressText(tick, m_base);
}

double ShortBytesTicker::getTickStep(const QCPRange& range) {
    return addressTickStep(range.size(), tickCount(), AddressBase::Hexadecimal);
}

int ShortBytesTicker::getSubTickCount(double /*tickStep*/) { return 0; }

QString ShortBytesTicker::getTickLabel(double tick, const QLocale& /*locale*/, QChar /*formatChar*/,
                                       int /*precision*/) {
    if (tick < 0 || tick > kLargestOffset)
        return {};
    return shortBytes(static_cast<std::uint64_t>(std::llround(tick)));
}

} // namespace plumbline
