// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/hex/byte_text.h"

#include <fmt/format.h>

namespace plumbline {
namespace {

std::string one(ByteForm form, std::uint8_t byte) {
    switch (form) {
    case ByteForm::Hex:
        return fmt::format("{:02X}", byte);
    case ByteForm::CArray:
    case ByteForm::Csv:
        return fmt::format("0x{:02X}", byte);
    case ByteForm::Decimal:
        return fmt::format("{}", static_cast<std::int8_t>(byte));
    }
    return {};
}

} // namespace

QString bytesAs(ByteForm form, ByteView bytes) {
    const bool isC = form == ByteForm::CArray;
    const std::size_t perLine = isC ? 12 : 16;
    std::string_view between = " ";
    if (isC)
        between = ", ";
    if (form == ByteForm::Csv)
        between = ",";
    std::string text;
    if (isC)
        text = fmt::format("static const uint8_t bytes[{}] = {{\n    ", bytes.size());
    for (std::size_t i = 0; i < bytes.size(); ++i) {
        if (i > 0 && i % perLine == 0)
            text += isC ? ",\n    " : "\n";
        else if (i > 0)
            text += between;
        text += one(form, bytes[i]);
    }
    if (isC)
        text += "};\n";
    return QString::fromStdString(text);
}

QChar printableByte(std::uint8_t byte) {
    return byte >= 0x20 && byte < 0x7F ? QChar(static_cast<char16_t>(byte)) : QChar(u'.');
}

std::optional<std::uint64_t> parseOffset(const QString& text) {
    QString digits = text.trimmed();
    int base = 10;
    if (digits.startsWith(QLatin1StringView("0x"), Qt::CaseInsensitive)) {
        digits = digits.mid(2);
        base = 16;
    } else if (digits.endsWith(QLatin1Char('h'), Qt::CaseInsensitive)) {
        digits.chop(1);
        base = 16;
    }
    if (digits.isEmpty() || !(digits[0].isLetterOrNumber()))
        return std::nullopt;
    bool ok = false;
    const qulonglong value = digits.toULongLong(&ok, base);
    return ok ? std::optional<std::uint64_t>(value) : std::nullopt;
}

} // namespace plumbline
