// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/npu_p0/softmax_step.h"

#include <fmt/format.h>

#include "core/graph/tensor_size.h"
#include "core/npu_p0/record_run.h"
#include "core/numeric/softmax.h"

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

std::optional<Fault> computeSoftmax(const SoftmaxOperands& operands, Bytes& output) {
    const Bytes& input = operands.input;
    output.resize(input.size());
    const auto depth = static_cast<std::size_t>(operands.shape.c);
    const std::span from(reinterpret_cast<const std::int8_t*>(input.data()), input.size());
    const std::span to(reinterpret_cast<std::int8_t*>(output.data()), output.size());
    for (std::size_t row = 0; row < input.size(); row += depth) {
        if (!softmaxRow(from.subspan(row, depth), to.subspan(row, depth), operands.parameters))
            return fail(FaultCode::Arithmetic,
                        fmt::format("the sum of row {} reaches 2^31", row / depth));
    }
    return std::nullopt;
}

} // namespace plumbline::npu_p0
