// SPDX-License-Identifier: GPL-3.0-or-later
// Runs a model's graph with a kernel set, independently of any target.
#pragma once

#include <memory>

#include "core/base/job_context.h"
#include "core/base/result.h"
#include "core/graph/model.h"
#include "core/graph/trace.h"
#include "core/kernels/graph_plan.h"
#include "core/kernels/kernels.h"

namespace plumbline {

struct GraphRun {
    Trace trace;
    Bytes output; ///< the graph outputs' bytes, concatenated in graph order
    std::string outputSha256;
    /// Set when an operator's arithmetic left int32; the trace then ends before that operator and
    /// there is no output.
    std::optional<std::int64_t> faultedOperator;
    std::string faultReason;
};

using PreparedGraphPtr = std::shared_ptr<const PreparedGraph>;

/// Bytes of all graph inputs together; what a run expects. Nothing when an input's size is not
/// fixed or absurd (beyond 2^60), or the graph names a tensor that does not exist.
std::optional<std::uint64_t> graphInputBytes(const Graph& graph);

/// Checks the main graph of `model` against the kernels' preconditions and plans it for `kernels`:
/// once per model, for any number of runs. Activations are INT8, weights INT8, bias INT32, all with
/// TFLite's meaning; nothing that the file states is trusted. Errors, as many as there are:
/// NoSubgraph; InputSize (a graph input without a fixed size); per operator NoKernel, NotProduced,
/// WrittenTwice or WritesGraphInput; NotProduced for a graph output; RunTooLarge
/// (kMaxActivationBytes, kMaxRunWork).
Result<PreparedGraphPtr> prepareGraph(const Model& model, const KernelSet& kernels);

struct GraphRunOptions {
    bool captureLayers = true; ///< false leaves Trace::layers empty
    bool digests = true;       ///< false leaves every SHA-256 empty
    unsigned threads = 1;      ///< that share large layers; kAllProcessors for one per processor
};

/// Runs a prepared graph on `input`: all graph inputs concatenated in graph order. Results do not
/// depend on the number of threads. Cancellation is looked at between operators and inside large
/// ones. Errors: InputSize, Cancelled.
Result<GraphRun> runPrepared(const PreparedGraph& prepared, ByteView input,
                             const JobContext& context = {}, const GraphRunOptions& options = {});

/// prepareGraph and runPrepared in one. Errors: those of both.
Result<GraphRun> runGraph(const Model& model, ByteView input, const KernelSet& kernels,
                          const JobContext& context = {}, const GraphRunOptions& options = {});

} // namespace plumbline
