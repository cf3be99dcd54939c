// SPDX-License-Identifier: GPL-3.0-or-later
// Input rows in the form that the vector kernels multiply: widened or shifted, with their padding.
// Compiled once per instruction set.
#if defined(PLUMBLINE_SIMD_ROWS_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef PLUMBLINE_SIMD_ROWS_INL_H
#undef PLUMBLINE_SIMD_ROWS_INL_H
#else
#define PLUMBLINE_SIMD_ROWS_INL_H
#endif

#include <algorithm>
#include <cstring>
#include <vector>

#include <hwy/highway.h>

#include "core/kernels/kernels.h"
#include "core/kernels/simd_requantize-inl.h"

#if HWY_ARCH_X86 && HWY_TARGET <= HWY_SSSE3
HWY_BEFORE_NAMESPACE();
namespace plumbline::HWY_NAMESPACE { // NOLINT: Highway's name
namespace hn = hwy::HWY_NAMESPACE;

#if HWY_TARGET == HWY_AVX3_DL
/// Inputs as x + 128, four to a 32-bit lane, for the int8 dot product. What the shift adds to a
/// sum, (128 + z) times the sum of the weights, is taken off the bias.
using Input = std::uint8_t;
using PackedWeight = std::int8_t;
#else
/// Inputs as x - z, two to a 32-bit lane, for the int16 pairwise multiply-add.
using Input = std::int16_t;
using PackedWeight = std::int16_t;
#endif
inline constexpr std::int64_t kPerLane = 4 / sizeof(Input); ///< products per 32-bit lane and step
inline constexpr std::int64_t kLanes32 = static_cast<std::int64_t>(hn::MaxLanes(D32()));
inline constexpr std::int64_t kVectorInputs = kLanes32 * kPerLane; ///< of one vector
using DInput = hn::ScalableTag<Input>;
using DWeight = hn::ScalableTag<PackedWeight>;
using VInput = hn::Vec<DInput>;
using VWeight = hn::Vec<DWeight>;

/// What a bias loses because inputs are shifted, for a channel whose weights sum to `weights`.
inline std::int64_t shiftedSum(std::int32_t zeroPoint, std::int64_t weights) {
    return sizeof(Input) == 1 ? (128 + zeroPoint) * weights : 0;
}

/// The input value that adds nothing: that of the zero point.
inline Input zeroInput(std::int32_t zeroPoint) {
    return sizeof(Input) == 1 ? static_cast<Input>(128 + zeroPoint) : Input{0};
}

inline Input inputOf(std::int8_t x, std::int32_t zeroPoint) {
    return static_cast<Input>(sizeof(Input) == 1 ? x + 128 : x - zeroPoint);
}

/// sum + the products of each 32-bit lane's inputs and weights.
HWY_INLINE V32 dotLanes(V32 sum, VInput x, VWeight w) {
#if HWY_TARGET == HWY_AVX3_DL
    return V32{_mm512_dpbusd_epi32(sum.raw, x.raw, w.raw)};
#else
    V32 unused = hn::Zero(D32());
    return hn::ReorderWidenMulAccumulate(D32(), x, w, sum, unused);
#endif
}

/// Converts vectors of `D` from `i` on, as long as they are whole; the next index.
template <class D>
HWY_INLINE std::int64_t convertVectors(D d, const std::int8_t* from, std::int64_t i,
                                       std::int64_t count, std::int32_t zeroPoint, Input* to) {
    const auto step = static_cast<std::int64_t>(hn::Lanes(d));
#if HWY_TARGET == HWY_AVX3_DL
    (void)zeroPoint;
    const auto flip = hn::Set(d, Input{0x80});
    for (; i + step <= count; i += step)
        hn::StoreU(hn::Xor(hn::LoadU(d, reinterpret_cast<const Input*>(from + i)), flip), d,
                   to + i);
#else
    const hn::Rebind<std::int8_t, D> d8;
    const auto zero = hn::Set(d, static_cast<Input>(zeroPoint));
    for (; i + step <= count; i += step)
        hn::StoreU(hn::Sub(hn::PromoteTo(d, hn::LoadU(d8, from + i)), zero), d, to + i);
#endif
    return i;
}

HWY_INLINE void convertInputs(const std::int8_t* from, std::int64_t count, std::int32_t zeroPoint,
                              Input* to) {
    std::int64_t i = convertVectors(DInput(), from, 0, count, zeroPoint, to);
    i = convertVectors(hn::FixedTag<Input, 16 / sizeof(Input)>(), from, i, count, zeroPoint, to);
    for (; i < count; ++i)
        to[i] = inputOf(from[i], zeroPoint);
}

/// The rows of one image, converted when they are first asked for and kept as long as a window
/// needs them. A row holds the columns that windows see, padding included; with `phases` > 1
/// columns 0, phases, 2 * phases, … come first, then 1, 1 + phases, …
class PaddedRows {
  public:
    /// `repeat` copies of each channel stand side by side.
    PaddedRows(const WeightedArguments& args, std::int64_t phases, std::int64_t repeat)
        : m_args(args)
        , m_phases(phases)
        , m_repeat(repeat)
        , m_pixel(args.input.shape.c * repeat) {
        const Window& w = args.window;
        const std::int64_t columns =
            (args.outputShape.w - 1) * w.strideW + (w.kernelW - 1) * w.dilationW + 1;
        m_phaseColumns = (columns + phases - 1) / phases;
        m_firstColumn = std::clamp<std::int64_t>(w.padLeft, 0, columns);
        m_endColumn = std::clamp<std::int64_t>(w.padLeft + args.input.shape.w, 0, columns);
        m_rowInputs = m_phaseColumns * phases * m_pixel + kVectorInputs;
        m_slots = std::min((w.kernelH - 1) * w.dilationH + 1, args.input.shape.h);
        m_rowOfSlot.assign(static_cast<std::size_t>(m_slots), -1);
        // The last row stays padding.
        m_storage.assign(static_cast<std::size_t>((m_slots + 1) * m_rowInputs),
                         zeroInput(args.inputZeroPoint));
    }

