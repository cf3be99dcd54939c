// SPDX-License-Identifier: GPL-3.0-or-later
// Fields of matched records, address words among them.
#include <algorithm>

#include <fmt/format.h>

#include "core/compare/lowering_changes.h"
#include "core/lowering/arena_image.h"
#include "core/lowering/constants_layout.h"
#include "core/lowering/selection.h"

namespace plumbline {
namespace {

std::string addressOf(const LoweredOperator* op, std::size_t record, const FieldSpec& field) {
    Selection place =
        op ? selectOperator(op->index) : selectRecord(static_cast<std::int64_t>(record));
    place.word = field.word;
    place.field = field.name;
    return toText(place);
}

/// The bytes of a constant that a record points at; nothing where they leave the region.
std::optional<ByteView> constantOf(const Lowering& lowering, std::size_t record,
                                   std::string_view region) {
    const RegionSlice slice =
        constantsSlice(lowering.records[record].bytes, *lowering.fields, region);
    const ByteView whole = region == kWeightsRegion ? lowering.weights : lowering.params;
    if (slice.offset > whole.size() || slice.bytes > whole.size() - slice.offset)
        return std::nullopt;
    return whole.subspan(static_cast<std::size_t>(slice.offset),
                         static_cast<std::size_t>(slice.bytes));
}

class RecordDiffer {
  public:
    RecordDiffer(LoweringComparison& comparison, const FieldTable& table)
        : m_c(comparison)
        , m_table(table) {}

    void diff(const RecordPair& pair) {
        const ByteView a = m_c.first.records[pair.first].bytes;
        const ByteView b = m_c.second.records[pair.second].bytes;
        if (std::equal(a.begin(), a.end(), b.begin(), b.end()))
            return;
        for (const FieldSpec& field : m_table.fields) {
            const std::int64_t x = fieldValue(a, field), y = fieldValue(b, field);
            if (x == y)
                continue;
            const bool isAddress =
                field.kind == FieldKind::Address &&
                (usesField(field, opcodeOf(a, m_table)) || usesField(field, opcodeOf(b, m_table)));
            LoweringChange& change =
                m_c.add(isAddress ? ChangeKind::Address : ChangeKind::Field, pair,
                        std::string(field.name), std::to_string(x), std::to_string(y));
            change.word = field.word;
            change.firstAddress = addressOf(pair.firstOperator, pair.first, field);
            change.secondAddress = addressOf(pair.secondOperator, pair.second, field);
            if (isAddress)
                describeAddress(pair, field, change);
            else
                change.consequence = fieldConsequence(m_table, field, a, b, pair.firstOperator);
        }
    }

  private:
    void describeAddress(const RecordPair& pair, const FieldSpec& field, LoweringChange& change) {
        const auto x = rawField(m_c.first.records[pair.first].bytes, field);
        const auto y = rawField(m_c.second.records[pair.second].bytes, field);
        const bool isOutput = m_table.output && &m_table.fields[m_table.output->base] == &field;
        const bool isArena = field.region == kArenaRegion;
        if (isArena) {
            change.isAddressShift = isSameArenaPlace(m_c, pair, x, y, isOutput);
        } else {
            const auto ours = constantOf(m_c.first, pair.first, field.region);
            const auto theirs = constantOf(m_c.second, pair.second, field.region);
            change.isAddressShift =
                ours && theirs &&
                std::equal(ours->begin(), ours->end(), theirs->begin(), theirs->end());
        }
        change.consequence = fmt::format("{} {}",
                                         change.isAddressShift ? "the same bytes lie"
                                         : isOutput            ? "writes"
                                                               : "reads",
                                         distanceText(x, y));
    }

    LoweringComparison& m_c;
    const FieldTable& m_table;
};

} // namespace

void addRecordChanges(LoweringComparison& comparison) {
    if (comparison.first.fields == nullptr)
        return;
    RecordDiffer differ(comparison, *comparison.first.fields);
    for (const RecordPair& pair : comparison.recordPairs)
        differ.diff(pair);
}

} // namespace plumbline
