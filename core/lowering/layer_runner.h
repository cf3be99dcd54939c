// SPDX-License-Identifier: GPL-3.0-or-later
// A job taken apart: each layer can be run, explained or run wrongly on purpose, alone, over an
// arena that the caller owns.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/lowering/explanation.h"
#include "core/lowering/job.h"

namespace plumbline {

/// One layer that a job makes.
struct LayerStep {
    std::int64_t operatorIndex = 0;
    std::optional<std::int64_t> record; ///< nothing for a CPU step
    std::string name;                   ///< TFLite operator name; may be empty
    std::uint32_t opcode = 0;           ///< the record's; 0 for a CPU step
};

/// What running one layer gave.
struct LayerRun {
    /// Sealed; without bytes when there is a fault.
    TraceLayer layer;
    /// The arena bytes that were written; equal where none were.
    std::uint64_t writtenBegin = 0;
    std::uint64_t writtenEnd = 0;
    std::optional<Fault> fault;
};

/// A named mistake that a device or a compiler may make in one record's arithmetic.
struct MistakeInfo {
    std::string_view name;     ///< "single-rounding": stable, what --inject takes
    std::string_view sentence; ///< what changes, for people
    std::uint32_t opcodes = 0; ///< bit (1 << opcode) of each opcode that it applies to
    /// Bit set of the things that it acts on. Two mistakes whose sets are disjoint can be made
    /// together, in any order.
    std::uint32_t actsOn = 0;
};

/// Bytes begin .. end - 1 of the arena.
struct ArenaRange {
    std::uint64_t begin = 0;
    std::uint64_t end = 0;
};

/// Where a layer is run wrongly on purpose.
struct MistakeSite {
    ByteView arena; ///< as it was just before the layer ran
    /// As it was just before the record ran that made input 0; nothing where input 0 is the graph
    /// input or not known.
    std::optional<ByteView> arenaBeforeProducer;
};

/// A relocated and validated job. Immutable; may be used from several threads at a time.
class LayerRunner {
  public:
    virtual ~LayerRunner() = default;

    virtual const Job& job() const = 0;
    /// The layers in execution order.
    virtual const std::vector<LayerStep>& steps() const = 0;
    /// Per operand in the arena, in the order of the accesses. See Target::accesses.
    virtual std::vector<OperandAccess> accesses() const = 0;
    /// The index in steps() of an operator's layer; nothing when it has none.
    std::optional<std::size_t> stepOf(std::int64_t operatorIndex) const;

    /// Runs layer `step` over `arena` (job().arenaBytes bytes) and writes its output there.
    /// Regions other than the arena are as the job has them, whatever earlier layers wrote.
    virtual LayerRun run(std::size_t step, std::span<std::uint8_t> arena) const = 0;

    /// Writes `bytes`, dense [OH,OW,Cout], where layer `step` writes its output, and says where in
    /// the arena that is. Nothing happens for a CPU step, whose output is not in the arena, outside
    /// the arena, or with another number of bytes.
    virtual ArenaRange place(std::size_t step, ByteView bytes,
                             std::span<std::uint8_t> arena) const = 0;

    /// Replays one element over the arena as it was just before the layer ran. Errors: NoSuchPlace
    /// for an element outside the output; NotExplained when the arithmetic faults there.
    virtual Result<Explanation> explain(std::size_t step, ByteView arena,
                                        const ElementIndex& element) const = 0;

    /// The layer's output, dense, with the named mistakes (indices of Target::mistakes()) made
    /// together. Nothing when one does not apply to the layer, or the arithmetic faults.
    virtual std::optional<Bytes> runWith(std::size_t step, const MistakeSite& site,
                                         std::span<const std::size_t> mistakes) const = 0;
};

using LayerRunnerPtr = std::shared_ptr<const LayerRunner>;

} // namespace plumbline
