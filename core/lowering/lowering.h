// SPDX-License-Identifier: GPL-3.0-or-later
// What a lowering IS, for any target: everything a view, a report or a package needs.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/graph/model.h"
#include "core/lowering/arena_plan.h"
#include "core/lowering/field_table.h"
#include "core/lowering/job.h"

namespace plumbline {

/// Where an operator runs.
enum class Placement {
    Npu,        ///< as a record
    Alias,      ///< nowhere: its output shares the input's storage
    CpuSoftmax, ///< as the terminal CPU step
    Refused,    ///< not at all; diagnostics say why
};

/// "npu", "none", "cpu-softmax", "refused".
std::string_view placementName(Placement placement);

struct OperatorGeometry {
    std::int64_t h = 0, w = 0, cin = 0;    ///< input extents, elements
    std::int64_t oh = 0, ow = 0, cout = 0; ///< output extents, elements
    std::int64_t kh = 0, kw = 0;           ///< kernel; 0 where the operator has none
    std::int64_t strideH = 0, strideW = 0;
    std::array<std::int64_t, 4> pads{}; ///< top, bottom, left, right
};

struct OperatorQuantization {
    double inputScale = 0;
    std::int64_t inputZeroPoint = 0;
    std::optional<double> input1Scale; ///< ADD only
    std::optional<std::int64_t> input1ZeroPoint;
    double outputScale = 0;
    std::int64_t outputZeroPoint = 0;
    std::int64_t lower = -128; ///< clamp bounds, signed bytes
    std::int64_t upper = 127;
};

/// What the reduction of one output element runs over, outermost first.
enum class Reduction : std::uint8_t {
    None,           ///< nothing: one input element per output element
    Window,         ///< kh, kw of the element's own channel
    WindowChannels, ///< kh, kw, cin
};

/// Facts of the target that a tile plan rests on.
struct TileFacts {
    std::int64_t lanes = 0;        ///< channels of a group
    std::int64_t maxPositions = 0; ///< of a tile
    Reduction reduction = Reduction::None;
};

/// How the output is cut into tiles and the reduction into slices.
struct TilePlan {
    std::int64_t tileH = 0, tileW = 0;
    std::int64_t positions = 0; ///< of a whole tile
    std::int64_t tiles = 0;
    std::int64_t fullK = 0; ///< reduction length
    std::int64_t kSlice = 0;
    std::int64_t capacity = 0; ///< positions per pass (cost model)
    std::int64_t passes = 0;   ///< over all tiles (cost model)
    TileFacts facts;
    std::vector<std::int64_t> sliceSizes() const;
};

/// Bytes of the on-chip half buffers against their limit.
struct BufferBounds {
    std::int64_t rawGatherHalf = 0;
    std::int64_t packedA = 0;
    std::int64_t packedW = 0;
    std::int64_t limit = 0;
};

/// A part of a region.
struct RegionSlice {
    std::uint64_t offset = 0;
    std::uint64_t bytes = 0;
};

/// Estimated traffic and cycles of one record; an estimate, not a measurement.
struct Cost {
    std::int64_t gatherReadBytes = 0;
    std::int64_t inputFetches = 0;
    std::int64_t weightReadBytes = 0;
    std::int64_t weightFetches = 0;
    std::int64_t paramReadBytes = 0;
    std::int64_t paramFetches = 0;
    std::int64_t writeBytes = 0;
    std::int64_t usefulMacs = 0;
    std::int64_t packCycles = 0;
    std::int64_t estimatedCycles = 0;
    std::int64_t computeCycles = 0; ///< part of the estimate; Target::addDerived
    std::int64_t loadCycles = 0;    ///< of weights and parameters; likewise
    std::int64_t storeCycles = 0;   ///< likewise
    std::int64_t readBytes() const { return gatherReadBytes + weightReadBytes + paramReadBytes; }
};

/// Fixed parameters of the terminal CPU softmax.
struct SoftmaxStep {
    std::int64_t inputMultiplier = 0;
    std::int64_t inputLeftShift = 0;
    std::int64_t diffMin = 0;
    Hwc shape;
};

/// Addresses of a record's operands, byte offsets in the arena.
struct OperandOffsets {
    std::uint64_t input = 0;
    std::optional<std::uint64_t> input1;
    std::uint64_t output = 0;
    std::uint64_t outputBytes = 0;
    /// Last use of the output tensor itself, aliases aside; the operator count when nothing reads
    /// it.
    std::int64_t outputLiveUntilOperator = 0;
};

/// One operator of the main graph and what became of it. Parts that its placement lacks are
/// default.
struct LoweredOperator {
    std::int64_t index = 0;
    std::string name; ///< TFLite name
    Placement placement = Placement::Refused;
    std::optional<std::int64_t> record;
    std::uint32_t opcode = 0;
    std::string opcodeName;
    OperatorGeometry geometry;
    OperatorQuantization quantization;
    TilePlan tiles;
    BufferBounds buffers;
    std::optional<RegionSlice> weights;
    std::optional<RegionSlice> params;
    Cost cost;
    OperandOffsets arena;
    std::optional<SoftmaxStep> softmax;
    std::string note;
};

/// One emitted record.
struct Record {
    std::int64_t operatorIndex = 0;
    Bytes bytes; ///< the template
};

/// A graph input or output as the report states it.
struct PortSummary {
    std::int64_t tensor = 0;
    Hwc shape;
    double scale = 0;
    std::int64_t zeroPoint = 0;
    std::uint64_t bytes = 0;
    std::uint64_t offset = 0; ///< in the arena
    std::optional<std::int64_t>
        sourceRecord;                     ///< output only: the record whose bytes it is or reads
    Placement placement = Placement::Npu; ///< output only
};

struct Lowering {
    ModelPtr model;
    std::string target;   ///< "npu-p0"
    std::string contract; ///< "npu-p0/1.0.2"
    const FieldTable* fields = nullptr;
    /// No operator and no graph rule was refused; records, regions, arena and steps are filled only
    /// then. `operators` is always filled as far as it is known.
    bool complete = false;
    std::vector<LoweredOperator> operators; ///< one per operator of the main graph
    std::vector<Record> records;
    std::vector<Relocation> relocations;
    Bytes weights;
    Bytes params;
    ArenaPlan arena;
    std::vector<Step> steps;
    PortSummary input;
    PortSummary output;
    Diagnostics diagnostics;

    /// All templates, one after the other.
    Bytes descriptorBytes() const;
};

using LoweringPtr = std::shared_ptr<const Lowering>;

/// The job that runs `lowering` (which is complete).
Job jobOf(const Lowering& lowering);

} // namespace plumbline
