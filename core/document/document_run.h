// SPDX-License-Identifier: GPL-3.0-or-later
// The stages of a document that need no file: checking, running and judging its job.
#pragma once

#include <string>

#include "core/document/document.h"

namespace plumbline {

/// What verdicts call the program's own kernels.
inline constexpr const char* kKernelsName = "reference kernels";

/// Adds diagnostics, marked with the file they speak of where they name none.
void addDiagnostics(Document& document, Diagnostics more, const std::string& file);

/// Relocates the job and validates every record. Fills relocatedRecords, violations, runner.
void checkRecords(Document& document);

/// Runs the job on the document's input with the sanitizer along. Fills execution.
void runJob(Document& document, const JobContext& context);

/// Judges every layer against the reference, where there are both. Fills verdicts.
void judgeRun(Document& document, const JobContext& context);

} // namespace plumbline
