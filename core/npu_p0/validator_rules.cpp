// SPDX-License-Identifier: GPL-3.0-or-later
// Stage 5 of the validator: the rules of each opcode.
#include <fmt/format.h>

#include "core/npu_p0/validator_stages.h"

namespace plumbline::npu_p0 {
namespace {

constexpr std::uint32_t kUnitWindow = 0x01010101;

} // namespace

Verdict Validator::unsupported(bool holds, Field field, std::string_view rule) const {
    if (holds)
        return std::nullopt;
    return failAt(
        FaultCode::Unsupported, field,
        fmt::format("{}: {}", opcodeName(static_cast<std::uint32_t>(m_d.opcode())), rule));
}

Verdict Validator::strides() const {
    const auto legal = [](std::int64_t stride) { return stride == 1 || stride == 2; };
    return unsupported(legal(get(Field::StrideH)) && legal(get(Field::StrideW)), Field::StrideH,
                       "strides are 1 or 2");
}

Verdict Validator::sameChannels() const {
    return unsupported(get(Field::OutputC) == get(Field::InputC), Field::OutputC,
                       "output channels equal input channels");
}

Verdict Validator::sameZeroPoints() const {
    return unsupported(get(Field::OutputZero) == get(Field::Input0Zero), Field::OutputZero,
                       "input and output zero points are equal");
}

Verdict Validator::sameGeometry() const {
    return unsupported(get(Field::OutputH) == get(Field::InputH) &&
                           get(Field::OutputW) == get(Field::InputW),
                       Field::OutputH, "output height and width equal the input's");
}

Verdict Validator::outputIsOne() const {
    return unsupported(get(Field::OutputH) == 1 && get(Field::OutputW) == 1, Field::OutputH,
                       "output height and width are 1");
}

Verdict Validator::unitWindow() const {
    if (Verdict v =
            unsupported(m_d.word(12) == kUnitWindow, Field::KernelH, "kernel and stride are 1"))
        return v;
    return unsupported(m_d.word(13) == 0, Field::PadTop, "there is no padding");
}

Verdict Validator::kernelWithin16() const {
    return unsupported(get(Field::KernelH) <= kMaxKernel && get(Field::KernelW) <= kMaxKernel,
                       Field::KernelH, "the kernel is at most 16x16");
}

Verdict Validator::convRules() {
    if (Verdict v = kernelWithin16())
        return v;
    return strides();
}

Verdict Validator::poolRules() {
    if (Verdict v = convRules())
        return v;
    if (Verdict v = sameChannels())
        return v;
    return sameZeroPoints();
}

Verdict Validator::depthwiseRules() {
    if (Verdict v = unsupported(get(Field::KernelH) == 3 && get(Field::KernelW) == 3,
                                Field::KernelH, "the kernel is 3x3"))
        return v;
    if (Verdict v = strides())
        return v;
    return sameChannels();
}

Verdict Validator::denseRules() {
    if (Verdict v = unsupported(get(Field::InputH) == 1 && get(Field::InputW) == 1, Field::InputH,
                                "input height and width are 1"))
        return v;
    if (Verdict v = outputIsOne())
        return v;
    return unitWindow();
}

Verdict Validator::addRules() {
    if (Verdict v = own(Field::Reserved21, FaultCode::Descriptor))
        return v;
    if (get(Field::Input1Base) == 0)
        return failAt(FaultCode::Descriptor, Field::Input1Base, "INPUT1_BASE is 0");
    if (Verdict v = sameGeometry())
        return v;
    if (Verdict v = sameChannels())
        return v;
    return unitWindow();
}

Verdict Validator::globalRules() {
    if (Verdict v = outputIsOne())
        return v;
    if (Verdict v = sameChannels())
        return v;
    return sameZeroPoints();
}

Verdict Validator::clampRules() {
    if (Verdict v = sameGeometry())
        return v;
    if (Verdict v = sameChannels())
        return v;
    if (Verdict v = sameZeroPoints())
        return v;
    return unitWindow();
}

Verdict Validator::rulesOfOpcode() {
    switch (m_d.opcode()) {
    case Opcode::Conv2D:
        return convRules();
    case Opcode::Depthwise3x3:
        return depthwiseRules();
    case Opcode::FullyConnected:
        return denseRules();
    case Opcode::Add:
        return addRules();
    case Opcode::MaxPool:
    case Opcode::AveragePool:
        return poolRules();
    case Opcode::GlobalAveragePool:
        return globalRules();
    case Opcode::Clamp:
        return clampRules();
    }
    return std::nullopt;
}

Verdict Validator::operatorRules() {
    if (Verdict v = rulesOfOpcode())
        return v;
    if (get(Field::KSlice) > fullReduction(m_d))
        return failAt(FaultCode::Unsupported, Field::KSlice,
                      fmt::format("K_SLICE {} is above the reduction {}", get(Field::KSlice),
                                  fullReduction(m_d)));
    if (get(Field::TileH) > get(Field::OutputH) || get(Field::TileW) > get(Field::OutputW))
        return failAt(FaultCode::Range, Field::TileH,
                      fmt::format("tile {}x{} is larger than the output {}x{}", get(Field::TileH),
                                  get(Field::TileW), get(Field::OutputH), get(Field::OutputW)));
    return std::nullopt;
}

} // namespace plumbline::npu_p0
