// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/common/format.h"

#include "core/base/text.h"

namespace plumbline {

QString groupedNumber(std::int64_t value) { return QString::fromStdString(groupedDigits(value)); }

QString signedNumber(std::int64_t value) {
    return value > 0 ? QLatin1Char('+') + QString::number(value) : QString::number(value);
}

QString shortBytes(std::uint64_t bytes) { return QString::fromStdString(shortBytesText(bytes)); }

QString exactBytes(std::uint64_t bytes) { return QString::fromStdString(exactBytesText(bytes)); }

QString shortCount(std::int64_t value) { return QString::fromStdString(shortCountText(value)); }

QString hexNumber(std::uint64_t value, int digits) {
    return QString::fromStdString(hexText(value, digits));
}

QString shapeText(const Hwc& shape) {
    return QStringLiteral("%1×%2×%3").arg(shape.h).arg(shape.w).arg(shape.c);
}

QString safeText(std::string_view text) { return QString::fromStdString(printable(text)); }

QString csvLine(const QStringList& cells) {
    std::vector<std::string> written;
    for (const QString& cell : cells)
        written.push_back(cell.toStdString());
    return QString::fromStdString(csvRow(written));
}

QString filterString(QString text) {
    text.replace(QLatin1Char('\\'), QLatin1StringView("\\\\"));
    text.replace(QLatin1Char('"'), QLatin1StringView("\\\""));
    return QLatin1Char('"') + text + QLatin1Char('"');
}

} // namespace plumbline
