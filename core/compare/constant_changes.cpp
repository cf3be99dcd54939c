// SPDX-License-Identifier: GPL-3.0-or-later
// Bytes of weights and parameters. What is compared is what the plan gives each operator; bytes
// between those parts go with the part before them.
#include <algorithm>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/compare/lowering_changes.h"
#include "core/lowering/constants_layout.h"
#include "core/lowering/selection.h"

namespace plumbline {
namespace {

/// One of the two regions that hold constants.
struct ConstantRegion {
    ChangeKind kind;
    std::string_view name;
    const Bytes Lowering::*bytes;
    std::optional<RegionSlice> LoweredOperator::*slice;
};
constexpr ConstantRegion kRegions[] = {
    {ChangeKind::Weights, kWeightsRegion, &Lowering::weights, &LoweredOperator::weights},
    {ChangeKind::Params, kParamsRegion, &Lowering::params, &LoweredOperator::params}};

/// An operator's constants on one side.
struct Part {
    const Lowering* lowering = nullptr;
    const LoweredOperator* op = nullptr; ///< null for the bytes before the first part
    ByteView record;                     ///< empty where there is none
    std::optional<std::int64_t> recordIndex;
    std::uint64_t offset = 0; ///< in the region
    ByteView bytes;           ///< what lies in the region
    ByteView padding;         ///< what follows up to the next part
};

/// The parts of one region of one lowering.
class RegionParts {
  public:
    RegionParts(const Lowering& lowering, const ConstantRegion& region)
        : m_lowering(lowering)
        , m_region(region)
        , m_bytes(lowering.*region.bytes) {
        for (const LoweredOperator& op : lowering.operators) {
            const RegionSlice slice = sliceOf(recordOf(op), &op);
            if (slice.bytes > 0)
                m_begins.insert(slice.offset);
        }
        for (const Record& record : lowering.records) {
            const bool isUnclaimed = record.operatorIndex < 0;
            const RegionSlice slice = isUnclaimed ? sliceOf(record.bytes, nullptr) : RegionSlice{};
            if (slice.bytes > 0)
                m_begins.insert(slice.offset);
        }
    }

    Part before() const {
        Part part{&m_lowering, nullptr, {}, {}, 0, {}, {}};
        part.padding = paddingFrom(0);
        return part;
    }

    Part of(const LoweredOperator* op, std::optional<std::size_t> record) const {
        Part part{&m_lowering, op, {}, {}, 0, {}, {}};
        if (record) {
            part.record = m_lowering.records[*record].bytes;
            part.recordIndex = static_cast<std::int64_t>(*record);
        }
        const RegionSlice slice = sliceOf(part.record, op);
        const std::uint64_t begin = std::min<std::uint64_t>(slice.offset, m_bytes.size());
        const std::uint64_t size = std::min<std::uint64_t>(slice.bytes, m_bytes.size() - begin);
        part.offset = slice.offset;
        part.bytes =
            m_bytes.subspan(static_cast<std::size_t>(begin), static_cast<std::size_t>(size));
        if (slice.bytes > 0)
            part.padding = paddingFrom(begin + size);
        return part;
    }

    std::uint64_t size() const { return m_bytes.size(); }

  private:
    ByteView recordOf(const LoweredOperator& op) const {
        const bool exists = op.record && *op.record >= 0 &&
                            static_cast<std::size_t>(*op.record) < m_lowering.records.size();
        return exists ? ByteView(m_lowering.records[static_cast<std::size_t>(*op.record)].bytes)
                      : ByteView{};
    }

    /// What the plan says; what the record says where there is no plan.
    RegionSlice sliceOf(ByteView record, const LoweredOperator* op) const {
        if (op && op->*m_region.slice)
            return *(op->*m_region.slice);
        const bool isPlanned = op && op->placement == Placement::Npu;
        return record.empty() || isPlanned || m_lowering.fields == nullptr
                   ? RegionSlice{}
                   : constantsSlice(record, *m_lowering.fields, m_region.name);
    }

    ByteView paddingFrom(std::uint64_t begin) const {
        const auto next = m_begins.lower_bound(begin);
        const std::uint64_t end = next == m_begins.end()
                                      ? m_bytes.size()
                                      : std::min<std::uint64_t>(*next, m_bytes.size());
        return m_bytes.subspan(static_cast<std::size_t>(begin),
                               static_cast<std::size_t>(end - begin));
    }

