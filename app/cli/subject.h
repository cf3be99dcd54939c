// SPDX-License-Identifier: GPL-3.0-or-later
// What a command works on: a model file or a package directory, opened or refused.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/cli/options.h"
#include "core/artifacts/package.h"
#include "core/graph/model.h"
#include "core/lowering/lowering.h"

namespace plumbline::cli {

/// An opened MODEL|DIR argument: either a package or a model.
struct Subject {
    std::string path;
    std::optional<Package> package;
    ModelPtr model;
};

/// All of these throw Failure, and report notes and warnings.
ModelPtr openModel(const std::string& path, Console& console);
Package openPackage(const std::string& path);
Subject openSubject(const std::string& path, Console& console);

/// The complete lowering of `model`; a refused model is a failure with all its diagnostics.
LoweringPtr lowerModel(const ModelPtr& model, const std::string& path, Console& console);

/// The lowering of a subject: its model's, or what an undamaged package tells of its own.
LoweringPtr loweringOfSubject(const Subject& subject, Console& console);

/// What the executor needs, from a package or by lowering a model. A damaged package is a failure.
struct Executable {
    Job job;
    PortSummary input;
    PortSummary output;
    std::optional<std::string> modelSha256;
};
Executable executableOf(const Subject& subject, Console& console);

/// The shape that an input file in .npy must have, and its size.
struct InputForm {
    std::uint64_t bytes = 0;
    std::vector<std::int64_t> shape;
};
InputForm inputFormOf(const PortSummary& port);
/// All inputs of the main graph together, which exists and has inputs of fixed sizes.
InputForm inputFormOf(const Graph& graph);

/// The chosen input, or a failure that says what was expected.
Bytes readInput(const InputChoice& choice, const InputForm& form);

/// "seed 1" or the file's path.
std::string inputText(const InputChoice& choice);

std::vector<std::int64_t> shapeOf(const Hwc& shape);

} // namespace plumbline::cli
