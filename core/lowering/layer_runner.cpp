// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/lowering/layer_runner.h"

namespace plumbline {

std::optional<std::size_t> LayerRunner::stepOf(std::int64_t operatorIndex) const {
    for (std::size_t i = 0; i < steps().size(); ++i) {
        if (steps()[i].operatorIndex == operatorIndex)
            return i;
    }
    return std::nullopt;
}

} // namespace plumbline
