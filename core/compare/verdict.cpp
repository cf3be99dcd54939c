// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/compare/verdict.h"

#include <algorithm>

#include <fmt/format.h>

#include "core/compare/layer_walk.h"

namespace plumbline {
namespace {

const LoweredOperator* operatorAt(const Lowering& lowering, std::int64_t index) {
    const auto i = static_cast<std::size_t>(index);
    return index >= 0 && i < lowering.operators.size() ? &lowering.operators[i] : nullptr;
}

Hwc shapeOf(const TraceLayer& layer) {
    if (layer.shape.size() != 3)
        return {1, 1, static_cast<std::int64_t>(layer.byteCount)};
    return {layer.shape[0], layer.shape[1], layer.shape[2]};
}

void addNote(LayerVerdict& verdict, std::string_view note) {
    verdict.note += verdict.note.empty() ? "" : "; ";
    verdict.note += note;
}

class Judge {
  public:
    Judge(const LayerRunner& runner, ByteView input, const Reference& reference,
          const Lowering& lowering)
        : m_runner(runner)
        , m_reference(reference)
        , m_lowering(lowering)
        , m_alone(runner, input, &reference.trace) {
        m_verdicts.reference = reference.name;
    }

    Result<Verdicts> run(const JobContext& context) {
        const auto count = static_cast<double>(m_runner.steps().size());
        while (!m_alone.atEnd()) {
            if (!context.report(static_cast<double>(m_alone.step()) / count, "Comparing layers"))
                return makeError(Code::Cancelled, "Comparing the layers was cancelled.");
            m_verdicts.layers.push_back(judgeStep());
        }
        if (isDoubtful()) {
            m_verdicts.doubt = "not one layer meets the reference's digests, so they may belong to "
                               "another input";
            return std::move(m_verdicts);
        }
        const auto wrong = std::find_if(m_verdicts.layers.begin(), m_verdicts.layers.end(),
                                        [](const auto& layer) { return layer.isWrongAlone(); });
        if (wrong != m_verdicts.layers.end())
            m_verdicts.culprit = wrong->operatorIndex;
        return std::move(m_verdicts);
    }

  private:
    /// Digests say nothing of the input that they belong to.
    bool isDoubtful() const {
        const auto& layers = m_reference.trace.layers;
        return !m_verdicts.fault && m_verdicts.compared() > 1 &&
               m_verdicts.unequal() == m_verdicts.compared() &&
               std::none_of(layers.begin(), layers.end(),
                            [](const TraceLayer& layer) { return layer.hasBytes(); });
    }

    LayerVerdict judgeStep() {
        const LayerStep& step = m_runner.steps()[m_alone.step()];
        LayerVerdict verdict;
        verdict.operatorIndex = step.operatorIndex;
        verdict.record = step.record;
        verdict.name = step.name;
        const TraceLayer* const theirs = m_reference.trace.layerOf(step.operatorIndex);
        if (const LayerMatch* const match = m_reference.matchOf(step.operatorIndex)) {
            verdict.matchedBy = match->by;
            verdict.note = match->note;
        }
        if (theirs)
            verdict.theirsSha256 = theirs->sha256;
        const bool known = m_alone.inputsKnown();
        LayerOutcome alone = m_alone.runAlone();
        judgeAccumulated(verdict, alone, theirs);
        judgeAlone(verdict, alone, theirs, known);
        m_alone.advance(alone);
        return verdict;
    }

    /// Until something differs, the layer alone and the layer as run are one.
    void judgeAccumulated(LayerVerdict& verdict, const LayerOutcome& alone,
                          const TraceLayer* theirs) {
        if (m_verdicts.fault) {
            addNote(verdict, "the run ended before this layer");
            return;
        }
        if (m_asRun) {
            take(verdict, m_asRun->runAlone(), theirs);
            return;
        }
        const bool differs =
            alone.run.fault || alone.strayBytes > 0 || (theirs && theirs->sha256 != alone.sha256);
        if (differs)
            m_asRun = m_alone.detached();
        take(verdict, alone, theirs);
    }

    void take(LayerVerdict& verdict, const LayerOutcome& outcome, const TraceLayer* theirs) {
        if (outcome.run.fault) {
            verdict.fault = outcome.run.fault;
            m_verdicts.fault = outcome.run.fault;
            return;
        }
        verdict.shape = shapeOf(outcome.run.layer);
        verdict.oursSha256 = outcome.sha256;
        verdict.ours = outcome.bytes;
        if (theirs)
            verdict.accumulated = compare(outcome, *theirs);
        else
            addNote(verdict, "the reference lacks this layer");
        if (m_asRun)
            m_asRun->advance(outcome);
    }

