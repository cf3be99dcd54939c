// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/npu_p0/shape.h"

#include <algorithm>

namespace plumbline::npu_p0 {
namespace {

std::uint64_t rowBytes(const Descriptor& d, Field field) {
    return static_cast<std::uint64_t>(d.get(field));
}

} // namespace

RecordShape shapeOf(const Descriptor& d) {
    RecordShape s;
    s.opcode = d.opcode();
    s.h = d.get(Field::InputH), s.w = d.get(Field::InputW), s.cin = d.get(Field::InputC);
    s.oh = d.get(Field::OutputH), s.ow = d.get(Field::OutputW), s.cout = d.get(Field::OutputC);
    s.kh = d.get(Field::KernelH), s.kw = d.get(Field::KernelW);
    s.sh = d.get(Field::StrideH), s.sw = d.get(Field::StrideW);
    if (s.opcode == Opcode::GlobalAveragePool)
        s.kh = s.h, s.kw = s.w, s.sh = 1, s.sw = 1;
    s.padTop = d.get(Field::PadTop), s.padBottom = d.get(Field::PadBottom);
    s.padLeft = d.get(Field::PadLeft), s.padRight = d.get(Field::PadRight);
    s.tileH = d.get(Field::TileH), s.tileW = d.get(Field::TileW);
    s.fullK = fullReduction(d), s.kSlice = d.get(Field::KSlice);
    s.inputZero = static_cast<std::int32_t>(d.get(Field::Input0Zero));
    s.input1Zero = static_cast<std::int32_t>(d.get(Field::Input1Zero));
    s.outputZero = static_cast<std::int32_t>(d.get(Field::OutputZero));
    s.bounds = {static_cast<std::int32_t>(d.get(Field::ActivationMin)),
                static_cast<std::int32_t>(d.get(Field::ActivationMax))};
    s.inputRow = rowBytes(d, Field::Input0RowBytes);
    s.input1Row = rowBytes(d, Field::Input1RowBytes);
    s.outputRow = rowBytes(d, Field::OutputRowBytes);
    return s;
}

std::uint64_t RecordShape::work() const {
    const bool dense = isOneOf(opcode, bitOf(Opcode::Conv2D) | bitOf(Opcode::FullyConnected));
    const std::int64_t lanes = dense ? (cout + 7) / 8 * 8 : cout;
    return static_cast<std::uint64_t>(oh * ow * lanes) *
           static_cast<std::uint64_t>(std::max<std::int64_t>(fullK, 1));
}

} // namespace plumbline::npu_p0
