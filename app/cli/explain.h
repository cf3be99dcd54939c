// SPDX-License-Identifier: GPL-3.0-or-later
// What plumb explain was asked for, and its answer about one element as text and as JSON.
#pragma once

#include <optional>
#include <string>

#include "app/cli/options.h"
#include "core/lowering/explanation.h"

namespace plumbline::cli {

struct ExplainOptions {
    std::string subject; ///< a model or a package; may be empty with listHypotheses
    InputChoice input;
    std::string reference;              ///< a path; empty for none
    std::string at;                     ///< selection text with an element; empty for none
    bool brief = false;                 ///< text only: no products
    std::optional<std::uint64_t> layer; ///< operator index, with `observed`
    std::string observed;               ///< file with the layer's observed bytes
    bool listHypotheses = false;
};

/// One explained element with what a reference says to it.
struct ExplainedElement {
    Explanation explanation;
    std::string referenceName;             ///< empty without a reference
    std::optional<std::int64_t> reference; ///< its value; nothing where it has no bytes for it
};

Json explainJson(const ExplainedElement& explained);
/// `brief` leaves out the products.
std::string explainText(const ExplainedElement& explained, bool brief);

} // namespace plumbline::cli
