// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/core/npu_p0/plain_mistakes.h"

#include <algorithm>
#include <cstdlib>
#include <stdexcept>

namespace plumbline::test {
namespace {

using Wide = std::int64_t; // products of two 32-bit numbers and their rounding fit

Wide floorDivide(Wide a, Wide b) {
    const Wide q = a / b;
    return q * b > a ? q - 1 : q;
}

Wide power(std::int64_t exponent) { return Wide{1} << exponent; }

Wide roundedQuotient(Wide x, Wide divisor, const std::string& mistake) {
    const Wide low = floorDivide(x, divisor);
    const Wide twice = 2 * (x - low * divisor);
    if (mistake == "truncation" || divisor == 1)
        return low;
    if (twice != divisor)
        return twice > divisor ? low + 1 : low;
    if (mistake == "round-half-up")
        return low + 1;
    if (mistake == "round-half-even")
        return low % 2 == 0 ? low : low + 1;
    return x < 0 ? low : low + 1;
}

class Evaluation {
  public:
    Evaluation(const PlainLayer& layer, const std::string& mistake)
        : l(layer)
        , m_mistake(mistake) {}

    int element(int y, int x, int c) const {
        if (is("edge-tiles-unwritten") && ((l.oh % l.tileH != 0 && y >= l.oh - l.oh % l.tileH) ||
                                           (l.ow % l.tileW != 0 && x >= l.ow - l.ow % l.tileW)))
            return l.before[static_cast<std::size_t>((y * l.ow + x) * l.cout + c)];
        switch (l.kind) {
        case 'C':
        case 'D':
        case 'F':
            return scaled(weighted(y, x, c));
        case 'A':
            return scaled(added(y, x, c));
        case 'L':
            return bounded(input(0, y, x, c));
        default:
            return bounded(pooled(y, x, c));
        }
    }

  private:
    bool is(const char* name) const { return m_mistake == name; }

    int input(int which, int y, int x, int c) const {
        const bool stale = is("stale-input") && which == 0;
        const std::vector<int>& from = which == 1 ? l.in1 : stale ? l.stale : l.in0;
        int at = (y * l.w + x) * l.cin + c;
        if (is("input-channel-first"))
            at = c * l.h * l.w + y * l.w + x;
        if (is("input-transposed") && l.h == l.w)
            at = (x * l.w + y) * l.cin + c;
        return from.at(static_cast<std::size_t>(at));
    }

    bool locate(int oy, int ox, int kh, int kw, int& y, int& x) const {
        const bool swapStride = is("stride-swapped"), swapPads = is("padding-swapped");
        y = oy * (swapStride ? l.sw : l.sh) + kh - (swapPads ? l.bottom : l.top);
        x = ox * (swapStride ? l.sh : l.sw) + kw - (swapPads ? l.right : l.left);
        return 0 <= y && y < l.h && 0 <= x && x < l.w;
    }

    int weight(int c, int kh, int kw, int ci) const {
        int k = (kh * l.kw + kw) * l.depth() + ci;
        if (is("kernel-transposed") && l.kh == l.kw)
            k = (kw * l.kw + kh) * l.depth() + ci;
        if (is("kernel-flipped"))
            k = ((l.kh - 1 - kh) * l.kw + l.kw - 1 - kw) * l.depth() + ci;
        if (is("reduction-order"))
            k = (ci * l.kh + kh) * l.kw + kw;
        if (is("weights-next-channel"))
            c = std::min(c + 1, l.cout - 1);
        if (is("weights-previous-channel"))
            c = std::max(c - 1, 0);
        if (is("lanes-reversed") && c < l.cout / 8 * 8)
            c = c / 8 * 8 + 7 - c % 8;
        if (is("weights-next-group") && (c / 8 + 1) * 8 < l.cout)
            c += 8;
        const int value =
            c < l.cout ? l.weights.at(static_cast<std::size_t>(c * l.fullK() + k)) : 0;
        return is("weights-unsigned") && value < 0 ? value + 256 : value;
    }

    std::size_t parameter(int c) const {
        if (is("params-next-channel"))
            c = std::min(c + 1, l.cout - 1);
        if (is("params-previous-channel"))
            c = std::max(c - 1, 0);
        return static_cast<std::size_t>(c);
    }

    Wide updated(Wide acc, Wide by) const {
        acc += by;
        if (is("accumulator-16-bit"))
            acc = std::clamp<Wide>(acc, -32768, 32767);
        return acc;
    }

