// SPDX-License-Identifier: GPL-3.0-or-later
// Matching a reference's layers with operators; reading them from disk is in reference_files.cpp.
#include "core/compare/reference.h"

#include <algorithm>
#include <map>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/compare/reference_match.h"
#include "core/graph/tensor_size.h"

namespace plumbline {
namespace {

constexpr std::size_t kSha256Digits = 64;

/// A digest from a package that names no shape has neither extents nor bytes.
bool isOfUnknownSize(const TraceLayer& layer) {
    return layer.byteCount == 0 && layer.shape.empty();
}

std::vector<std::int64_t> withoutOnes(std::vector<std::int64_t> shape) {
    shape.erase(std::remove(shape.begin(), shape.end(), 1), shape.end());
    return shape;
}

void addNote(LayerMatch& match, const std::string& note) {
    match.note += (match.note.empty() ? "" : "; ") + note;
}

class LayerMatcher {
  public:
    LayerMatcher(std::vector<ReferenceCandidate> candidates,
                 const std::vector<LayerIdentity>& identities)
        : m_candidates(std::move(candidates))
        , m_identities(identities)
        , m_matches(m_candidates.size())
        , m_isSettled(m_candidates.size(), false)
        , m_takenBy(identities.size()) {
        for (std::size_t i = 0; i < identities.size(); ++i) {
            m_byIndex.emplace(identities[i].operatorIndex, i);
            if (const std::string& name = identities[i].tensorName; !name.empty()) {
                m_byName[name].push_back(i);
                m_byFileName[fileNameOfTensor(name)].push_back(i);
            }
        }
    }

    std::vector<LayerMatch> run() {
        for (std::size_t i = 0; i < m_candidates.size(); ++i) {
            m_matches[i].from = m_candidates[i].from;
            m_matches[i].note = m_candidates[i].refusal;
            m_isSettled[i] = !m_candidates[i].refusal.empty();
        }
        for (std::size_t i = 0; i < m_candidates.size(); ++i)
            matchByIndex(i);
        for (std::size_t i = 0; i < m_candidates.size(); ++i)
            matchByTensorName(i);
        matchBySize();
        return std::move(m_matches);
    }

    /// The matched layers as the operators' own; run() has been called.
    std::vector<TraceLayer> layers() {
        std::vector<TraceLayer> made;
        for (std::size_t i = 0; i < m_takenBy.size(); ++i) {
            if (!m_takenBy[i])
                continue;
            const LayerIdentity& identity = m_identities[i];
            TraceLayer& layer = made.emplace_back(std::move(m_candidates[*m_takenBy[i]].layer));
            layer.operatorIndex = identity.operatorIndex;
            layer.name = identity.name;
            layer.shape = {identity.shape.h, identity.shape.w, identity.shape.c};
            layer.byteCount = tensorBytes(identity.shape).value_or(0);
        }
        std::sort(made.begin(), made.end(), [](const TraceLayer& a, const TraceLayer& b) {
            return a.operatorIndex < b.operatorIndex;
        });
        return made;
    }

  private:
    bool fits(std::size_t candidate, std::size_t identity) const {
        const auto bytes = tensorBytes(m_identities[identity].shape);
        const TraceLayer& layer = m_candidates[candidate].layer;
        return bytes && (isOfUnknownSize(layer) || layer.byteCount == *bytes);
    }

    std::string sizesText(std::size_t candidate, std::size_t identity) const {
        return fmt::format("operator {} makes {} bytes, this has {}",
                           m_identities[identity].operatorIndex,
                           tensorBytes(m_identities[identity].shape).value_or(0),
                           m_candidates[candidate].layer.byteCount);
    }

    void take(std::size_t candidate, std::size_t identity, MatchedBy by) {
        LayerMatch& match = m_matches[candidate];
        m_takenBy[identity] = candidate;
        m_isSettled[candidate] = true;
        match.by = by;
        match.operatorIndex = m_identities[identity].operatorIndex;
        const std::vector<std::int64_t>& stated = m_candidates[candidate].layer.shape;
        const Hwc& own = m_identities[identity].shape;
        if (stated.size() > 1 && withoutOnes(stated) != withoutOnes({own.h, own.w, own.c}))
            addNote(match, fmt::format("its shape [{}] is read as {}", fmt::join(stated, ","),
                                       toText(own)));
    }

