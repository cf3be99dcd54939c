// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/npu_p0/constants.h"

#include <array>

#include "core/npu_p0/descriptor.h"
#include "core/npu_p0/pack.h"

namespace plumbline::npu_p0 {
namespace {

constexpr std::uint32_t kConv = bitOf(Opcode::Conv2D);
constexpr std::uint32_t kDepthwise = bitOf(Opcode::Depthwise3x3);
constexpr std::uint32_t kFullyConnected = bitOf(Opcode::FullyConnected);

constexpr std::array kAxes{
    ReductionAxis{"kh", rowOf(Field::KernelH), kConv | kDepthwise},
    ReductionAxis{"kw", rowOf(Field::KernelW), kConv | kDepthwise},
    ReductionAxis{"cin", rowOf(Field::InputC), kConv | kFullyConnected},
};

constexpr std::array kChannel{
    ParameterField{"bias", true, "Added to the accumulator of the channel"},
    ParameterField{"multiplier", true, "Q31 mantissa of the channel's rescaling"},
    ParameterField{"shift", true, "Power of two of the channel's rescaling; positive is left"},
    ParameterField{"reserved", false, "Is 0"},
};
static_assert(kChannel.size() * 4 == kParamRecordBytes);

constexpr std::array kAddBlock{
    ParameterField{"left_shift", false, "Common left shift of both inputs; is 20"},
    ParameterField{"multiplier0", true, "Q31 mantissa of input 0"},
    ParameterField{"shift0", true, "Power of two of input 0"},
    ParameterField{"multiplier1", true, "Q31 mantissa of input 1"},
    ParameterField{"shift1", true, "Power of two of input 1"},
    ParameterField{"output_multiplier", true, "Q31 mantissa of the output"},
    ParameterField{"output_shift", true, "Power of two of the output"},
    ParameterField{"reserved", false, "Is 0"},
};
static_assert(kAddBlock.size() * 4 == kAddParamBytes);

constexpr std::array kParameters{
    ParameterLayout{kWeighted, true, kChannel},
    ParameterLayout{bitOf(Opcode::Add), false, kAddBlock},
};

} // namespace

const ConstantsLayout kConstantsLayout{kLanes, rowOf(Field::OutputC), kAxes, kParameters};

} // namespace plumbline::npu_p0
