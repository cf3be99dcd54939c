// SPDX-License-Identifier: GPL-3.0-or-later
// Ticks of an address axis: hexadecimal at powers of two, or decimal at round numbers.
#pragma once

#include "views/arena/plot_library.h"

namespace plumbline {

enum class AddressBase : std::uint8_t { Hexadecimal, Decimal };

/// The distance between ticks for `span` bytes and about `count` ticks; at least 1.
double addressTickStep(double span, int count, AddressBase base);
/// "0x1800" or "6,144"; empty below zero.
QString addressText(double offset, AddressBase base);

class AddressTicker : public QCPAxisTicker {
  public:
    explicit AddressTicker(AddressBase base)
        : m_base(base) {}

  protected:
    double getTickStep(const QCPRange& range) override;
    int getSubTickCount(double tickStep) override;
    QString getTickLabel(double tick, const QLocale& locale, QChar formatChar,
                         int precision) override;

  private:
    AddressBase m_base;
};

/// The same for bytes as a person reads them: "96 KiB".
class ShortBytesTicker : public QCPAxisTicker {
  protected:
    double getTickStep(const QCPRange& range) override;
    int getSubTickCount(double tickStep) override;
    QString getTickLabel(double tick, const QLocale& locale, QChar formatChar,
                         int precision) override;
};

} // namespace plumbline
