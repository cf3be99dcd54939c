// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/lowering/arena_image.h"

#include <algorithm>

#include <fmt/format.h>

namespace plumbline {
namespace {

/// A record's write: `rows` rows of `rowBytes` bytes, `stride` apart.
struct Write {
    std::uint64_t offset = 0, rows = 0, rowBytes = 0, stride = 0;
    std::uint64_t elements() const { return rows * rowBytes; } // 48 bits at most
};

std::optional<Write> writeOf(ByteView record, const FieldTable& table) {
    if (table.output == nullptr || record.size() < table.recordBytes)
        return std::nullopt;
    const auto raw = [&](std::size_t row) -> std::uint64_t {
        return rawField(record, table.fields[row]);
    };
    const OutputFields& output = *table.output;
    return Write{raw(output.base), raw(output.height), raw(output.width) * raw(output.channels),
                 raw(output.rowBytes)};
}

/// Runs of positions where `differs(i)` holds, within `run`.
template <class Differs>
void addRuns(std::vector<ByteRun>& runs, const ByteRun& run, const Differs& differs) {
    for (std::uint64_t at = run.offset; at < run.end(); ++at) {
        if (!differs(at))
            continue;
        if (!runs.empty() && runs.back().end() == at)
            ++runs.back().bytes;
        else
            runs.push_back({at, 1});
    }
}

class Replay {
  public:
    Replay(const Lowering& lowering, std::int64_t step)
        : m_lowering(lowering) {
        m_image.step = step;
        m_image.bytes.resize(static_cast<std::size_t>(lowering.arena.peakBytes));
    }

    ArenaImage run(ByteView input, const Trace& trace) {
        putInput(input);
        for (const TraceLayer& layer : trace.layers)
            if (layer.record && layer.operatorIndex <= m_image.step)
                put(layer);
        noteMissing(trace);
        addOwners();
        return std::move(m_image);
    }

  private:
    void miss(std::string why) {
        if (m_image.gap.empty())
            m_image.gap = std::move(why);
    }

    void putInput(ByteView input) {
        const std::uint64_t offset = m_lowering.input.offset;
        if (input.empty() || offset > size() || input.size() > size() - offset) {
            miss(input.empty() ? "there is no input" : "the input does not lie in the arena");
            return;
        }
        std::copy(input.begin(), input.end(), at(offset));
        if (m_image.step < 0)
            m_image.written.push_back({offset, input.size()});
    }

    void put(const TraceLayer& layer) {
        const std::string title = fmt::format("the output of operator {}", layer.operatorIndex);
        const auto index = static_cast<std::size_t>(*layer.record);
        if (*layer.record < 0 || index >= m_lowering.records.size() || m_lowering.fields == nullptr)
            return miss(title + " belongs to no record");
        const auto write = writeOf(m_lowering.records[index].bytes, *m_lowering.fields);
        if (!write || !layer.hasBytes() || write->elements() != layer.bytes.size())
            return miss(title + " was not captured");
        if (!fits(*write))
            return miss(title + " does not lie in the arena");
        copy(*write, layer.bytes, layer.operatorIndex == m_image.step);
    }

    bool fits(const Write& write) const {
        if (write.rows == 0 || write.rowBytes == 0 || write.stride < write.rowBytes)
            return false;
        const std::uint64_t span = (write.rows - 1) * write.stride + write.rowBytes;
        return write.offset <= size() && span <= size() - write.offset;
    }

    void copy(const Write& write, const Bytes& from, bool isTheStep) {
        for (std::uint64_t row = 0; row < write.rows; ++row) {
            const ByteRun run{write.offset + row * write.stride, write.rowBytes};
            const auto* source = from.data() + row * write.rowBytes;
            if (isTheStep)
                note(run, source);
            std::copy_n(source, write.rowBytes, at(run.offset));
        }
    }

    void note(const ByteRun& run, const std::uint8_t* source) {
        if (!m_image.written.empty() && m_image.written.back().end() == run.offset)
            m_image.written.back().bytes += run.bytes;
        else
            m_image.written.push_back(run);
        addRuns(m_image.changed, run, [&](std::uint64_t i) {
            return m_image.bytes[static_cast<std::size_t>(i)] != source[i - run.offset];
        });
    }

    /// A run that stopped early, or a package that was never run, has fewer layers than records.
    void noteMissing(const Trace& trace) {
        std::vector<bool> have(m_lowering.records.size());
        for (const TraceLayer& layer : trace.layers)
            if (layer.record && *layer.record >= 0 &&
                static_cast<std::size_t>(*layer.record) < have.size())
                have[static_cast<std::size_t>(*layer.record)] = true;
        for (const LoweredOperator& op : m_lowering.operators)
            if (op.index <= m_image.step && op.record && *op.record >= 0 &&
                static_cast<std::size_t>(*op.record) < have.size() &&
                !have[static_cast<std::size_t>(*op.record)])
                miss(fmt::format("operator {} was not run", op.index));
    }

    void addOwners() {
        const auto& allocations = m_lowering.arena.allocations;
        for (std::size_t i = 0; i < allocations.size(); ++i) {
            const Allocation& a = allocations[i];
            if (!a.isLiveAt(m_image.step) || a.offset >= size() || a.bytes == 0)
                continue;
            m_image.owners.push_back(
                {{a.offset, std::min(a.bytes, size() - a.offset)}, static_cast<std::int64_t>(i)});
        }
        separate(m_image.owners);
    }

    static void separate(std::vector<OwnerRun>& owners) {
        std::stable_sort(owners.begin(), owners.end(), [](const OwnerRun& a, const OwnerRun& b) {
            return a.run.offset < b.run.offset;
        });
        std::uint64_t taken = 0;
        std::vector<OwnerRun> kept;
        for (OwnerRun owner : owners) {
            const std::uint64_t begin = std::max(owner.run.offset, taken);
            if (begin >= owner.run.end())
                continue;
            taken = owner.run.end();
            owner.run = {begin, taken - begin};
            kept.push_back(owner);
        }
        owners = std::move(kept);
    }

    std::uint64_t size() const { return m_image.bytes.size(); }
    Bytes::iterator at(std::uint64_t offset) {
        return m_image.bytes.begin() + static_cast<std::ptrdiff_t>(offset);
    }

    const Lowering& m_lowering;
    ArenaImage m_image;
};

} // namespace

std::optional<ArenaImage> arenaAfter(const Lowering& lowering, ByteView input, const Trace& trace,
                                     std::int64_t step) {
    if (lowering.records.empty() || lowering.arena.peakBytes > kMaxArenaImage)
        return std::nullopt;
    const auto last = static_cast<std::int64_t>(lowering.operators.size()) - 1;
    return Replay(lowering, std::clamp<std::int64_t>(step, -1, std::max<std::int64_t>(last, -1)))
        .run(input, trace);
}

} // namespace plumbline
