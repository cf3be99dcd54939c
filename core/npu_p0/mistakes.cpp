// SPDX-License-Identifier: GPL-3.0-or-later
// The table of mistakes: each row names one change of the Variation. docs/hypotheses.md
#include "core/npu_p0/mistakes.h"

#include <array>
#include <iterator>

#include "core/npu_p0/mistaken_kernels.h"

namespace plumbline::npu_p0 {
namespace {

/// Things that mistakes act on.
enum class Part : std::uint8_t {
    Rounding,
    Shift,
    ParameterChannel,
    Bias,
    Slices,
    OutputZero,
    Bounds,
    Centring,
    Padding,
    Stride,
    WeightTap,
    WeightChannel,
    WeightValue,
    Accumulator,
    Divisor,
    AverageRounding,
    Maximum,
    AddParameters,
    InputBytes,
    InputOrder,
    OutputPlaces,
};

constexpr std::uint32_t on(Part part) {
    return std::uint32_t{1} << static_cast<std::uint32_t>(part);
}

constexpr std::uint32_t kC = bitOf(Opcode::Conv2D);
constexpr std::uint32_t kCF = kC | bitOf(Opcode::FullyConnected);
constexpr std::uint32_t kCD = kC | bitOf(Opcode::Depthwise3x3);
constexpr std::uint32_t kCDF = kWeighted;
constexpr std::uint32_t kCDFA = kWithParams;
constexpr std::uint32_t kA = bitOf(Opcode::Add);
constexpr std::uint32_t kM = bitOf(Opcode::MaxPool);
constexpr std::uint32_t kV = bitOf(Opcode::AveragePool);
constexpr std::uint32_t kVG = kV | bitOf(Opcode::GlobalAveragePool);
constexpr std::uint32_t kCDMV = kCD | kPools;
constexpr std::uint32_t kSpatial = kCDMV | kA | bitOf(Opcode::Clamp);
constexpr std::uint32_t kSpatialButMax = kSpatial & ~kM;

struct Row {
    MistakeInfo info;
    void (*change)(Variation& variation);
};

using V = Variation;

constexpr auto kRows = std::to_array<Row>({
    {{"single-rounding", "Each requantization rounds once, half up, in 64 bits.", kCDFA,
      on(Part::Rounding)},
     [](V& v) { v.rounding = Rounding::Single; }},
    {{"truncation", "The rounding right shift drops its remainder.", kCDFA, on(Part::Rounding)},
     [](V& v) { v.rounding = Rounding::Truncate; }},
    {{"round-half-up", "The rounding right shift rounds ties up.", kCDFA, on(Part::Rounding)},
     [](V& v) { v.rounding = Rounding::HalfUp; }},
    {{"round-half-even", "The rounding right shift rounds ties to even.", kCDFA,
      on(Part::Rounding)},
     [](V& v) { v.rounding = Rounding::HalfEven; }},
    {{"shift-minus-one", "Every shift is smaller by one.", kCDF, on(Part::Shift)},
     [](V& v) { v.shiftChange = -1; }},
    {{"shift-plus-one", "Every shift is larger by one; left shifts saturate.", kCDF,
      on(Part::Shift)},
     [](V& v) { v.shiftChange = 1; }},
    {{"output-zero-missing", "The output zero point is not added.", kCDFA, on(Part::OutputZero)},
     [](V& v) { v.outputZeroMissing = true; }},
    {{"bounds-missing", "The output is bounded by -128..127 only.", kAllOpcodes, on(Part::Bounds)},
     [](V& v) { v.bounds = BoundsUse::Missing; }},
    {{"lower-bound-zero", "A lower bound above -128 is taken as 0.", kAllOpcodes, on(Part::Bounds)},
     [](V& v) { v.bounds = BoundsUse::LowerZero; }},
    {{"input-zero-missing", "Inputs are used without taking off their zero points.", kCDFA,
      on(Part::Centring)},
     [](V& v) { v.centring = Centring::Missing; }},
    {{"padding-raw-zero", "Padding reads 0, not the input zero point.", kCD, on(Part::Centring)},
     [](V& v) { v.centring = Centring::PaddingRaw; }},
    {{"padding-swapped", "Top and bottom, left and right padding are exchanged.", kCDMV,
      on(Part::Padding)},
     [](V& v) { v.paddingSwapped = true; }},
    {{"stride-swapped", "The strides of rows and columns are exchanged.", kCDMV, on(Part::Stride)},
     [](V& v) { v.strideSwapped = true; }},
    {{"kernel-transposed", "Rows and columns of a square kernel are exchanged.", kCD,
      on(Part::WeightTap)},
     [](V& v) { v.tap = WeightTap::KernelTransposed; }},
    {{"reduction-order", "Packed weights are read as cin, kh, kw.", kC, on(Part::WeightTap)},
     [](V& v) { v.tap = WeightTap::ChannelFirst; }},
    {{"lanes-reversed", "The eight lanes of a full group use each other's weights, reversed.", kCDF,
      on(Part::WeightChannel)},
     [](V& v) { v.weightChannel = WeightChannel::LanesReversed; }},
    {{"weights-next-channel", "Each channel uses the weights of the next one.", kCDF,
      on(Part::WeightChannel)},
     [](V& v) { v.weightChannel = WeightChannel::Next; }},
    {{"weights-unsigned", "Weight bytes are read as 0..255.", kCDF, on(Part::WeightValue)},
     [](V& v) { v.weightsUnsigned = true; }},
    {{"weights-next-group", "Each group of eight channels uses the weights of the next one.", kCF,
      on(Part::WeightChannel)},
     [](V& v) { v.weightChannel = WeightChannel::NextGroup; }},
    {{"bias-missing", "The bias is not added.", kCDF, on(Part::Bias)},
     [](V& v) { v.biasMissing = true; }},
    {{"bias-per-slice", "The bias is added once per K slice.", kCDF,
      on(Part::Bias) | on(Part::Slices)},
     [](V& v) { v.slices = SliceUse::BiasEach; }},
    {{"params-next-channel", "Each channel uses bias, multiplier and shift of the next one.", kCDF,
      on(Part::ParameterChannel) | on(Part::Bias)},
     [](V& v) { v.parameters = ParameterUse::Next; }},
    {{"multiplier-channel-0", "Every channel uses multiplier and shift of channel 0.", kCDF,
      on(Part::ParameterChannel)},
     [](V& v) { v.parameters = ParameterUse::FirstMultiplier; }},
    {{"last-slice-dropped", "The last of several K slices adds nothing.", kCF, on(Part::Slices)},
     [](V& v) { v.slices = SliceUse::WithoutLast; }},
    {{"first-slice-dropped", "The first of several K slices adds nothing.", kCF, on(Part::Slices)},
     [](V& v) { v.slices = SliceUse::WithoutFirst; }},
    {{"accumulator-24-bit", "The finished accumulator wraps to 24 bits.", kCDF,
      on(Part::Accumulator)},
     [](V& v) { v.accumulator = AccumulatorWidth::Wrapping24; }},
    {{"accumulator-16-bit", "The accumulator saturates to 16 bits after every update.", kCDF,
      on(Part::Accumulator)},
     [](V& v) { v.accumulator = AccumulatorWidth::Saturating16; }},
    {{"average-toward-zero", "The average is truncated toward zero.", kVG,
      on(Part::AverageRounding)},
     [](V& v) { v.averageTowardZero = true; }},
    {{"average-counts-padding", "The average is divided by the whole kernel.", kV,
      on(Part::Divisor)},
     [](V& v) { v.divisorCountsPadding = true; }},
    {{"max-from-zero", "The maximum starts at 0.", kM, on(Part::Maximum)},
     [](V& v) { v.maximumFromZero = true; }},
    {{"add-parameters-swapped", "The two inputs use each other's multiplier and shift.", kA,
      on(Part::AddParameters)},
     [](V& v) { v.addParametersSwapped = true; }},
    {{"add-zero-swapped", "The two inputs use each other's zero point.", kA, on(Part::Centring)},
     [](V& v) { v.centring = Centring::AddSwapped; }},
    {{"edge-tiles-unwritten", "Tiles shortened at the right or bottom edge are not written.",
      kAllOpcodes, on(Part::OutputPlaces)},
     [](V& v) { v.shortTilesUnwritten = true; }},
    {{"stale-input", "Input 0 is read as it was before its producer ran.", kAllOpcodes,
      on(Part::InputBytes)},
     [](V& v) { v.inputStale = true; }},
    {{"input-transposed", "Rows and columns of a square input are exchanged.", kSpatial,
      on(Part::InputOrder)},
     [](V& v) { v.inputOrder = TensorOrder::Transposed; }},
    {{"input-channel-first", "Inputs are read as if they were stored channel by channel.",
      kSpatialButMax | bitOf(Opcode::GlobalAveragePool), on(Part::InputOrder)},
     [](V& v) { v.inputOrder = TensorOrder::ChannelFirst; }},
    {{"output-channel-first", "The output is stored channel by channel.", kSpatial,
      on(Part::OutputPlaces)},
     [](V& v) { v.outputOrder = TensorOrder::ChannelFirst; }},
    {{"output-wraps", "The output wraps to 8 bits before it is bounded.", kCDFA, on(Part::Bounds)},
     [](V& v) { v.bounds = BoundsUse::Wrapping; }},
    {{"kernel-flipped", "The kernel is read backwards in rows and columns.", kC,
      on(Part::WeightTap)},
     [](V& v) { v.tap = WeightTap::KernelFlipped; }},
    {{"weights-previous-channel", "Each channel uses the weights of the one before.", kCDF,
      on(Part::WeightChannel)},
     [](V& v) { v.weightChannel = WeightChannel::Previous; }},
    {{"params-previous-channel", "Each channel uses bias, multiplier and shift of the one before.",
      kCDF, on(Part::ParameterChannel) | on(Part::Bias)},
     [](V& v) { v.parameters = ParameterUse::Previous; }},
});

constexpr auto kInfos = [] {
    std::array<MistakeInfo, std::size(kRows)> infos;
    for (std::size_t i = 0; i < infos.size(); ++i)
        infos[i] = kRows[i].info;
    return infos;
}();

} // namespace

std::span<const MistakeInfo> mistakes() { return kInfos; }

std::optional<Bytes> runMistakes(const MistakenRecord& made, std::span<const std::size_t> indices) {
    Variation variation;
    for (const std::size_t index : indices) {
        const Row& row = kRows[index];
        if (!isOneOf(made.record.shape.opcode, row.info.opcodes))
            return std::nullopt;
        row.change(variation);
    }
    return computeVariation(made, variation);
}

} // namespace plumbline::npu_p0
