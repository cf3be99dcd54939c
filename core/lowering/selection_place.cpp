// SPDX-License-Identifier: GPL-3.0-or-later
// What a selection means in one lowering.
#include <algorithm>

#include <fmt/format.h>

#include "core/lowering/selection.h"

namespace plumbline {
namespace {

constexpr std::uint64_t kWordBytes = 4;

/// Fills a Place from one selection; the first part that does not exist ends it with `problem`.
class Resolver {
  public:
    Resolver(const Lowering& lowering, const Diagnostics& diagnostics)
        : m_lowering(lowering)
        , m_diagnostics(diagnostics) {}

    Result<Place> resolve(const Selection& selection) {
        start(selection);
        if (m_problem.empty() && selection.word)
            takeWord(*selection.word, selection.field);
        if (m_problem.empty() && selection.tile)
            takeTile(*selection.tile);
        if (m_problem.empty() && selection.element)
            takeElement(*selection.element);
        if (!m_problem.empty())
            return makeError(Code::NoSuchPlace,
                             fmt::format("{}: {}.", toText(selection), m_problem));
        return m_place;
    }

  private:
    void start(const Selection& selection) {
        if (selection.span)
            takeSpan(*selection.span);
        else if (selection.tensor)
            takeTensor(*selection.tensor);
        else if (selection.buffer)
            takeBuffer(*selection.buffer);
        else if (selection.diagnostic)
            takeDiagnostic(*selection.diagnostic);
        else if (selection.operatorIndex)
            takeOperator(*selection.operatorIndex);
        else if (selection.record)
            takeRecord(*selection.record);
    }

    template <class Items>
    bool exists(std::int64_t index, const Items& items, std::string_view what) {
        if (index >= 0 && static_cast<std::size_t>(index) < items.size())
            return true;
        m_problem = fmt::format("there are {} {}", items.size(), what);
        return false;
    }

    void takeOperator(std::int64_t index) {
        if (!exists(index, m_lowering.operators, "operators"))
            return;
        const LoweredOperator& op = m_lowering.operators[static_cast<std::size_t>(index)];
        m_place.operatorIndex = index;
        m_place.step = index;
        m_place.record = op.record;
        if (!m_place.tensor)
            m_place.tensor = outputTensor(index);
        if (!m_place.buffer && m_place.tensor)
            m_place.buffer = bufferOf(*m_place.tensor);
    }

    void takeRecord(std::int64_t record) {
        if (!exists(record, m_lowering.records, "records"))
            return;
        const std::int64_t owner =
            m_lowering.records[static_cast<std::size_t>(record)].operatorIndex;
        takeOperator(owner);
        m_place.record = record;
        m_problem.clear(); // a damaged package may name an operator that is not there
    }

    void takeWord(std::int64_t word, std::string_view field) {
        const FieldTable* const table = m_lowering.fields;
        const std::size_t words = table == nullptr ? 0 : table->recordBytes / kWordBytes;
        if (!m_place.record)
            m_problem = "the operator has no record";
        else if (static_cast<std::uint64_t>(word) >= words)
            m_problem = fmt::format("a record has {} words", words);
        if (!m_problem.empty())
            return;
        m_place.word = word;
        if (!field.empty())
            takeField(*table, field);
        std::uint64_t begin = static_cast<std::uint64_t>(*m_place.record) * table->recordBytes +
                              static_cast<std::uint64_t>(word) * kWordBytes;
        std::uint64_t bytes = kWordBytes;
        if (m_place.field) {
            const FieldSpec& spec = table->fields[*m_place.field];
            begin += spec.lsb / 8U;
            bytes = (spec.lsb + spec.width - 1U) / 8U - spec.lsb / 8U + 1U;
        }
        m_place.span = AddressSpan{"descriptors", {}, begin, bytes};
    }

    void takeField(const FieldTable& table, std::string_view name) {
        m_place.field = findField(table, name);
        if (!m_place.field || table.fields[*m_place.field].word != *m_place.word) {
            m_problem = fmt::format("word {} has no field {}", *m_place.word, name);
            m_place.field.reset();
        }
    }

    void takeTile(std::int64_t tile) {
        const LoweredOperator& op =
            m_lowering.operators[static_cast<std::size_t>(*m_place.operatorIndex)];
        if (tile >= op.tiles.tiles)
            m_problem = fmt::format("the operator has {} tiles", op.tiles.tiles);
        else
            m_place.tile = tile;
    }

