// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/filter/source.h"

#include <algorithm>

namespace plumbline {
namespace {

template <class T>
const T* found(const std::unordered_map<std::int64_t, const T*>& map, std::int64_t key) {
    const auto at = map.find(key);
    return at == map.end() ? nullptr : at->second;
}

/// Empty where there is no such record or no such operation.
std::string opcodeNameOf(const Lowering& lowering, std::int64_t record) {
    if (!lowering.fields || record < 0 ||
        static_cast<std::size_t>(record) >= lowering.records.size())
        return "";
    const Bytes& bytes = lowering.records[static_cast<std::size_t>(record)].bytes;
    if (bytes.size() < lowering.fields->recordBytes)
        return "";
    return std::string(lowering.fields->opcodeName(opcodeOf(bytes, *lowering.fields)));
}

} // namespace

const Tensor* FilterSubject::tensor(const std::vector<std::int32_t>& operands,
                                    std::size_t at) const {
    if (!graph || at >= operands.size() || operands[at] < 0 ||
        static_cast<std::size_t>(operands[at]) >= graph->tensors.size())
        return nullptr;
    return &graph->tensors[static_cast<std::size_t>(operands[at])];
}

FilterSource::FilterSource(const Lowering& lowering, FilterContext context)
    : m_lowering(lowering)
    , m_context(std::move(context)) {
    for (const Allocation& made : lowering.arena.allocations) {
        m_allocations.try_emplace(made.tensor, &made);
        for (const std::int64_t alias : made.aliases)
            m_allocations.try_emplace(alias, &made);
    }
    for (const ArenaStep& step : lowering.arena.steps)
        m_steps.try_emplace(step.operatorIndex, &step);
    for (std::size_t i = 0; i < lowering.operators.size(); ++i) {
        if (lowering.operators[i].record)
            m_positions.try_emplace(*lowering.operators[i].record, i);
    }
    countFindings(m_context.diagnostics ? *m_context.diagnostics : lowering.diagnostics);
}

void FilterSource::countFindings(const Diagnostics& diagnostics) {
    for (const Diagnostic& diagnostic : diagnostics) {
        std::optional<std::int64_t> index = diagnostic.where.operatorIndex;
        if (!index && diagnostic.where.record) {
            const auto at = m_positions.find(*diagnostic.where.record);
            if (at != m_positions.end())
                index = m_lowering.operators[at->second].index;
        }
        if (!index)
            continue;
        Findings& findings = m_findings[*index];
        findings.worst = findings.count == 0 ? diagnostic.severity
                                             : std::max(findings.worst, diagnostic.severity);
        ++findings.count;
    }
}

FilterSubject FilterSource::subject(const LoweredOperator& op) const {
    FilterSubject made{m_lowering, op};
    if (m_lowering.model && !m_lowering.model->graphs.empty()) {
        made.graph = &m_lowering.model->graphs.front();
        const auto& operators = made.graph->operators;
        if (op.index >= 0 && static_cast<std::size_t>(op.index) < operators.size())
            made.modelOperator = &operators[static_cast<std::size_t>(op.index)];
    }
    if (made.modelOperator && !made.modelOperator->outputs.empty())
        made.output = found(m_allocations, made.modelOperator->outputs.front());
    made.step = found(m_steps, op.index);
    if (const auto findings = m_findings.find(op.index); findings != m_findings.end()) {
        made.diagnostics = findings->second.count;
        made.worst = findings->second.worst;
    }
    made.context = &m_context;
    return made;
}

FilterValue FilterSource::value(const FilterField& field, std::size_t position) const {
    return filterValue(field, subject(m_lowering.operators[position]));
}

bool FilterSource::matches(const Filter& filter, std::size_t position) const {
    if (filter.isEmpty())
        return true;
    const FilterSubject made = subject(m_lowering.operators[position]);
    return FilterEvaluation(filter.schema(), made).matches(*filter.root());
}

bool FilterSource::matchesRecord(const Filter& filter, std::int64_t record) const {
    if (filter.isEmpty())
        return true;
    if (const auto at = m_positions.find(record); at != m_positions.end())
        return matches(filter, at->second);
    LoweredOperator unclaimed;
    unclaimed.index = -1;
    unclaimed.record = record;
    unclaimed.placement = Placement::Npu;
    unclaimed.opcodeName = opcodeNameOf(m_lowering, record);
    const FilterSubject made{m_lowering, unclaimed};
    return FilterEvaluation(filter.schema(), made).matches(*filter.root());
}

std::vector<bool> FilterSource::matching(const Filter& filter) const {
    std::vector<bool> passes(size());
    for (std::size_t i = 0; i < size(); ++i)
        passes[i] = matches(filter, i);
    return passes;
}

std::vector<bool> filterOperators(const Filter& filter, const Lowering& lowering,
                                  FilterContext context) {
    return FilterSource(lowering, std::move(context)).matching(filter);
}

} // namespace plumbline