    Wide weighted(int y, int x, int c) const {
        const Wide bias = is("bias-missing") ? 0 : l.bias[parameter(c)];
        const int slices = (l.fullK() + l.kSlice - 1) / l.kSlice;
        Wide acc = updated(0, bias);
        for (int k = 0; k < l.fullK(); ++k) {
            const int slice = k / l.kSlice;
            if (is("bias-per-slice") && k % l.kSlice == 0 && slice > 0)
                acc = updated(acc, bias);
            const bool isDropped = (is("last-slice-dropped") && slice == slices - 1) ||
                                   (is("first-slice-dropped") && slice == 0);
            if (isDropped && slices > 1)
                continue;
            acc = updated(acc, product(y, x, c, k));
        }
        if (is("accumulator-24-bit"))
            acc -= floorDivide(acc + power(23), power(24)) * power(24);
        const std::size_t from = is("multiplier-channel-0") ? 0 : parameter(c);
        return requantized(acc, l.multiplier[from], l.shift[from]);
    }

    Wide product(int oy, int ox, int c, int k) const {
        const int ci = k % l.depth(), kw = k / l.depth() % l.kw, kh = k / l.depth() / l.kw;
        int y = 0, x = 0, value = 0;
        if (locate(oy, ox, kh, kw, y, x))
            value =
                input(0, y, x, l.kind == 'D' ? c : ci) - (is("input-zero-missing") ? 0 : l.zero0);
        else if (is("padding-raw-zero"))
            value = -l.zero0;
        return Wide{value} * weight(c, kh, kw, ci);
    }

    Wide requantized(Wide acc, std::int64_t m, std::int64_t s) const {
        if (is("single-rounding"))
            return floorDivide(acc * m + power(30 - s), power(31 - s));
        s += is("shift-plus-one") ? 1 : is("shift-minus-one") ? -1 : 0;
        Wide left = acc * power(std::max<std::int64_t>(s, 0));
        if (is("shift-plus-one"))
            left = std::clamp<Wide>(left, -power(31), power(31) - 1);
        if (left < -power(31) || left >= power(31))
            throw std::runtime_error("the layer faults");
        const Wide high = floorDivide(left * m + power(30), power(31));
        return roundedQuotient(high, power(std::max<std::int64_t>(-s, 0)), m_mistake);
    }

    Wide added(int y, int x, int c) const {
        int zero0 = l.zero0, zero1 = l.zero1;
        if (is("add-zero-swapped"))
            std::swap(zero0, zero1);
        if (is("input-zero-missing"))
            zero0 = zero1 = 0;
        const std::size_t first = is("add-parameters-swapped") ? 1 : 0;
        const Wide a = requantized((input(0, y, x, c) - zero0) * power(20), l.multiplier[first],
                                   l.shift[first]);
        const Wide b = requantized((input(1, y, x, c) - zero1) * power(20), l.multiplier[1 - first],
                                   l.shift[1 - first]);
        return requantized(a + b, l.multiplier[2], l.shift[2]);
    }

    int pooled(int oy, int ox, int c) const {
        int count = 0, sum = 0, largest = is("max-from-zero") ? 0 : -128;
        for (int kh = 0; kh < l.kh; ++kh) {
            for (int kw = 0; kw < l.kw; ++kw) {
                int y = 0, x = 0;
                if (!locate(oy, ox, kh, kw, y, x))
                    continue;
                ++count;
                sum += input(0, y, x, c);
                largest = std::max(largest, input(0, y, x, c));
            }
        }
        if (l.kind == 'M')
            return largest;
        if (is("average-counts-padding"))
            count = l.kh * l.kw;
        const int magnitude = is("average-toward-zero") ? std::abs(sum) / count
                                                        : (2 * std::abs(sum) + count) / (2 * count);
        return sum < 0 ? -magnitude : magnitude;
    }

    int scaled(Wide value) const {
        value += is("output-zero-missing") ? 0 : l.zeroOut;
        if (is("output-wraps"))
            value -= floorDivide(value + 128, 256) * 256;
        return bounded(value);
    }

    int bounded(Wide value) const {
        if (is("bounds-missing"))
            return static_cast<int>(std::clamp<Wide>(value, -128, 127));
        const int lower = is("lower-bound-zero") && l.lower > -128 ? 0 : l.lower;
        if (value < lower)
            value = lower;
        return static_cast<int>(value > l.upper ? l.upper : value);
    }

    const PlainLayer& l;
    const std::string& m_mistake;
};

} // namespace

std::vector<int> plainOutput(const PlainLayer& layer, const std::string& mistake) {
    const Evaluation evaluation(layer, mistake);
    std::vector<int> output(static_cast<std::size_t>(layer.oh * layer.ow * layer.cout));
    for (int y = 0; y < layer.oh; ++y) {
        for (int x = 0; x < layer.ow; ++x) {
            for (int c = 0; c < layer.cout; ++c) {
                const int at = mistake == "output-channel-first"
                                   ? (c * layer.oh + y) * layer.ow + x
                                   : (y * layer.ow + x) * layer.cout + c;
                output[static_cast<std::size_t>(at)] = evaluation.element(y, x, c);
            }
        }
    }
    return output;
}

} // namespace plumbline::test
