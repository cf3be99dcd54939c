// SPDX-License-Identifier: GPL-3.0-or-later
// A package's report and binaries as a Lowering.
#include "core/document/package_lowering.h"

#include <algorithm>

#include "core/artifacts/json_reader.h"

namespace plumbline {
namespace {

constexpr std::int64_t kLargest = std::int64_t{1} << 40; ///< beyond, a stated number is damage
constexpr std::size_t kMaxOperators = 1'000'000;
constexpr std::uint64_t kAlignment = 64;

/// Reads the report's operators. What is missing or wrong was reported by loadPackage; here it
/// becomes a default.
class ReportReader {
  public:
    std::vector<LoweredOperator> operators(const JsonValue& list) {
        std::vector<LoweredOperator> made;
        if (!list.exists())
            return made;
        for (const JsonValue& entry :
             list.items(kMaxOperators).value_or(std::vector<JsonValue>{})) {
            made.push_back(readOperator(entry));
            made.back().index = static_cast<std::int64_t>(made.size()) - 1;
        }
        return made;
    }

  private:
    static std::int64_t number(const JsonValue& value) {
        return value.exists() ? value.integer(-kLargest, kLargest).value_or(0) : 0;
    }
    static std::int64_t natural(const JsonValue& value) {
        return std::max<std::int64_t>(0, number(value));
    }
    static std::uint64_t size(const JsonValue& value) {
        return static_cast<std::uint64_t>(natural(value));
    }
    static double real(const JsonValue& value) {
        return value.exists() && !value.isNull() ? value.number().value_or(0) : 0;
    }
    static JsonValue at(const JsonValue& value, std::string_view key) {
        return value.optionalMember(key);
    }
    static bool given(const JsonValue& value) { return value.exists() && !value.isNull(); }

    static LoweredOperator readOperator(const JsonValue& entry) {
        LoweredOperator op;
        const auto text = [&](std::string_view key) {
            const JsonValue value = at(entry, key);
            return given(value) ? value.text().value_or("") : std::string();
        };
        op.name = text("operator");
        op.note = text("note");
        const std::string placement = text("placement");
        for (const Placement p : {Placement::Npu, Placement::Alias, Placement::CpuSoftmax})
            if (placement == placementName(p))
                op.placement = p;
        if (given(at(entry, "descriptor_index")))
            op.record = number(at(entry, "descriptor_index"));
        readQuantization(at(entry, "quantization"), op.quantization);
        if (op.placement == Placement::CpuSoftmax)
            readSoftmax(at(entry, "pinned"), op);
        if (op.placement != Placement::Npu)
            return op;
        op.opcode = static_cast<std::uint32_t>(
            std::min<std::int64_t>(natural(at(entry, "opcode")), 0xFFFF));
        op.opcodeName = text("opcode_name");
        readGeometry(at(entry, "geometry"), op.geometry);
        readTiles(entry, op);
        op.weights = slice(at(entry, "weights"));
        op.params = slice(at(entry, "params"));
        readCost(at(entry, "dma"), op.cost);
        readArena(at(entry, "arena"), op.arena);
        return op;
    }

    static void readGeometry(const JsonValue& v, OperatorGeometry& g) {
        g.h = natural(at(v, "h")), g.w = natural(at(v, "w")), g.cin = natural(at(v, "cin"));
        g.oh = natural(at(v, "oh")), g.ow = natural(at(v, "ow")), g.cout = natural(at(v, "cout"));
        g.kh = natural(at(v, "kh")), g.kw = natural(at(v, "kw"));
        g.strideH = natural(at(v, "stride_h")), g.strideW = natural(at(v, "stride_w"));
        const JsonValue pads = at(v, "pads");
        const auto list = pads.exists() ? pads.integers(0, kLargest, 4) : std::nullopt;
        if (list && list->size() == 4)
            std::copy(list->begin(), list->end(), g.pads.begin());
    }

    static void readQuantization(const JsonValue& v, OperatorQuantization& q) {
        q.inputScale = real(at(v, "input_scale"));
        q.inputZeroPoint = number(at(v, "input_zero_point"));
        q.outputScale = real(at(v, "output_scale"));
        q.outputZeroPoint = number(at(v, "output_zero_point"));
        if (given(at(v, "input1_scale")))
            q.input1Scale = real(at(v, "input1_scale"));
        if (given(at(v, "input1_zero_point")))
            q.input1ZeroPoint = number(at(v, "input1_zero_point"));
        if (given(at(v, "act_min")))
            q.lower = number(at(v, "act_min"));
        if (given(at(v, "act_max")))
            q.upper = number(at(v, "act_max"));
    }

    static void readSoftmax(const JsonValue& v, LoweredOperator& op) {
        op.softmax.emplace();
        op.softmax->inputMultiplier = number(at(v, "input_multiplier"));
        op.softmax->inputLeftShift = number(at(v, "input_left_shift"));
        op.softmax->diffMin = number(at(v, "diff_min"));
    }

    static void readTiles(const JsonValue& entry, LoweredOperator& op) {
        const JsonValue tile = at(entry, "tile");
        op.tiles.tileH = natural(at(tile, "tile_h"));
        op.tiles.tileW = natural(at(tile, "tile_w"));
        op.tiles.positions = natural(at(tile, "positions"));
        op.tiles.tiles = natural(at(tile, "tiles"));
        op.tiles.fullK = natural(at(entry, "full_k"));
        op.tiles.kSlice = natural(at(entry, "k_slice"));
        const JsonValue buffers = at(entry, "buffers");
        op.buffers.rawGatherHalf = natural(at(buffers, "raw_gather_half_bytes"));
        op.buffers.packedA = natural(at(buffers, "packed_a_bytes"));
        op.buffers.packedW = natural(at(buffers, "packed_w_bytes"));
        op.buffers.limit = natural(at(buffers, "limit_bytes"));
    }

