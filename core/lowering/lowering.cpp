// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/lowering/lowering.h"

#include <algorithm>

namespace plumbline {

std::string_view placementName(Placement placement) {
    switch (placement) {
    case Placement::Npu:
        return "npu";
    case Placement::Alias:
        return "none";
    case Placement::CpuSoftmax:
        return "cpu-softmax";
    case Placement::Refused:
        return "refused";
    }
    return "";
}

std::vector<std::int64_t> TilePlan::sliceSizes() const {
    std::vector<std::int64_t> sizes;
    for (std::int64_t begin = 0; kSlice > 0 && begin < fullK; begin += kSlice)
        sizes.push_back(std::min(kSlice, fullK - begin));
    return sizes;
}

Bytes Lowering::descriptorBytes() const {
    Bytes all;
    for (const Record& record : records)
        all.insert(all.end(), record.bytes.begin(), record.bytes.end());
    return all;
}

namespace {

JobLayer layerOf(const LoweredOperator& op) {
    return {op.index, op.name, op.quantization.outputScale, op.quantization.outputZeroPoint};
}

} // namespace

Job jobOf(const Lowering& lowering) {
    Job job;
    job.descriptors = lowering.descriptorBytes();
    job.relocations = lowering.relocations;
    job.weights = lowering.weights;
    job.params = lowering.params;
    job.arenaBytes = lowering.arena.peakBytes;
    job.inputOffset = lowering.input.offset;
    job.inputBytes = lowering.input.bytes;
    job.steps = lowering.steps;
    for (const LoweredOperator& op : lowering.operators) {
        if (op.placement == Placement::Npu)
            job.layers.push_back(layerOf(op));
        if (op.placement == Placement::CpuSoftmax) {
            job.softmax = layerOf(op);
            job.softmaxShape = op.softmax->shape;
        }
    }
    if (lowering.output.placement != Placement::CpuSoftmax)
        job.outputRecord = lowering.output.sourceRecord;
    for (const Allocation& made : lowering.arena.allocations)
        job.buffers.push_back(
            {made.name, made.offset, made.size, made.firstOperator, made.lastOperator, true});
    return job;
}

} // namespace plumbline
