// SPDX-License-Identifier: GPL-3.0-or-later
// Numbers and shapes as the views write them.
#pragma once

#include <cstdint>

#include <QString>
#include <QStringList>

#include "core/graph/tensor.h"

namespace plumbline {

/// "101,376" with thin grouping that reads in tables.
QString groupedNumber(std::int64_t value);
/// "+3", "-1", "0"
QString signedNumber(std::int64_t value);
/// "99 KiB" for a glance; "512 B" below one KiB; one decimal below ten units.
QString shortBytes(std::uint64_t bytes);
/// "101,376 bytes"
QString exactBytes(std::uint64_t bytes);
/// "1.2 M", for a glance at counts.
QString shortCount(std::int64_t value);
/// "0x00018C00", `digits` hexadecimal digits at least.
QString hexNumber(std::uint64_t value, int digits = 8);
/// "25×5×64"
QString shapeText(const Hwc& shape);
/// UTF-8 text of a file; what is not UTF-8 or not printable becomes visible replacements.
QString safeText(std::string_view text);
/// The cells as one line of CSV (RFC 4180), with its line feed.
QString csvLine(const QStringList& cells);
/// The text as a string of the filter language, in quotes.
QString filterString(QString text);

} // namespace plumbline
