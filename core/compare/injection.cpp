// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/compare/injection.h"

#include <algorithm>
#include <charconv>
#include <numeric>
#include <vector>

#include <fmt/format.h>

#include "core/base/sha256.h"
#include "core/compare/layer_walk.h"

namespace plumbline {
namespace {

constexpr std::string_view kPrefix = "op/";

/// Insertions, deletions and replacements that turn `a` into `b`.
std::size_t editDistance(std::string_view a, std::string_view b) {
    std::vector<std::size_t> row(b.size() + 1);
    std::iota(row.begin(), row.end(), std::size_t{0});
    for (std::size_t i = 0; i < a.size(); ++i) {
        std::size_t diagonal = row[0];
        row[0] = i + 1;
        for (std::size_t j = 0; j < b.size(); ++j) {
            const std::size_t replaced = diagonal + (a[i] == b[j] ? 0 : 1);
            diagonal = row[j + 1];
            row[j + 1] = std::min({replaced, row[j] + 1, row[j + 1] + 1});
        }
    }
    return row.back();
}

std::string_view nearestName(std::string_view name, std::span<const MistakeInfo> mistakes) {
    const auto distance = [&](const MistakeInfo& m) { return editDistance(name, m.name); };
    return std::min_element(mistakes.begin(), mistakes.end(),
                            [&](const auto& a, const auto& b) { return distance(a) < distance(b); })
        ->name;
}

Diagnostic unknownMistake(std::string_view name, std::span<const MistakeInfo> mistakes) {
    constexpr std::size_t kLongestName = 64; // beyond it, it is no misspelling
    std::string message = fmt::format("There is no mistake '{}'", name.substr(0, kLongestName));
    if (!mistakes.empty() && name.size() <= kLongestName)
        message += fmt::format("; the nearest name is {}", nearestName(name, mistakes));
    return makeError(Code::BadInjection, message + ".");
}

Diagnostic notApplicable(const Injection& injection, const MistakeInfo& mistake,
                         std::string_view why) {
    Location where;
    where.operatorIndex = injection.operatorIndex;
    return makeError(Code::MistakeNotApplicable,
                     fmt::format("{} does not apply to operator {}: {}.", mistake.name,
                                 injection.operatorIndex, why),
                     where);
}

std::int64_t countDifferent(const Bytes& a, const Bytes& b) {
    std::int64_t different = 0;
    for (std::size_t i = 0; i < a.size(); ++i)
        different += a[i] != b[i] ? 1 : 0;
    return different;
}

/// Runs all layers; layer `wrongStep` leaves `wrong`.
class WrongRun {
  public:
    WrongRun(const LayerRunner& runner, ByteView input, std::size_t wrongStep, const Bytes& wrong)
        : m_runner(runner)
        , m_wrongStep(wrongStep)
        , m_wrong(wrong)
        , m_arena(runner.job().arenaBytes) {
        std::copy(input.begin(), input.end(),
                  m_arena.begin() + static_cast<std::ptrdiff_t>(runner.job().inputOffset));
    }

    Execution run(const JobContext& context) {
        const std::size_t count = m_runner.steps().size();
        for (std::size_t step = 0; step < count && !m_made.fault; ++step) {
            if (!context.report(static_cast<double>(step) / static_cast<double>(count),
                                "Executing")) {
                m_made.cancelled = true;
                break;
            }
            runStep(step);
        }
        return std::move(m_made);
    }

  private:
    void runStep(std::size_t step) {
        LayerRun layer = m_runner.run(step, m_arena);
        if (layer.fault) {
            m_made.fault = std::move(layer.fault);
            m_made.output.clear();
            return;
        }
        if (step == m_wrongStep) {
            m_runner.place(step, m_wrong, m_arena);
            layer.layer.bytes = m_wrong;
            sealLayer(layer.layer);
        }
        if (m_runner.job().outputRecord == m_runner.steps()[step].record)
            m_made.output = layer.layer.bytes;
        m_made.trace.layers.push_back(std::move(layer.layer));
    }

    const LayerRunner& m_runner;
    std::size_t m_wrongStep;
    const Bytes& m_wrong;
    Bytes m_arena;
    Execution m_made;
};

} // namespace

Result<Injection> parseInjection(std::string_view text, std::span<const MistakeInfo> mistakes) {
    const std::size_t colon = text.find(':');
    Injection injection;
    bool isForm = text.starts_with(kPrefix) && colon != std::string_view::npos;
    if (isForm) {
        const std::string_view number = text.substr(kPrefix.size(), colon - kPrefix.size());
        const char* const end = number.data() + number.size();
        const auto [stop, error] = std::from_chars(number.data(), end, injection.operatorIndex);
        isForm = error == std::errc() && stop == end && injection.operatorIndex >= 0;
    }
    if (!isForm)
        return makeError(Code::BadInjection, fmt::format("'{}' is not op/N:NAME.", text));
    const std::string_view name = text.substr(colon + 1);
    const auto found = std::find_if(mistakes.begin(), mistakes.end(),
                                    [&](const MistakeInfo& m) { return m.name == name; });
    if (found == mistakes.end())
        return unknownMistake(name, mistakes);
    injection.mistake = static_cast<std::size_t>(found - mistakes.begin());
    return injection;
}

Result<InjectedRun> runInjected(const LayerRunner& runner, ByteView input,
                                const Injection& injection, std::span<const MistakeInfo> mistakes,
                                const JobContext& context) {
    const MistakeInfo& mistake = mistakes[injection.mistake];
    const auto step = runner.stepOf(injection.operatorIndex);
    if (!step)
        return notApplicable(injection, mistake, "it makes no layer");
    if ((mistake.opcodes & (std::uint32_t{1} << runner.steps()[*step].opcode)) == 0)
        return notApplicable(injection, mistake, "it is of another kind");
    // The site keeps a pointer to the runner, which outlives it here.
    const auto site = siteOf(LayerRunnerPtr(LayerRunnerPtr(), &runner), input, nullptr,
                             injection.operatorIndex, context);
    if (!site)
        return site.diagnostics();
    const auto wrong = runner.runWith(*step, site->mistakeSite(), std::span(&injection.mistake, 1));
    if (!wrong)
        return notApplicable(injection, mistake, "its conditions do not hold there, or it faults");
    InjectedRun made;
    made.execution = WrongRun(runner, input, *step, *wrong).run(context);
    if (made.execution.cancelled)
        return makeError(Code::Cancelled, "The run was cancelled.");
    made.execution.trace.inputSha256 = sha256Hex(input);
    made.execution.trace.producer = fmt::format("plumbline executor with {} in operator {}",
                                                mistake.name, injection.operatorIndex);
    made.changedElements = countDifferent(*wrong, site->healthy);
    return made;
}

} // namespace plumbline
