// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/core/npu_p0/mistake_layers.h"

#include <algorithm>
#include <string_view>

namespace plumbline::test {
namespace {

using npu_p0::Opcode;

Multiplier multiplier(const PlainLayer& plain, std::size_t c) {
    return {static_cast<std::int32_t>(plain.multiplier[c]),
            static_cast<std::int32_t>(plain.shift[c])};
}

/// Random numbers of one layer.
class Random {
  public:
    explicit Random(std::uint64_t seed)
        : m_bits(seed) {}
    int between(int low, int high) {
        return low + static_cast<int>(m_bits.below(static_cast<std::uint64_t>(high - low + 1)));
    }
    std::vector<int> values(int count, int low, int high) {
        std::vector<int> made(static_cast<std::size_t>(count));
        for (int& value : made)
            value = between(low, high);
        return made;
    }

  private:
    SplitMix64 m_bits;
};

int extent(int input, int before, int after, int kernel, int stride) {
    return (input + before + after - kernel) / stride + 1;
}

void chooseWindow(PlainLayer& l, Random& random) {
    l.kh = l.kind == 'D' ? 3 : random.between(1, 3);
    l.kw = l.kind == 'D' || random.between(0, 1) == 0 ? l.kh : random.between(1, 3);
    if (l.kind == 'D')
        l.kw = 3;
    l.sh = random.between(1, 2), l.sw = random.between(1, 2);
    l.top = random.between(0, l.kh - 1), l.bottom = random.between(0, l.kh - 1);
    l.left = random.between(0, l.kw - 1), l.right = random.between(0, l.kw - 1);
    l.oh = extent(l.h, l.top, l.bottom, l.kh, l.sh);
    l.ow = extent(l.w, l.left, l.right, l.kw, l.sw);
}

void chooseGeometry(PlainLayer& l, Random& random) {
    if (l.kind != 'F') {
        l.h = random.between(4, 7);
        l.w = random.between(0, 1) == 0 ? l.h : random.between(4, 7);
    }
    l.cin = random.between(1, 10);
    l.cout = l.kind == 'C' || l.kind == 'F' ? random.between(7, 19) : l.cin;
    l.oh = l.h, l.ow = l.w;
    if (std::string_view("CDMV").find(l.kind) != std::string_view::npos)
        chooseWindow(l, random);
    if (l.kind == 'G')
        l.kh = l.h, l.kw = l.w, l.oh = l.ow = 1;
    l.tileH = std::min(2, l.oh), l.tileW = std::min(4, l.ow);
    l.kSlice = l.kind == 'D' ? 9 : random.between(1, l.fullK());
}

/// Small weights and shifts make ties common; large biases make wide accumulators.
void chooseParameters(PlainLayer& l, Random& random) {
    const int style = random.between(0, 2);
    const int count = l.kind == 'A' ? 3 : l.cout;
    const int reach = style == 0 ? 3 : 127;
    l.weights = random.values(l.cout * l.fullK(), -reach, reach);
    for (int c = 0; c < count; ++c) {
        const int bias = style == 2 ? 1 << 25 : style == 1 ? 20000 : 500;
        l.bias.push_back(random.between(-bias, bias));
        const int low = style == 2 ? -18 : style == 1 ? -9 : -4;
        l.multiplier.push_back(random.between(1 << 30, 2147483646));
        l.shift.push_back(random.between(low, low + 2));
    }
    if (l.kind == 'A') {
        l.shift = {random.between(-2, 0), random.between(-2, 0), -19};
        return;
    }
    l.multiplier.back() = l.shift.back() = 0; // a flushed channel
}

} // namespace

Opcode opcodeOf(char kind) {
    return static_cast<Opcode>(1 + std::string_view("CDFAMVGL").find(kind));
}

Bytes toBytes(const std::vector<int>& values) {
    Bytes bytes;
    for (const int value : values)
        bytes.push_back(static_cast<std::uint8_t>(value));
    return bytes;
}

PlainLayer randomLayer(char kind, std::uint64_t seed) {
    Random random(seed * 8 + static_cast<std::uint64_t>(opcodeOf(kind)));
    PlainLayer l;
    l.kind = kind;
    chooseGeometry(l, random);
    l.zero0 = random.between(-128, 127), l.zero1 = random.between(-128, 127);
    l.zeroOut = random.between(-60, 60);
    if (random.between(0, 1) == 0)
        l.lower = random.between(-60, 20), l.upper = random.between(30, 120);
    const int inputs = l.h * l.w * l.cin;
    l.in0 = random.values(inputs, -128, random.between(0, 3) == 0 ? -20 : 127);
    l.in1 = random.values(inputs, -128, 127);
    l.stale = random.values(inputs, -128, 127);
    l.before = random.values(l.oh * l.ow * l.cout, -128, 127);
    if (std::string_view("CDFA").find(kind) != std::string_view::npos)
        chooseParameters(l, random);
    return l;
}

CoreLayer::CoreLayer(const PlainLayer& plain)
    : m_input0(toBytes(plain.in0))
    , m_input1(toBytes(plain.in1))
    , m_before(toBytes(plain.before)) {
    setShape(plain);
    packWeights(plain);
    if (!plain.stale.empty())
        m_stale = toBytes(plain.stale);
    m_record.operands.input0 = m_input0;
    m_record.operands.input1 = m_input1;
    m_record.operands.weights = m_weights;
    if (plain.kind == 'A') {
        m_record.operands.add = {multiplier(plain, 0), multiplier(plain, 1), multiplier(plain, 2)};
    } else {
        for (std::size_t c = 0; c < plain.bias.size(); ++c)
            m_record.channels.push_back(
                {static_cast<std::int32_t>(plain.bias[c]), multiplier(plain, c)});
        m_record.operands.channels = m_record.channels;
    }
}

std::optional<Bytes> CoreLayer::run(const std::vector<std::size_t>& mistakes, bool inputsAreOne) {
    return npu_p0::runMistakes({m_record, m_before, m_stale, inputsAreOne}, mistakes);
}

void CoreLayer::setShape(const PlainLayer& p) {
    npu_p0::RecordShape& s = m_record.shape;
    s.opcode = opcodeOf(p.kind);
    s.h = p.h, s.w = p.w, s.cin = p.cin, s.oh = p.oh, s.ow = p.ow, s.cout = p.cout;
    s.kh = p.kh, s.kw = p.kw, s.sh = p.sh, s.sw = p.sw;
    s.padTop = p.top, s.padBottom = p.bottom, s.padLeft = p.left, s.padRight = p.right;
    s.tileH = p.tileH, s.tileW = p.tileW;
    s.fullK = p.fullK(), s.kSlice = p.kSlice;
    s.inputZero = p.zero0, s.input1Zero = p.zero1, s.outputZero = p.zeroOut;
    s.bounds = {p.lower, p.upper};
    s.inputRow = s.input1Row = static_cast<std::uint64_t>(p.w * p.cin);
    s.outputRow = static_cast<std::uint64_t>(p.ow * p.cout);
}

void CoreLayer::packWeights(const PlainLayer& p) {
    const int k = p.fullK(), groups = (p.cout + 7) / 8;
    m_weights.resize(p.weights.empty() ? 0 : static_cast<std::size_t>(groups * k * 8));
    for (std::size_t i = 0; i < p.weights.size(); ++i) {
        const int c = static_cast<int>(i) / k, tap = static_cast<int>(i) % k;
        m_weights[static_cast<std::size_t>((c / 8 * k + tap) * 8 + c % 8)] =
            static_cast<std::uint8_t>(p.weights[i]);
    }
}

} // namespace plumbline::test