    void refuseDuplicate(std::size_t candidate, std::size_t identity) {
        m_isSettled[candidate] = true;
        addNote(m_matches[candidate], fmt::format("operator {} is matched already, with {}",
                                                  m_identities[identity].operatorIndex,
                                                  m_candidates[*m_takenBy[identity]].from));
    }

    void matchByIndex(std::size_t candidate) {
        const auto& number = m_candidates[candidate].number;
        if (m_isSettled[candidate] || !number)
            return;
        LayerMatch& match = m_matches[candidate];
        const auto found = m_byIndex.find(*number);
        if (found == m_byIndex.end()) {
            addNote(match, fmt::format("there is no layer of operator {}", *number));
        } else if (!fits(candidate, found->second)) {
            addNote(match, sizesText(candidate, found->second));
        } else if (m_takenBy[found->second]) {
            refuseDuplicate(candidate, found->second);
        } else {
            take(candidate, found->second, MatchedBy::Index);
            const auto named = called(m_candidates[candidate].name);
            if (!named.empty() &&
                std::find(named.begin(), named.end(), found->second) == named.end())
                addNote(match, fmt::format("its name is that of operator {}'s output",
                                           m_identities[named.front()].operatorIndex));
        }
    }

    std::vector<std::size_t> called(const std::string& name) const {
        if (const auto exact = m_byName.find(name); exact != m_byName.end())
            return exact->second;
        const auto asFile = m_byFileName.find(name);
        return asFile == m_byFileName.end() ? std::vector<std::size_t>{} : asFile->second;
    }

    void matchByTensorName(std::size_t candidate) {
        const std::string& name = m_candidates[candidate].name;
        if (m_isSettled[candidate] || name.empty())
            return;
        std::vector<std::size_t> fitting;
        for (const std::size_t identity : called(name)) {
            if (fits(candidate, identity))
                fitting.push_back(identity);
            else
                addNote(m_matches[candidate], sizesText(candidate, identity));
        }
        if (fitting.size() > 1)
            addNote(m_matches[candidate],
                    fmt::format("{} outputs are called {}", fitting.size(), name));
        else if (fitting.size() == 1 && m_takenBy[fitting[0]])
            refuseDuplicate(candidate, fitting[0]);
        else if (fitting.size() == 1)
            take(candidate, fitting[0], MatchedBy::Name);
    }

    void matchBySize() {
        std::map<std::uint64_t, std::vector<std::size_t>> open; // identities by size
        for (std::size_t i = 0; i < m_identities.size(); ++i)
            if (const auto bytes = tensorBytes(m_identities[i].shape); bytes && !m_takenBy[i])
                open[*bytes].push_back(i);
        for (std::size_t i = 0; i < m_candidates.size(); ++i) {
            if (m_isSettled[i] || isOfUnknownSize(m_candidates[i].layer))
                continue;
            const std::uint64_t bytes = m_candidates[i].layer.byteCount;
            const auto found = open.find(bytes);
            if (found == open.end())
                addNote(m_matches[i], fmt::format("no layer that is left has {} bytes", bytes));
            else if (found->second.size() > 1)
                addNote(m_matches[i], fmt::format("{} layers that are left have {} bytes",
                                                  found->second.size(), bytes));
            else {
                take(i, found->second.front(), MatchedBy::Size);
                open.erase(found);
            }
        }
    }

