// SPDX-License-Identifier: GPL-3.0-or-later
// What the arithmetic of a record does otherwise when mistakes are made: one member per thing that
// a mistake acts on. Source: docs/hypotheses.md.
#pragma once

#include <cstdint>

namespace plumbline::npu_p0 {

enum class Rounding : std::uint8_t { Contract, Single, Truncate, HalfUp, HalfEven };
enum class ParameterUse : std::uint8_t { Own, Next, Previous, FirstMultiplier };
enum class SliceUse : std::uint8_t { Contract, BiasEach, WithoutFirst, WithoutLast };
enum class BoundsUse : std::uint8_t { Contract, Missing, LowerZero, Wrapping };
enum class Centring : std::uint8_t { Contract, Missing, PaddingRaw, AddSwapped };
enum class WeightTap : std::uint8_t { Contract, KernelTransposed, KernelFlipped, ChannelFirst };
enum class WeightChannel : std::uint8_t { Own, Next, Previous, NextGroup, LanesReversed };
enum class AccumulatorWidth : std::uint8_t { Full, Wrapping24, Saturating16 };
enum class TensorOrder : std::uint8_t { Contract, Transposed, ChannelFirst };

/// The default is the contract's arithmetic.
struct Variation {
    Rounding rounding = Rounding::Contract;
    std::int32_t shiftChange = 0; ///< -1..1; with 1 a left shift saturates
    ParameterUse parameters = ParameterUse::Own;
    bool biasMissing = false;
    SliceUse slices = SliceUse::Contract;
    bool outputZeroMissing = false;
    BoundsUse bounds = BoundsUse::Contract;
    Centring centring = Centring::Contract;
    bool paddingSwapped = false;
    bool strideSwapped = false;
    WeightTap tap = WeightTap::Contract;
    WeightChannel weightChannel = WeightChannel::Own;
    bool weightsUnsigned = false;
    AccumulatorWidth accumulator = AccumulatorWidth::Full;
    bool divisorCountsPadding = false;
    bool averageTowardZero = false;
    bool maximumFromZero = false;
    bool addParametersSwapped = false;
    bool inputStale = false;
    TensorOrder inputOrder = TensorOrder::Contract;
    TensorOrder outputOrder = TensorOrder::Contract;
    bool shortTilesUnwritten = false;
};

} // namespace plumbline::npu_p0