    void takeElement(const ElementIndex& element) {
        const LoweredOperator& op =
            m_lowering.operators[static_cast<std::size_t>(*m_place.operatorIndex)];
        const OperatorGeometry& g = op.geometry;
        const Hwc shape = op.softmax ? op.softmax->shape : Hwc{g.oh, g.ow, g.cout};
        if (element.h >= shape.h || element.w >= shape.w || element.c >= shape.c) {
            m_problem = fmt::format("the output has shape {}", toText(shape));
            return;
        }
        m_place.element = element;
        if (op.record && !m_place.word) {
            const auto index = (element.h * shape.w + element.w) * shape.c + element.c;
            m_place.span = AddressSpan{"arena", m_place.step,
                                       op.arena.output + static_cast<std::uint64_t>(index), 1};
        }
    }

    void takeTensor(std::int64_t tensor) {
        if (m_lowering.model == nullptr || m_lowering.model->graphs.empty()) {
            m_problem = "there is no model";
            return;
        }
        const Graph& graph = m_lowering.model->graphs[0];
        if (!exists(tensor, graph.tensors, "tensors"))
            return;
        m_place.tensor = tensor;
        m_place.buffer = bufferOf(tensor);
        if (const auto producer = producerOf(graph, tensor))
            takeOperator(*producer);
        else if (const auto reader = readerOf(graph, tensor))
            takeOperator(*reader);
        if (m_place.buffer)
            spanOfBuffer(*m_place.buffer);
    }

    void takeBuffer(std::int64_t buffer) {
        if (!exists(buffer, m_lowering.arena.allocations, "buffers"))
            return;
        const Allocation& allocation =
            m_lowering.arena.allocations[static_cast<std::size_t>(buffer)];
        m_place.buffer = buffer;
        m_place.tensor = allocation.tensor;
        if (!m_lowering.operators.empty())
            takeOperator(std::clamp<std::int64_t>(
                allocation.firstOperator, 0,
                static_cast<std::int64_t>(m_lowering.operators.size()) - 1));
        spanOfBuffer(buffer);
    }

    void takeDiagnostic(std::int64_t index) {
        if (!exists(index, m_diagnostics, "diagnostics"))
            return;
        const Location& where = m_diagnostics[static_cast<std::size_t>(index)].where;
        if (where.record && inside(*where.record, m_lowering.records.size()))
            takeRecord(*where.record);
        else if (where.operatorIndex && inside(*where.operatorIndex, m_lowering.operators.size()))
            takeOperator(*where.operatorIndex);
        else if (where.tensor && m_lowering.model && !m_lowering.model->graphs.empty() &&
                 inside(*where.tensor, m_lowering.model->graphs[0].tensors.size()))
            takeTensor(*where.tensor);
        if (where.word && m_place.record)
            takeWord(*where.word, {});
        m_problem.clear(); // a diagnostic may point at what is not there: that can be its subject
        m_place.diagnostic = index;
    }

    void takeSpan(const AddressSpan& span) {
        const std::uint64_t size = regionBytes(span.region);
        if (span.offset >= size || span.bytes > size - span.offset) {
            m_problem = fmt::format("the {} region has {} bytes", span.region, size);
            return;
        }
        if (span.region == "descriptors")
            ownerInDescriptors(span);
        else if (span.region == "arena")
            ownerInArena(span);
        else
            ownerInConstants(span);
        m_place.span = span;
    }

    void ownerInDescriptors(const AddressSpan& span) {
        const std::uint64_t recordBytes = m_lowering.fields->recordBytes;
        takeRecord(static_cast<std::int64_t>(span.offset / recordBytes));
        const std::uint64_t inRecord = span.offset % recordBytes;
        if (inRecord / kWordBytes == (inRecord + span.bytes - 1) / kWordBytes)
            takeWord(static_cast<std::int64_t>(inRecord / kWordBytes), {});
        if (m_place.word)
            m_place.field = fieldOfBits(inRecord % kWordBytes * 8, span.bytes * 8);
    }