    std::vector<ReferenceCandidate> m_candidates;
    const std::vector<LayerIdentity>& m_identities;
    std::vector<LayerMatch> m_matches;
    std::vector<bool> m_isSettled;
    std::vector<std::optional<std::size_t>> m_takenBy; ///< per identity: the candidate
    std::map<std::int64_t, std::size_t> m_byIndex;
    std::map<std::string, std::vector<std::size_t>> m_byName, m_byFileName;
};

ReferenceCandidate candidateOf(TraceLayer layer) {
    ReferenceCandidate made;
    made.from = fmt::format("operator {}", layer.operatorIndex);
    made.number = layer.operatorIndex;
    made.name = layer.name;
    if (!layer.bytes.empty())
        sealLayer(layer);
    else if (layer.sha256.size() != kSha256Digits)
        made.refusal = "it has neither bytes nor a SHA-256";
    made.layer = std::move(layer);
    return made;
}

} // namespace

std::string fileNameOfTensor(std::string_view name) {
    std::string made(name);
    for (char& c : made) {
        const bool kept =
            (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z');
        c = kept ? c : '_';
    }
    return made;
}

std::string_view matchedByName(MatchedBy by) {
    switch (by) {
    case MatchedBy::Index:
        return "index";
    case MatchedBy::Name:
        return "name";
    case MatchedBy::Size:
        return "size";
    case MatchedBy::None:
        return "none";
    }
    return "";
}

const LayerMatch* Reference::matchOf(std::int64_t operatorIndex) const {
    const auto sorted = std::lower_bound(
        matches.begin(), matches.end(), operatorIndex,
        [](const LayerMatch& match, std::int64_t index) { return match.operatorIndex < index; });
    if (sorted != matches.end() && sorted->operatorIndex == operatorIndex)
        return &*sorted;
    // Only a damaged package can name its operators out of order.
    const auto found =
        std::find_if(matches.begin(), matches.end(), [operatorIndex](const LayerMatch& match) {
            return match.operatorIndex == operatorIndex;
        });
    return found == matches.end() ? nullptr : &*found;
}

std::vector<LayerIdentity> layerIdentities(const Lowering& lowering) {
    // A package has no model file; the tensor names of its rebuilt graph are made up.
    const Graph* graph = lowering.model && lowering.model->file && !lowering.model->graphs.empty()
                             ? &lowering.model->graphs.front()
                             : nullptr;
    std::vector<LayerIdentity> made;
    for (std::size_t i = 0; i < lowering.operators.size(); ++i) {
        const LoweredOperator& op = lowering.operators[i];
        LayerIdentity identity{op.index, op.name, {}, {}, {}};
        if (op.placement == Placement::Npu) {
            identity.shape = {op.geometry.oh, op.geometry.ow, op.geometry.cout};
            identity.arenaOffset = op.arena.output;
        } else if (op.placement == Placement::CpuSoftmax && op.softmax) {
            identity.shape = op.softmax->shape;
        } else {
            continue;
        }
        if (graph != nullptr && i < graph->operators.size() && !graph->operators[i].outputs.empty())
            identity.tensorName =
                graph->tensors[static_cast<std::size_t>(graph->operators[i].outputs[0])].name;
        made.push_back(std::move(identity));
    }
    return made;
}

Reference matchCandidates(std::vector<ReferenceCandidate> candidates, Trace header,
                          std::string name, const std::vector<LayerIdentity>& identities) {
    LayerMatcher matcher(std::move(candidates), identities);
    Reference made;
    made.name = std::move(name);
    made.matches = matcher.run();
    made.trace = std::move(header);
    made.trace.layers = matcher.layers();
    return made;
}

Reference matchReference(Trace trace, std::string name,
                         const std::vector<LayerIdentity>& identities) {
    std::vector<ReferenceCandidate> candidates;
    for (TraceLayer& layer : trace.layers)
        candidates.push_back(candidateOf(std::move(layer)));
    return matchCandidates(std::move(candidates), std::move(trace), std::move(name), identities);
}

Diagnostics matchNotes(const Reference& reference) {
    Diagnostics notes;
    std::size_t more = 0;
    for (const LayerMatch& match : reference.matches) {
        if (match.note.empty() && match.by != MatchedBy::None)
            continue;
        if (notes.size() == kMaxMatchNotes) {
            ++more;
            continue;
        }
        Location where;
        where.operatorIndex = match.operatorIndex;
        const std::string why = match.note.empty() ? "it belongs to no operator" : match.note;
        notes.push_back(makeWarning(
            Code::UnmatchedLayer,
            match.operatorIndex
                ? fmt::format("{} of {} is taken for operator {} by its {}: {}.", match.from,
                              reference.name, *match.operatorIndex, matchedByName(match.by), why)
                : fmt::format("{} of {} is not used: {}.", match.from, reference.name, why),
            where));
    }
    if (more > 0)
        notes.push_back(
            makeWarning(Code::UnmatchedLayer,
                        fmt::format("{} more layers of {} are like that.", more, reference.name)));
    return notes;
}

} // namespace plumbline
