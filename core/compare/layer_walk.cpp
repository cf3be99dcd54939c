// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/compare/layer_walk.h"

#include <algorithm>
#include <unordered_map>

#include <fmt/format.h>

#include "core/base/sha256.h"

namespace plumbline {
namespace {

std::vector<std::vector<OperandAccess>> readsOf(const LayerRunner& runner) {
    std::vector<std::vector<OperandAccess>> reads(runner.steps().size());
    std::size_t step = 0;
    for (OperandAccess& access : runner.accesses()) {
        if (access.isWrite)
            continue;
        while (step < reads.size() && runner.steps()[step].operatorIndex != access.operatorIndex)
            ++step;
        if (step == reads.size())
            break;
        reads[step].push_back(std::move(access));
    }
    return reads;
}

/// The part of the arena that the plan gives to each step's output, buffer padding included;
/// nothing where the job states no buffer of it (a CPU step, a bare job).
std::vector<std::optional<RegionSlice>> plannedOutputs(const LayerRunner& runner) {
    std::unordered_map<std::int64_t, RegionSlice> buffers;
    for (const JobBuffer& buffer : runner.job().buffers) {
        if (buffer.offset <= runner.job().arenaBytes &&
            buffer.bytes <= runner.job().arenaBytes - buffer.offset)
            buffers.emplace(buffer.firstOperator, RegionSlice{buffer.offset, buffer.bytes});
    }
    std::vector<std::optional<RegionSlice>> planned;
    for (const LayerStep& step : runner.steps()) {
        const auto found = step.record ? buffers.find(step.operatorIndex) : buffers.end();
        planned.push_back(found == buffers.end() ? std::nullopt
                                                 : std::optional<RegionSlice>(found->second));
    }
    return planned;
}

auto at(std::uint64_t offset) { return static_cast<std::ptrdiff_t>(offset); }

} // namespace

LayerWalk::LayerWalk(const LayerRunner& runner, ByteView input, const Trace* reference)
    : m_runner(&runner)
    , m_reference(reference)
    , m_reads(readsOf(runner))
    , m_planned(plannedOutputs(runner))
    , m_arena(runner.job().arenaBytes) {
    const Job& job = runner.job();
    std::copy(input.begin(), input.end(), m_arena.begin() + at(job.inputOffset));
    m_scratch = m_arena;
    if (m_reference) {
        m_known.resize(m_arena.size());
        setKnown(job.inputOffset, job.inputOffset + input.size(), true);
    }
}

bool LayerWalk::inputsKnown() const {
    if (!m_reference)
        return true;
    return std::all_of(m_reads[m_step].begin(), m_reads[m_step].end(), [this](const auto& read) {
        const std::uint64_t end = std::min<std::uint64_t>(read.touchedEnd, m_known.size());
        for (std::uint64_t i = read.touchedBegin; i < end; ++i) {
            if (!m_known[i])
                return false;
        }
        return true;
    });
}

LayerOutcome LayerWalk::runAlone() {
    LayerOutcome outcome;
    outcome.run = m_runner->run(m_step, m_scratch);
    const LayerRun& run = outcome.run;
    if (run.fault)
        return outcome;
    const auto& planned = m_planned[m_step];
    const std::uint64_t size = run.layer.byteCount;
    if (planned && size <= planned->bytes) {
        const std::uint64_t begin = planned->offset, end = begin + size;
        outcome.bytes.assign(m_scratch.begin() + at(begin), m_scratch.begin() + at(end));
        for (std::uint64_t i = run.writtenBegin; i < run.writtenEnd; ++i)
            outcome.strayBytes += (i < begin || i >= end) && m_scratch[i] != m_arena[i] ? 1 : 0;
    } else {
        outcome.bytes = run.layer.bytes;
    }
    outcome.sha256 = outcome.bytes == run.layer.bytes ? run.layer.sha256 : sha256Hex(outcome.bytes);
    m_written.assign(m_scratch.begin() + at(run.writtenBegin),
                     m_scratch.begin() + at(run.writtenEnd));
    std::copy(m_arena.begin() + at(run.writtenBegin), m_arena.begin() + at(run.writtenEnd),
              m_scratch.begin() + at(run.writtenBegin));
    return outcome;
}

const Bytes* LayerWalk::referenceBytes(const LayerOutcome& outcome) const {
    const TraceLayer* const theirs = m_reference ? m_reference->layerOf(operatorIndex()) : nullptr;
    if (!theirs)
        return nullptr;
    if (theirs->hasBytes())
        return &theirs->bytes;
    return theirs->sha256 == outcome.sha256 ? &outcome.bytes : nullptr;
}

bool LayerWalk::hasReference() const { return referenceBytes({}) != nullptr; }

void LayerWalk::setKnown(std::uint64_t begin, std::uint64_t end, bool known) {
    if (!m_known.empty())
        std::fill(m_known.begin() + at(begin), m_known.begin() + at(end), known);
}

void LayerWalk::takeReference(ByteView bytes) {
    const auto& planned = m_planned[m_step];
    if (!planned || bytes.size() > planned->bytes) {
        const ArenaRange range = m_runner->place(m_step, bytes, m_arena);
        std::copy(m_arena.begin() + at(range.begin), m_arena.begin() + at(range.end),
                  m_scratch.begin() + at(range.begin));
        setKnown(range.begin, range.end, true);
        return;
    }
    std::copy(bytes.begin(), bytes.end(), m_arena.begin() + at(planned->offset));
    std::copy(bytes.begin(), bytes.end(), m_scratch.begin() + at(planned->offset));
    setKnown(planned->offset, planned->offset + bytes.size(), true);
}

void LayerWalk::takeOwn(const LayerRun& run) {
    if (!run.fault) {
        std::copy(m_written.begin(), m_written.end(), m_arena.begin() + at(run.writtenBegin));
        std::copy(m_written.begin(), m_written.end(), m_scratch.begin() + at(run.writtenBegin));
        setKnown(run.writtenBegin, run.writtenEnd, false);
    }
    if (const auto& planned = m_planned[m_step])
        setKnown(planned->offset, planned->offset + planned->bytes, false);
}

void LayerWalk::advance(const LayerOutcome& outcome) {
    if (const Bytes* const bytes = referenceBytes(outcome))
        takeReference(*bytes);
    else
        takeOwn(outcome.run);
    ++m_step;
}

LayerWalk LayerWalk::detached() const {
    LayerWalk copy(*this);
    copy.m_reference = nullptr;
    copy.m_known.clear();
    return copy;
}

MistakeSite LayerSite::mistakeSite() const {
    MistakeSite site;
    site.arena = arena;
    if (arenaBeforeProducer)
        site.arenaBeforeProducer = *arenaBeforeProducer;
    return site;
}

namespace {

/// The step that wrote the first byte of input 0 of step `step` last; nothing for the graph input.
std::optional<std::size_t> producerOf(const LayerRunner& runner, std::size_t step) {
    const std::vector<OperandAccess> accesses = runner.accesses();
    const std::int64_t reader = runner.steps()[step].operatorIndex;
    const auto read = std::find_if(accesses.begin(), accesses.end(), [&](const auto& access) {
        return !access.isWrite && access.operatorIndex == reader && access.operand == "input 0";
    });
    if (read == accesses.end())
        return std::nullopt;
    std::optional<std::size_t> producer;
    for (auto it = accesses.begin(); it != read; ++it) {
        if (it->isWrite && it->touchedBegin <= read->touchedBegin &&
            read->touchedBegin < it->touchedEnd)
            producer = runner.stepOf(it->operatorIndex);
    }
    return producer;
}

Diagnostic faultedSite(const Fault& fault, std::int64_t reached, std::int64_t wanted) {
    Diagnostic said = toDiagnostic(fault);
    said.code = Code::RunFaulted;
    said.message = reached == wanted
                       ? fmt::format("Operator {} faults: {}", reached, said.message)
                       : fmt::format("Operator {} faults, so operator {} cannot be looked at: {}",
                                     reached, wanted, said.message);
    return said;
}

} // namespace

Result<LayerSite> siteOf(LayerRunnerPtr runner, ByteView input, const Trace* reference,
                         std::int64_t operatorIndex, const JobContext& context) {
    if (input.size() != runner->job().inputBytes)
        return makeError(Code::InputSize, fmt::format("The input has {} bytes, the job takes {}.",
                                                      input.size(), runner->job().inputBytes));
    const auto wanted = runner->stepOf(operatorIndex);
    if (!wanted)
        return makeError(Code::NoSuchPlace,
                         fmt::format("Operator {} makes no layer.", operatorIndex));
    const auto producer = producerOf(*runner, *wanted);
    LayerSite site;
    site.step = *wanted;
    for (LayerWalk walk(*runner, input, reference);;) {
        if (walk.step() == producer)
            site.arenaBeforeProducer = walk.arena();
        if (!context.report(static_cast<double>(walk.step()) / static_cast<double>(*wanted + 1),
                            "Running up to the layer"))
            return makeError(Code::Cancelled, "Running up to the layer was cancelled.");
        LayerOutcome outcome = walk.runAlone();
        if (outcome.run.fault && (walk.step() == *wanted || !walk.hasReference()))
            return faultedSite(*outcome.run.fault, walk.operatorIndex(), operatorIndex);
        if (walk.step() == *wanted) {
            site.arena = walk.arena();
            site.healthy = std::move(outcome.run.layer.bytes);
            break;
        }
        walk.advance(outcome);
    }
    site.runner = std::move(runner);
    return site;
}

} // namespace plumbline
