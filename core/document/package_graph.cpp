// SPDX-License-Identifier: GPL-3.0-or-later
// The graph behind a package, rebuilt from the arena addresses of its operators.
#include <map>

#include <fmt/format.h>

#include "core/document/package_lowering.h"

namespace plumbline {
namespace {

Tensor makeTensor(std::string name, const Hwc& shape, double scale, std::int64_t zeroPoint) {
    constexpr std::int64_t kMaxExtent = std::int64_t{1} << 24; // beyond, a shape is damage
    Tensor tensor;
    tensor.name = std::move(name);
    tensor.shape = {1};
    for (const std::int64_t extent : {shape.h, shape.w, shape.c})
        tensor.shape.push_back(
            static_cast<std::int32_t>(extent < 0 || extent > kMaxExtent ? 0 : extent));
    tensor.type = ElementType::Int8;
    tensor.quantization.scales = {static_cast<float>(scale)};
    tensor.quantization.zeroPoints = {zeroPoint};
    return tensor;
}

Hwc outputShapeOf(const LoweredOperator& op) {
    if (op.softmax)
        return op.softmax->shape;
    return {op.geometry.oh, op.geometry.ow, op.geometry.cout};
}

} // namespace

Graph graphOfOperators(const std::vector<LoweredOperator>& operators, const PortSummary& input) {
    Graph graph;
    graph.name = "rebuilt from the package";
    graph.tensors.push_back(makeTensor("input", input.shape, input.scale, input.zeroPoint));
    graph.inputs = {0};
    std::map<std::uint64_t, std::int32_t> tensorAt{{input.offset, 0}}; // by arena offset
    auto latest = tensorAt.begin(); // the entry of the latest tensor, or the end
    for (const LoweredOperator& op : operators) {
        const auto output = static_cast<std::int32_t>(graph.tensors.size());
        Operator made;
        made.name = op.name;
        if (op.placement == Placement::Npu) {
            const auto find = [&](std::uint64_t offset) {
                const auto found = tensorAt.find(offset);
                return found == tensorAt.end() ? kAbsentTensor : found->second;
            };
            made.inputs = {find(op.arena.input)};
            if (op.arena.input1)
                made.inputs.push_back(find(*op.arena.input1));
            latest = tensorAt.insert_or_assign(op.arena.output, output).first;
        } else {
            made.inputs = {output - 1};
            if (op.placement != Placement::Alias)
                latest = tensorAt.end();
            else if (latest != tensorAt.end())
                latest->second = output;
        }
        made.outputs = {output};
        const Hwc shape = op.placement == Placement::Alias ? Hwc{} : outputShapeOf(op);
        graph.tensors.push_back(makeTensor(fmt::format("{} {}", op.name, op.index), shape,
                                           op.quantization.outputScale,
                                           op.quantization.outputZeroPoint));
        if (op.placement == Placement::Alias)
            graph.tensors.back().shape = graph.tensors[static_cast<std::size_t>(output) - 1].shape;
        graph.operators.push_back(std::move(made));
    }
    graph.outputs = {static_cast<std::int32_t>(graph.tensors.size()) - 1};
    return graph;
}

} // namespace plumbline
