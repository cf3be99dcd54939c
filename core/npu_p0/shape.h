// SPDX-License-Identifier: GPL-3.0-or-later
// The geometry of a validated descriptor as plain numbers, decoded once per record.
#pragma once

#include "core/npu_p0/descriptor.h"
#include "core/numeric/quantize.h"

namespace plumbline::npu_p0 {

struct RecordShape {
    Opcode opcode{};
    std::int64_t h = 0, w = 0, cin = 0, oh = 0, ow = 0, cout = 0;
    std::int64_t kh = 0, kw = 0, sh = 0, sw = 0; ///< the whole input for global average pool
    std::int64_t padTop = 0, padBottom = 0, padLeft = 0, padRight = 0;
    std::int64_t tileH = 0, tileW = 0;
    std::int64_t fullK = 0, kSlice = 0;
    std::int32_t inputZero = 0, input1Zero = 0, outputZero = 0;
    ActivationBounds bounds;
    std::uint64_t inputRow = 0, input1Row = 0, outputRow = 0; ///< bytes between rows

    std::uint64_t inputSpan() const {
        return static_cast<std::uint64_t>(h - 1) * inputRow + static_cast<std::uint64_t>(w * cin);
    }
    std::uint64_t input1Span() const {
        return static_cast<std::uint64_t>(h - 1) * input1Row + static_cast<std::uint64_t>(w * cin);
    }
    std::uint64_t outputSpan() const {
        return static_cast<std::uint64_t>(oh - 1) * outputRow +
               static_cast<std::uint64_t>(ow * cout);
    }
    std::int64_t outputElements() const { return oh * ow * cout; }
    /// Multiply-accumulates or element moves that executing the record takes.
    std::uint64_t work() const;
};

RecordShape shapeOf(const Descriptor& descriptor);

} // namespace plumbline::npu_p0
