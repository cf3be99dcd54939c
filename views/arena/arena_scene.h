// SPDX-License-Identifier: GPL-3.0-or-later
// What the arena chart shows, as one value, and the sentences about its parts.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include <QString>

#include "core/chart/arena_geometry.h"
#include "core/chart/arena_labels.h"
#include "core/document/document.h"

namespace plumbline {

struct ArenaScene {
    LoweringPtr lowering; ///< never null once a document is shown
    std::shared_ptr<const ArenaPlan> plan;
    ArenaGeometry geometry;
    bool isExperiment = false;           ///< `plan` is not the lowering's own
    std::vector<bool> dimmed;            ///< per buffer; shorter: the others are not
    std::vector<OperandAccess> accesses; ///< by operator index; only of the lowering's own plan
    std::vector<ArenaFinding> findings;
    bool showsBounds = false;
    bool showsFindings = true;
    std::optional<std::int64_t> step;
    std::optional<std::size_t> buffer;

    bool isDimmed(std::size_t index) const { return index < dimmed.size() && dimmed[index]; }
    const Allocation* allocation(std::optional<std::size_t> index) const;
    const ArenaStep* stepFacts(std::optional<std::int64_t> index) const;
};

/// "7 CONV_2D"; "7" where the lowering has no such operator.
QString stepName(const Lowering& lowering, std::int64_t step);
/// Several lines: name, members, addresses, size, lifetime.
QString bufferText(const ArenaScene& scene, std::size_t buffer);
/// Several lines: operator, live, padding, holes.
QString stepText(const ArenaScene& scene, std::int64_t step);
/// "input 0 reads 0x0100..0x0500: 1,024 of 1,024 declared bytes".
QString accessText(const OperandAccess& access);
/// What lies under a point of the chart; empty outside.
QString sceneText(const ArenaScene& scene, double x, double y);

} // namespace plumbline
