// SPDX-License-Identifier: GPL-3.0-or-later
// The golden data's names of broken rules, mapped to diagnostic codes.
#pragma once

#include <optional>
#include <string_view>

#include "core/base/diagnostic.h"

namespace plumbline::test {

/// The code of a label of the golden data; nothing for an unknown label.
std::optional<Code> codeOfLabel(std::string_view label);

/// Whether one of `diagnostics` is the error `label` at `operatorIndex` (nothing: a rule of the
/// graph).
bool reports(const Diagnostics& diagnostics, std::string_view label,
             std::optional<std::int64_t> operatorIndex);

/// All diagnostics as text, for failure messages.
std::string allText(const Diagnostics& diagnostics);

} // namespace plumbline::test
