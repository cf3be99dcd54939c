// SPDX-License-Identifier: GPL-3.0-or-later
// Which tensors share storage and how long each storage is needed. Source: spec section 4.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "core/graph/model.h"
#include "core/lowering/arena_plan.h"
#include "core/npu_p0/operator_plan.h"

namespace plumbline::npu_p0 {

/// Alias groups by tensor: RESHAPE outputs point to the tensor whose storage they share.
class StorageMap {
  public:
    StorageMap(const Graph& graph, const std::vector<OperatorPlan>& plans);

    /// The tensor whose allocation holds `tensor`'s bytes.
    std::int32_t rootOf(std::int32_t tensor) const {
        return m_root[static_cast<std::size_t>(tensor)];
    }
    /// Last operator that reads `tensor` itself; the operator count when nothing does.
    std::int64_t lastUseOf(std::int32_t tensor) const;
    /// The record operator that made the bytes of `tensor`, through reshapes; nothing for the graph
    /// input's bytes.
    std::optional<std::size_t> recordOperatorOf(std::int32_t tensor) const;
    /// One request per storage, in order of allocation.
    std::vector<LifetimeRequest> requests() const;

  private:
    const Graph& m_graph;
    const std::vector<OperatorPlan>& m_plans;
    std::vector<std::int32_t> m_root;
    std::vector<std::int64_t> m_lastUse;              ///< per tensor; -1 when nothing reads it
    std::vector<std::optional<std::size_t>> m_record; ///< per root tensor
};

} // namespace plumbline::npu_p0
