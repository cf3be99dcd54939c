// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/npu_p0/storage.h"

#include <algorithm>

namespace plumbline::npu_p0 {

StorageMap::StorageMap(const Graph& graph, const std::vector<OperatorPlan>& plans)
    : m_graph(graph)
    , m_plans(plans)
    , m_root(graph.tensors.size())
    , m_lastUse(graph.tensors.size(), -1)
    , m_record(graph.tensors.size()) {
    for (std::size_t t = 0; t < m_root.size(); ++t)
        m_root[t] = static_cast<std::int32_t>(t);
    for (std::size_t i = 0; i < plans.size(); ++i) {
        const OperatorPlan& plan = plans[i];
        for (const auto& input : {plan.input, plan.input1}) {
            if (input)
                m_lastUse[static_cast<std::size_t>(*input)] = static_cast<std::int64_t>(i);
        }
        if (!plan.output)
            continue;
        const auto output = static_cast<std::size_t>(*plan.output);
        if (plan.lowered.placement == Placement::Alias && plan.input)
            m_root[output] = m_root[static_cast<std::size_t>(*plan.input)];
        else if (plan.lowered.placement == Placement::Npu)
            m_record[output] = i;
    }
}

std::int64_t StorageMap::lastUseOf(std::int32_t tensor) const {
    const std::int64_t last = m_lastUse[static_cast<std::size_t>(tensor)];
    return last < 0 ? static_cast<std::int64_t>(m_plans.size()) : last;
}

std::optional<std::size_t> StorageMap::recordOperatorOf(std::int32_t tensor) const {
    return m_record[static_cast<std::size_t>(rootOf(tensor))];
}

std::vector<LifetimeRequest> StorageMap::requests() const {
    const auto end = static_cast<std::int64_t>(m_plans.size());
    std::vector<LifetimeRequest> requests;
    std::vector<std::size_t> requestOf(m_root.size());
    const auto request = [&](std::int32_t tensor, std::int64_t first, std::int64_t last) {
        const Tensor& t = m_graph.tensors[static_cast<std::size_t>(tensor)];
        requestOf[static_cast<std::size_t>(tensor)] = requests.size();
        requests.push_back(
            {tensor, {}, t.name, static_cast<std::uint64_t>(t.elements()), first, last});
    };
    request(m_graph.inputs[0], -1, end);
    for (std::size_t i = 0; i < m_plans.size(); ++i) {
        const OperatorPlan& plan = m_plans[i];
        if (plan.lowered.placement == Placement::Npu)
            request(*plan.output, static_cast<std::int64_t>(i), lastUseOf(*plan.output));
        if (plan.lowered.placement != Placement::Alias)
            continue;
        LifetimeRequest& shared =
            requests[requestOf[static_cast<std::size_t>(rootOf(*plan.output))]];
        shared.aliases.push_back(*plan.output);
        shared.lastOperator = std::max(shared.lastOperator, lastUseOf(*plan.output));
    }
    const std::int32_t outputRoot = rootOf(m_graph.outputs[0]);
    for (LifetimeRequest& each : requests) {
        if (each.tensor == outputRoot && recordOperatorOf(outputRoot))
            each.lastOperator = end;
    }
    return requests;
}

} // namespace plumbline::npu_p0
