// SPDX-License-Identifier: GPL-3.0-or-later
// Exact comparison of JSON with golden data.
#pragma once

#include <string>

#include <nlohmann/json.hpp>

namespace plumbline::test {

/// The first place where `ours` differs from `golden` in keys, types or values, with both; empty
/// when equal. Integers are compared exactly, other numbers as doubles. The free-text keys `note`,
/// `arena_note`, `cycle_model` and `compiler` must exist where the golden data has them and are not
/// compared further.
std::string firstDifference(const nlohmann::json& ours, const nlohmann::json& golden,
                            const std::string& path = "");

} // namespace plumbline::test
