// SPDX-License-Identifier: GPL-3.0-or-later
// Any bytes as a model file. What imports is lowered; what lowers and is small runs on the executor
// and on the reference kernels, which must agree.
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

/// A lowering is complete or says why not; a complete one relocates to valid records.
void checkLowering(const Lowering& lowering) {
    fuzz::require(lowering.complete != hasErrors(lowering.diagnostics),
                  "a lowering is complete or says why not");
    if (!lowering.complete)
        return;
    const Target& target = npuP0Target();
    std::optional<Fault> fault;
    const Bytes records = target.relocate(jobOf(lowering), fault);
    fuzz::require(!fault, "our own relocations apply");
    const std::size_t recordBytes = lowering.fields->recordBytes;
    for (std::size_t offset = 0; offset < records.size(); offset += recordBytes) {
        const ByteView record = ByteView(records).subspan(offset, recordBytes);
        fuzz::require(!target.checkRecord(record, std::nullopt), "our own records are valid");
    }
}

void compareEngines(const Lowering& lowering, const GraphRun& reference, ByteView input) {
    ExecuteOptions options;
    options.sanitize = true;
    const Execution execution = npuP0Target().execute(jobOf(lowering), input, options);
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

    const Result<PreparedGraphPtr> prepared = prepareGraph(**model, fastKernels());
    // The kernels may refuse what lowers: they look at parts that the target does not, such as the
    // first dimension of depthwise weights and the shape operand of RESHAPE.
    if (!prepared || !isSmall(**prepared))
        return 0;
    const Bytes input = seededBytes(1, (*prepared)->inputBytes);
    const Result<GraphRun> run = runPrepared(**prepared, input);
    fuzz::require(run.ok(), "what is prepared runs");
    if ((*lowering)->complete)
        compareEngines(**lowering, *run, input);
    return 0;
}
