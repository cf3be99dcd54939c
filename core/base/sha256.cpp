// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/sha256.h"

#include <array>
#include <new>

#include <openssl/evp.h>
#include <openssl/sha.h>

namespace plumbline {

std::string sha256Hex(ByteView bytes) {
    std::array<std::uint8_t, SHA256_DIGEST_LENGTH> digest{};
    SHA256(bytes.data(), bytes.size(), digest.data());
    return toHex(digest);
}

void Sha256::Free::operator()(evp_md_ctx_st* context) const { EVP_MD_CTX_free(context); }

Sha256::Sha256()
    : m_context(EVP_MD_CTX_new()) {
    if (!m_context || EVP_DigestInit_ex(m_context.get(), EVP_sha256(), nullptr) != 1)
        throw std::bad_alloc();
}

void Sha256::add(ByteView bytes) {
    if (EVP_DigestUpdate(m_context.get(), bytes.data(), bytes.size()) != 1)
        throw std::bad_alloc();
}

std::string Sha256::finish() {
    std::array<std::uint8_t, SHA256_DIGEST_LENGTH> digest{};
    if (EVP_DigestFinal_ex(m_context.get(), digest.data(), nullptr) != 1)
        throw std::bad_alloc();
    return toHex(digest);
}

} // namespace plumbline
