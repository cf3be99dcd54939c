// SPDX-License-Identifier: GPL-3.0-or-later
// Any bytes as a model file. What imports is lowered; what lowers and is small runs on the executor
// and on the reference kernels, which must agree.
#include <algorithm>

#include "core/kernels/graph_runner.h"
#include "core/lowering/target.h"
#include "core/tflite/importer.h"
#include "tests/fuzz/sections.h"

using namespace plumbline;

namespace {

constexpr std::uint64_t kMaxWork = std::uint64_t{1} << 20;
constexpr std::uint64_t kMaxBytes = std::uint64_t{1} << 22;

bool isSmall(const PreparedGraph& graph) {
    std::uint64_t bytes = graph.inputBytes;
    std::uint64_t work = 0;
    for (const PlannedTensor& tensor : graph.tensors)
        bytes += tensor.bytes;
    for (const PlannedOperator& planned : graph.operators)
        work += planned.work;
    return bytes <= kMaxBytes && work <= kMaxWork;
}

void checkLowering(const Lowering& lowering) {
    fuzz::require(lowering.complete || hasErrors(lowering.diagnostics), "a refusal says why");
    fuzz::require(!lowering.complete || !hasErrors(lowering.diagnostics),
                  "what has errors is not complete");
}

/// Whether the kernels may refuse a model that lowers. The target does not look at the first
/// dimension of depthwise weights; the kernels want weights as long as their shape says. And a
/// model may be too large to run.
bool mayLackKernels(const Graph& graph, const Diagnostics& refusal) {
    const auto isOdd = [&](const Operator& op) {
        if (op.kind != OperatorKind::DepthwiseConv2D)
            return false;
        const Tensor& weights = graph.tensors.at(static_cast<std::size_t>(op.inputs.at(1)));
        return weights.shape.at(0) != 1;
    };
    const auto isTooLarge = [](const Diagnostic& one) { return one.code == Code::RunTooLarge; };
    return std::ranges::any_of(graph.operators, isOdd) || std::ranges::all_of(refusal, isTooLarge);
}

/// A complete lowering relocates to valid records, and its executor and the reference agree.
void compareEngines(const Lowering& lowering, const GraphRun& reference, ByteView input) {
    const Target& target = npuP0Target();
    const Job job = jobOf(lowering);
    std::optional<Fault> fault;
    const Bytes records = target.relocate(job, fault);
    fuzz::require(!fault, "our own relocations apply");
    const std::size_t recordBytes = lowering.fields->recordBytes;
    for (std::size_t offset = 0; offset < records.size(); offset += recordBytes) {
        const ByteView record = ByteView(records).subspan(offset, recordBytes);
        fuzz::require(!target.checkRecord(record, std::nullopt), "our own records are valid");
    }
    ExecuteOptions options;
    options.sanitize = true;
    const Execution execution = target.execute(job, input, options);
    fuzz::require(execution.findings.empty(), "our own arena plan is clean");
    fuzz::require(execution.fault.has_value() == reference.faultedOperator.has_value(),
                  "executor and reference fault together");
    fuzz::require(execution.output == reference.output, "executor and reference agree");
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const Result<ModelPtr> model = importTflite(Bytes(data, data + size));
    if (!model) {
        fuzz::require(hasErrors(model.diagnostics()), "a refusal says why");
        return 0;
    }
    const Result<LoweringPtr> lowering = npuP0Target().lower(*model);
    fuzz::require(lowering.ok(), "every model has a lowering");
    checkLowering(**lowering);

    const Result<PreparedGraphPtr> prepared = prepareGraph(**model);
    if (!prepared) {
        fuzz::require(!(*lowering)->complete ||
                          mayLackKernels((*model)->graphs.at(0), prepared.diagnostics()),
                      "what lowers has kernels");
        return 0;
    }
    if (!isSmall(**prepared))
        return 0;
    const Bytes input = seededBytes(1, (*prepared)->inputBytes);
    const Result<GraphRun> run = runPrepared(**prepared, input, referenceKernels());
    fuzz::require(run.ok(), "what is prepared runs");
    if ((*lowering)->complete)
        compareEngines(**lowering, *run, input);
    return 0;
}
