// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/lowering/edit_history.h"

#include <algorithm>
#include <utility>

namespace plumbline {
namespace {

bool isSame(const FieldEdit& a, const FieldEdit& b) {
    return a.record == b.record && a.field == b.field;
}
bool isSame(const RelocationEdit& a, const RelocationEdit& b) { return a.index == b.index; }
bool isSame(const ByteEdit& a, const ByteEdit& b) {
    return a.region == b.region && a.offset == b.offset;
}

} // namespace

bool isSamePlace(const Edit& a, const Edit& b) {
    return std::visit(
        [&b](const auto& first) {
            const auto* const second = std::get_if<std::decay_t<decltype(first)>>(&b);
            return second != nullptr && isSame(first, *second);
        },
        a);
}

void EditHistory::push(std::vector<Edit> edits) {
    if (edits.empty())
        return;
    m_steps.resize(m_done);
    m_steps.push_back(std::move(edits));
    ++m_done;
}

void EditHistory::undo() { m_done -= canUndo() ? 1 : 0; }

void EditHistory::redo() { m_done += canRedo() ? 1 : 0; }

void EditHistory::withdraw() {
    undo();
    m_steps.resize(m_done);
}

void EditHistory::clear() {
    m_steps.clear();
    m_done = 0;
}

std::vector<Edit> EditHistory::current() const {
    std::vector<Edit> all;
    for (std::size_t step = 0; step < m_done; ++step)
        all.insert(all.end(), m_steps[step].begin(), m_steps[step].end());
    std::vector<Edit> latest;
    for (auto edit = all.begin(); edit != all.end(); ++edit)
        if (std::none_of(edit + 1, all.end(),
                         [&](const Edit& later) { return isSamePlace(*edit, later); }))
            latest.push_back(*edit);
    return latest;
}

} // namespace plumbline
