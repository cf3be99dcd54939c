// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <string>

#include "core/base/bytes.h"

struct evp_md_ctx_st; // libcrypto's own name; its headers stay out of ours

namespace plumbline {

/// The SHA-256 digest of `bytes` as 64 lower-case hexadecimal digits.
std::string sha256Hex(ByteView bytes);

/// The digest of bytes that come piece by piece. Throws std::bad_alloc.
class Sha256 {
  public:
    Sha256();

    void add(ByteView bytes);
    /// The digest of everything added, as sha256Hex gives it. It is the last call on the object.
    std::string finish();

  private:
    struct Free {
        void operator()(evp_md_ctx_st* context) const;
    };
    std::unique_ptr<evp_md_ctx_st, Free> m_context;
};

} // namespace plumbline
