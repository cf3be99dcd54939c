// SPDX-License-Identifier: GPL-3.0-or-later
// What the view asks about a layer, as values that may go to another thread, and the answers.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <vector>

#include <QString>

#include "core/compare/hypotheses.h"
#include "core/document/document.h"

namespace plumbline {

/// What the layers before the one in question are taken to have left in the arena.
enum class LayerInputs : std::uint8_t {
    AsRun,         ///< what this job makes
    FromReference, ///< the reference's tensors, where it has them
};

/// Whose bytes of a layer a mistake is looked for in.
enum class Observed : std::uint8_t {
    Reference,  ///< a mistake of whoever made the reference
    Experiment, ///< a mistake of the experiment against its original
    Dump,       ///< a mistake of whoever made a file
};

using LayerSitePtr = std::shared_ptr<const LayerSite>;

struct SiteQuestion {
    DocumentPtr document; ///< holds the input, which has the job's size
    LayerRunnerPtr runner;
    std::shared_ptr<const Trace> trace; ///< the tensors that the walk takes over; null: its own
    std::int64_t operatorIndex = 0;

    bool hasSameSite(const SiteQuestion& other) const {
        return runner == other.runner && trace == other.trace &&
               operatorIndex == other.operatorIndex;
    }
};

/// The sites made last, so that stepping from element to element does not run the model again.
class SiteStore {
  public:
    static constexpr std::size_t kMost = 4;

    LayerSitePtr find(const SiteQuestion& question) const;
    void keep(const SiteQuestion& question, LayerSitePtr site);
    void clear() { m_sites.clear(); }

  private:
    struct Kept {
        SiteQuestion question;
        LayerSitePtr site;
    };
    std::vector<Kept> m_sites; ///< latest first
};

/// The reference's tensors; null unless it has the bytes of some layer.
std::shared_ptr<const Trace> referenceBytes(const DocumentPtr& document);

/// The output of an operator; nothing where the lowering has no such operator or its numbers are
/// damaged.
std::optional<Hwc> outputShape(const Lowering& lowering, std::int64_t operatorIndex);

/// The first element of the layer that differs from the reference's, wrong alone before wrong as
/// run; nothing where none is known.
std::optional<ElementIndex> firstMismatch(const Document& document, std::int64_t operatorIndex);

/// The site of a layer of `document`, which has a runner.
SiteQuestion siteQuestion(const DocumentPtr& document, std::int64_t operatorIndex,
                          LayerInputs inputs);

struct ElementAnswer {
    LayerSitePtr site;                              ///< null only with a problem
    std::shared_ptr<const Explanation> explanation; ///< null only with a problem
    QString problem;
};

/// Replays one element; `known` is its site where that was made before.
ElementAnswer explainElement(const SiteQuestion& question, const ElementIndex& element,
                             LayerSitePtr known, const JobContext& context);

/// A file with the bytes of one layer.
struct LayerDump {
    std::int64_t operatorIndex = 0;
    QString name;
    std::shared_ptr<const Bytes> bytes;
};

/// Bytes of a layer together with the arithmetic that would have been right.
struct Observation {
    SiteQuestion site;                  ///< on the inputs that belong to `bytes`
    std::shared_ptr<const Bytes> bytes; ///< null with a problem
    QString name;                       ///< whose bytes they are
    QString problem;                    ///< why there are none, and what to do
};

/// `document` has a runner. `dump` is looked at only for Observed::Dump.
Observation observationOf(const DocumentPtr& document, std::int64_t operatorIndex, Observed whose,
                          const std::optional<LayerDump>& dump);

struct RankingAnswer {
    LayerSitePtr site;
    std::shared_ptr<const HypothesisRanking> ranking; ///< null only with a problem
    QString problem;                                  ///< empty when it was cancelled
};

RankingAnswer rankObservation(const Observation& observation, LayerSitePtr known,
                              std::span<const MistakeInfo> mistakes, const JobContext& context);

} // namespace plumbline