    static void readCost(const JsonValue& v, Cost& c) {
        c.gatherReadBytes = natural(at(v, "gather_read_bytes"));
        c.inputFetches = natural(at(v, "input_tensor_fetches"));
        c.weightReadBytes = natural(at(v, "weight_read_bytes"));
        c.weightFetches = natural(at(v, "weight_tensor_fetches"));
        c.paramReadBytes = natural(at(v, "param_read_bytes"));
        c.paramFetches = natural(at(v, "param_tensor_fetches"));
        c.writeBytes = natural(at(v, "write_bytes"));
        c.usefulMacs = natural(at(v, "useful_macs"));
        c.packCycles = natural(at(v, "pack_cycles"));
        c.estimatedCycles = natural(at(v, "estimated_cycles"));
    }

    static void readArena(const JsonValue& v, OperandOffsets& arena) {
        arena.input = size(at(v, "input_offset"));
        if (given(at(v, "input1_offset")))
            arena.input1 = size(at(v, "input1_offset"));
        arena.output = size(at(v, "output_offset"));
        arena.outputBytes = size(at(v, "output_bytes"));
        arena.outputLiveUntilOperator = natural(at(v, "output_live_until_operator"));
    }

    static std::optional<RegionSlice> slice(const JsonValue& v) {
        if (!given(v))
            return std::nullopt;
        return RegionSlice{size(at(v, "offset")), size(at(v, "bytes"))};
    }
};

/// Buffers that the package names, with their lifetimes. A RESHAPE may make one live longer than it
/// says (Job::buffers, lastIsExact).
ArenaPlan arenaOf(const Package& package, const std::vector<LoweredOperator>& operators) {
    const auto count = static_cast<std::int64_t>(operators.size());
    const auto rounded = [](std::uint64_t bytes) {
        return (bytes + kAlignment - 1) / kAlignment * kAlignment;
    };
    std::vector<Allocation> made;
    made.push_back({0,
                    {},
                    "input",
                    package.input.offset,
                    package.input.bytes,
                    rounded(package.input.bytes),
                    -1,
                    count});
    for (const LoweredOperator& op : operators) {
        if (op.placement != Placement::Npu)
            continue;
        made.push_back({op.index + 1,
                        {},
                        op.name + " " + std::to_string(op.index),
                        op.arena.output,
                        op.arena.outputBytes,
                        rounded(op.arena.outputBytes),
                        op.index,
                        std::max(op.index, op.arena.outputLiveUntilOperator)});
    }
    ArenaPlan plan = observeArena(std::move(made), count, kAlignment);
    plan.peakBytes = std::max(plan.peakBytes, package.job.arenaBytes);
    return plan;
}

std::vector<Record> recordsOf(const Package& package, const Target& target,
                              std::vector<LoweredOperator>& operators) {
    const std::size_t size = target.fields().recordBytes;
    std::vector<Record> records(package.job.descriptors.size() / size);
    for (std::size_t i = 0; i < records.size(); ++i) {
        const auto begin = package.job.descriptors.begin() + static_cast<std::ptrdiff_t>(i * size);
        records[i].operatorIndex = -1; // until the report names its operator
        records[i].bytes.assign(begin, begin + static_cast<std::ptrdiff_t>(size));
    }
    for (LoweredOperator& op : operators) {
        if (op.record && (*op.record < 0 || static_cast<std::size_t>(*op.record) >= records.size()))
            op.record.reset();
        if (op.record)
            records[static_cast<std::size_t>(*op.record)].operatorIndex = op.index;
    }
    return records;
}

std::shared_ptr<Model> modelOf(const Package& package, const Lowering& lowering) {
    auto model = std::make_shared<Model>();
    const auto digest = package.manifest.find("source_model_sha256");
    if (digest != package.manifest.end() && digest->is_string())
        model->sha256 = digest->get<std::string>();
    model->description = package.workload;
    model->graphs.push_back(graphOfOperators(lowering.operators, lowering.input));
    return model;
}

} // namespace

LoweringPtr loweringOfPackage(const Package& package, const Target& target) {
    auto made = std::make_shared<Lowering>();
    made->target = target.name();
    made->contract = target.contract();
    made->fields = &target.fields();
    JsonReport ignored; // loadPackage has reported all of it
    ignored.file = package.directory.string();
    const JsonValue report = JsonValue(package.manifest, ignored).optionalMember("report");
    made->operators = ReportReader().operators(report.optionalMember("operators"));
    for (LoweredOperator& op : made->operators) {
        if (op.softmax)
            op.softmax->shape = package.output.shape;
        if (op.placement == Placement::Npu)
            target.addDerived(op);
    }
    made->records = recordsOf(package, target, made->operators);
    made->relocations = package.job.relocations;
    made->weights = package.job.weights;
    made->params = package.job.params;
    made->steps = package.job.steps;
    made->input = package.input;
    made->output = package.output;
    made->arena = arenaOf(package, made->operators);
    made->model = modelOf(package, *made);
    made->complete = !package.damaged;
    made->diagnostics = package.diagnostics;
    return made;
}

} // namespace plumbline
