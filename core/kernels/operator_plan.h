// SPDX-License-Identifier: GPL-3.0-or-later
// From one operator of a graph to the arguments of its kernel. Used by prepareGraph.
#pragma once

#include <optional>
#include <string>

#include "core/graph/model.h"
#include "core/kernels/graph_plan.h"

namespace plumbline {

/// Why an operator has no kernel, as a clause with the values in it; nothing when it has one.
using Refusal = std::optional<std::string>;

/// One operator in its graph. The caller guarantees that every tensor index in `op` exists or is
/// kAbsentTensor.
struct OperatorSite {
    const Graph& graph;
    const Operator& op;

    /// The tensor of input `position`; null when there is none.
    const Tensor* input(std::size_t position) const;
    /// The tensor of output 0; null when there is none.
    const Tensor* output() const;
};

/// Fills `plan` except `index` and `name`, or says why not.
Refusal planOperator(const OperatorSite& site, PlannedOperator& plan);

/// The weighted operators' share of planOperator.
Refusal planConv(const OperatorSite& site, PlannedOperator& plan);
Refusal planDepthwise(const OperatorSite& site, PlannedOperator& plan);
Refusal planFullyConnected(const OperatorSite& site, PlannedOperator& plan);

/// The options of type `Options`, or the schema's defaults when the operator has no such table.
template <class Options> Options optionsOf(const Operator& op) {
    const Options* options = std::get_if<Options>(&op.options);
    return options ? *options : Options{};
}

} // namespace plumbline
