// SPDX-License-Identifier: GPL-3.0-or-later
// A package's report and binaries as a Lowering.
#include "core/document/package_lowering.h"

#include <algorithm>

namespace plumbline {
namespace {

constexpr std::uint64_t kAlignment = 64;

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
    made->operators = package.operators;
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
