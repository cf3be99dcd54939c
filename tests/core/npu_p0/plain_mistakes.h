// SPDX-License-Identifier: GPL-3.0-or-later
// The table of named mistakes evaluated one element at a time in plain integers, straight from the
// wording of the specification. It shares nothing with the core but the names.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace plumbline::test {

/// One record with its operands, nothing packed.
struct PlainLayer {
    char kind = 'C'; ///< C D F A M V G L as in the specification
    int h = 1, w = 1, cin = 1, oh = 1, ow = 1, cout = 1;
    int kh = 1, kw = 1, sh = 1, sw = 1;
    int top = 0, bottom = 0, left = 0, right = 0;
    int tileH = 1, tileW = 1, kSlice = 1;
    int zero0 = 0, zero1 = 0, zeroOut = 0, lower = -128, upper = 127;
    std::vector<int> in0, in1;                         ///< [H,W,Cin]
    std::vector<int> stale;                            ///< what input 0 held before its producer
    std::vector<int> before;                           ///< what the output held, [OH,OW,Cout]
    std::vector<int> weights;                          ///< [Cout][K], k in kh, kw, cin order
    std::vector<std::int64_t> bias, multiplier, shift; ///< per channel; of ADD: input 0, 1, output

    int depth() const { return kind == 'D' ? 1 : cin; }
    int fullK() const { return kh * kw * depth(); }
};

/// The whole output with one mistake ("" for none), [OH,OW,Cout].
std::vector<int> plainOutput(const PlainLayer& layer, const std::string& mistake);

} // namespace plumbline::test
