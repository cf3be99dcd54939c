// SPDX-License-Identifier: GPL-3.0-or-later
// Which bytes of the arena a record's operands touch, from its shape alone. The sanitizer and the
// bounds review loop over the same values.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string_view>
#include <vector>

#include "core/lowering/job.h"
#include "core/npu_p0/shape.h"

namespace plumbline::npu_p0 {

/// One operand of one record: the touched pixels are those of the marked rows and columns.
struct Access {
    std::int64_t record = 0;
    std::int64_t operatorIndex = 0;
    std::string_view operand; ///< "input 0", "input 1", "output" or "softmax input"
    bool isWrite = false;
    std::uint64_t offset = 0;    ///< in the arena; wraps where the address lies below it
    std::uint64_t rowStride = 0; ///< bytes
    std::uint64_t declared = 0;  ///< bytes from `offset`
    std::int64_t pixelBytes = 0;
    std::vector<bool> rows;
    std::vector<bool> columns;
};

/// The operands of record `index` in the order of their accesses: inputs, then the output.
std::vector<Access> accessesOf(const Descriptor& descriptor, std::int64_t index, const Job& job);

/// What the CPU softmax reads of the output of record `source`.
Access softmaxAccess(const Descriptor& descriptor, std::int64_t source, const Job& job);

/// The operator that record `index` belongs to; the index itself where the job does not say.
std::int64_t operatorOf(std::int64_t index, const Job& job);

/// Calls `visit(access)` for every access of the job's steps in order.
template <class Visit>
void forEachAccess(const Job& job, const std::vector<Descriptor>& descriptors, Visit&& visit) {
    const auto total = static_cast<std::int64_t>(descriptors.size());
    for (const Step& step : job.steps) {
        if (step.kind != "npu") {
            const std::int64_t source = step.sourceRecord.value_or(-1);
            if (source >= 0 && source < total)
                visit(softmaxAccess(descriptors[static_cast<std::size_t>(source)], source, job));
            continue;
        }
        const std::int64_t first = std::clamp<std::int64_t>(step.firstRecord.value_or(0), 0, total);
        const std::int64_t count =
            std::clamp<std::int64_t>(step.count.value_or(0), 0, total - first);
        for (std::int64_t i = first; i < first + count; ++i)
            for (const Access& access :
                 accessesOf(descriptors[static_cast<std::size_t>(i)], i, job))
                visit(access);
    }
}

/// Calls `visit(begin, end)` for each run of touched bytes, arena offsets.
template <class Visit> void forEachRun(const Access& a, Visit&& visit) {
    const auto pixel = static_cast<std::uint64_t>(a.pixelBytes);
    for (std::size_t y = 0; y < a.rows.size(); ++y) {
        if (!a.rows[y])
            continue;
        const std::uint64_t row = a.offset + y * a.rowStride;
        for (std::size_t x = 0; x < a.columns.size();) {
            std::size_t end = x;
            while (end < a.columns.size() && a.columns[end])
                ++end;
            if (end > x)
                visit(row + x * pixel, row + end * pixel);
            x = std::max(end, x + 1);
        }
    }
}

/// The accesses of `job` against its declared spans, as Target::accesses tells them.
std::vector<OperandAccess> operandAccesses(const Job& job);

} // namespace plumbline::npu_p0
