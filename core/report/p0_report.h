// SPDX-License-Identifier: GPL-3.0-or-later
// The P0 report as JSON. Source: spec section 11.
#pragma once

#include <string>

#include <nlohmann/json.hpp>

#include "core/graph/trace.h"
#include "core/lowering/lowering.h"
#include "core/report/json_outline.h"

namespace plumbline {

/// The quantization object of one operator's report entry.
nlohmann::json quantizationJson(const LoweredOperator& op);

/// The report's `input` object.
nlohmann::json inputJson(const Lowering& lowering);

/// The report's `compiler` object for `contract`.
nlohmann::json compilerJson(const std::string& contract);

/// The report of a complete `lowering`. With `reference`, every layer's digest and shape are added.
nlohmann::json reportJson(const Lowering& lowering, const std::string& workload,
                          const Trace* reference = nullptr);

/// The same, operator by operator; `lowering` and `reference` outlive it.
JsonOutline reportOutline(const Lowering& lowering, const std::string& workload,
                          const Trace* reference = nullptr);

/// JSON text as artifacts carry it: keys sorted, 2-space indent, non-ASCII unescaped, doubles as
/// the shortest text that parses to the same value, one trailing newline. Source: spec section 12.
std::string canonicalJson(const nlohmann::json& value);

} // namespace plumbline
