// SPDX-License-Identifier: GPL-3.0-or-later
// The ticks of core/chart/ticks.h for axes of plots.
#pragma once

#include "views/arena/plot_library.h"

#include "core/chart/ticks.h"

namespace plumbline {

/// Addresses, in either base.
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

/// Bytes as a person reads them: "96 KiB".
class ShortBytesTicker : public QCPAxisTicker {
  protected:
    double getTickStep(const QCPRange& range) override;
    int getSubTickCount(double tickStep) override;
    QString getTickLabel(double tick, const QLocale& locale, QChar formatChar,
                         int precision) override;
};

} // namespace plumbline