    /// The field of m_place.word that holds all the bits; nothing when they belong to several.
    std::optional<std::size_t> fieldOfBits(std::uint64_t lsb, std::uint64_t width) const {
        const auto& fields = m_lowering.fields->fields;
        for (std::size_t i = 0; i < fields.size(); ++i)
            if (fields[i].word == *m_place.word && fields[i].lsb <= lsb &&
                lsb + width <= std::uint64_t{fields[i].lsb} + fields[i].width)
                return i;
        return std::nullopt;
    }

    void ownerInArena(const AddressSpan& span) {
        const auto last = static_cast<std::int64_t>(m_lowering.operators.size()) - 1;
        const std::int64_t step =
            std::clamp<std::int64_t>(span.step.value_or(last), 0, std::max<std::int64_t>(last, 0));
        const auto& allocations = m_lowering.arena.allocations;
        const auto owner =
            std::find_if(allocations.begin(), allocations.end(), [&](const Allocation& a) {
                return a.isLiveAt(step) && a.offset <= span.offset &&
                       span.offset - a.offset < a.size;
            });
        if (owner != allocations.end()) {
            m_place.buffer = owner - allocations.begin();
            m_place.tensor = owner->tensor;
        }
        takeOperator(step);
    }

    void ownerInConstants(const AddressSpan& span) {
        const auto part =
            span.region == "weights" ? &LoweredOperator::weights : &LoweredOperator::params;
        for (const LoweredOperator& op : m_lowering.operators) {
            const std::optional<RegionSlice>& slice = op.*part;
            if (slice && slice->offset <= span.offset && span.offset - slice->offset < slice->bytes)
                return takeOperator(op.index);
        }
    }

    std::uint64_t regionBytes(std::string_view region) const {
        if (region == "weights")
            return m_lowering.weights.size();
        if (region == "params")
            return m_lowering.params.size();
        if (region == "arena")
            return m_lowering.arena.peakBytes;
        return m_lowering.fields == nullptr
                   ? 0
                   : m_lowering.records.size() * m_lowering.fields->recordBytes;
    }

    void spanOfBuffer(std::int64_t buffer) {
        const Allocation& a = m_lowering.arena.allocations[static_cast<std::size_t>(buffer)];
        if (a.bytes > 0)
            m_place.span = AddressSpan{"arena", m_place.step, a.offset, a.bytes};
    }

    std::optional<std::int64_t> outputTensor(std::int64_t index) const {
        if (m_lowering.model == nullptr || m_lowering.model->graphs.empty())
            return std::nullopt;
        const auto& operators = m_lowering.model->graphs[0].operators;
        if (!inside(index, operators.size()) ||
            operators[static_cast<std::size_t>(index)].outputs.empty())
            return std::nullopt;
        return operators[static_cast<std::size_t>(index)].outputs.front();
    }

    std::optional<std::int64_t> bufferOf(std::int64_t tensor) const {
        const auto& allocations = m_lowering.arena.allocations;
        const auto found =
            std::find_if(allocations.begin(), allocations.end(), [&](const Allocation& a) {
                return a.tensor == tensor ||
                       std::find(a.aliases.begin(), a.aliases.end(), tensor) != a.aliases.end();
            });
        if (found == allocations.end())
            return std::nullopt;
        return found - allocations.begin();
    }

    static bool inside(std::int64_t index, std::size_t size) {
        return index >= 0 && static_cast<std::size_t>(index) < size;
    }
    template <class List> static bool contains(const List& list, std::int64_t value) {
        return std::find(list.begin(), list.end(), value) != list.end();
    }
    std::optional<std::int64_t> producerOf(const Graph& graph, std::int64_t tensor) const {
        for (std::size_t i = 0; i < graph.operators.size(); ++i)
            if (contains(graph.operators[i].outputs, tensor))
                return static_cast<std::int64_t>(i);
        return std::nullopt;
    }
    std::optional<std::int64_t> readerOf(const Graph& graph, std::int64_t tensor) const {
        for (std::size_t i = 0; i < graph.operators.size(); ++i)
            if (contains(graph.operators[i].inputs, tensor))
                return static_cast<std::int64_t>(i);
        return std::nullopt;
    }

    const Lowering& m_lowering;
    const Diagnostics& m_diagnostics;
    Place m_place;
    std::string m_problem;
};

} // namespace

Result<Place> resolveSelection(const Selection& selection, const Lowering& lowering,
                               const Diagnostics& diagnostics) {
    return Resolver(lowering, diagnostics).resolve(selection);
}

} // namespace plumbline
