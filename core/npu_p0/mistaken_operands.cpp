// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/npu_p0/mistaken_operands.h"

#include "core/npu_p0/constants.h"

namespace plumbline::npu_p0 {
namespace {

/// Byte index in a dense input of element (y, x, c).
std::int64_t storedAt(const RecordShape& s, TensorOrder order, std::int64_t y, std::int64_t x,
                      std::int64_t c) {
    if (order == TensorOrder::ChannelFirst)
        return (c * s.h + y) * s.w + x;
    if (order == TensorOrder::Transposed && s.h == s.w)
        return (x * s.w + y) * s.cin + c;
    return (y * s.w + x) * s.cin + c;
}

/// The packed channel whose weights channel `c` uses; lanes beyond the last channel exist.
std::int64_t sourceChannel(const RecordShape& s, WeightChannel use, std::int64_t c) {
    const bool lastGroup = (c / kLanes + 1) * kLanes >= s.cout;
    const bool fullGroup = (c / kLanes + 1) * kLanes <= s.cout;
    switch (use) {
    case WeightChannel::Own:
        return c;
    case WeightChannel::Next:
        return c + 1 < s.cout ? c + 1 : c;
    case WeightChannel::Previous:
        return c > 0 ? c - 1 : c;
    case WeightChannel::NextGroup:
        return lastGroup ? c : c + kLanes;
    case WeightChannel::LanesReversed:
        return fullGroup ? c / kLanes * kLanes + (kLanes - 1 - c % kLanes) : c;
    }
    return c;
}

/// The packed k that is read for reduction step `k`.
std::int64_t sourceTap(const RecordShape& s, WeightTap use, std::int64_t k) {
    const std::int64_t depth = s.fullK / (s.kh * s.kw);
    const std::int64_t kh = k / depth / s.kw, kw = k / depth % s.kw, cin = k % depth;
    switch (use) {
    case WeightTap::Contract:
        return k;
    case WeightTap::KernelTransposed:
        return s.kh == s.kw ? (kw * s.kw + kh) * depth + cin : k;
    case WeightTap::KernelFlipped:
        return ((s.kh - 1 - kh) * s.kw + (s.kw - 1 - kw)) * depth + cin;
    case WeightTap::ChannelFirst:
        return (cin * s.kh + kh) * s.kw + kw;
    }
    return k;
}

std::size_t parameterChannel(ParameterUse use, std::size_t c, std::size_t count) {
    if (use == ParameterUse::Next)
        return c + 1 < count ? c + 1 : c;
    if (use == ParameterUse::Previous)
        return c > 0 ? c - 1 : c;
    return c;
}

} // namespace

MistakenWindow mistakenWindow(const RecordShape& s, const Variation& v) {
    MistakenWindow window{s.sh, s.sw, s.padTop, s.padLeft};
    if (v.strideSwapped)
        std::swap(window.strideH, window.strideW);
    if (v.paddingSwapped)
        window.padTop = s.padBottom, window.padLeft = s.padRight;
    return window;
}

std::vector<std::int32_t> mistakenInput(const RecordShape& s, ByteView bytes, std::uint64_t row,
                                        std::int32_t zero, const Variation& v) {
    std::vector<std::int32_t> values(static_cast<std::size_t>(s.h * s.w * s.cin));
    const std::int64_t rowContent = s.w * s.cin;
    std::size_t next = 0;
    for (std::int64_t y = 0; y < s.h; ++y) {
        for (std::int64_t x = 0; x < s.w; ++x) {
            for (std::int64_t c = 0; c < s.cin; ++c) {
                const std::int64_t at = storedAt(s, v.inputOrder, y, x, c);
                const std::uint8_t byte = bytes[static_cast<std::size_t>(at / rowContent) * row +
                                                static_cast<std::size_t>(at % rowContent)];
                values[next++] = static_cast<std::int8_t>(byte) - zero;
            }
        }
    }
    return values;
}

std::vector<std::int32_t> mistakenWeights(const RecordShape& s, ByteView packed,
                                          const Variation& v) {
    std::vector<std::int64_t> taps(static_cast<std::size_t>(s.fullK));
    for (std::size_t k = 0; k < taps.size(); ++k)
        taps[k] = sourceTap(s, v.tap, static_cast<std::int64_t>(k)) * kLanes;
    std::vector<std::int32_t> weights;
    weights.reserve(static_cast<std::size_t>(s.cout) * taps.size());
    for (std::int64_t c = 0; c < s.cout; ++c) {
        const std::int64_t source = sourceChannel(s, v.weightChannel, c);
        const ByteView from = packed.subspan(
            static_cast<std::size_t>(source / kLanes * s.fullK * kLanes + source % kLanes));
        for (const std::int64_t tap : taps) {
            const std::uint8_t byte = from[static_cast<std::size_t>(tap)];
            weights.push_back(v.weightsUnsigned ? std::int32_t{byte}
                                                : static_cast<std::int8_t>(byte));
        }
    }
    return weights;
}

std::optional<std::vector<ChannelParameters>>
mistakenChannels(std::span<const ChannelParameters> channels, const Variation& v) {
    std::vector<ChannelParameters> made(channels.begin(), channels.end());
    for (std::size_t c = 0; c < made.size(); ++c) {
        made[c] = channels[parameterChannel(v.parameters, c, channels.size())];
        if (v.parameters == ParameterUse::FirstMultiplier)
            made[c].multiplier = channels[0].multiplier;
        if (v.biasMissing)
            made[c].bias = 0;
        made[c].multiplier.shift += v.shiftChange;
        if (made[c].multiplier.shift < kMinShift || made[c].multiplier.shift > kMaxShift)
            return std::nullopt;
    }
    return made;
}

} // namespace plumbline::npu_p0
