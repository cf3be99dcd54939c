// SPDX-License-Identifier: GPL-3.0-or-later
// Preparing the weighted layers of one model or job within bounds.
#pragma once

#include <cstdint>
#include <memory>

#include "core/kernels/kernels.h"

namespace plumbline {

/// What may be spent on the layers of one model or job, so that hostile ones, which name the same
/// weights many times, cost bounded memory and time.
class PreparationBudget {
  public:
    /// The layer prepared by `kernels`. Null where they have nothing to prepare or the budget is
    /// used up; it then runs the plain or checked way.
    std::shared_ptr<const PreparedLayer> prepare(const KernelSet& kernels,
                                                 const WeightedArguments& args, bool isDepthwise);

  private:
    std::int64_t m_left = std::int64_t{1} << 28; ///< bytes
};

} // namespace plumbline
