// SPDX-License-Identifier: GPL-3.0-or-later
// Small random layers, plain and in the form that the core takes.
#pragma once

#include "core/npu_p0/mistakes.h"
#include "tests/core/npu_p0/plain_mistakes.h"

namespace plumbline::test {

/// Of a kind of the specification, C D F A M V G L.
npu_p0::Opcode opcodeOf(char kind);
Bytes toBytes(const std::vector<int>& values);

/// A layer of `kind` with everything chosen from `seed`.
PlainLayer randomLayer(char kind, std::uint64_t seed);

/// A plain layer in the form that the core takes.
class CoreLayer {
  public:
    explicit CoreLayer(const PlainLayer& plain);

    /// See npu_p0::runMistakes.
    std::optional<Bytes> run(const std::vector<std::size_t>& mistakes, bool inputsAreOne = false);

  private:
    void setShape(const PlainLayer& plain);
    void packWeights(const PlainLayer& plain);

    npu_p0::LoadedRecord m_record;
    Bytes m_input0, m_input1, m_weights, m_before;
    std::optional<Bytes> m_stale;
};

} // namespace plumbline::test