    const Lowering& m_lowering;
    const ConstantRegion& m_region;
    ByteView m_bytes;
    std::set<std::uint64_t> m_begins;
};

/// Where and how often two byte ranges differ. The shorter one counts as ending in zeros.
struct ByteDifference {
    std::size_t first = 0; ///< index of the first
    std::size_t count = 0;
    std::vector<std::size_t> all;
};

ByteDifference compared(ByteView a, ByteView b) {
    ByteDifference found;
    const auto at = [](ByteView bytes, std::size_t i) { return i < bytes.size() ? bytes[i] : 0; };
    for (std::size_t i = 0; i < std::max(a.size(), b.size()); ++i) {
        if (at(a, i) != at(b, i))
            found.all.push_back(i);
    }
    found.count = found.all.size();
    found.first = found.count > 0 ? found.all.front() : 0;
    return found;
}

std::string countedBytes(std::size_t count, std::size_t of) {
    return fmt::format("{} of {} bytes {}", groupedDigits(static_cast<std::int64_t>(count)),
                       groupedDigits(static_cast<std::int64_t>(of)),
                       count == 1 ? "differs" : "differ");
}

/// "; every output of channel 3 depends on them": `channels` are those whose constants differ.
std::string channelsText(const std::set<std::size_t>& channels, std::size_t of, std::size_t bytes) {
    constexpr std::size_t kNamed = 4;
    const std::string named = channels.size() > kNamed
                                  ? fmt::format("{} of {} channels", channels.size(), of)
                                  : fmt::format("channel{} {}", channels.size() == 1 ? "" : "s",
                                                fmt::join(channels, ", "));
    return fmt::format("; every output of {} depends on {}", named, bytes == 1 ? "it" : "them");
}

class ConstantDiffer {
  public:
    ConstantDiffer(LoweringComparison& comparison, const ConstantRegion& region)
        : m_c(comparison)
        , m_region(region)
        , m_first(comparison.first, region)
        , m_second(comparison.second, region) {}

    void run() {
        diffPadding(m_first.before(), m_second.before());
        std::set<const LoweredOperator*> done;
        for (const RecordPair& pair : m_c.recordPairs) {
            done.insert(pair.firstOperator);
            diff(m_first.of(pair.firstOperator, pair.first),
                 m_second.of(pair.secondOperator, pair.second));
        }
        for (const LoweredOperator& op : m_c.first.operators) {
            const auto& counterpart = m_c.operators[static_cast<std::size_t>(op.index)];
            if (counterpart && !done.contains(&op))
                diff(m_first.of(&op, {}), m_second.of(&m_c.secondAt(*counterpart), {}));
        }
        if (m_first.size() != m_second.size())
            m_c.add(m_region.kind, nullptr, nullptr, "region", std::to_string(m_first.size()),
                    std::to_string(m_second.size()))
                .consequence =
                fmt::format("{} region {}", m_region.name,
                            changeText(static_cast<std::int64_t>(m_first.size()),
                                       static_cast<std::int64_t>(m_second.size()), "B"));
    }

  private:
    LoweringChange& add(const Part& a, const Part& b, std::uint64_t index, std::string key,
                        std::string ours, std::string theirs) {
        LoweringChange& change =
            m_c.add(m_region.kind, a.op, b.op, std::move(key), std::move(ours), std::move(theirs));
        change.firstRecord = a.recordIndex;
        change.secondRecord = b.recordIndex;
        change.firstOffset = a.offset + index;
        change.secondOffset = b.offset + index;
        change.firstAddress = toText(selectSpan(m_region.name, *change.firstOffset));
        change.secondAddress = toText(selectSpan(m_region.name, *change.secondOffset));
        return change;
    }

    void diff(const Part& a, const Part& b) {
        if (a.bytes.size() != b.bytes.size()) {
            LoweringChange& change = add(a, b, 0, "bytes", std::to_string(a.bytes.size()),
                                         std::to_string(b.bytes.size()));
            change.consequence = changeText(static_cast<std::int64_t>(a.bytes.size()),
                                            static_cast<std::int64_t>(b.bytes.size()), "B");
        } else if (const ByteDifference found = compared(a.bytes, b.bytes); found.count > 0) {
            if (!(m_region.kind == ChangeKind::Weights ? diffWeights(a, b, found)
                                                       : diffParams(a, b, found)))
                diffPlain(a, b, found);
        }
        diffPadding(a, b);
    }

