// SPDX-License-Identifier: GPL-3.0-or-later
// Opcodes of NPU-P0. Source: spec section 2.
#pragma once

#include <cstdint>
#include <string_view>

namespace plumbline::npu_p0 {

enum class Opcode : std::uint32_t {
    Conv2D = 1,
    Depthwise3x3 = 2,
    FullyConnected = 3,
    Add = 4,
    MaxPool = 5,
    AveragePool = 6,
    GlobalAveragePool = 7,
    Clamp = 8,
};

/// "CONV2D"; empty for a number that is no opcode.
std::string_view opcodeName(std::uint32_t opcode);

constexpr std::uint32_t bitOf(Opcode opcode) {
    return std::uint32_t{1} << static_cast<std::uint32_t>(opcode);
}
constexpr std::uint32_t kWeighted =
    bitOf(Opcode::Conv2D) | bitOf(Opcode::Depthwise3x3) | bitOf(Opcode::FullyConnected);
constexpr std::uint32_t kWithParams = kWeighted | bitOf(Opcode::Add);
constexpr std::uint32_t kPools = bitOf(Opcode::MaxPool) | bitOf(Opcode::AveragePool);
constexpr std::uint32_t kAllOpcodes =
    kWithParams | kPools | bitOf(Opcode::GlobalAveragePool) | bitOf(Opcode::Clamp);

/// Whether `opcode` is one of `set`, a union of bitOf values.
constexpr bool isOneOf(Opcode opcode, std::uint32_t set) { return (bitOf(opcode) & set) != 0; }

} // namespace plumbline::npu_p0
