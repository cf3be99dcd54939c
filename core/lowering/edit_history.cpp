// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/lowering/edit_history.h"

#include <algorithm>
#include <iterator>
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

void EditHistory::clear() {
    m_steps.clear();
    m_done = 0;
}

std::vector<Edit> EditHistory::current() const {
    std::vector<Edit> latest; // newest first
    const auto isTaken = [&latest](const Edit& edit) {
        return std::any_of(latest.begin(), latest.end(),
                           [&edit](const Edit& later) { return isSamePlace(edit, later); });
    };
    for (std::size_t step = m_done; step-- > 0;)
        for (auto edit = m_steps[step].rbegin(); edit != m_steps[step].rend(); ++edit)
            if (!isTaken(*edit))
                latest.push_back(*edit);
    std::reverse(latest.begin(), latest.end());
    return latest;
}

} // namespace plumbline
