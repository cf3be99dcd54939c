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

class InjectedRunner final : public LayerRunner {
  public:
    /// `site` is the layer's own in the right run of its runner.
    InjectedRunner(LayerSite site, std::size_t mistake)
        : m_site(std::move(site))
        , m_mistake(mistake) {}

    const Job& job() const override { return right().job(); }
    const std::vector<LayerStep>& steps() const override { return right().steps(); }
    std::vector<OperandAccess> accesses() const override { return right().accesses(); }
    ArenaRange place(std::size_t step, ByteView bytes,
                     std::span<std::uint8_t> arena) const override {
        return right().place(step, bytes, arena);
    }
    Result<Explanation> explain(std::size_t step, ByteView arena,
                                const ElementIndex& element) const override {
        return right().explain(step, arena, element);
    }
    std::optional<Bytes> runWith(std::size_t step, const MistakeSite& site,
                                 std::span<const std::size_t> mistakes) const override {
        return right().runWith(step, site, mistakes);
    }

    LayerRun run(std::size_t step, std::span<std::uint8_t> arena) const override {
        if (step != m_site.step)
            return right().run(step, arena);
        MistakeSite site = m_site.mistakeSite();
        const Bytes before(arena.begin(), arena.end());
        site.arena = before;
        LayerRun made = right().run(step, arena);
        if (made.fault)
            return made;
        auto wrong = right().runWith(step, site, std::span(&m_mistake, 1));
        if (!wrong) {
            made.fault = Fault{FaultCode::Arithmetic,
                               "execution",
                               right().steps()[step].record,
                               {},
                               {},
                               "the injected mistake has no result on these inputs"};
            return made;
        }
        right().place(step, *wrong, arena);
        made.layer.bytes = *std::move(wrong);
        sealLayer(made.layer);
        return made;
    }

  private:
    const LayerRunner& right() const { return *m_site.runner; }

    LayerSite m_site;
    std::size_t m_mistake;
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

Result<InjectedJob> inject(LayerRunnerPtr runner, ByteView input, const Injection& injection,
                           std::span<const MistakeInfo> mistakes, const JobContext& context) {
    const MistakeInfo& mistake = mistakes[injection.mistake];
    const auto step = runner->stepOf(injection.operatorIndex);
    if (!step)
        return notApplicable(injection, mistake, "it makes no layer");
    if ((mistake.opcodes & (std::uint32_t{1} << runner->steps()[*step].opcode)) == 0)
        return notApplicable(injection, mistake, "it is of another kind");
    Result<LayerSite> site =
        siteOf(std::move(runner), input, nullptr, injection.operatorIndex, context);
    if (!site)
        return std::move(site).diagnostics();
    const auto wrong =
        site->runner->runWith(*step, site->mistakeSite(), std::span(&injection.mistake, 1));
    if (!wrong)
        return notApplicable(injection, mistake, "its conditions do not hold there, or it faults");
    InjectedJob made;
    made.changedElements = countDifferent(*wrong, site->healthy);
    made.what = fmt::format("{} in operator {}", mistake.name, injection.operatorIndex);
    made.runner = std::make_shared<InjectedRunner>(*std::move(site), injection.mistake);
    return made;
}

Execution runInjected(const InjectedJob& job, ByteView input, const JobContext& context) {
    Execution made;
    made.trace.producer = "plumbline executor with " + job.what;
    made.trace.inputSha256 = sha256Hex(input);
    for (LayerWalk walk(*job.runner, input, nullptr); !walk.atEnd() && !made.fault;) {
        if (!context.report(static_cast<double>(walk.step()) /
                                static_cast<double>(job.runner->steps().size()),
                            "Executing")) {
            made.cancelled = true;
            return made;
        }
        LayerOutcome outcome = walk.runAlone();
        made.fault = outcome.run.fault;
        if (!made.fault &&
            job.runner->steps()[walk.step()].record == job.runner->job().outputRecord)
            made.output = outcome.run.layer.bytes;
        walk.advance(outcome);
        if (!made.fault)
            made.trace.layers.push_back(std::move(outcome.run.layer));
    }
    if (!made.fault && made.output.empty())
        made.fault =
            Fault{FaultCode::Descriptor, "execution", {}, {}, {}, "no step makes the job's output"};
    if (made.fault)
        made.output.clear();
    return made;
}

} // namespace plumbline
