// SPDX-License-Identifier: GPL-3.0-or-later
// References by name: the program's own kernels, another model file, or anything on disk.
#pragma once

#include <string>

#include "core/base/job_context.h"
#include "core/base/result.h"
#include "core/compare/reference.h"
#include "core/kernels/graph_runner.h"

namespace plumbline {

/// What `--reference` takes besides a path: the program's own kernels, vectors or plain loops.
inline constexpr std::string_view kOwnKernels = "reference";
inline constexpr std::string_view kPlainKernels = "plain";

/// The layers of a run of the reference kernels as a reference. They carry the operator indices of
/// the model, and so of every lowering of it.
Reference referenceOfRun(GraphRun run, std::string name);

/// Opens `what`: "reference" runs the reference kernels on the lowering's own model, "plain" the
/// plain loops; a .tflite file runs the reference kernels on that model, any other path is loaded
/// (loadReference). Errors: Usage for "reference" and "plain" without a model (a package); those of
/// importing and of running; those of loadReference; TraceMismatch when a trace states another
/// model or input; Cancelled.
Result<Reference> openReference(const std::string& what, const Lowering& lowering, ByteView input,
                                const JobContext& context = {});

} // namespace plumbline
