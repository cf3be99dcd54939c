// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/npu_p0/softmax_step.h"

#include <algorithm>

#include <fmt/format.h>

#include "core/graph/tensor_size.h"
#include "core/kernels/kernels.h"
#include "core/npu_p0/record_run.h"

namespace plumbline::npu_p0 {
namespace {

Fault fail(FaultCode code, std::string reason) {
    return {code, "softmax", {}, {}, {}, std::move(reason)};
}

} // namespace

std::optional<Fault> loadSoftmax(const Step& step, const Job& job,
                                 const std::vector<Descriptor>& descriptors, const Memory& memory,
                                 SoftmaxOperands& operands) {
    if (!step.inputMultiplier || !step.inputLeftShift || !step.diffMin)
        return fail(FaultCode::Descriptor, "the step lacks a parameter");
    const SoftmaxParameters parameters{*step.inputMultiplier, *step.inputLeftShift, *step.diffMin};
    if (!softmaxParametersAreSafe(parameters))
        return fail(FaultCode::Descriptor,
                    fmt::format("multiplier {}, left shift {} and diff_min {} are not safe",
                                parameters.multiplier, parameters.leftShift, parameters.diffMin));
    const auto total = static_cast<std::int64_t>(descriptors.size());
    if (!step.sourceRecord || *step.sourceRecord < 0 || *step.sourceRecord >= total)
        return fail(FaultCode::Descriptor, fmt::format("source descriptor {} does not exist",
                                                       step.sourceRecord.value_or(-1)));
    const Descriptor& source = descriptors[static_cast<std::size_t>(*step.sourceRecord)];
    auto input = denseOutput(source, shapeOf(source), memory);
    if (!input)
        return fail(FaultCode::Range, "the source's output does not lie inside one region");
    const Hwc& shape = job.softmaxShape;
    if (tensorBytes(shape) != input->size())
        return fail(FaultCode::Descriptor,
                    fmt::format("the source has {} bytes, the softmax shape is {}", input->size(),
                                toText(shape)));
    operands = {parameters, shape, std::move(*input)};
    return std::nullopt;
}

RecordRun computeSoftmax(const SoftmaxOperands& operands, Bytes& output,
                         const std::stop_token& stop) {
    const Bytes& input = operands.input;
    output.resize(input.size());
    const auto depth = static_cast<std::int64_t>(operands.shape.c);
    const SoftmaxArguments args{static_cast<std::int64_t>(input.size()) / depth, depth,
                                reinterpret_cast<const std::int8_t*>(input.data()),
                                operands.parameters, reinterpret_cast<std::int8_t*>(output.data())};
    const auto isDone = [&args](std::int64_t row, std::int64_t end) {
        return fastKernels().softmax(args.part(row, end)) == KernelStatus::Done;
    };
    for (std::int64_t row = 0; row < args.rows; row += args.rowsPerLook()) {
        if (stop.stop_requested())
            return {std::nullopt, true};
        if (isDone(row, std::min(args.rows, row + args.rowsPerLook())))
            continue;
        while (isDone(row, row + 1))
            ++row;
        return {fail(FaultCode::Arithmetic, fmt::format("the sum of row {} reaches 2^31", row)),
                false};
    }
    return {};
}

} // namespace plumbline::npu_p0
