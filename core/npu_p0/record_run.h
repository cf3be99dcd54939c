// SPDX-License-Identifier: GPL-3.0-or-later
// One record over memory: its operands read and checked in the contract's order, its output
// written. Source: spec section 9.
#pragma once

#include <optional>
#include <vector>

#include "core/npu_p0/descriptor.h"
#include "core/npu_p0/memory.h"
#include "core/npu_p0/record_kernels.h"

namespace plumbline::npu_p0 {

/// A record with its operands. The operands view the memory they were read from, and `channels`;
/// so it stays where it was filled.
struct LoadedRecord {
    LoadedRecord() = default;
    LoadedRecord(const LoadedRecord&) = delete;
    LoadedRecord& operator=(const LoadedRecord&) = delete;

    RecordShape shape;
    RecordOperands operands; ///< without an output
    std::vector<ChannelParameters> channels;
};

/// Reads what relocated, validated record `index` reads. A fault of stage execution otherwise.
std::optional<Fault> loadRecord(const Descriptor& descriptor, std::int64_t index,
                                const Memory& memory, LoadedRecord& record);

/// Writes a dense output where the record writes it.
std::optional<Fault> writeRecord(const Descriptor& descriptor, std::int64_t index,
                                 const RecordShape& shape, std::span<const std::int8_t> output,
                                 Memory& memory);

/// How running a record ended; done with neither.
struct RecordRun {
    std::optional<Fault> fault;
    bool stopped = false; ///< `stop` asked for it; memory is as before
};

/// Reads, computes (computeRecord) and writes.
RecordRun runRecord(const Descriptor& descriptor, std::int64_t index, Memory& memory,
                    const std::stop_token& stop = {});

/// The record's output as memory holds it now, rows closed up; nothing when it does not lie inside
/// one region.
std::optional<Bytes> denseOutput(const Descriptor& descriptor, const RecordShape& shape,
                                 const Memory& memory);

/// The address in a word of the record.
std::uint64_t addressOf(const Descriptor& descriptor, Field field);

} // namespace plumbline::npu_p0
