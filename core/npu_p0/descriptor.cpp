// SPDX-License-Identifier: GPL-3.0-or-later
// The field table of the NPU-P0 descriptor, checked at compile time to cover every bit once.
#include "core/npu_p0/descriptor.h"

#include <algorithm>

#include "core/lowering/arena_image.h"
#include "core/npu_p0/constants.h"

namespace plumbline::npu_p0 {

std::string_view opcodeName(std::uint32_t opcode) {
    static constexpr std::array<std::string_view, 9> kNames{
        "",     "CONV2D",   "DEPTHWISE3X3", "FULLY_CONNECTED",
        "ADD",  "MAX_POOL", "AVERAGE_POOL", "GLOBAL_AVERAGE_POOL",
        "CLAMP"};
    return opcode < kNames.size() ? kNames[opcode] : std::string_view{};
}

namespace {

constexpr std::uint32_t kAdd = bitOf(Opcode::Add);
constexpr std::uint32_t kNotGlobal = kAllOpcodes & ~bitOf(Opcode::GlobalAveragePool);
constexpr std::int64_t kWordMax = 0xFFFFFFFF;

constexpr FieldSpec number(std::string_view name, std::string_view wordName, std::uint8_t word,
                           std::uint8_t lsb, std::uint8_t width, std::uint32_t opcodes,
                           std::int64_t minimum, std::int64_t maximum, std::string_view unit,
                           std::string_view meaning, std::string_view rule = "") {
    return {name,    wordName, word,    lsb,  width,   FieldKind::Number,
            opcodes, minimum,  maximum, unit, meaning, rule};
}

constexpr FieldSpec address(std::string_view name, std::uint8_t word, std::uint32_t opcodes,
                            std::string_view region, std::string_view lengthField,
                            std::string_view meaning, std::string_view rule) {
    return {name,     name,           word,    0,    32,     FieldKind::Address, opcodes, 0,
            kWordMax, "byte address", meaning, rule, region, lengthField};
}

constexpr FieldSpec zeroPoint(std::string_view name, std::uint8_t word, std::uint32_t opcodes,
                              std::string_view meaning, std::string_view rule = "") {
    return {name, name, word, 0, 8, FieldKind::Signed, opcodes, -128, 127, "", meaning, rule};
}

constexpr FieldSpec reserved(std::string_view name, std::string_view wordName, std::uint8_t word,
                             std::uint8_t lsb, std::uint8_t width) {
    return {name,        wordName, word, lsb, width,      FieldKind::Reserved,
            kAllOpcodes, 0,        0,    "",  "Reserved", "is 0"};
}

constexpr FieldSpec dimension(std::string_view name, std::string_view wordName, std::uint8_t word,
                              std::uint8_t lsb, std::string_view meaning) {
    return number(name, wordName, word, lsb, 16, kAllOpcodes, 1, kMaxDimension, "elements", meaning,
                  "is within 1..4096");
}

constexpr FieldSpec kernelByte(std::string_view name, std::uint8_t lsb, std::int64_t maximum,
                               std::string_view meaning, std::string_view rule) {
    return number(name, "KERNEL_STRIDE", 12, lsb, 8, kNotGlobal, 1, maximum, "elements", meaning,
                  rule);
}

constexpr FieldSpec padByte(std::string_view name, std::uint8_t lsb, std::string_view meaning) {
    return number(name, "PADDING", 13, lsb, 8, kNotGlobal, 0, kMaxKernel - 1, "elements", meaning,
                  "is less than the kernel in its axis");
}

constexpr FieldSpec clampByte(std::string_view name, std::uint8_t lsb, std::string_view meaning) {
    return {name,        "ACTIVATION_BOUNDS",
            23,          lsb,
            8,           FieldKind::Signed,
            kAllOpcodes, -128,
            127,         "",
            meaning,     "minimum is at most maximum"};
}

// One row per field, by word, then lowest bit; the enumeration Field has the same order.
constexpr std::array kFields{
    FieldSpec{"OPCODE", "VERSION_OPCODE", 0, 0, 8, FieldKind::Opcode, kAllOpcodes, 1, 8, "",
              "Operation of the record", "is within 1..8"},
    reserved("RESERVED_0", "VERSION_OPCODE", 0, 8, 8),
    number("VERSION", "VERSION_OPCODE", 0, 16, 16, kAllOpcodes, kAbiVersion, kAbiVersion, "",
           "Descriptor ABI version", "is 0x0100"),
    reserved("RESERVED_1", "RESERVED", 1, 0, 32),
    address("INPUT0_BASE", 2, kAllOpcodes, "arena", "INPUT0_BYTES", "First byte of input 0",
            "lies in the arena"),
    address("INPUT1_BASE", 3, kAdd, "arena", "INPUT1_BYTES", "First byte of input 1", "is not 0"),
    address("OUTPUT_BASE", 4, kAllOpcodes, "arena", "OUTPUT_BYTES", "First byte of the output",
            "lies in the arena"),
    address("PARAM_BASE", 5, kWithParams, "params", "PARAM_BYTES", "First byte of the parameters",
            "is not 0 and a multiple of 64"),
    dimension("INPUT_H", "INPUT_HW", 6, 0, "Input height"),
    dimension("INPUT_W", "INPUT_HW", 6, 16, "Input width"),
    dimension("INPUT_C", "CHANNELS", 7, 0, "Input channels"),
    dimension("OUTPUT_C", "CHANNELS", 7, 16, "Output channels"),
    dimension("OUTPUT_H", "OUTPUT_HW", 8, 0, "Output height"),
    dimension("OUTPUT_W", "OUTPUT_HW", 8, 16, "Output width"),
    number("INPUT0_ROW_BYTES", "INPUT0_ROW_BYTES", 9, 0, 32, kAllOpcodes, 1, kWordMax, "bytes",
           "Distance of rows of input 0", "is at least INPUT_W * INPUT_C"),
    number("OUTPUT_ROW_BYTES", "OUTPUT_ROW_BYTES", 10, 0, 32, kAllOpcodes, 1, kWordMax, "bytes",
           "Distance of rows of the output", "is at least OUTPUT_W * OUTPUT_C"),
    number("INPUT1_ROW_BYTES", "INPUT1_ROW_BYTES", 11, 0, 32, kAdd, 1, kWordMax, "bytes",
           "Distance of rows of input 1", "is at least INPUT_W * INPUT_C"),
    kernelByte("KERNEL_H", 0, kMaxKernel, "Kernel height", "is within 1..16"),
    kernelByte("KERNEL_W", 8, kMaxKernel, "Kernel width", "is within 1..16"),
    kernelByte("STRIDE_H", 16, 2, "Vertical stride", "is 1 or 2"),
    kernelByte("STRIDE_W", 24, 2, "Horizontal stride", "is 1 or 2"),
    padByte("PAD_TOP", 0, "Padding rows above the input"),
    padByte("PAD_BOTTOM", 8, "Padding rows below the input"),
    padByte("PAD_LEFT", 16, "Padding columns left of the input"),
    padByte("PAD_RIGHT", 24, "Padding columns right of the input"),
    number("TILE_H", "TILE_HW", 14, 0, 8, kAllOpcodes, 1, 8, "elements", "Tile height",
           "is within 1..8 and the output; TILE_H * TILE_W is at most 8"),
    number("TILE_W", "TILE_HW", 14, 8, 8, kAllOpcodes, 1, 8, "elements", "Tile width",
           "is within 1..8 and the output; TILE_H * TILE_W is at most 8"),
    reserved("RESERVED_14", "TILE_HW", 14, 16, 16),
    number("K_SLICE", "K_SLICE", 15, 0, 32, kAllOpcodes, 1, kMaxSlice, "elements",
           "Reduction elements per slice; the last slice is the remainder",
           "is within 1..1024 and at most the full reduction"),
    number("INPUT0_BYTES", "INPUT0_BYTES", 16, 0, 32, kAllOpcodes, 1, kWordMax, "bytes",
           "Accessible length of input 0", "covers the used span"),
    number("INPUT1_BYTES", "INPUT1_BYTES", 17, 0, 32, kAdd, 1, kWordMax, "bytes",
           "Accessible length of input 1", "covers the used span"),
    number("OUTPUT_BYTES", "OUTPUT_BYTES", 18, 0, 32, kAllOpcodes, 1, kWordMax, "bytes",
           "Accessible length of the output", "covers the used span"),
    number("PARAM_BYTES", "PARAM_BYTES", 19, 0, 32, kWithParams, 1, kWordMax, "bytes",
           "Length of the parameters", "is 16 * OUTPUT_C, or 32 for ADD"),
    zeroPoint("INPUT0_ZERO", 20, kAllOpcodes, "Zero point of input 0"),
    reserved("RESERVED_20", "INPUT0_ZERO", 20, 8, 24),
    zeroPoint("INPUT1_ZERO", 21, kAdd, "Zero point of input 1"),
    reserved("RESERVED_21", "INPUT1_ZERO", 21, 8, 24),
    zeroPoint("OUTPUT_ZERO", 22, kAllOpcodes, "Zero point of the output",
              "equals INPUT0_ZERO for pools and CLAMP"),
    reserved("RESERVED_22", "OUTPUT_ZERO", 22, 8, 24),
    clampByte("ACTIVATION_MIN", 0, "Lower clamp bound"),
    clampByte("ACTIVATION_MAX", 8, "Upper clamp bound"),
    reserved("RESERVED_23", "ACTIVATION_BOUNDS", 23, 16, 16),
    address("WEIGHT_BASE", 24, kWeighted, "weights", "WEIGHT_BYTES",
            "First byte of the packed weights", "is not 0 and a multiple of 64"),
    number("WEIGHT_BYTES", "WEIGHT_BYTES", 25, 0, 32, kWeighted, 1, kWordMax, "bytes",
           "Length of the packed weights", "is ceil(OUTPUT_C / 8) * K * 8"),
    reserved("RESERVED_26", "RESERVED", 26, 0, 32),
    reserved("RESERVED_27", "RESERVED", 27, 0, 32),
    reserved("RESERVED_28", "RESERVED", 28, 0, 32),
    reserved("RESERVED_29", "RESERVED", 29, 0, 32),
    reserved("RESERVED_30", "RESERVED", 30, 0, 32),
    reserved("RESERVED_31", "RESERVED", 31, 0, 32),
};

/// Rows in order, each bit of the 32 words covered exactly once.
constexpr bool coversEveryBitOnce() {
    std::uint32_t next = 0;
    for (const FieldSpec& field : kFields) {
        if (field.word * 32U + field.lsb != next)
            return false;
        next += field.width;
    }
    return next == kDescriptorBytes * 8;
}
static_assert(coversEveryBitOnce());
static_assert(kFields.size() == static_cast<std::size_t>(Field::Reserved31) + 1);
static_assert(kFields[static_cast<std::size_t>(Field::WeightBytes)].name == "WEIGHT_BYTES");
static_assert(kFields[static_cast<std::size_t>(Field::Input0Bytes)].name == "INPUT0_BYTES");

constexpr OutputFields kOutputFields{rowOf(Field::OutputBase), rowOf(Field::OutputRowBytes),
                                     rowOf(Field::OutputH), rowOf(Field::OutputW),
                                     rowOf(Field::OutputC)};

constexpr FieldTable kTable{"NPU-P0 descriptor, ABI 1.0",
                            kDescriptorBytes,
                            kFields,
                            rowOf(Field::Opcode),
                            opcodeName,
                            &kConstantsLayout,
                            &kOutputFields};

} // namespace

const FieldTable& fieldTable() { return kTable; }

const FieldSpec& specOf(Field field) { return kFields[static_cast<std::size_t>(field)]; }

Descriptor::Descriptor(ByteView bytes) {
    std::copy_n(bytes.begin(), std::min(bytes.size(), kDescriptorBytes), m_bytes.begin());
}

std::int64_t fullReduction(const Descriptor& d) {
    switch (d.opcode()) {
    case Opcode::Conv2D:
        return d.get(Field::KernelH) * d.get(Field::KernelW) * d.get(Field::InputC);
    case Opcode::Depthwise3x3:
        return 9;
    case Opcode::FullyConnected:
        return d.get(Field::InputC);
    case Opcode::MaxPool:
    case Opcode::AveragePool:
        return d.get(Field::KernelH) * d.get(Field::KernelW);
    case Opcode::GlobalAveragePool:
        return d.get(Field::InputH) * d.get(Field::InputW);
    case Opcode::Add:
    case Opcode::Clamp:
        return 1;
    }
    return 0;
}

} // namespace plumbline::npu_p0
