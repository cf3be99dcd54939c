// SPDX-License-Identifier: GPL-3.0-or-later
// Regions as bytes, and a record's packed weights and parameters.
#include <algorithm>

#include <fmt/format.h>

#include "app/cli/dump.h"
#include "app/cli/table.h"
#include "core/lowering/constants_layout.h"
#include "core/lowering/target.h"

namespace plumbline::cli {
namespace {

/// Wrong usage when the record has no bytes in `region`.
void requirePart(const DumpSource& source, std::int64_t record, std::string_view region) {
    if (constantsSlice(source.record(record), npuP0Target().fields(), region).bytes == 0)
        failUsage(fmt::format("Record {} has no {}.", record, region));
}

/// The value, or its failure at `record`.
template <class T> T orFailAt(std::int64_t record, Result<T> result) {
    if (result)
        return *std::move(result);
    Diagnostic failure = result.diagnostics().front();
    failure.where.record = record;
    throw Failure(std::move(failure));
}

PackedWeights weightsOf(const DumpSource& source, std::int64_t record) {
    requirePart(source, record, "weights");
    return orFailAt(
        record, packedWeights(source.record(record), npuP0Target().fields(), source.job().weights));
}

ParameterRecords paramsOf(const DumpSource& source, std::int64_t record) {
    requirePart(source, record, "params");
    return orFailAt(record, parameterRecords(source.record(record), npuP0Target().fields(),
                                             source.job().params));
}

/// Names and values of one parameter record.
Json parameterFields(const ParameterRecords& params, std::size_t index) {
    Json fields = Json::object();
    for (std::size_t f = 0; f < params.layout->fields.size(); ++f)
        fields[std::string(params.layout->fields[f].name)] = params.at(index, f);
    return fields;
}

std::string capitalized(std::string_view name) {
    std::string text(name);
    if (!text.empty() && text[0] >= 'a' && text[0] <= 'z')
        text[0] = static_cast<char>(text[0] - 'a' + 'A');
    return text;
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
        printable(source.title(record)), weights.offset, counted(weights.bytes.size(), "byte"),
        weights.groups, weights.depth, weights.lanes);
    for (std::size_t group = 0; group < weights.groups; ++group) {
        text += fmt::format("\ngroup {}, channels {}..{}\n", group, group * weights.lanes,
                            group * weights.lanes + weights.lanes - 1);
        for (std::size_t k = 0; k < weights.depth; ++k) {
            text += fmt::format("{:>6} ", k);
            for (std::size_t lane = 0; lane < weights.lanes; ++lane)
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
            for (std::size_t lane = 0; lane < weights.lanes; ++lane)
                lanes.push_back(weights.at(group, k, lane));
            rows.push_back(std::move(lanes));
        }
        groups.push_back(std::move(rows));
    }
    return {{"ok", true},
            {"record", record},
            {"offset", weights.offset},
            {"bytes", weights.bytes.size()},
            {"shape", {weights.groups, weights.depth, weights.lanes}},
            {"weights", std::move(groups)}};
}

std::string paramsText(const DumpSource& source, std::int64_t record) {
    const ParameterRecords params = paramsOf(source, record);
    std::string text = fmt::format("record {}, {}: parameters at {}, {}\n\n", record,
                                   printable(source.title(record)), params.offset,
                                   counted(params.bytes.size(), "byte"));
    if (!params.layout->perChannel) {
        LabelledLines lines;
        const Json block = parameterFields(params, 0);
        for (const auto& [name, value] : block.items())
            lines.add(name, value.dump());
        return text + lines.text();
    }
    std::vector<Table::Column> columns{{"Channel", Table::Align::Right}};
    for (const ParameterField& field : params.layout->fields)
        columns.push_back({capitalized(field.name), Table::Align::Right});
    Table table(std::move(columns));
    for (std::size_t channel = 0; channel < params.count(); ++channel) {
        std::vector<std::string> cells{std::to_string(channel)};
        for (std::size_t f = 0; f < params.layout->fields.size(); ++f)
            cells.push_back(std::to_string(params.at(channel, f)));
        table.add(std::move(cells));
    }
    return text + table.text();
}

Json paramsJson(const DumpSource& source, std::int64_t record) {
    const ParameterRecords params = paramsOf(source, record);
    Json made{{"ok", true},
              {"record", record},
              {"offset", params.offset},
              {"bytes", params.bytes.size()}};
    if (!params.layout->perChannel) {
        made["add"] = parameterFields(params, 0);
        return made;
    }
    Json channels = Json::array();
    for (std::size_t channel = 0; channel < params.count(); ++channel) {
        Json entry{{"channel", channel}};
        entry.update(parameterFields(params, channel));
        channels.push_back(std::move(entry));
    }
    made["channels"] = std::move(channels);
    return made;
}

} // namespace plumbline::cli
