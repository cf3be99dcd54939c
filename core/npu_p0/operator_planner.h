// SPDX-License-Identifier: GPL-3.0-or-later
// The planner behind planOperator: one function per operator kind. Internal to this room.
#pragma once

#include "core/npu_p0/descriptor.h"
#include "core/npu_p0/operator_plan.h"
#include "core/npu_p0/rule_checker.h"

namespace plumbline::npu_p0 {

/// What the operators with activations in and out have in common, once it holds.
struct Activations {
    Hwc input;
    Hwc output;
};

class OperatorPlanner {
  public:
    OperatorPlanner(const Graph& graph, const GraphFacts& facts, std::int32_t index,
                    Diagnostics& diagnostics)
        : m_rules(graph, facts, index, diagnostics) {
        m_plan.lowered.index = index;
        m_plan.lowered.name = m_rules.op().name;
    }

    OperatorPlan run();

  private:
    void dispatch();

    /// Marks the operator as a record of `opcode`; kept only if no rule refuses it.
    void place(Opcode opcode);

    template <class Options> Options options() const {
        const auto* found = std::get_if<Options>(&m_rules.op().options);
        return found ? *found : Options{};
    }

    /// Rules of input 0 and the output; fills geometry extents and quantization where they hold.
    std::optional<Activations> activations();

    void setExtents(const Hwc& input, const Hwc& output);

    void setQuantization(std::int32_t in, std::int32_t out);

    void setBounds(const std::optional<ActivationBounds>& bounds);

    void setWindow(const WindowOptions& window);

    void checkWindow(const WindowOptions& window, const Activations& shapes);

    /// The weights tensor of `rank` dimensions, or nothing.
    const Tensor* weightsOfRank(std::size_t rank);

    /// Conv and depthwise: one scale and one zero point per output channel along `dimension`.
    bool perChannel(const Tensor& weights, std::int64_t channels, int dimension);

    /// Weights, bias and multipliers once the shapes are right.
    void weighted(const Tensor& weights, std::int64_t channels, std::int64_t weightBytes,
                  bool scalesHold);

    void conv();

    void depthwise();

    void dense();

    bool denseScales(const Tensor& weights, std::int64_t channels);

    void add();

    void addParameters(std::int32_t in1);

    void pool();

    void clamp();

    void reshape();

    void softmax();

    void softmaxStep(double beta, const Hwc& shape);

    /// Tiles, half buffers and cost, which follow from the geometry.
    void finishRecord();

    RuleChecker m_rules;
    OperatorPlan m_plan;
    std::optional<Placement> m_placement;
};

} // namespace plumbline::npu_p0
