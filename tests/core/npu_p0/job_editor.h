// SPDX-License-Identifier: GPL-3.0-or-later
// A job whose records are changed field by field.
#pragma once

#include <algorithm>
#include <stdexcept>

#include "core/lowering/job.h"
#include "core/npu_p0/descriptor.h"
#include "core/npu_p0/opcode.h"

namespace plumbline::test {

/// A job whose records are open to change.
class JobEditor {
  public:
    explicit JobEditor(Job from)
        : job(std::move(from)) {}

    std::size_t records() const { return job.descriptors.size() / npu_p0::kDescriptorBytes; }
    npu_p0::Descriptor at(std::size_t record) const {
        return npu_p0::Descriptor(
            ByteView(job.descriptors)
                .subspan(record * npu_p0::kDescriptorBytes, npu_p0::kDescriptorBytes));
    }
    void set(std::size_t record, npu_p0::Field field, std::int64_t value) {
        npu_p0::Descriptor d = at(record);
        d.set(field, value);
        std::copy(d.bytes().begin(), d.bytes().end(),
                  job.descriptors.begin() + static_cast<long>(record * npu_p0::kDescriptorBytes));
    }
    std::size_t firstOf(npu_p0::Opcode opcode) const {
        for (std::size_t i = 0; i < records(); ++i) {
            if (at(i).opcode() == opcode)
                return i;
        }
        throw std::runtime_error("no such record");
    }

    /// Lets the operand at `base` lie at `offset` of `region`.
    void place(std::size_t record, npu_p0::Field base, std::string_view region,
               std::uint64_t offset) {
        for (Relocation& r : job.relocations) {
            if (r.record != static_cast<std::int64_t>(record) || r.word != wordOf(base))
                continue;
            r.region = region;
            r.offset = static_cast<std::int64_t>(offset);
            set(record, base, r.offset);
            return;
        }
        throw std::runtime_error("the operand is not relocated");
    }
    std::uint64_t offsetOf(std::size_t record, npu_p0::Field base) const {
        return static_cast<std::uint64_t>(at(record).get(base));
    }
    /// Adds `bytes` to the arena; gives the first of them, which is 64-aligned.
    std::uint64_t grow(std::uint64_t bytes) {
        const std::uint64_t begin = (job.arenaBytes + 63) / 64 * 64;
        job.arenaBytes = begin + bytes;
        return begin;
    }
    /// Puts the output where nothing else is, its rows `rowBytes` apart.
    void freeOutput(std::size_t record, std::int64_t rowBytes) {
        const std::int64_t bytes = at(record).get(npu_p0::Field::OutputH) * rowBytes;
        set(record, npu_p0::Field::OutputRowBytes, rowBytes);
        set(record, npu_p0::Field::OutputBytes, bytes);
        place(record, npu_p0::Field::OutputBase, kArenaRegion,
              grow(static_cast<std::uint64_t>(bytes)));
    }
    std::int64_t closedRow(std::size_t record) const {
        return at(record).get(npu_p0::Field::OutputW) * at(record).get(npu_p0::Field::OutputC);
    }
    /// Bias (0), multiplier (4) or shift (8) of a weighted record's channel.
    void setChannel(std::size_t record, std::int64_t channel, std::uint64_t byte,
                    std::int32_t value) {
        storeU32(job.params,
                 offsetOf(record, npu_p0::Field::ParamBase) +
                     static_cast<std::uint64_t>(channel) * 16 + byte,
                 static_cast<std::uint32_t>(value));
    }

    /// Gives a record with a window a square input of `extent` by `extent`, and the output that
    /// follows from it, both where nothing else is.
    void enlarge(std::size_t record, std::int64_t extent) {
        const npu_p0::Descriptor d = at(record);
        const std::int64_t row = extent * d.get(npu_p0::Field::InputC);
        set(record, npu_p0::Field::InputH, extent);
        set(record, npu_p0::Field::InputW, extent);
        set(record, npu_p0::Field::Input0RowBytes, row);
        set(record, npu_p0::Field::Input0Bytes, extent * row);
        place(record, npu_p0::Field::Input0Base, kArenaRegion,
              grow(static_cast<std::uint64_t>(extent * row)));
        const auto outputs = [&](npu_p0::Field before, npu_p0::Field after, npu_p0::Field kernel,
                                 npu_p0::Field stride) {
            return (extent + d.get(before) + d.get(after) - d.get(kernel)) / d.get(stride) + 1;
        };
        set(record, npu_p0::Field::OutputH,
            outputs(npu_p0::Field::PadTop, npu_p0::Field::PadBottom, npu_p0::Field::KernelH,
                    npu_p0::Field::StrideH));
        set(record, npu_p0::Field::OutputW,
            outputs(npu_p0::Field::PadLeft, npu_p0::Field::PadRight, npu_p0::Field::KernelW,
                    npu_p0::Field::StrideW));
        freeOutput(record, closedRow(record));
    }

    Job job;
};

} // namespace plumbline::test
