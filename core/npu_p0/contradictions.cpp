// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/npu_p0/contradictions.h"

#include <fmt/format.h>

#include "core/npu_p0/descriptor.h"

namespace plumbline::npu_p0 {
namespace {

class StatedNumbers {
  public:
    StatedNumbers(const LoweredOperator& op, ByteView record)
        : m_op(op)
        , m_record(record) {}

    Diagnostics compare() {
        if (m_record.get(Field::Opcode) != m_op.opcode) {
            expectUnsigned(Field::Opcode, m_op.opcode);
            return std::move(m_out);
        }
        compareGeometry();
        comparePlan();
        compareQuantization();
        compareOperands();
        return std::move(m_out);
    }

  private:
    void add(Field field, std::string message) {
        Location where;
        where.operatorIndex = m_op.index;
        where.record = m_op.record;
        where.word = wordOf(field);
        m_out.push_back(makeWarning(Code::RecordDiffers, std::move(message), std::move(where)));
    }

    void expect(Field field, std::int64_t stated) {
        const FieldSpec& spec = specOf(field);
        const std::int64_t held = m_record.get(field);
        if (held != stated && usesField(spec, m_op.opcode))
            add(field, fmt::format("{} is {}, the report says {}", spec.name, held, stated));
    }

    void expectUnsigned(Field field, std::uint64_t stated) {
        expect(field, static_cast<std::int64_t>(stated));
    }

    void compareGeometry() {
        const OperatorGeometry& g = m_op.geometry;
        expect(Field::InputH, g.h);
        expect(Field::InputW, g.w);
        expect(Field::InputC, g.cin);
        expect(Field::OutputC, g.cout);
        expect(Field::OutputH, g.oh);
        expect(Field::OutputW, g.ow);
        expect(Field::KernelH, g.kh);
        expect(Field::KernelW, g.kw);
        expect(Field::StrideH, g.strideH);
        expect(Field::StrideW, g.strideW);
        expect(Field::PadTop, g.pads[0]);
        expect(Field::PadBottom, g.pads[1]);
        expect(Field::PadLeft, g.pads[2]);
        expect(Field::PadRight, g.pads[3]);
    }

    void comparePlan() {
        expect(Field::TileH, m_op.tiles.tileH);
        expect(Field::TileW, m_op.tiles.tileW);
        expect(Field::KSlice, m_op.tiles.kSlice);
        if (opcodeName(m_op.opcode).empty())
            return;
        const std::int64_t fullK = fullReduction(m_record);
        if (fullK != m_op.tiles.fullK)
            add(Field::InputC, fmt::format("the full reduction is {}, the report says {}", fullK,
                                           m_op.tiles.fullK));
        const std::int64_t tileH = m_record.get(Field::TileH), tileW = m_record.get(Field::TileW);
        if (tileH == 0 || tileW == 0) // the validator refuses it
            return;
        const std::int64_t tiles = (m_record.get(Field::OutputH) + tileH - 1) / tileH *
                                   ((m_record.get(Field::OutputW) + tileW - 1) / tileW);
        if (tiles != m_op.tiles.tiles)
            add(Field::TileH,
                fmt::format("there are {} tiles, the report says {}", tiles, m_op.tiles.tiles));
        if (tileH * tileW != m_op.tiles.positions)
            add(Field::TileH, fmt::format("a tile has {} positions, the report says {}",
                                          tileH * tileW, m_op.tiles.positions));
    }

    void compareQuantization() {
        const OperatorQuantization& q = m_op.quantization;
        expect(Field::Input0Zero, q.inputZeroPoint);
        if (q.input1ZeroPoint)
            expect(Field::Input1Zero, *q.input1ZeroPoint);
        expect(Field::OutputZero, q.outputZeroPoint);
        expect(Field::ActivationMin, q.lower);
        expect(Field::ActivationMax, q.upper);
    }

    void compareOperands() {
        expectUnsigned(Field::Input0Base, m_op.arena.input);
        if (m_op.arena.input1)
            expectUnsigned(Field::Input1Base, *m_op.arena.input1);
        expectUnsigned(Field::OutputBase, m_op.arena.output);
        if (m_op.params) {
            expectUnsigned(Field::ParamBase, m_op.params->offset);
            expectUnsigned(Field::ParamBytes, m_op.params->bytes);
        }
        if (m_op.weights) {
            expectUnsigned(Field::WeightBase, m_op.weights->offset);
            expectUnsigned(Field::WeightBytes, m_op.weights->bytes);
        }
    }

    const LoweredOperator& m_op;
    Descriptor m_record;
    Diagnostics m_out;
};

} // namespace

Diagnostics contradictions(const LoweredOperator& op, ByteView record) {
    return StatedNumbers(op, record).compare();
}

} // namespace plumbline::npu_p0
