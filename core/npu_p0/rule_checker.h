// SPDX-License-Identifier: GPL-3.0-or-later
// Checks that several operator kinds share: activations, windows, weights and bias.
#pragma once

#include <string>

#include "core/npu_p0/operator_plan.h"

namespace plumbline::npu_p0 {

/// Collects the refusals of one operator. Each check returns whether its rule holds.
class RuleChecker {
  public:
    RuleChecker(const Graph& graph, const GraphFacts& facts, std::int32_t index,
                Diagnostics& diagnostics)
        : m_graph(graph)
        , m_facts(facts)
        , m_index(index)
        , m_diagnostics(diagnostics) {}

    const Operator& op() const { return m_graph.operators[static_cast<std::size_t>(m_index)]; }
    const Tensor& tensor(std::int32_t index) const {
        return m_graph.tensors[static_cast<std::size_t>(index)];
    }
    const Graph& graph() const { return m_graph; }
    const GraphFacts& facts() const { return m_facts; }
    std::int32_t index() const { return m_index; }
    bool refused() const { return m_refused; }

    /// Records a refusal; always false.
    bool refuse(Code code, std::string message, std::optional<std::int32_t> tensor = {});
    bool require(bool holds, Code code, std::string message,
                 std::optional<std::int32_t> tensor = {});

    /// The operator's inputs and outputs are as many as its kind takes.
    bool counts(std::size_t minimumInputs, std::size_t maximumInputs);
    /// The tensor is INT8 with one finite positive scale and one zero point that fits.
    bool activation(std::int32_t index);
    /// The tensor is the graph input or was produced earlier.
    bool produced(std::int32_t index);
    /// Only this operator writes the tensor, and it is not the graph input.
    bool writable(std::int32_t index);
    /// (H,W,C) of a batch-one activation.
    std::optional<Hwc> batchOne(std::int32_t index);
    bool withinLimits(const Hwc& shape, std::int32_t index);
    bool sameQuantization(std::int32_t a, std::int32_t b);

    /// Clamp bounds of the fused activation for the output `index`.
    std::optional<ActivationBounds> bounds(FusedActivation activation, std::int32_t index);
    bool dilation(std::int64_t h, std::int64_t w);
    bool strides(const WindowOptions& window);
    bool kernelLimit(const WindowOptions& window);
    /// Pads (top, bottom, left, right) of the window.
    std::optional<std::array<std::int64_t, 4>> pads(const WindowOptions& window, const Hwc& input,
                                                    const Hwc& output);

    /// Type, constness, values and zero points of the weights; `bytes` is their expected length.
    bool weightData(std::int32_t index, std::int64_t bytes);
    bool weightScales(std::int32_t index);
    bool bias(std::int32_t index, std::int64_t channels);
    bool shiftWithinLimit(const Multiplier& multiplier, const std::string& what);

  private:
    const Graph& m_graph;
    const GraphFacts& m_facts;
    std::int32_t m_index;
    Diagnostics& m_diagnostics;
    bool m_refused = false;
};

} // namespace plumbline::npu_p0
