// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/bytes.h"

namespace plumbline {
namespace {

constexpr std::string_view kDigits = "0123456789abcdef";

int digitValue(char c) {
    if (c >= '0' && c <= '9')
        return c - '0';
    if (c >= 'a' && c <= 'f')
        return c - 'a' + 10;
    if (c >= 'A' && c <= 'F')
        return c - 'A' + 10;
    return -1;
}

} // namespace

std::string toHex(ByteView bytes) {
    std::string text(bytes.size() * 2, '0');
    for (std::size_t i = 0; i < bytes.size(); ++i) {
        text[2 * i] = kDigits[bytes[i] >> 4];
        text[2 * i + 1] = kDigits[bytes[i] & 15];
    }
    return text;
}

std::optional<Bytes> fromHex(std::string_view text) {
    if (text.size() % 2 != 0)
        return std::nullopt;
    Bytes bytes(text.size() / 2);
    for (std::size_t i = 0; i < bytes.size(); ++i) {
        const int high = digitValue(text[2 * i]);
        const int low = digitValue(text[2 * i + 1]);
        if (high < 0 || low < 0)
            return std::nullopt;
        bytes[i] = static_cast<std::uint8_t>(high << 4 | low);
    }
    return bytes;
}

Bytes seededBytes(std::uint64_t seed, std::size_t count) {
    SplitMix64 generator(seed);
    Bytes bytes(count);
    std::uint64_t value = 0;
    for (std::size_t i = 0; i < count; ++i) {
        if (i % 8 == 0)
            value = generator.next();
        bytes[i] = static_cast<std::uint8_t>(value >> (8 * (i % 8)));
    }
    return bytes;
}

} // namespace plumbline
