// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/core/npu_p0/replay_walk.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace plumbline::test {
namespace {

std::int64_t readSigned(ByteView bytes, std::uint64_t at, std::size_t width) {
    return width == 1 ? static_cast<std::int8_t>(bytes[at]) : loadI32(bytes, at);
}

/// The bytes of a region, with the templates for the descriptors.
ByteView regionOf(const std::string& name, const Job& job, ByteView arena) {
    return name == kArenaRegion     ? arena
           : name == kWeightsRegion ? ByteView(job.weights)
           : name == kParamsRegion  ? ByteView(job.params)
                                    : ByteView(job.descriptors);
}

/// What memory holds for `parameter`.
std::int64_t storedParameter(const ReplayStep& step) {
    if (step.kind == ReplayKind::RoundingShift)
        return -step.parameter;
    return step.kind == ReplayKind::Start ? step.result : step.parameter;
}

std::int64_t floorDivide(std::int64_t a, std::int64_t b) {
    return a >= 0 ? a / b : -((-a + b - 1) / b);
}

/// a / b to nearest, ties away from zero; b > 0.
std::int64_t nearestAway(std::int64_t a, std::int64_t b) {
    const std::int64_t size = (2 * std::abs(a) + b) / (2 * b);
    return a < 0 ? -size : size;
}

std::int64_t powerOfTwo(std::int64_t exponent) { return std::int64_t{1} << exponent; }

bool isNear(std::int64_t q31, double real) {
    return std::abs(static_cast<double>(q31) / 2147483648.0 - real) < 1e-6;
}

/// Whether the result is what the step's own numbers give.
bool isRecomputed(const ReplayStep& s) {
    switch (s.kind) {
    case ReplayKind::Start:
        return !s.inputFrom || s.result == s.input;
    case ReplayKind::Product:
        return s.result == s.before + (s.input - s.parameter) * s.weight;
    case ReplayKind::SliceEnd:
        return s.result == s.before;
    case ReplayKind::Centre:
        return s.result == (s.input - s.parameter2) * powerOfTwo(s.parameter);
    case ReplayKind::LeftShift:
        return s.result == s.before * powerOfTwo(s.parameter);
    case ReplayKind::HighMultiply:
        return s.result == floorDivide(s.before * s.parameter + powerOfTwo(30), powerOfTwo(31));
    case ReplayKind::RoundingShift:
        return s.result == nearestAway(s.before, powerOfTwo(s.parameter));
    case ReplayKind::Sum:
        return s.result == s.before + s.input;
    case ReplayKind::Maximum:
        return s.result == std::max(s.before, s.input);
    case ReplayKind::Divide:
        return s.result == nearestAway(s.before, s.parameter);
    case ReplayKind::Difference:
        return s.result == s.input - s.parameter;
    case ReplayKind::Exponential:
        return isNear(s.result, std::exp(std::ldexp(static_cast<double>(s.before), -26)));
    case ReplayKind::Accumulate:
        return s.result == s.before + nearestAway(s.input, 4096);
    case ReplayKind::Reciprocal:
        return isNear(s.result, 2147483648.0 / static_cast<double>(s.before << s.parameter));
    case ReplayKind::ZeroPoint:
        return s.result == s.before + s.parameter;
    case ReplayKind::Clamp:
        return s.result == std::clamp(s.before, s.parameter, s.parameter2);
    }
    return false;
}

} // namespace

int VisitedLayer::executedValue(const ElementIndex& e) const {
    const auto index = (e.h * result.shape[1] + e.w) * result.shape[2] + e.c;
    return static_cast<std::int8_t>(result.bytes.at(static_cast<std::size_t>(index)));
}

ElementIndex VisitedLayer::elementAt(std::int64_t index) const {
    const std::int64_t w = result.shape[1], c = result.shape[2];
    return {index / (w * c), index / c % w, index % c};
}

void walkLayers(const Job& job, ByteView input,
                const std::function<void(const VisitedLayer&)>& visit) {
    const Execution execution = npuP0Target().execute(job, input);
    ASSERT_FALSE(execution.fault) << execution.fault->reason;
    std::optional<Fault> fault;
    const LayerRunnerPtr runner = npuP0Target().layerRunner(job, fault);
    ASSERT_TRUE(runner) << fault->reason;
    ASSERT_EQ(runner->steps().size(), execution.trace.layers.size());
    Bytes arena(job.arenaBytes);
    std::copy(input.begin(), input.end(),
              arena.begin() + static_cast<std::ptrdiff_t>(job.inputOffset));
    for (std::size_t step = 0; step < runner->steps().size(); ++step) {
        const TraceLayer& result = execution.trace.layers[step];
        SCOPED_TRACE(fmt::format("operator {} {}", result.operatorIndex, result.name));
        visit({*runner, step, arena, result});
        const LayerRun run = runner->run(step, arena);
        ASSERT_FALSE(run.fault) << run.fault->reason;
        ASSERT_EQ(run.layer.sha256, result.sha256);
    }
}

