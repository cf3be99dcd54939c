// SPDX-License-Identifier: GPL-3.0-or-later
// Regions as bytes, and a record's packed weights and parameters.
#include <algorithm>

#include <fmt/format.h>

#include "app/cli/dump.h"
#include "app/cli/table.h"
#include "core/lowering/target.h"

namespace plumbline::cli {
namespace {

constexpr std::size_t kLanes = 8;
constexpr std::size_t kChannelBytes = 16;
constexpr std::size_t kAddBytes = 32;

/// A record's part of a region.
struct Part {
    std::uint64_t offset = 0;
    ByteView bytes;
};

/// The part of `region` that the record's fields `base` and `size` name.
Part partOf(const DumpSource& source, std::int64_t record, ByteView region,
            std::string_view regionName, std::string_view base, std::string_view size) {
    const auto offset = static_cast<std::uint64_t>(source.field(record, base));
    const auto bytes = static_cast<std::uint64_t>(source.field(record, size));
    if (bytes == 0)
        failUsage(fmt::format("Record {} has no {}.", record, regionName));
    if (offset > region.size() || bytes > region.size() - offset) {
        Location where;
        where.record = record;
        throw Failure(makeError(Code::ManifestInconsistent,
                                fmt::format("{} bytes at {} leave the {} region of {} bytes.",
                                            bytes, offset, regionName, region.size()),
                                where));
    }
    return {offset,
            region.subspan(static_cast<std::size_t>(offset), static_cast<std::size_t>(bytes))};
}

[[noreturn]] void failForm(std::int64_t record, std::string_view what, std::size_t bytes) {
    Location where;
    where.record = record;
    throw Failure(makeError(Code::ManifestInconsistent,
                            fmt::format("{} bytes are no {} of this record.", bytes, what), where));
}

struct PackedWeights {
    Part part;
    std::size_t groups = 0;
    std::size_t depth = 0; ///< reduction length K
    int at(std::size_t group, std::size_t k, std::size_t lane) const {
        return static_cast<std::int8_t>(part.bytes[(group * depth + k) * kLanes + lane]);
    }
};

PackedWeights weightsOf(const DumpSource& source, std::int64_t record) {
    PackedWeights weights;
    weights.part =
        partOf(source, record, source.job().weights, "weights", "WEIGHT_BASE", "WEIGHT_BYTES");
    const auto channels = static_cast<std::size_t>(source.field(record, "OUTPUT_C"));
    weights.groups = (channels + kLanes - 1) / kLanes;
    const std::size_t perStep = weights.groups * kLanes;
    if (perStep == 0 || weights.part.bytes.size() % perStep != 0)
        failForm(record, "packed weights [group][k][lane]", weights.part.bytes.size());
    weights.depth = weights.part.bytes.size() / perStep;
    return weights;
}

bool isAdd(const DumpSource& source, std::int64_t record) {
    const FieldTable& table = npuP0Target().fields();
    return table.opcodeName(opcodeOf(source.record(record), table)) == "ADD";
}

Part paramsOf(const DumpSource& source, std::int64_t record) {
    const Part part =
        partOf(source, record, source.job().params, "params", "PARAM_BASE", "PARAM_BYTES");
    const bool fits = isAdd(source, record) ? part.bytes.size() == kAddBytes
                                            : part.bytes.size() % kChannelBytes == 0;
    if (!fits)
        failForm(record, "parameters", part.bytes.size());
    return part;
}

/// The names and values of the 32-byte block of ADD.
Json addBlock(ByteView bytes) {
    return {{"left_shift", loadU32(bytes, 0)},    {"multiplier0", loadI32(bytes, 4)},
            {"shift0", loadI32(bytes, 8)},        {"multiplier1", loadI32(bytes, 12)},
            {"shift1", loadI32(bytes, 16)},       {"output_multiplier", loadI32(bytes, 20)},
            {"output_shift", loadI32(bytes, 24)}, {"reserved", loadU32(bytes, 28)}};
}

std::string hexLine(ByteView bytes, std::uint64_t offset) {
    constexpr std::size_t kPerLine = 16;
    std::string hex;
    std::string text;
    for (std::size_t i = 0; i < kPerLine; ++i) {
        if (i < bytes.size()) {
            hex += fmt::format("{:02x} ", bytes[i]);
            text += bytes[i] >= 0x20 && bytes[i] < 0x7F ? static_cast<char>(bytes[i]) : '.';
        } else {
            hex += "   ";
        }
        if (i == kPerLine / 2 - 1)
            hex += " ";
    }
    return fmt::format("{:08x}  {} {}\n", offset, hex, text);
}

} // namespace

ByteView regionBytes(const Job& job, const std::string& name) {
    if (name == "descriptors")
        return job.descriptors;
    if (name == "weights")
        return job.weights;
    if (name == "params")
        return job.params;
    if (name == "arena")
        failUsage("The arena holds nothing before a run; plumb run --trace writes its tensors.");
    failUsage(fmt::format("There is no region '{}': it is descriptors, weights or params.", name));
}

std::string hexText(ByteView region, ByteRange range) {
    constexpr std::uint64_t kPerLine = 16;
    std::string text;
    for (std::uint64_t at = range.begin; at < range.end; at += kPerLine) {
        const std::uint64_t count = std::min(kPerLine, range.end - at);
        text += hexLine(
            region.subspan(static_cast<std::size_t>(at), static_cast<std::size_t>(count)), at);
    }
    return text;
}

std::string packedWeightsText(const DumpSource& source, std::int64_t record) {
    const PackedWeights weights = weightsOf(source, record);
    std::string text = fmt::format(
        "record {}, {}: weights at {}, {}, [group][k][lane] = [{}][{}][{}]\n", record,
        printable(source.title(record)), weights.part.offset,
        counted(weights.part.bytes.size(), "byte"), weights.groups, weights.depth, kLanes);
    for (std::size_t group = 0; group < weights.groups; ++group) {
        text += fmt::format("\ngroup {}, channels {}..{}\n", group, group * kLanes,
                            group * kLanes + kLanes - 1);
        for (std::size_t k = 0; k < weights.depth; ++k) {
            text += fmt::format("{:>6} ", k);
            for (std::size_t lane = 0; lane < kLanes; ++lane)
                text += fmt::format(" {:>4}", weights.at(group, k, lane));
            text += "\n";
        }
    }
    return text;
}

Json packedWeightsJson(const DumpSource& source, std::int64_t record) {
    const PackedWeights weights = weightsOf(source, record);
    Json groups = Json::array();
    for (std::size_t group = 0; group < weights.groups; ++group) {
        Json rows = Json::array();
        for (std::size_t k = 0; k < weights.depth; ++k) {
            Json lanes = Json::array();
            for (std::size_t lane = 0; lane < kLanes; ++lane)
                lanes.push_back(weights.at(group, k, lane));
            rows.push_back(std::move(lanes));
        }
        groups.push_back(std::move(rows));
    }
    return {{"ok", true},
            {"record", record},
            {"offset", weights.part.offset},
            {"bytes", weights.part.bytes.size()},
            {"shape", {weights.groups, weights.depth, kLanes}},
            {"weights", std::move(groups)}};
}

std::string paramsText(const DumpSource& source, std::int64_t record) {
    const Part part = paramsOf(source, record);
    std::string text = fmt::format("record {}, {}: parameters at {}, {}\n\n", record,
                                   printable(source.title(record)), part.offset,
                                   counted(part.bytes.size(), "byte"));
    if (isAdd(source, record)) {
        LabelledLines lines;
        const Json block = addBlock(part.bytes);
        for (const auto& [name, value] : block.items())
            lines.add(name, value.dump());
        return text + lines.text();
    }
    Table table({{"Channel", Table::Align::Right},
                 {"Bias", Table::Align::Right},
                 {"Multiplier", Table::Align::Right},
                 {"Shift", Table::Align::Right},
                 {"Reserved", Table::Align::Right}});
    for (std::size_t at = 0; at < part.bytes.size(); at += kChannelBytes)
        table.add({std::to_string(at / kChannelBytes), std::to_string(loadI32(part.bytes, at)),
                   std::to_string(loadI32(part.bytes, at + 4)),
                   std::to_string(loadI32(part.bytes, at + 8)),
                   std::to_string(loadU32(part.bytes, at + 12))});
    return text + table.text();
}

Json paramsJson(const DumpSource& source, std::int64_t record) {
    const Part part = paramsOf(source, record);
    Json made{
        {"ok", true}, {"record", record}, {"offset", part.offset}, {"bytes", part.bytes.size()}};
    if (isAdd(source, record)) {
        made["add"] = addBlock(part.bytes);
        return made;
    }
    Json channels = Json::array();
    for (std::size_t at = 0; at < part.bytes.size(); at += kChannelBytes)
        channels.push_back({{"channel", at / kChannelBytes},
                            {"bias", loadI32(part.bytes, at)},
                            {"multiplier", loadI32(part.bytes, at + 4)},
                            {"shift", loadI32(part.bytes, at + 8)},
                            {"reserved", loadU32(part.bytes, at + 12)}});
    made["channels"] = std::move(channels);
    return made;
}

} // namespace plumbline::cli
