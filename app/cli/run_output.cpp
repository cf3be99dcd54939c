// SPDX-License-Identifier: GPL-3.0-or-later
// A run's result as files, JSON and text.
#include <algorithm>

#include <fmt/ranges.h>

#include "app/cli/diagnostic_json.h"
#include "app/cli/run.h"
#include "app/cli/table.h"
#include "app/cli/verdict_output.h"
#include "core/artifacts/npy.h"
#include "core/artifacts/trace_io.h"
#include "core/base/file.h"
#include "core/base/sha256.h"

namespace plumbline::cli {
namespace {

int signedByte(std::uint8_t byte) { return static_cast<std::int8_t>(byte); }

/// The output's values, shortened, and for a softmax the class it chose.
void addOutput(LabelledLines& lines, const RunResult& result) {
    constexpr std::size_t kShown = 16;
    const std::size_t shown = std::min(kShown, result.output.size());
    std::vector<int> values;
    for (std::size_t i = 0; i < shown; ++i)
        values.push_back(signedByte(result.output[i]));
    lines.add("Output",
              fmt::format("{} {}, sha256 {}", shapeListText(result.outputShape),
                          counted(result.output.size(), "byte"), sha256Hex(result.output)));
    lines.add("Values", fmt::format("{}{}", fmt::join(values, " "),
                                    shown < result.output.size() ? " ..." : ""));
    if (result.trace.layers.empty() || result.output.empty())
        return;
    const TraceLayer& last = result.trace.layers.back();
    if (last.name != "SOFTMAX" || !last.scale || !last.zeroPoint)
        return;
    const std::size_t top = largestIndex(result.output);
    const int value = signedByte(result.output[top]);
    const double share = *last.scale * static_cast<double>(value - *last.zeroPoint);
    lines.add("Top", fmt::format("class {} with {} ({:.1f} %)", top, value, share * 100));
}

std::string layerTable(const Trace& trace) {
    Table table({{"Operator", Table::Align::Right},
                 {"Record", Table::Align::Right},
                 {"Name"},
                 {"Shape"},
                 {"SHA-256"}});
    for (const TraceLayer& layer : trace.layers)
        table.add({std::to_string(layer.operatorIndex),
                   layer.record ? std::to_string(*layer.record) : "-", layer.name,
                   shapeListText(layer.shape), shortDigest(layer.sha256)});
    return table.text();
}

} // namespace

std::string shapeListText(const std::vector<std::int64_t>& shape) {
    return fmt::format("[{}]", fmt::join(shape, ","));
}

std::string shortDigest(const std::string& sha256) { return sha256.substr(0, 12); }

std::size_t largestIndex(ByteView bytes) {
    const auto less = [](std::uint8_t a, std::uint8_t b) { return signedByte(a) < signedByte(b); };
    return static_cast<std::size_t>(std::max_element(bytes.begin(), bytes.end(), less) -
                                    bytes.begin());
}

void writeRunOutputs(const RunResult& result, const RunOutputs& outputs) {
    if (!outputs.trace.empty()) {
        if (const Status status = writeTrace(outputs.trace, result.trace); !status)
            throw Failure(inFile(status.diagnostics(), outputs.trace));
    }
    if (outputs.file.empty() || result.fault)
        return;
    const bool isNpy = std::filesystem::path(outputs.file).extension() == ".npy";
    const Bytes content = isNpy ? writeNpy(result.output, result.outputShape) : result.output;
    if (const Status status = writeFileAtomically(outputs.file, ByteView(content)); !status)
        throw Failure(inFile(status.diagnostics(), outputs.file));
}

Json runJson(const RunResult& result) {
    Json layers = Json::array();
    for (const TraceLayer& layer : result.trace.layers)
        layers.push_back({{"operator", layer.operatorIndex},
                          {"record", orNull(layer.record)},
                          {"name", layer.name},
                          {"shape", layer.shape},
                          {"sha256", layer.sha256}});
    Json output = Json::array();
    for (const std::uint8_t byte : result.output)
        output.push_back(signedByte(byte));
    Json made{{"engine", engineName(result.engine)},
              {"layers", std::move(layers)},
              {"output", std::move(output)},
              {"output_sha256", result.fault ? Json(nullptr) : Json(sha256Hex(result.output))},
              {"fault", faultJson(result.fault)}};
    if (result.findings)
        made["findings"] = diagnosticsJson(*result.findings);
    if (result.verdicts) {
        made["layers"] = verdictLayersJson(*result.verdicts);
        made["reference"] = result.verdicts->reference;
        made["matches"] = matchesJson(result.matches);
        made["culprit"] = orNull(result.verdicts->culprit);
    }
    if (result.injected)
        made["injected"] = {{"operator", result.injected->operatorIndex},
                            {"name", result.injected->name},
                            {"changed_elements", result.injected->changedElements}};
    return made;
}

std::string runText(const RunResult& result, const std::string& subject, const std::string& input,
                    std::size_t inputBytes) {
    LabelledLines head;
    head.add("Ran", subject);
    head.add("Engine", std::string(engineName(result.engine)));
    head.add("Input", fmt::format("{}, {}, sha256 {}", input, counted(inputBytes, "byte"),
                                  result.trace.inputSha256.value_or("unknown")));
    if (result.injected)
        head.add("Injected",
                 fmt::format("{} in operator {}: {} of the layer changed on purpose",
                             result.injected->name, result.injected->operatorIndex,
                             counted(static_cast<std::uint64_t>(result.injected->changedElements),
                                     "element")));
    LabelledLines tail;
    if (result.fault)
        tail.add("Fault",
                 fmt::format("{} {} in stage {} after {}: {}", static_cast<int>(result.fault->code),
                             faultName(result.fault->code), result.fault->stage,
                             counted(result.trace.layers.size(), "finished layer"),
                             result.fault->reason));
    else
        addOutput(tail, result);
    if (result.findings)
        tail.add("Sanitizer", result.findings->empty()
                                  ? "no finding"
                                  : counted(result.findings->size(), "finding"));
    const std::string layers =
        result.verdicts ? verdictText(*result.verdicts, result.matches) : layerTable(result.trace);
    return head.text() + "\n" + layers + "\n" + tail.text();
}

} // namespace plumbline::cli
