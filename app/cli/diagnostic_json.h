// SPDX-License-Identifier: GPL-3.0-or-later
// Diagnostics and faults as JSON.
#pragma once

#include <optional>
#include <string>

#include "app/cli/console.h"
#include "core/base/diagnostic.h"
#include "core/lowering/job.h"

namespace plumbline::cli {

template <class T> Json orNull(const std::optional<T>& value) {
    return value ? Json(*value) : Json(nullptr);
}

/// Every key of the diagnostic, null where it does not apply.
Json diagnosticJson(const Diagnostic& diagnostic);
Json diagnosticsJson(const Diagnostics& diagnostics);

/// {"ok":false,"diagnostics":[…]}
Json failureJson(const Diagnostics& diagnostics);

/// The fault object of `plumb run`, null without a fault.
Json faultJson(const std::optional<Fault>& fault);

} // namespace plumbline::cli
