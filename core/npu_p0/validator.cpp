// SPDX-License-Identifier: GPL-3.0-or-later
// The checks of spec section 6 as eight stages; the first that fails gives the verdict. Rules about
// one field (reserved, unused, range) are read from the field table.
#include "core/npu_p0/validator_stages.h"

#include <array>

#include <fmt/format.h>

namespace plumbline::npu_p0 {
namespace {

constexpr std::uint64_t kAddressSpace = std::uint64_t{1} << 32;

} // namespace

Verdict Validator::run() {
    using Stage = Verdict (Validator::*)();
    constexpr std::array<Stage, 9> kStages{
        &Validator::structure, &Validator::knownOpcode,   &Validator::unusedFields,
        &Validator::geometry,  &Validator::operatorRules, &Validator::regions,
        &Validator::spans,     &Validator::alignment,     &Validator::overlap};
    for (const Stage stage : kStages) {
        if (Verdict verdict = (this->*stage)())
            return verdict;
    }
    return std::nullopt;
}

Verdict Validator::own(Field field, FaultCode code) const {
    const FieldSpec& spec = specOf(field);
    const std::int64_t value = get(field);
    if (value >= spec.minimum && value <= spec.maximum)
        return std::nullopt;
    return failAt(
        code, field,
        fmt::format("{} is {}, outside {}..{}", spec.name, value, spec.minimum, spec.maximum));
}

Verdict Validator::allOwn(std::initializer_list<Field> fields, FaultCode code) const {
    for (const Field field : fields) {
        if (Verdict verdict = own(field, code))
            return verdict;
    }
    return std::nullopt;
}

Verdict Validator::structure() {
    constexpr auto kCode = FaultCode::Descriptor;
    if (Verdict v = allOwn({Field::Version, Field::Reserved0, Field::Reserved1, Field::Reserved26,
                            Field::Reserved27, Field::Reserved28, Field::Reserved29,
                            Field::Reserved30, Field::Reserved31, Field::Reserved14,
                            Field::Reserved20, Field::Reserved22, Field::Reserved23},
                           kCode))
        return v;
    if (get(Field::ActivationMin) > get(Field::ActivationMax))
        return failAt(kCode, Field::ActivationMin,
                      fmt::format("activation minimum {} is above the maximum {}",
                                  get(Field::ActivationMin), get(Field::ActivationMax)));
    if (Verdict v = allOwn({Field::TileH, Field::TileW}, kCode))
        return v;
    if (get(Field::TileH) * get(Field::TileW) > 8)
        return failAt(kCode, Field::TileH,
                      fmt::format("tile {}x{} has more than 8 positions", get(Field::TileH),
                                  get(Field::TileW)));
    return own(Field::KSlice, kCode);
}

Verdict Validator::knownOpcode() { return own(Field::Opcode, FaultCode::Unsupported); }

Verdict Validator::unusedFields() {
    constexpr std::array kOrder{Field::Input1Base, Field::Input1RowBytes, Field::Input1Bytes,
                                Field::Input1Zero, Field::WeightBase,     Field::WeightBytes,
                                Field::ParamBase,  Field::ParamBytes,     Field::KernelH,
                                Field::PadTop};
    for (const Field field : kOrder) {
        const std::int64_t word = wordOf(field);
        const std::uint32_t value = m_d.word(static_cast<std::size_t>(word));
        if (!usesField(specOf(field), static_cast<std::uint32_t>(m_d.opcode())) && value != 0)
            return fail(FaultCode::Descriptor, word,
                        fmt::format("{} is 0x{:x}, but {} does not use it", specOf(field).wordName,
                                    value, opcodeName(static_cast<std::uint32_t>(m_d.opcode()))));
    }
    return std::nullopt;
}

Verdict Validator::geometry() {
    if (Verdict v = allOwn({Field::InputH, Field::InputW, Field::InputC, Field::OutputC,
                            Field::OutputH, Field::OutputW},
                           FaultCode::Range))
        return v;
    return is(bitOf(Opcode::Conv2D) | bitOf(Opcode::Depthwise3x3) | kPools) ? window()
                                                                            : std::nullopt;
}

Verdict Validator::window() {
    constexpr auto kCode = FaultCode::Range;
    const std::int64_t kh = get(Field::KernelH), kw = get(Field::KernelW);
    const std::int64_t sh = get(Field::StrideH), sw = get(Field::StrideW);
    if (kh == 0 || kw == 0 || sh == 0 || sw == 0)
        return failAt(kCode, Field::KernelH,
                      fmt::format("kernel {}x{} with stride {}x{} holds a 0", kh, kw, sh, sw));
    const std::int64_t top = get(Field::PadTop), bottom = get(Field::PadBottom);
    const std::int64_t left = get(Field::PadLeft), right = get(Field::PadRight);
    if (top >= kh || bottom >= kh || left >= kw || right >= kw)
        return failAt(kCode, Field::PadTop,
                      fmt::format("pads {},{},{},{} are not all less than the kernel {}x{}", top,
                                  bottom, left, right, kh, kw));
    const std::int64_t spanH = get(Field::InputH) + top + bottom - kh;
    const std::int64_t spanW = get(Field::InputW) + left + right - kw;
    if (spanH < 0 || spanW < 0)
        return failAt(kCode, Field::OutputH,
                      fmt::format("the padded input is smaller than the kernel {}x{}", kh, kw));
    const std::int64_t oh = spanH / sh + 1, ow = spanW / sw + 1;
    if (oh != get(Field::OutputH) || ow != get(Field::OutputW))
        return failAt(kCode, Field::OutputH,
                      fmt::format("the output is {}x{}, the window gives {}x{}",
                                  get(Field::OutputH), get(Field::OutputW), oh, ow));
    return std::nullopt;
}

Verdict Validator::exactly(Field field, std::int64_t expected) const {
    if (get(field) == expected)
        return std::nullopt;
    return failAt(FaultCode::Descriptor, field,
                  fmt::format("{} is {}, not {}", specOf(field).name, get(field), expected));
}

Verdict Validator::notZero(Field field) const {
    if (get(field) != 0)
        return std::nullopt;
    return failAt(FaultCode::Descriptor, field, fmt::format("{} is 0", specOf(field).name));
}

Verdict Validator::regions() {
    if (is(kWeighted)) {
        const std::int64_t groups = (get(Field::OutputC) + 7) / 8;
        if (Verdict v = notZero(Field::WeightBase))
            return v;
        if (Verdict v = exactly(Field::WeightBytes, groups * fullReduction(m_d) * 8))
            return v;
    }
    if (!is(kWithParams))
        return std::nullopt;
    if (Verdict v = notZero(Field::ParamBase))
        return v;
    return exactly(Field::ParamBytes, is(kWeighted) ? 16 * get(Field::OutputC) : 32);
}

std::vector<Validator::Operand> Validator::operands() const {
    const std::int64_t inputRow = get(Field::InputW) * get(Field::InputC);
    std::vector<Operand> list{{Field::Input0Base, Field::Input0RowBytes, Field::Input0Bytes,
                               get(Field::InputH), inputRow}};
    if (is(bitOf(Opcode::Add)))
        list.push_back({Field::Input1Base, Field::Input1RowBytes, Field::Input1Bytes,
                        get(Field::InputH), inputRow});
    list.push_back({Field::OutputBase, Field::OutputRowBytes, Field::OutputBytes,
                    get(Field::OutputH), get(Field::OutputW) * get(Field::OutputC)});
    return list;
}

Verdict Validator::rowBytesCoverRow(Field field, std::int64_t rowContent) const {
    if (get(field) >= rowContent)
        return std::nullopt;
    return failAt(
        FaultCode::Range, field,
        fmt::format("{} is {}, a row has {} bytes", specOf(field).name, get(field), rowContent));
}

Verdict Validator::withinAddressSpace(Field base, std::int64_t bytes) const {
    if (static_cast<std::uint64_t>(get(base)) + static_cast<std::uint64_t>(bytes) <= kAddressSpace)
        return std::nullopt;
    return failAt(FaultCode::Range, base,
                  fmt::format("{} bytes from {} 0x{:x} leave the address space", bytes,
                              specOf(base).name, get(base)));
}

Verdict Validator::spanOf(const Operand& operand) const {
    const std::int64_t span = (operand.h - 1) * get(operand.rowBytes) + operand.rowContent;
    if (span > get(operand.bytes))
        return failAt(FaultCode::Range, operand.bytes,
                      fmt::format("{} is {}, the used span has {} bytes",
                                  specOf(operand.bytes).name, get(operand.bytes), span));
    if (Verdict v = withinAddressSpace(operand.base, span))
        return v;
    return withinAddressSpace(operand.base, get(operand.bytes));
}

Verdict Validator::spans() {
    const std::int64_t inputRow = get(Field::InputW) * get(Field::InputC);
    if (Verdict v = rowBytesCoverRow(Field::Input0RowBytes, inputRow))
        return v;
    if (Verdict v =
            rowBytesCoverRow(Field::OutputRowBytes, get(Field::OutputW) * get(Field::OutputC)))
        return v;
    if (is(bitOf(Opcode::Add))) {
        if (Verdict v = rowBytesCoverRow(Field::Input1RowBytes, inputRow))
            return v;
    }
    for (const Operand& operand : operands()) {
        if (Verdict v = spanOf(operand))
            return v;
    }
    if (Verdict v = withinAddressSpace(Field::WeightBase, get(Field::WeightBytes)))
        return v;
    return withinAddressSpace(Field::ParamBase, get(Field::ParamBytes));
}

Verdict Validator::alignment() {
    for (const Field field : {Field::ParamBase, Field::WeightBase}) {
        if (get(field) % 64 != 0)
            return failAt(
                FaultCode::Descriptor, field,
                fmt::format("{} 0x{:x} is not a multiple of 64", specOf(field).name, get(field)));
    }
    return std::nullopt;
}

std::vector<Validator::Range> Validator::ranges() const {
    std::vector<Range> list;
    const auto add = [&](std::string_view name, Field base, Field bytes, bool isInput) {
        if (get(bytes) > 0)
            list.push_back({name, static_cast<std::uint64_t>(get(base)),
                            static_cast<std::uint64_t>(get(bytes)), isInput});
    };
    add("input 0", Field::Input0Base, Field::Input0Bytes, true);
    add("the output", Field::OutputBase, Field::OutputBytes, false);
    add("input 1", Field::Input1Base, Field::Input1Bytes, true);
    add("the weights", Field::WeightBase, Field::WeightBytes, false);
    add("the parameters", Field::ParamBase, Field::ParamBytes, false);
    if (m_array && m_array->bytes > 0)
        list.push_back({"the descriptor array", m_array->base, m_array->bytes});
    return list;
}

Verdict Validator::overlap() {
    if (m_array && m_array->base + m_array->bytes > kAddressSpace)
        return fail(
            FaultCode::Range, std::nullopt,
            fmt::format("the descriptor array at 0x{:x} leaves the address space", m_array->base));
    const std::vector<Range> list = ranges();
    for (std::size_t i = 0; i < list.size(); ++i) {
        for (std::size_t j = i + 1; j < list.size(); ++j) {
            const Range& a = list[i];
            const Range& b = list[j];
            if ((a.isInput && b.isInput) || a.base >= b.base + b.bytes ||
                b.base >= a.base + a.bytes)
                continue;
            return fail(
                FaultCode::Range, std::nullopt,
                fmt::format("{} at 0x{:x} overlaps {} at 0x{:x}", a.name, a.base, b.name, b.base));
        }
    }
    return std::nullopt;
}
std::optional<RecordViolation> validate(const Descriptor& descriptor,
                                        std::optional<AddressRange> descriptorArray) {
    return Validator(descriptor, descriptorArray).run();
}

} // namespace plumbline::npu_p0
