// SPDX-License-Identifier: GPL-3.0-or-later
// Layers of models ready to be run wrongly, for tests of hypotheses and injections.
#pragma once

#include <map>
#include <string>
#include <utility>

#include <gtest/gtest.h>

#include "core/compare/hypotheses.h"
#include "core/lowering/target.h"
#include "core/tflite/importer.h"
#include "tests/support/test_data.h"

namespace plumbline::test {

/// The layers of the model in `file`.
inline LayerRunnerPtr runnerOf(ByteView file) {
    const auto model = importTflite(Bytes(file.begin(), file.end()));
    if (!model)
        return nullptr;
    const LoweringPtr lowering = *npuP0Target().lower(*model);
    std::optional<Fault> fault;
    return lowering->complete ? npuP0Target().layerRunner(jobOf(*lowering), fault) : nullptr;
}

/// A model of the shared data by its short name: "vww", "case_026".
inline LayerRunnerPtr sharedRunner(const std::string& name) {
    const bool isCase = name.starts_with("case_");
    return runnerOf(
        readBytes(*sharedData() / (isCase ? "golden/cases" : "models") / (name + ".tflite")));
}

/// Runs mistakes on one layer and remembers what they gave.
class RememberingRun {
  public:
    explicit RememberingRun(const LayerSite& site)
        : m_site(site) {}

    std::optional<Bytes> operator()(std::span<const std::size_t> indices) {
        const std::vector<std::size_t> key(indices.begin(), indices.end());
        auto found = m_made.find(key);
        if (found == m_made.end())
            found = m_made
                        .emplace(key,
                                 m_site.runner->runWith(m_site.step, m_site.mistakeSite(), indices))
                        .first;
        return found->second;
    }

  private:
    const LayerSite& m_site;
    std::map<std::vector<std::size_t>, std::optional<Bytes>> m_made;
};

} // namespace plumbline::test