    bool isOfRecord(const Part& part) const {
        if (part.record.empty() || part.lowering->fields == nullptr)
            return false;
        const RegionSlice slice =
            constantsSlice(part.record, *part.lowering->fields, m_region.name);
        return slice.offset == part.offset && slice.bytes == part.bytes.size();
    }

    bool diffWeights(const Part& a, const Part& b, const ByteDifference& found) {
        if (!isOfRecord(a))
            return false;
        const auto packed =
            packedWeights(a.record, *a.lowering->fields, a.lowering->*m_region.bytes);
        if (!packed)
            return false;
        const std::size_t lanes = packed->lanes, depth = packed->depth;
        std::set<std::size_t> channels;
        std::size_t unused = 0; // in lanes beyond the last channel
        for (const std::size_t i : found.all) {
            const std::size_t channel = i / (lanes * depth) * lanes + i % lanes;
            if (channel < packed->channels)
                channels.insert(channel);
            else
                ++unused;
        }
        const std::size_t at = found.first;
        const auto value = [at](const Part& part) {
            return std::to_string(static_cast<std::int8_t>(part.bytes[at]));
        };
        LoweringChange& change = add(a, b, at,
                                     fmt::format("[group {}][k {}][lane {}]", at / (lanes * depth),
                                                 at / lanes % depth, at % lanes),
                                     value(a), value(b));
        change.consequence = countedBytes(found.count, a.bytes.size());
        if (unused > 0)
            change.consequence += fmt::format(", {} in lanes that no channel uses", unused);
        if (!channels.empty())
            change.consequence += channelsText(channels, packed->channels, found.count - unused);
        return true;
    }

    bool diffParams(const Part& a, const Part& b, const ByteDifference& found) {
        if (!isOfRecord(a))
            return false;
        const auto records =
            parameterRecords(a.record, *a.lowering->fields, a.lowering->*m_region.bytes);
        if (!records)
            return false;
        const std::size_t size = records->layout->recordBytes();
        const std::size_t record = found.first / size, field = found.first % size / 4;
        ParameterRecords theirs = *records;
        theirs.bytes = b.bytes;
        std::set<std::size_t> channels;
        for (const std::size_t i : found.all)
            channels.insert(i / size);
        const std::string_view name = records->layout->fields[field].name;
        const bool perChannel = records->layout->perChannel;
        LoweringChange& change = add(
            a, b, found.first,
            perChannel ? fmt::format("[channel {}] {}", record, name) : std::string(name),
            std::to_string(records->at(record, field)), std::to_string(theirs.at(record, field)));
        change.consequence = countedBytes(found.count, a.bytes.size());
        change.consequence += perChannel ? channelsText(channels, records->count(), found.count)
                                         : "; every output depends on them";
        return true;
    }

    void diffPlain(const Part& a, const Part& b, const ByteDifference& found) {
        add(a, b, found.first, fmt::format("byte {}", found.first),
            fmt::format("0x{:02x}", a.bytes[found.first]),
            fmt::format("0x{:02x}", b.bytes[found.first]))
            .consequence = countedBytes(found.count, a.bytes.size());
    }

    void diffPadding(const Part& a, const Part& b) {
        const ByteDifference found = compared(a.padding, b.padding);
        if (found.count == 0)
            return;
        const auto text = [&](const Part& part) {
            return found.first < part.padding.size()
                       ? fmt::format("0x{:02x}", part.padding[found.first])
                       : std::string();
        };
        LoweringChange& change = add(a, b, found.first, "padding", text(a), text(b));
        change.firstOffset = *change.firstOffset + a.bytes.size();
        change.secondOffset = *change.secondOffset + b.bytes.size();
        change.firstAddress = toText(selectSpan(m_region.name, *change.firstOffset));
        change.secondAddress = toText(selectSpan(m_region.name, *change.secondOffset));
        change.consequence = fmt::format(
            "{} that no operator's plan covers",
            found.count == 1 ? std::string("1 byte")
                             : groupedDigits(static_cast<std::int64_t>(found.count)) + " bytes");
    }

    LoweringComparison& m_c;
    const ConstantRegion& m_region;
    RegionParts m_first, m_second;
};

} // namespace

void addConstantChanges(LoweringComparison& comparison) {
    for (const ConstantRegion& region : kRegions)
        ConstantDiffer(comparison, region).run();
}

} // namespace plumbline
