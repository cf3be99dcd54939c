// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/provenance/layer_question.h"

#include <algorithm>

#include <QCoreApplication>

#include "core/lowering/tile_walk.h"
#include "views/common/format.h"

namespace plumbline {
namespace {

struct Words {
    Q_DECLARE_TR_FUNCTIONS(plumbline::LayerQuestion)
};

QString problemText(const Diagnostics& diagnostics) {
    return diagnostics.empty() || diagnostics.front().code == Code::Cancelled
               ? QString()
               : safeText(diagnostics.front().message);
}

Result<LayerSitePtr> siteFor(const SiteQuestion& question, LayerSitePtr known,
                             const JobContext& context) {
    if (known)
        return known;
    Result<LayerSite> made = siteOf(question.runner, question.document->input, question.trace.get(),
                                    question.operatorIndex, context);
    if (!made)
        return std::move(made).diagnostics();
    return LayerSitePtr(std::make_shared<const LayerSite>(*std::move(made)));
}

/// The bytes of a layer, kept alive by `owner`; null where the trace has none.
template <class Owner>
std::shared_ptr<const Bytes> layerBytes(const std::shared_ptr<const Owner>& owner,
                                        const Trace& trace, std::int64_t operatorIndex) {
    const TraceLayer* const layer = trace.layerOf(operatorIndex);
    if (!layer || !layer->hasBytes() || layer->bytes.empty())
        return nullptr;
    return {owner, &layer->bytes};
}

void observeReference(Observation& made, const DocumentPtr& document) {
    const std::int64_t index = made.site.operatorIndex;
    const std::shared_ptr<const Reference>& reference = document->reference;
    if (!reference) {
        made.problem = Words::tr("There is nothing to compare with. Choose a reference, or load an "
                                 "observed dump of this layer.");
        return;
    }
    made.name = safeText(reference->name);
    made.site.trace = referenceBytes(document);
    made.bytes = layerBytes(reference, reference->trace, index);
    if (made.bytes)
        return;
    made.problem = reference->trace.layerOf(index)
                       ? Words::tr("The reference (%1) has a digest of this layer and no bytes. "
                                   "Choose a reference with bytes, or load an observed dump of "
                                   "this layer.")
                       : Words::tr("The reference (%1) does not have this layer. Load an observed "
                                   "dump of it, or choose another reference.");
    made.problem = made.problem.arg(made.name);
}

void observeExperiment(Observation& made, const DocumentPtr& document) {
    made.name = Words::tr("this experiment");
    if (!document->original || !document->original->runner) {
        made.problem = Words::tr("This is no experiment. Change a field to see which mistake the "
                                 "change looks like.");
        return;
    }
    made.site.document = document->original;
    made.site.runner = document->original->runner;
    if (document->execution) {
        made.site.trace = {document, &document->execution->trace};
        made.bytes = layerBytes(document, *made.site.trace, made.site.operatorIndex);
    }
    if (!made.bytes)
        made.problem = Words::tr("The experiment did not get so far as to make this layer.");
}

void observeDump(Observation& made, const DocumentPtr& document,
                 const std::optional<LayerDump>& dump) {
    made.site.trace = referenceBytes(document);
    if (!dump || dump->operatorIndex != made.site.operatorIndex) {
        made.problem = Words::tr("No observed dump of this layer is loaded.");
        return;
    }
    made.name = dump->name;
    made.bytes = dump->bytes;
}

} // namespace

LayerSitePtr SiteStore::find(const SiteQuestion& question) const {
    for (const Kept& kept : m_sites)
        if (kept.question.hasSameSite(question))
            return kept.site;
    return nullptr;
}

void SiteStore::keep(const SiteQuestion& question, LayerSitePtr site) {
    if (!site || find(question))
        return;
    m_sites.insert(m_sites.begin(), Kept{question, std::move(site)});
    if (m_sites.size() > kMost)
        m_sites.pop_back();
}

std::shared_ptr<const Trace> referenceBytes(const DocumentPtr& document) {
    if (!document->reference)
        return nullptr;
    const Trace& trace = document->reference->trace;
    const bool hasSome =
        std::any_of(trace.layers.begin(), trace.layers.end(), [](const TraceLayer& layer) {
            return layer.hasBytes() && !layer.bytes.empty();
        });
    if (!hasSome)
        return nullptr;
    return {document->reference, &trace};
}

std::optional<Hwc> outputShape(const Lowering& lowering, std::int64_t operatorIndex) {
    if (operatorIndex < 0 || static_cast<std::size_t>(operatorIndex) >= lowering.operators.size())
        return std::nullopt;
    const LoweredOperator& op = lowering.operators[static_cast<std::size_t>(operatorIndex)];
    const Hwc shape =
        op.softmax ? op.softmax->shape : Hwc{op.geometry.oh, op.geometry.ow, op.geometry.cout};
    for (const std::int64_t extent : {shape.h, shape.w, shape.c})
        if (extent < 1 || extent > TileWalk::kMaxExtent)
            return std::nullopt;
    return shape;
}

std::optional<ElementIndex> firstMismatch(const Document& document, std::int64_t operatorIndex) {
    const LayerVerdict* const verdict = document.verdictOf(operatorIndex);
    if (!verdict)
        return std::nullopt;
    for (const auto* comparison : {&verdict->isolated, &verdict->accumulated})
        if (*comparison && (*comparison)->first) {
            const ElementDifference& first = *(*comparison)->first;
            return ElementIndex{first.h, first.w, first.c};
        }
    return std::nullopt;
}

SiteQuestion siteQuestion(const DocumentPtr& document, std::int64_t operatorIndex,
                          LayerInputs inputs) {
    return {document, document->runner,
            inputs == LayerInputs::FromReference ? referenceBytes(document) : nullptr,
            operatorIndex};
}

ElementAnswer explainElement(const SiteQuestion& question, const ElementIndex& element,
                             LayerSitePtr known, const JobContext& context) {
    ElementAnswer answer;
    Result<LayerSitePtr> site = siteFor(question, std::move(known), context);
    if (!site) {
        answer.problem = problemText(site.diagnostics());
        return answer;
    }
    answer.site = *site;
    Result<Explanation> made =
        answer.site->runner->explain(answer.site->step, answer.site->arena, element);
    if (made)
        answer.explanation = std::make_shared<const Explanation>(*std::move(made));
    else
        answer.problem = problemText(made.diagnostics());
    return answer;
}

Observation observationOf(const DocumentPtr& document, std::int64_t operatorIndex, Observed whose,
                          const std::optional<LayerDump>& dump) {
    Observation made;
    made.site = {document, document->runner, nullptr, operatorIndex};
    switch (whose) {
    case Observed::Reference:
        observeReference(made, document);
        break;
    case Observed::Experiment:
        observeExperiment(made, document);
        break;
    case Observed::Dump:
        observeDump(made, document, dump);
        break;
    }
    return made;
}

RankingAnswer rankObservation(const Observation& observation, LayerSitePtr known,
                              std::span<const MistakeInfo> mistakes, const JobContext& context) {
    RankingAnswer answer;
    Result<LayerSitePtr> site = siteFor(observation.site, std::move(known), context);
    if (!site) {
        answer.problem = problemText(site.diagnostics());
        return answer;
    }
    answer.site = *site;
    Result<HypothesisRanking> ranking =
        rankHypotheses(*answer.site, mistakes, *observation.bytes, context);
    if (ranking)
        answer.ranking = std::make_shared<const HypothesisRanking>(*std::move(ranking));
    else
        answer.problem = problemText(ranking.diagnostics());
    return answer;
}

} // namespace plumbline
