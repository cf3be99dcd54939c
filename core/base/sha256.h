// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

#include "core/base/bytes.h"

namespace plumbline {

/// The SHA-256 digest of `bytes` as 64 lower-case hexadecimal digits.
std::string sha256Hex(ByteView bytes);

} // namespace plumbline
