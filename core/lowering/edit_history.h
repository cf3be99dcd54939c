// SPDX-License-Identifier: GPL-3.0-or-later
// The edits of an experiment as steps that can be undone and redone. A pure value.
#pragma once

#include <cstddef>
#include <vector>

#include "core/lowering/edit.h"

namespace plumbline {

/// Whether both edits set the same field of the same record, the same relocation, or the same byte.
bool isSamePlace(const Edit& a, const Edit& b);

class EditHistory {
  public:
    /// Adds `edits` as one step after the current one; steps that were undone are forgotten. No
    /// edits make no step.
    void push(std::vector<Edit> edits);
    bool canUndo() const { return m_done > 0; }
    bool canRedo() const { return m_done < m_steps.size(); }
    /// Takes the last step back, or does it again; nothing where there is none.
    void undo();
    void redo();
    /// Takes the last step back and forgets it, with those that were undone: it cannot be done
    /// again. Nothing where there is none.
    void withdraw();
    /// Forgets every step.
    void clear();

    /// The edits of all steps that are not undone, in order, one per place: an edit takes an
    /// earlier one of the same place away.
    std::vector<Edit> current() const;

  private:
    std::vector<std::vector<Edit>> m_steps;
    std::size_t m_done = 0; ///< steps that are not undone
};

} // namespace plumbline