Explanation explained(const VisitedLayer& layer, const ElementIndex& element) {
    Result<Explanation> made = layer.runner.explain(layer.step, layer.arena, element);
    if (!made) {
        ADD_FAILURE() << toText(made.diagnostics().front());
        return {};
    }
    EXPECT_EQ(made->value, layer.executedValue(element))
        << fmt::format("element ({},{},{})", element.h, element.w, element.c);
    return *std::move(made);
}

void explainLayer(const VisitedLayer& layer, std::int64_t maxSteps, std::int64_t samples,
                  std::uint64_t seed, const std::function<void(const Explanation&)>& check) {
    const Explanation first = explained(layer, {});
    const auto stepsEach = static_cast<std::int64_t>(first.steps.size());
    if (layer.elements() * stepsEach <= maxSteps) {
        for (std::int64_t i = 0; i < layer.elements(); ++i) {
            const Explanation made = explained(layer, layer.elementAt(i));
            if (i % 16 == 0)
                check(made);
        }
        return;
    }
    SplitMix64 random(seed);
    for (std::int64_t i = 0; i < samples; ++i)
        check(explained(layer, layer.elementAt(static_cast<std::int64_t>(
                                   random.below(static_cast<std::uint64_t>(layer.elements()))))));
}

std::string chainProblem(const Explanation& made) {
    std::int64_t carried = 0, sum = 0;
    for (std::size_t i = 0; i < made.steps.size(); ++i) {
        const ReplayStep& step = made.steps[i];
        std::int64_t expected = carried;
        if (step.kind == ReplayKind::Start || step.kind == ReplayKind::Centre ||
            step.kind == ReplayKind::Difference)
            expected = 0;
        if (step.kind == ReplayKind::Accumulate || step.kind == ReplayKind::Reciprocal)
            expected = sum;
        if (step.before != expected)
            return fmt::format("step {} begins with {}, not {}", i, step.before, expected);
        if (step.kind == ReplayKind::Accumulate) {
            if (step.input != carried)
                return fmt::format("step {} adds {}, not {}", i, step.input, carried);
            sum = step.result;
        }
        carried = step.result;
    }
    return carried == made.value ? "" : "the last result is not the value";
}

std::string sourceProblem(const Explanation& made, const Job& job, ByteView arena) {
    const auto holds = [&](const std::optional<ReplaySource>& source, std::int64_t value,
                           std::size_t width) {
        if (!source)
            return true;
        const ByteView region = regionOf(source->region, job, arena);
        return source->offset + width <= region.size() &&
               readSigned(region, source->offset, width) == value;
    };
    for (std::size_t i = 0; i < made.steps.size(); ++i) {
        const ReplayStep& step = made.steps[i];
        const bool ofRecord = step.parameterFrom && step.parameterFrom->region == "descriptors";
        if (!holds(step.inputFrom, step.input, 1) || !holds(step.weightFrom, step.weight, 1) ||
            !holds(step.parameterFrom, storedParameter(step), ofRecord ? 1 : 4))
            return fmt::format("step {} has a wrong source: {}", i, replayText(step));
        if (step.isPadding == step.inputFrom.has_value() && step.kind == ReplayKind::Product)
            return fmt::format("step {} is padding with a source, or input without", i);
    }
    return "";
}

std::string sumProblem(const Explanation& made) {
    std::int64_t sum = 0, products = 0, accumulator = 0;
    for (const ReplayStep& step : made.steps) {
        if (step.kind == ReplayKind::Product) {
            sum += (step.input - step.parameter) * step.weight;
            ++products;
        }
        if (step.kind == ReplayKind::SliceEnd)
            accumulator = step.result;
    }
    if (products == 0)
        return "";
    const std::int64_t bias = made.steps.front().result;
    return bias + sum == accumulator ? ""
                                     : fmt::format("{} + {} is not {}", bias, sum, accumulator);
}

std::string stepProblem(const Explanation& made) {
    for (const ReplayStep& step : made.steps) {
        if (!isRecomputed(step))
            return "wrong: " + replayText(step);
    }
    return "";
}

} // namespace plumbline::test
