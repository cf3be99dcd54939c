// SPDX-License-Identifier: GPL-3.0-or-later
// Bytes as text for the clipboard, and offsets as people type them.
#pragma once

#include <optional>

#include <QString>

#include "core/base/bytes.h"

namespace plumbline {

enum class ByteForm : std::uint8_t {
    Hex,     ///< "DE AD", sixteen to a line
    CArray,  ///< "static const uint8_t bytes[2] = {…};", twelve to a line
    Csv,     ///< "0xDE,0xAD", sixteen to a line
    Decimal, ///< signed: "-34 -83", sixteen to a line
};

/// Most bytes that are put on the clipboard at once.
inline constexpr std::uint64_t kMaxCopiedBytes = std::uint64_t{1} << 22;

QString bytesAs(ByteForm form, ByteView bytes);

/// Printable ASCII as it is, '.' for the rest.
QChar printableByte(std::uint8_t byte);

/// "0x1A0", "1A0h" or decimal; nothing for other text.
std::optional<std::uint64_t> parseOffset(const QString& text);

} // namespace plumbline
