// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/npu_p0/sanitizer.h"

#include <algorithm>
#include <unordered_map>

#include <fmt/format.h>

#include "core/npu_p0/access.h"
#include "core/npu_p0/memory.h"
#include "core/npu_p0/relocate.h"

namespace plumbline::npu_p0 {
namespace {

constexpr std::int32_t kUnwritten = -2;
constexpr std::int32_t kInputWriter = -1;
constexpr std::uint64_t kMaxShadowWork = std::uint64_t{1} << 32; ///< bytes checked in all

/// A run of bytes with one complaint.
struct Complaint {
    Code code{};
    std::int32_t owner = kUnwritten;
    std::uint64_t begin = 0;
    std::uint64_t end = 0;
};

class Sanitizer {
  public:
    explicit Sanitizer(const Job& job)
        : m_job(job)
        , m_writer(job.arenaBytes, kUnwritten) {
        for (const JobBuffer& buffer : job.buffers)
            m_bufferOf.try_emplace(buffer.firstOperator, &buffer);
    }

    Diagnostics run(const std::vector<Descriptor>& descriptors) {
        const auto begin = m_writer.begin() + static_cast<std::ptrdiff_t>(m_job.inputOffset);
        std::fill_n(begin, m_job.inputBytes, kInputWriter);
        forEachAccess(m_job, descriptors, [this](const Access& access) {
            if (access.isWrite)
                write(access);
            else
                read(access);
        });
        return std::move(m_findings);
    }

  private:
    /// Whether a run lies in the arena (other addresses are the executor's faults) and the budget.
    bool inArena(std::uint64_t begin, std::uint64_t end) {
        m_work += end - begin;
        return begin <= end && end <= m_writer.size() && m_work <= kMaxShadowWork;
    }

    void read(const Access& a) {
        std::vector<Complaint> complaints;
        const std::int32_t expected = firstWriter(a);
        const bool isFreed = readsFreed(a, expected);
        forEachRun(a, [&](std::uint64_t begin, std::uint64_t end) {
            if (!inArena(begin, end))
                return;
            for (std::uint64_t i = begin; i < end; ++i) {
                const std::int32_t writer = m_writer[i];
                if (writer == kUnwritten)
                    note(complaints, {Code::ReadUnwritten, writer, i, i + 1});
                else if (writer != expected)
                    note(complaints, {Code::ReadReused, writer, i, i + 1});
                else if (isFreed)
                    note(complaints, {Code::ReadFreed, writer, i, i + 1});
            }
        });
        report(a, complaints);
    }

    /// The writer that a read means: that of its first touched byte.
    std::int32_t firstWriter(const Access& a) {
        std::optional<std::int32_t> first;
        forEachRun(a, [&](std::uint64_t begin, std::uint64_t end) {
            if (!first && begin < end && end <= m_writer.size())
                first = m_writer[begin];
        });
        return first.value_or(kUnwritten);
    }

    const JobBuffer* bufferWrittenBy(std::int32_t writer) const {
        const std::int64_t op = writer == kInputWriter ? -1 : operatorOf(writer, m_job);
        const auto found = m_bufferOf.find(op);
        return found == m_bufferOf.end() ? nullptr : found->second;
    }

    bool readsFreed(const Access& a, std::int32_t writer) const {
        if (writer == kUnwritten)
            return false;
        const JobBuffer* buffer = bufferWrittenBy(writer);
        return buffer && buffer->lastIsExact && buffer->lastOperator < a.operatorIndex;
    }

    void write(const Access& a) {
        std::vector<Complaint> complaints;
        const JobBuffer* own = bufferWrittenBy(static_cast<std::int32_t>(a.record));
        forEachRun(a, [&](std::uint64_t begin, std::uint64_t end) {
            if (!inArena(begin, end))
                return;
            for (std::uint64_t i = begin; i < end; ++i) {
                const bool outside = i - a.offset >= a.declared ||
                                     (own && (i < own->offset || i - own->offset >= own->bytes));
                if (outside)
                    note(complaints, {Code::WriteOutsideSpan, m_writer[i], i, i + 1});
                if (isNeeded(m_writer[i], a))
                    note(complaints, {Code::WriteLive, m_writer[i], i, i + 1});
                m_writer[i] = static_cast<std::int32_t>(a.record);
            }
        });
        report(a, complaints);
    }

    bool isNeeded(std::int32_t writer, const Access& a) {
        if (writer == kUnwritten || writer == a.record)
            return false;
        if (writer != m_neededWriter) {
            m_neededWriter = writer;
            const JobBuffer* buffer = bufferWrittenBy(writer);
            m_neededUntil = buffer ? buffer->lastOperator : -2;
        }
        return m_neededUntil >= a.operatorIndex;
    }

    static void note(std::vector<Complaint>& complaints, const Complaint& next) {
        for (auto it = complaints.rbegin(); it != complaints.rend() && it - complaints.rbegin() < 2;
             ++it) {
            if (it->code == next.code && it->owner == next.owner && it->end == next.begin) {
                it->end = next.end;
                return;
            }
        }
        if (complaints.size() < kMaxFindings)
            complaints.push_back(next);
    }

    std::string ownerName(std::int32_t owner) const {
        if (owner == kUnwritten)
            return "nobody";
        const JobBuffer* buffer = bufferWrittenBy(owner);
        const std::string name =
            buffer && !buffer->name.empty() ? " ('" + buffer->name + "')" : std::string();
        return owner == kInputWriter ? "the graph input" + name
                                     : fmt::format("record {}{}", owner, name);
    }

    void report(const Access& a, const std::vector<Complaint>& complaints) {
        for (const Complaint& c : complaints) {
            if (m_findings.size() >= kMaxFindings)
                return;
            Location where;
            where.operatorIndex = a.operatorIndex;
            where.record = a.record;
            where.byte = c.begin;
            m_findings.push_back(
                makeError(c.code,
                          fmt::format("{} touches arena 0x{:x}..0x{:x}; the bytes are of {}",
                                      a.operand, c.begin, c.end, ownerName(c.owner)),
                          where));
        }
    }

    const Job& m_job;
    std::vector<std::int32_t> m_writer; ///< per arena byte: record that wrote it last
    std::unordered_map<std::int64_t, const JobBuffer*> m_bufferOf; ///< by first operator
    Diagnostics m_findings;
    std::uint64_t m_work = 0;
    std::int32_t m_neededWriter = kUnwritten;
    std::int64_t m_neededUntil = -2;
};

} // namespace

Diagnostics sanitize(const Job& job) {
    if (job.arenaBytes > kMaxArenaBytes || job.inputOffset > job.arenaBytes ||
        job.inputBytes > job.arenaBytes - job.inputOffset)
        return {};
    const Relocated relocated = relocateAndValidate(job);
    if (relocated.fault)
        return {};
    return Sanitizer(job).run(relocated.descriptors);
}

} // namespace plumbline::npu_p0
