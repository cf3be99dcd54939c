// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/arena/address_ticker.h"

namespace plumbline {

double AddressTicker::getTickStep(const QCPRange& range) {
    return addressTickStep(range.size(), tickCount(), m_base);
}

int AddressTicker::getSubTickCount(double tickStep) {
    return tickStep < 4 ? 0 : m_base == AddressBase::Hexadecimal ? 3 : 4;
}

QString AddressTicker::getTickLabel(double tick, const QLocale& /*locale*/, QChar /*formatChar*/,
                                    int /*precision*/) {
    return QString::fromStdString(addressText(tick, m_base));
}

double ShortBytesTicker::getTickStep(const QCPRange& range) {
    return addressTickStep(range.size(), tickCount(), AddressBase::Hexadecimal);
}

int ShortBytesTicker::getSubTickCount(double /*tickStep*/) { return 0; }

QString ShortBytesTicker::getTickLabel(double tick, const QLocale& /*locale*/, QChar /*formatChar*/,
                                       int /*precision*/) {
    return QString::fromStdString(shortAddressText(tick));
}

} // namespace plumbline
