// SPDX-License-Identifier: GPL-3.0-or-later
// Small models built by hand for the graph runner's tests.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "core/graph/model.h"

namespace plumbline::test {

using Values = std::vector<std::int8_t>;

inline Bytes bytesOf(const Values& values) { return {values.begin(), values.end()}; }
inline Values valuesOf(ByteView bytes) { return {bytes.begin(), bytes.end()}; }

/// A model of one graph. Adding returns the tensor's index. Constants live as long as the builder.
class GraphBuilder {
  public:
    GraphBuilder() { model.graphs.resize(1); }

    Graph& graph() { return model.graphs[0]; }
    Tensor& tensor(std::int32_t index) { return graph().tensors[static_cast<std::size_t>(index)]; }
    Operator& op(std::size_t index) { return graph().operators[index]; }

    std::int32_t activation(std::vector<std::int32_t> shape, float scale = 1.0F,
                            std::int64_t zeroPoint = 0) {
        Tensor added;
        added.shape = std::move(shape);
        added.type = ElementType::Int8;
        added.quantization = {{scale}, {zeroPoint}, 0};
        return add(std::move(added));
    }

    std::int32_t input(std::vector<std::int32_t> shape, float scale = 1.0F,
                       std::int64_t zeroPoint = 0) {
        const std::int32_t index = activation(std::move(shape), scale, zeroPoint);
        graph().inputs.push_back(index);
        return index;
    }

    /// INT8 constant with `scales` along `dimension`.
    std::int32_t weights(std::vector<std::int32_t> shape, const Values& values,
                         std::vector<float> scales = {1.0F}, int dimension = 0) {
        Tensor added;
        added.shape = std::move(shape);
        added.type = ElementType::Int8;
        added.quantization = {std::move(scales), {0}, dimension};
        added.data = keep(bytesOf(values));
        return add(std::move(added));
    }

    std::int32_t bias(const std::vector<std::int32_t>& values) {
        Bytes bytes;
        for (const std::int32_t value : values)
            appendU32(bytes, static_cast<std::uint32_t>(value));
        Tensor added;
        added.shape = {static_cast<std::int32_t>(values.size())};
        added.type = ElementType::Int32;
        added.data = keep(std::move(bytes));
        return add(std::move(added));
    }

    void addOperator(OperatorKind kind, std::string name, std::vector<std::int32_t> inputs,
                     std::vector<std::int32_t> outputs, OperatorOptions options = NoOptions{}) {
        Operator added;
        added.kind = kind;
        added.name = std::move(name);
        added.inputs = std::move(inputs);
        added.outputs = std::move(outputs);
        added.hasOptionsTable = !std::holds_alternative<NoOptions>(options);
        added.options = std::move(options);
        graph().operators.push_back(std::move(added));
    }

    void output(std::int32_t index) { graph().outputs.push_back(index); }

    Model model;

  private:
    std::int32_t add(Tensor tensor) {
        graph().tensors.push_back(std::move(tensor));
        return static_cast<std::int32_t>(graph().tensors.size()) - 1;
    }
    ByteView keep(Bytes bytes) {
        m_constants.push_back(std::make_unique<Bytes>(std::move(bytes)));
        return *m_constants.back();
    }

    std::vector<std::unique_ptr<Bytes>> m_constants;
};

inline Conv2DOptions convOptions(Padding padding, std::int32_t stride = 1,
                                 std::int32_t dilation = 1) {
    return {padding, stride, stride, dilation, dilation, FusedActivation::None};
}

/// RELU of [1,4]: tensor 0 is the input, 1 the output, operator 0 the only one.
inline GraphBuilder reluGraph() {
    GraphBuilder b;
    b.input({1, 4});
    b.output(b.activation({1, 4}));
    b.addOperator(OperatorKind::Relu, "RELU", {0}, {1});
    return b;
}

} // namespace plumbline::test
