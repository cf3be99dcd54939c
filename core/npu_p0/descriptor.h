// SPDX-License-Identifier: GPL-3.0-or-later
// The 128-byte descriptor of NPU-P0, ABI 1.0. Source: spec section 5.
#pragma once

#include <array>
#include <cstdint>

#include "core/lowering/field_table.h"
#include "core/npu_p0/opcode.h"

namespace plumbline::npu_p0 {

inline constexpr std::size_t kDescriptorBytes = 128;
inline constexpr std::uint32_t kAbiVersion = 0x0100;
inline constexpr std::int64_t kMaxDimension = 4096;
inline constexpr std::int64_t kMaxKernel = 16;
inline constexpr std::int64_t kMaxSlice = 1024;

/// Rows of the field table, in its order.
enum class Field : std::uint8_t {
    Opcode,
    Reserved0,
    Version,
    Reserved1,
    Input0Base,
    Input1Base,
    OutputBase,
    ParamBase,
    InputH,
    InputW,
    InputC,
    OutputC,
    OutputH,
    OutputW,
    Input0RowBytes,
    OutputRowBytes,
    Input1RowBytes,
    KernelH,
    KernelW,
    StrideH,
    StrideW,
    PadTop,
    PadBottom,
    PadLeft,
    PadRight,
    TileH,
    TileW,
    Reserved14,
    KSlice,
    Input0Bytes,
    Input1Bytes,
    OutputBytes,
    ParamBytes,
    Input0Zero,
    Reserved20,
    Input1Zero,
    Reserved21,
    OutputZero,
    Reserved22,
    ActivationMin,
    ActivationMax,
    Reserved23,
    WeightBase,
    WeightBytes,
    Reserved26,
    Reserved27,
    Reserved28,
    Reserved29,
    Reserved30,
    Reserved31,
};

/// The field's row in the table.
constexpr std::size_t rowOf(Field field) { return static_cast<std::size_t>(field); }

/// The one field table of NPU-P0.
const FieldTable& fieldTable();
const FieldSpec& specOf(Field field);

/// The word of a field, zero-based.
inline std::int64_t wordOf(Field field) { return specOf(field).word; }

/// One descriptor: its wire bytes, read and written through the field table. Lossless: any 128
/// bytes.
class Descriptor {
  public:
    Descriptor() = default;
    /// `bytes` holds kDescriptorBytes.
    explicit Descriptor(ByteView bytes);

    std::int64_t get(Field field) const { return fieldValue(m_bytes, specOf(field)); }
    void set(Field field, std::int64_t value) { setField(m_bytes, specOf(field), value); }
    std::uint32_t word(std::size_t index) const { return loadU32(m_bytes, index * 4); }
    ByteView bytes() const { return m_bytes; }
    /// Valid only where the validator accepted the opcode.
    Opcode opcode() const { return static_cast<Opcode>(get(Field::Opcode)); }

  private:
    std::array<std::uint8_t, kDescriptorBytes> m_bytes{};
};

/// Reduction length of a validated descriptor or one whose geometry fields are set. Source:
/// section 2.
std::int64_t fullReduction(const Descriptor& descriptor);

} // namespace plumbline::npu_p0
