// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/compare/hypotheses.h"

#include <algorithm>

#include <fmt/format.h>

namespace plumbline {
namespace {

constexpr std::size_t kPairedAmong = 10;

std::int64_t countEqual(ByteView a, ByteView b) {
    std::int64_t equal = 0;
    for (std::size_t i = 0; i < a.size(); ++i)
        equal += a[i] == b[i] ? 1 : 0;
    return equal;
}

bool isBetter(const Hypothesis& a, const Hypothesis& b) {
    return a.explained != b.explained ? a.explained > b.explained : a.name < b.name;
}

class Ranker {
  public:
    Ranker(const LayerSite& site, std::span<const MistakeInfo> mistakes, ByteView observed,
           const MistakeRun& run, const JobContext& context)
        : m_site(site)
        , m_mistakes(mistakes)
        , m_observed(observed)
        , m_run(run)
        , m_context(context) {}

    Result<HypothesisRanking> rank() {
        const LayerStep& step = m_site.runner->steps()[m_site.step];
        if (m_observed.size() != m_site.healthy.size())
            return makeError(Code::InputSize,
                             fmt::format("{} observed bytes for operator {}, which makes {}.",
                                         m_observed.size(), step.operatorIndex,
                                         m_site.healthy.size()));
        m_ranking.operatorIndex = step.operatorIndex;
        m_ranking.elements = static_cast<std::int64_t>(m_observed.size());
        m_ranking.healthyExplained = countEqual(m_site.healthy, m_observed);
        m_ranking.healthy = m_ranking.healthyExplained == m_ranking.elements;
        if (!trySingles(step.opcode) || !tryPairs())
            return makeError(Code::Cancelled, "Ranking the hypotheses was cancelled.");
        std::sort(m_ranking.unchanged.begin(), m_ranking.unchanged.end());
        std::sort(m_ranking.impossible.begin(), m_ranking.impossible.end());
        findEquivalent();
        return std::move(m_ranking);
    }

  private:
    /// Both are false when they were cancelled.
    bool trySingles(std::uint32_t opcode) {
        for (std::size_t i = 0; i < m_mistakes.size(); ++i) {
            if (!m_context.report(static_cast<double>(i) / static_cast<double>(m_mistakes.size()),
                                  "Trying mistakes"))
                return false;
            if ((m_mistakes[i].opcodes & (std::uint32_t{1} << opcode)) != 0)
                trySingle(i);
        }
        std::sort(m_ranking.hypotheses.begin(), m_ranking.hypotheses.end(), isBetter);
        return true;
    }

    void trySingle(std::size_t index) {
        const std::string name(m_mistakes[index].name);
        auto output = m_run(std::span(&index, 1));
        if (!output)
            m_ranking.impossible.push_back(name);
        else if (*output == m_site.healthy)
            m_ranking.unchanged.push_back(name);
        else
            list(name, {index}, std::move(*output), m_ranking.healthyExplained);
    }

    bool tryPairs() {
        auto& listed = m_ranking.hypotheses;
        if (listed.empty() || listed.front().exact)
            return true;
        const std::size_t count = std::min(listed.size(), kPairedAmong);
        const std::vector<Hypothesis> best(listed.begin(),
                                           listed.begin() + static_cast<std::ptrdiff_t>(count));
        for (std::size_t i = 0; i < count; ++i) {
            for (std::size_t j = i + 1; j < count; ++j) {
                if (!m_context.report(static_cast<double>(i) / static_cast<double>(count),
                                      "Trying pairs of mistakes"))
                    return false;
                tryPair(best[i], best[j]);
            }
        }
        std::sort(listed.begin(), listed.end(), isBetter);
        return true;
    }

    void tryPair(const Hypothesis& a, const Hypothesis& b) {
        if (b.name < a.name) {
            tryPair(b, a);
            return;
        }
        const std::vector<std::size_t> indices{a.mistakes.front(), b.mistakes.front()};
        if ((m_mistakes[indices[0]].actsOn & m_mistakes[indices[1]].actsOn) != 0)
            return;
        if (auto output = m_run(indices))
            list(a.name + "+" + b.name, indices, std::move(*output),
                 std::max(a.explained, b.explained));
    }

    /// Lists what explains more than `beyond` elements.
    void list(std::string name, std::vector<std::size_t> indices, Bytes output,
              std::int64_t beyond) {
        const std::int64_t explained = countEqual(output, m_observed);
        if (explained > beyond)
            m_ranking.hypotheses.push_back({std::move(name),
                                            std::move(indices),
                                            explained,
                                            explained == m_ranking.elements,
                                            {},
                                            std::move(output)});
    }

    /// Singles are held against singles, pairs against pairs.
    void findEquivalent() {
        auto& listed = m_ranking.hypotheses;
        for (Hypothesis& one : listed) {
            for (const Hypothesis& other : listed) {
                if (one.name != other.name && one.mistakes.size() == other.mistakes.size() &&
                    one.output == other.output)
                    one.equivalent.push_back(other.name);
            }
            std::sort(one.equivalent.begin(), one.equivalent.end());
        }
    }

    const LayerSite& m_site;
    std::span<const MistakeInfo> m_mistakes;
    ByteView m_observed;
    const MistakeRun& m_run;
    const JobContext& m_context;
    HypothesisRanking m_ranking;
};

} // namespace

Result<HypothesisRanking> rankHypotheses(const LayerSite& site,
                                         std::span<const MistakeInfo> mistakes, ByteView observed,
                                         const MistakeRun& run, const JobContext& context) {
    return Ranker(site, mistakes, observed, run, context).rank();
}

Result<HypothesisRanking> rankHypotheses(const LayerSite& site,
                                         std::span<const MistakeInfo> mistakes, ByteView observed,
                                         const JobContext& context) {
    const MistakeRun run = [&site](std::span<const std::size_t> indices) {
        return site.runner->runWith(site.step, site.mistakeSite(), indices);
    };
    return rankHypotheses(site, mistakes, observed, run, context);
}

} // namespace plumbline
