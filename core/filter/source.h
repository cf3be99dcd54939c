// SPDX-License-Identifier: GPL-3.0-or-later
// Whose fields a filter reads: the operators of a lowering and what a session knows besides.
#pragma once

#include <functional>
#include <optional>
#include <unordered_map>
#include <vector>

#include "core/filter/filter.h"
#include "core/lowering/lowering.h"

namespace plumbline {

/// What is known of operators besides their lowering. All of it may be missing.
struct FilterContext {
    /// How many elements of the output of operator `index` differ from the reference's; nothing
    /// where it was not compared.
    std::function<std::optional<std::int64_t>(std::int64_t index)> mismatches;
    /// The diagnostics that count, such as those of a whole session; nullptr: the lowering's own.
    /// Read only while a FilterSource is made.
    const Diagnostics* diagnostics = nullptr;
};

/// One operator, as getters see it.
struct FilterSubject {
    const Lowering& lowering;
    const LoweredOperator& op;
    const Operator* modelOperator = nullptr; ///< nullptr where the model is not known
    const Graph* graph = nullptr;            ///< likewise
    const Allocation* output = nullptr;      ///< storage of its output in the arena, if known
    const ArenaStep* step = nullptr;         ///< the arena while it runs, if known
    std::int64_t diagnostics = 0;
    std::optional<Severity> worst{};
    const FilterContext* context = nullptr; ///< what else is known, if anything

    /// The tensor of a list of operands; nullptr where there is none.
    const Tensor* tensor(const std::vector<std::int32_t>& operands, std::size_t at) const;
};

/// What `subject` has in `field`.
FilterValue filterValue(const FilterField& field, const FilterSubject& subject);

/// One operator against the conditions of a filter.
class FilterEvaluation {
  public:
    FilterEvaluation(const FilterSchema& schema, const FilterSubject& subject)
        : m_schema(schema)
        , m_subject(subject) {}

    bool matches(const FilterNode& node) const;

  private:
    FilterValue value(std::size_t field) const;
    bool compares(const FilterNode& node) const;
    bool isIn(const FilterNode& node) const;
    bool hasText(const FilterNode& node) const;

    const FilterSchema& m_schema;
    const FilterSubject& m_subject;
};

/// The operators of a lowering, ready to be asked. The lowering may be incomplete; it outlives
/// this.
class FilterSource {
  public:
    explicit FilterSource(const Lowering& lowering, FilterContext context = {});

    /// Operators are known here by their position in Lowering::operators.
    std::size_t size() const { return m_lowering.operators.size(); }
    FilterValue value(const FilterField& field, std::size_t position) const;
    bool matches(const Filter& filter, std::size_t position) const;
    /// One entry per operator.
    std::vector<bool> matching(const Filter& filter) const;
    /// Whether the operator of record `record` passes. A record that no operator claims, as in a
    /// damaged package, has its own fields and nothing else.
    bool matchesRecord(const Filter& filter, std::int64_t record) const;

    const Lowering& lowering() const { return m_lowering; }

  private:
    struct Findings {
        std::int64_t count = 0;
        Severity worst = Severity::Note;
    };

    void countFindings(const Diagnostics& diagnostics);
    FilterSubject subject(const LoweredOperator& op) const;

    const Lowering& m_lowering;
    FilterContext m_context;
    std::unordered_map<std::int64_t, Findings> m_findings;             ///< by operator index
    std::unordered_map<std::int64_t, const Allocation*> m_allocations; ///< by tensor
    std::unordered_map<std::int64_t, const ArenaStep*> m_steps;        ///< by operator index
    std::unordered_map<std::int64_t, std::size_t> m_positions;         ///< by record
};

/// One entry per operator of `lowering`: whether `filter` takes it.
std::vector<bool> filterOperators(const Filter& filter, const Lowering& lowering,
                                  FilterContext context = {});

} // namespace plumbline
