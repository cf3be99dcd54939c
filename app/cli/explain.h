// SPDX-License-Identifier: GPL-3.0-or-later
// What plumb explain was asked for, and its answer about one element as text and as JSON.
#pragma once

#include <optional>
#include <string>

#include "app/cli/options.h"
#include "core/compare/reference.h"
#include "core/lowering/explanation.h"
#include "core/lowering/layer_runner.h"
#include "core/lowering/lowering.h"

namespace plumbline::cli {

struct ExplainOptions {
    std::string subject; ///< a model or a package; may be empty with listHypotheses
    InputChoice input;
    std::string reference;              ///< a path; empty for none
    std::string at;                     ///< selection text with an element; empty for none
    bool brief = false;                 ///< text only: without the steps of the reduction
    std::optional<std::uint64_t> layer; ///< operator index, with `observed`
    std::string observed;               ///< file with the layer's observed bytes
    bool listHypotheses = false;
};

/// What is explained, opened: a lowering, its job taken apart, and an input.
struct ExplainSource {
    LoweringPtr lowering;
    LayerRunnerPtr runner;
    Bytes input;
};
/// Throws Failure; a job that faults before any layer is a mismatch.
ExplainSource openForExplain(const ExplainOptions& options, Console& console);

/// The reference that `options` name; nothing where they name none. Throws Failure.
std::optional<Reference> explainReference(const ExplainOptions& options,
                                          const ExplainSource& source, Console& console);

/// One explained element with what a reference says to it.
struct ExplainedElement {
    Explanation explanation;
    std::string input;                     ///< what the input is, "seed 1"
    std::string referenceName;             ///< empty without a reference
    std::optional<std::int64_t> reference; ///< its value; nothing where it has no bytes for it

    bool differs() const { return reference && *reference != explanation.value; }
};

Json explainJson(const ExplainedElement& explained);
/// `brief` leaves out the steps of the reduction; the ends of its slices stay.
std::string explainText(const ExplainedElement& explained, bool brief);

} // namespace plumbline::cli
