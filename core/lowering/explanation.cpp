// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/lowering/explanation.h"

#include <fmt/format.h>

namespace plumbline {
namespace {

std::string elementText(const ElementIndex& at) {
    return fmt::format("({},{},{})", at.h, at.w, at.c);
}

/// The name of the step with what it is about: "k 3 at (0,1,5)", "high multiply of input 0".
std::string subjectText(const ReplayStep& step) {
    std::string text;
    if (step.k >= 0)
        text = fmt::format("k {}, ", step.k);
    text += replayKindName(step.kind);
    if (!step.operand.empty() && step.operand != replayKindName(step.kind))
        text += fmt::format(" ({})", step.operand);
    if (step.isPadding)
        text += fmt::format(" in the padding at {}", elementText(step.at));
    else if (step.inputFrom)
        text += fmt::format(" of {}", elementText(step.at));
    return text;
}

std::string productText(const ReplayStep& s) {
    return fmt::format("({} - {}) x {} = {}; {} -> {}", s.input, s.parameter, s.weight,
                       (s.input - s.parameter) * s.weight, s.before, s.result);
}

std::string differenceText(const ReplayStep& s) {
    std::string text = fmt::format("{} - {} = {}", s.input, s.parameter, s.result);
    if (s.result < s.parameter2)
        text += fmt::format(", below {} and so left out", s.parameter2);
    return text;
}

/// What the step computes, as an equation that can be recomputed.
std::string equationText(const ReplayStep& s) {
    switch (s.kind) {
    case ReplayKind::Start:
        return fmt::format("{}", s.result);
    case ReplayKind::Product:
        return productText(s);
    case ReplayKind::SliceEnd:
        return fmt::format("partial sum {} after slice {}", s.result, s.slice);
    case ReplayKind::Centre:
        return fmt::format("({} - {}) x 2^{} = {}", s.input, s.parameter2, s.parameter, s.result);
    case ReplayKind::LeftShift:
        return fmt::format("{} x 2^{} = {}", s.before, s.parameter, s.result);
    case ReplayKind::HighMultiply:
        return fmt::format("SRDHM({}, {}) = {}", s.before, s.parameter, s.result);
    case ReplayKind::RoundingShift:
        return fmt::format("RDBP({}, {}) = {}", s.before, s.parameter, s.result);
    case ReplayKind::Sum:
        return fmt::format("{} + {} = {}", s.before, s.input, s.result);
    case ReplayKind::Maximum:
        return fmt::format("max({}, {}) = {}", s.before, s.input, s.result);
    case ReplayKind::Divide:
        return fmt::format("{} / {} = {} (nearest, ties away from zero)", s.before, s.parameter,
                           s.result);
    case ReplayKind::Difference:
        return differenceText(s);
    case ReplayKind::Exponential:
        return fmt::format("exp_neg({}) = {}", s.before, s.result);
    case ReplayKind::Accumulate:
        return fmt::format("{} + RDBP({}, 12) = {}", s.before, s.input, s.result);
    case ReplayKind::Reciprocal:
        return fmt::format("recip(({} << {}) - 2^31) = {}", s.before, s.parameter, s.result);
    case ReplayKind::ZeroPoint:
        return fmt::format("{} + {} = {}", s.before, s.parameter, s.result);
    case ReplayKind::Clamp:
        return fmt::format("{} within {}..{} = {}", s.before, s.parameter, s.parameter2, s.result);
    }
    return "";
}

/// "input arena 0x1a40, weight weights 0x2e5"
std::string sourcesText(const ReplayStep& step) {
    std::string text;
    const auto add = [&text](std::string_view what, const std::optional<ReplaySource>& source) {
        if (source)
            text += fmt::format("{}{} {} 0x{:x}", text.empty() ? "; " : ", ", what, source->region,
                                source->offset);
    };
    add("input", step.inputFrom);
    add("weight", step.weightFrom);
    // Every product has the same zero point; it would only lengthen the line.
    if (step.kind != ReplayKind::Product)
        add("parameter", step.parameterFrom);
    return text;
}

} // namespace

std::string_view replayKindName(ReplayKind kind) {
    switch (kind) {
    case ReplayKind::Start:
        return "start";
    case ReplayKind::Product:
        return "product";
    case ReplayKind::SliceEnd:
        return "end of slice";
    case ReplayKind::Centre:
        return "centre";
    case ReplayKind::LeftShift:
        return "left shift";
    case ReplayKind::HighMultiply:
        return "high multiply";
    case ReplayKind::RoundingShift:
        return "rounding shift";
    case ReplayKind::Sum:
        return "sum";
    case ReplayKind::Maximum:
        return "maximum";
    case ReplayKind::Divide:
        return "divide";
    case ReplayKind::Difference:
        return "difference";
    case ReplayKind::Exponential:
        return "exponential";
    case ReplayKind::Accumulate:
        return "accumulate";
    case ReplayKind::Reciprocal:
        return "reciprocal";
    case ReplayKind::ZeroPoint:
        return "zero point";
    case ReplayKind::Clamp:
        return "clamp";
    }
    return "";
}

std::string replayText(const ReplayStep& step) {
    return fmt::format("{}: {}{}", subjectText(step), equationText(step), sourcesText(step));
}

} // namespace plumbline
