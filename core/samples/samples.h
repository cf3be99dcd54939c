// SPDX-License-Identifier: GPL-3.0-or-later
// Small models made at run time from a seed, as valid TFLite bytes: for a first run, tests and
// benches.
#pragma once

#include <span>
#include <string_view>

#include "core/base/bytes.h"
#include "core/base/result.h"

namespace plumbline {

struct SampleInfo {
    std::string_view name;        ///< "ds-cnn"
    std::string_view description; ///< one sentence
};

/// The built-in samples, in the order of a first look: ds-cnn, mobilenet, resnet8, autoencoder,
/// every-operator, refused, branches (which takes its operator count from a suffix:
/// branches-10000).
std::span<const SampleInfo> allSamples();

/// The bytes of sample `name`. The same name and seed give the same bytes on every machine. Error:
/// Usage for a name that is not a sample.
Result<Bytes> makeSample(std::string_view name, std::uint64_t seed = 1);

/// A graph of `operators` operators with residual branches, for scale tests; operators >= 1.
Bytes makeBranchesSample(std::size_t operators, std::uint64_t seed = 1);

} // namespace plumbline
