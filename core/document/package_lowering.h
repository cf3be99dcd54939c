// SPDX-License-Identifier: GPL-3.0-or-later
// A package seen as a lowering, so that everything that shows a lowering shows a package too.
#pragma once

#include "core/artifacts/package.h"
#include "core/lowering/lowering.h"
#include "core/lowering/target.h"

namespace plumbline {

/// What `package` tells about the lowering that made it: operators and costs from the report,
/// records, relocations and regions from the binaries, the arena from the stated offsets and
/// lifetimes. The model holds a graph rebuilt from the arena addresses that operators read and
/// write: a package names no tensors, and what a RESHAPE reads is taken to be the output before it.
/// A damaged package gives what can be read; the lowering is then not complete. Never fails.
LoweringPtr loweringOfPackage(const Package& package, const Target& target);

/// The graph of `operators`, rebuilt: tensor 0 is the input, tensor i + 1 the output of operator i.
Graph graphOfOperators(const std::vector<LoweredOperator>& operators, const PortSummary& input);

} // namespace plumbline
