// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/npu_p0/access.h"

#include <algorithm>

#include "core/npu_p0/relocate.h"

namespace plumbline::npu_p0 {
namespace {

constexpr std::size_t kMaxAccesses = 1'000'000;

/// Which of the `extent` rows or columns some output position reads.
std::vector<bool> touched(std::int64_t extent, std::int64_t outputs, std::int64_t kernel,
                          std::int64_t stride, std::int64_t before) {
    std::vector<bool> marks(static_cast<std::size_t>(extent), false);
    for (std::int64_t o = 0; o < outputs; ++o) {
        const std::int64_t first = std::max<std::int64_t>(o * stride - before, 0);
        const std::int64_t end = std::min(o * stride - before + kernel, extent);
        for (std::int64_t i = first; i < end; ++i)
            marks[static_cast<std::size_t>(i)] = true;
    }
    return marks;
}

/// The fields of one operand.
struct Operand {
    std::string_view name;
    Field base;
    Field bytes;
    std::uint64_t rowStride;
    Hwc shape;
};

Access whole(const Descriptor& d, std::int64_t record, const Operand& operand, const Job& job) {
    Access a;
    a.record = record;
    a.operatorIndex = operatorOf(record, job);
    a.operand = operand.name;
    a.offset = static_cast<std::uint64_t>(d.get(operand.base)) - job.bases.arena;
    a.rowStride = operand.rowStride;
    a.declared = static_cast<std::uint64_t>(d.get(operand.bytes));
    a.pixelBytes = operand.shape.c;
    a.rows.assign(static_cast<std::size_t>(operand.shape.h), true);
    a.columns.assign(static_cast<std::size_t>(operand.shape.w), true);
    return a;
}

Operand outputOperand(const RecordShape& s, std::string_view name) {
    return {name, Field::OutputBase, Field::OutputBytes, s.outputRow, {s.oh, s.ow, s.cout}};
}

/// First and last marked index, and how many are marked.
struct Marked {
    std::uint64_t first = 0, last = 0, count = 0;
};
Marked markedOf(const std::vector<bool>& marks) {
    Marked m;
    for (std::size_t i = 0; i < marks.size(); ++i) {
        if (!marks[i])
            continue;
        m.first = m.count == 0 ? i : m.first;
        m.last = i;
        ++m.count;
    }
    return m;
}

OperandAccess summary(const Access& a) {
    OperandAccess made{a.record,  a.operatorIndex, std::string(a.operand),
                       a.isWrite, a.offset,        a.declared,
                       a.offset,  a.offset,        0};
    const Marked rows = markedOf(a.rows), columns = markedOf(a.columns);
    if (rows.count == 0 || columns.count == 0)
        return made;
    const auto pixel = static_cast<std::uint64_t>(a.pixelBytes);
    made.touchedBegin = a.offset + rows.first * a.rowStride + columns.first * pixel;
    made.touchedEnd = a.offset + rows.last * a.rowStride + (columns.last + 1) * pixel;
    made.touchedBytes = rows.count * columns.count * pixel;
    return made;
}

} // namespace

std::int64_t operatorOf(std::int64_t index, const Job& job) {
    const auto i = static_cast<std::size_t>(index);
    return i < job.layers.size() ? job.layers[i].operatorIndex : index;
}

std::vector<Access> accessesOf(const Descriptor& d, std::int64_t index, const Job& job) {
    const RecordShape s = shapeOf(d);
    const Hwc inputShape{s.h, s.w, s.cin};
    std::vector<Access> made;
    made.push_back(whole(
        d, index, {"input 0", Field::Input0Base, Field::Input0Bytes, s.inputRow, inputShape}, job));
    if (isOneOf(s.opcode, bitOf(Opcode::Conv2D) | bitOf(Opcode::Depthwise3x3) | kPools)) {
        made[0].rows = touched(s.h, s.oh, s.kh, s.sh, s.padTop);
        made[0].columns = touched(s.w, s.ow, s.kw, s.sw, s.padLeft);
    }
    if (s.opcode == Opcode::Add)
        made.push_back(whole(
            d, index, {"input 1", Field::Input1Base, Field::Input1Bytes, s.input1Row, inputShape},
            job));
    made.push_back(whole(d, index, outputOperand(s, "output"), job));
    made.back().isWrite = true;
    return made;
}

Access softmaxAccess(const Descriptor& d, std::int64_t source, const Job& job) {
    Access access = whole(d, source, outputOperand(shapeOf(d), "softmax input"), job);
    access.operatorIndex = job.softmax.operatorIndex;
    return access;
}

std::vector<OperandAccess> operandAccesses(const Job& job) {
    const Relocated relocated = relocateAndValidate(job);
    if (relocated.fault)
        return {};
    std::vector<OperandAccess> made;
    forEachAccess(job, relocated.descriptors, [&](const Access& access) {
        if (access.offset < job.arenaBytes && made.size() < kMaxAccesses)
            made.push_back(summary(access));
    });
    return made;
}

} // namespace plumbline::npu_p0