    /// Whether the rows for these arguments are of a size that we are willing to keep.
    static bool areSmall(const WeightedArguments& args, std::int64_t repeat) {
        constexpr double kMostInputs = 1 << 24;
        const auto real = [](std::int64_t value) { return static_cast<double>(value); };
        const Window& w = args.window;
        const double columns =
            real(args.outputShape.w) * real(w.strideW) + real(w.kernelW) * real(w.dilationW);
        const double rows =
            std::min(real(w.kernelH) * real(w.dilationH), real(args.input.shape.h)) + 1;
        const double inputs = columns * real(args.input.shape.c) * real(repeat);
        return rows * (inputs + real(kVectorInputs)) < kMostInputs;
    }

    std::int64_t pixel() const { return m_pixel; }

    /// Input row `y`, or a row of padding where there is none. Stays until as many other rows as a
    /// window is high have been asked for.
    const Input* row(std::int64_t y) {
        if (y < 0 || y >= m_args.input.shape.h)
            return m_storage.data() + m_slots * m_rowInputs;
        const auto slot = static_cast<std::size_t>(y % m_slots);
        Input* to = m_storage.data() + static_cast<std::int64_t>(slot) * m_rowInputs;
        if (m_rowOfSlot[slot] != y) {
            convertRow(y, to);
            m_rowOfSlot[slot] = y;
        }
        return to;
    }

    /// Where the pixel of window column `column` at output column 0 stands in a row.
    std::int64_t offsetOf(std::int64_t column) const {
        return ((column % m_phases) * m_phaseColumns + column / m_phases) * m_pixel;
    }

  private:
    void convertRow(std::int64_t y, Input* to) const {
        const Hwc& shape = m_args.input.shape;
        const std::int8_t* from = m_args.input.data + y * shape.w * shape.c;
        const std::int64_t padLeft = m_args.window.padLeft;
        if (m_phases == 1 && m_repeat == 1) {
            convertInputs(from + (m_firstColumn - padLeft) * shape.c,
                          (m_endColumn - m_firstColumn) * shape.c, m_args.inputZeroPoint,
                          to + m_firstColumn * shape.c);
            return;
        }
        for (std::int64_t x = m_firstColumn; x < m_endColumn; ++x) {
            const std::int8_t* channels = from + (x - padLeft) * shape.c;
            Input* pixel = to + offsetOf(x);
            if (m_repeat == 1) {
                convertInputs(channels, shape.c, m_args.inputZeroPoint, pixel);
                continue;
            }
            for (std::int64_t c = 0; c < shape.c; ++c)
                std::fill_n(pixel + c * m_repeat, m_repeat,
                            inputOf(channels[c], m_args.inputZeroPoint));
        }
    }

    const WeightedArguments& m_args;
    std::int64_t m_phases;
    std::int64_t m_repeat;
    std::int64_t m_pixel; ///< inputs
    std::int64_t m_phaseColumns = 0;
    std::int64_t m_firstColumn = 0; ///< columns of the image among those of a row
    std::int64_t m_endColumn = 0;
    std::int64_t m_rowInputs = 0;
    std::int64_t m_slots = 0;
    std::vector<std::int64_t> m_rowOfSlot;
    std::vector<Input> m_storage;
};

} // namespace plumbline::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif

#endif
