// SPDX-License-Identifier: GPL-3.0-or-later
// The ABI validator. Source: spec section 6, in exactly its order.
#pragma once

#include <optional>

#include "core/lowering/target.h"
#include "core/npu_p0/descriptor.h"

namespace plumbline::npu_p0 {

/// The first violation of one relocated descriptor, or nothing. `descriptorArray` is where the
/// array of descriptors lies in memory, if that is known.
std::optional<RecordViolation> validate(const Descriptor& descriptor,
                                        std::optional<AddressRange> descriptorArray);

} // namespace plumbline::npu_p0
