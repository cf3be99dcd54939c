// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/lowering/explanation.h"

namespace plumbline {

std::string_view replayKindName(ReplayKind) { return ""; }

std::string replayText(const ReplayStep&) { return ""; }

} // namespace plumbline
