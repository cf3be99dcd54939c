// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/sha256.h"

#include <array>

#include <openssl/sha.h>

namespace plumbline {

std::string sha256Hex(ByteView bytes) {
    std::array<std::uint8_t, SHA256_DIGEST_LENGTH> digest{};
    SHA256(bytes.data(), bytes.size(), digest.data());
    return toHex(digest);
}

} // namespace plumbline