    void judgeAlone(LayerVerdict& verdict, const LayerOutcome& alone, const TraceLayer* theirs,
                    bool known) {
        if (known) {
            verdict.isolatedFault = alone.run.fault;
            verdict.strayBytes = alone.strayBytes;
        }
        if (!theirs)
            return;
        if (!known) {
            addNote(verdict, "the reference lacks a tensor that this layer reads");
            return;
        }
        if (alone.run.fault)
            return;
        if (alone.bytes != alone.run.layer.bytes)
            addNote(verdict, "the record wrote its output elsewhere than the plan says");
        if (alone.sha256 == verdict.oursSha256 && verdict.accumulated) {
            verdict.isolated = verdict.accumulated;
            return;
        }
        verdict.shape = shapeOf(alone.run.layer);
        verdict.isolated = compare(alone, *theirs);
        verdict.isolatedOurs = alone.bytes;
        if (verdict.accumulated && verdict.accumulated->equal && !verdict.isolated->equal)
            addNote(verdict, "it is equal as run: the reference's own tensors do not fit together, "
                             "perhaps their numbers are wrong");
    }

    TensorComparison compare(const LayerOutcome& ours, const TraceLayer& theirs) const {
        const TraceLayer& layer = ours.run.layer;
        TensorComparison result;
        result.elements = static_cast<std::int64_t>(ours.bytes.size());
        result.equal = ours.sha256 == theirs.sha256;
        if (!theirs.hasBytes() && result.equal)
            result.note = "compared by digest";
        else if (!theirs.hasBytes())
            result.note = "the reference holds a digest only";
        else if (theirs.bytes.size() != ours.bytes.size())
            result.note = fmt::format("ours has {} bytes, the reference {}", ours.bytes.size(),
                                      theirs.bytes.size());
        else
            return compareTensors(ours.bytes, theirs.bytes, shapeOf(layer),
                                  layer.zeroPoint.value_or(0),
                                  operatorAt(m_lowering, layer.operatorIndex));
        if (result.equal && ours.bytes.size() == layer.byteCount)
            result.mismatches = 0;
        return result;
    }

    const LayerRunner& m_runner;
    const Reference& m_reference;
    const Lowering& m_lowering;
    LayerWalk m_alone;
    std::optional<LayerWalk> m_asRun; ///< from the first difference on
    Verdicts m_verdicts;
};

} // namespace

bool LayerVerdict::isWrongAlone() const {
    return isolatedFault.has_value() || strayBytes > 0 || (isolated && !isolated->equal);
}

bool LayerVerdict::isEqual() const {
    return !isWrongAlone() && !fault && (accumulated || isolated) &&
           (!accumulated || accumulated->equal);
}

const LayerVerdict* Verdicts::of(std::int64_t operatorIndex) const {
    const auto found = std::lower_bound(
        layers.begin(), layers.end(), operatorIndex,
        [](const LayerVerdict& layer, std::int64_t index) { return layer.operatorIndex < index; });
    if (found != layers.end() && found->operatorIndex == operatorIndex)
        return &*found;
    // Only a damaged package runs its operators out of order.
    const auto other =
        std::find_if(layers.begin(), layers.end(), [operatorIndex](const LayerVerdict& layer) {
            return layer.operatorIndex == operatorIndex;
        });
    return other == layers.end() ? nullptr : &*other;
}

std::size_t Verdicts::compared() const {
    return static_cast<std::size_t>(
        std::count_if(layers.begin(), layers.end(), [](const LayerVerdict& layer) {
            return layer.accumulated || layer.isolated;
        }));
}

std::size_t Verdicts::unequal() const {
    return static_cast<std::size_t>(
        std::count_if(layers.begin(), layers.end(), [](const LayerVerdict& layer) {
            return layer.isWrongAlone() || (layer.accumulated && !layer.accumulated->equal);
        }));
}

bool Verdicts::equal() const { return !fault && unequal() == 0; }

Result<Verdicts> judge(const LayerRunner& runner, ByteView input, const Reference& reference,
                       const Lowering& lowering, const JobContext& context) {
    if (input.size() != runner.job().inputBytes)
        return makeError(Code::InputSize, fmt::format("The input has {} bytes, the job takes {}.",
                                                      input.size(), runner.job().inputBytes));
    return Judge(runner, input, reference, lowering).run(context);
}

} // namespace plumbline
