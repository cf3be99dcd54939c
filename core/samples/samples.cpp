// SPDX-License-Identifier: GPL-3.0-or-later
// The built-in samples as network descriptions.
#include "core/samples/samples.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <utility>

#include <fmt/format.h>

#include "core/samples/network_builder.h"

namespace plumbline {
namespace {

constexpr auto kRelu = FusedActivation::Relu;
constexpr auto kRelu6 = FusedActivation::Relu6;
constexpr auto kLinear = FusedActivation::None;
constexpr std::size_t kMaxBranchOperators = 100'000;
constexpr std::string_view kBranches = "branches";

Bytes dsCnn(std::uint64_t seed) {
    NetworkBuilder net(seed);
    const Value in = net.input({49, 10, 1});
    Value x = net.conv(in, 64, {10, 4, 2}, kRelu);
    for (int block = 0; block < 4; ++block) {
        x = net.depthwise(x, {3, 3, 1}, kRelu);
        x = net.conv(x, 64, {1, 1, 1}, kRelu);
    }
    x = net.flatten(net.globalAverage(x));
    return net.finish(in, net.softmax(net.dense(x, 12, kLinear)), "Plumbline sample ds-cnn");
}

Bytes mobilenet(std::uint64_t seed) {
    constexpr std::pair<std::int32_t, std::int32_t> kBlocks[] = {
        {1, 16},  {2, 32},  {1, 32},  {2, 64},  {1, 64},  {2, 128}, {1, 128},
        {1, 128}, {1, 128}, {1, 128}, {1, 128}, {2, 256}, {1, 256}};
    NetworkBuilder net(seed);
    const Value in = net.input({96, 96, 3});
    Value x = net.conv(in, 8, {3, 3, 2}, kRelu6);
    for (const auto& [stride, channels] : kBlocks) {
        x = net.depthwise(x, {3, 3, stride}, kRelu6);
        x = net.conv(x, channels, {1, 1, 1}, kRelu6);
    }
    x = net.flatten(net.globalAverage(x));
    return net.finish(in, net.softmax(net.dense(x, 2, kLinear)), "Plumbline sample mobilenet");
}

Value residual(NetworkBuilder& net, const Value& in, std::int32_t channels, std::int32_t stride) {
    const Value first = net.conv(in, channels, {3, 3, stride}, kRelu);
    const Value second = net.conv(first, channels, {3, 3, 1}, kLinear);
    const Value skip = stride == 1 ? in : net.conv(in, channels, {1, 1, stride}, kLinear);
    return net.add(skip, second, kRelu);
}

Bytes resnet8(std::uint64_t seed) {
    NetworkBuilder net(seed);
    const Value in = net.input({32, 32, 3});
    Value x = net.conv(in, 16, {3, 3, 1}, kRelu);
    x = residual(net, x, 16, 1);
    x = residual(net, x, 32, 2);
    x = residual(net, x, 64, 2);
    x = net.flatten(net.globalAverage(x));
    return net.finish(in, net.softmax(net.dense(x, 10, kLinear)), "Plumbline sample resnet8");
}

Bytes autoencoder(std::uint64_t seed) {
    NetworkBuilder net(seed);
    const Value in = net.input({1, 1, 640}, true);
    Value x = in;
    for (const std::int32_t width : {128, 128, 128, 128, 8, 128, 128, 128, 128})
        x = net.dense(x, width, kRelu);
    return net.finish(in, net.dense(x, 640, kLinear), "Plumbline sample autoencoder");
}

Bytes everyOperator(std::uint64_t seed) {
    NetworkBuilder net(seed);
    const Value in = net.input({12, 12, 5});
    const Value wide = net.conv(in, 150, {3, 3, 1}, kRelu6);
    const Value reduced = net.conv(wide, 20, {3, 3, 1}, kLinear); // K = 1350: two slices
    const Value spread = net.depthwise(reduced, {3, 3, 1}, kLinear);
    const Value forward = net.add(reduced, spread, kLinear);
    const Value backward = net.add(forward, spread, kRelu);
    Value x = net.unary(static_cast<std::int32_t>(OperatorKind::Relu), backward);
    x = net.unary(static_cast<std::int32_t>(OperatorKind::Relu6), x);
    x = net.pool(OperatorKind::MaxPool2D, x, {2, 2, 2, Padding::Valid});
    x = net.pool(OperatorKind::AveragePool2D, x, {3, 3, 1, Padding::Same});
    x = net.conv(x, 1100, {1, 1, 1}, kRelu);
    x = net.flatten(net.globalAverage(x));
    x = net.dense(x, 11, kLinear); // K = 1100: two slices
    return net.finish(in, net.softmax(x), "Plumbline sample every-operator");
}

Bytes refused(std::uint64_t seed) {
    constexpr std::int32_t kLogistic = 14;
    NetworkBuilder net(seed);
    const Value in = net.input({16, 16, 4});
    Value x = net.conv(in, 8, {3, 3, 3}, kRelu); // stride 3
    x = net.depthwise(x, {3, 1, 1}, kRelu);      // kernel 3x1
    x = net.unary(kLogistic, x);                 // no placement
    x = net.conv(x, 8, {1, 1, 1}, FusedActivation::ReluN1To1);
    return net.finish(in, x, "Plumbline sample refused");
}

} // namespace

Bytes makeBranchesSample(std::size_t operators, std::uint64_t seed) {
    NetworkBuilder net(seed);
    const Value in = net.input({4, 4, 8});
    Value x = in;
    Value skip = in;
    for (std::size_t i = 0; i < operators; ++i) {
        // Blocks of five: two paths from `skip` that an ADD joins.
        switch (i % 5) {
        case 0:
            x = net.conv(skip, 8, {1, 1, 1}, kRelu);
            break;
        case 1:
            x = net.depthwise(x, {3, 3, 1}, kLinear);
            break;
        case 2:
            x = net.conv(x, 8, {1, 1, 1}, kLinear);
            break;
        case 3:
            x = net.add(skip, x, kLinear);
            break;
        default:
            x = net.unary(static_cast<std::int32_t>(OperatorKind::Relu), x);
            skip = x;
            break;
        }
    }
    return net.finish(in, x, fmt::format("Plumbline sample branches-{}", operators));
}

namespace {

struct Row {
    SampleInfo info;
    Bytes (*make)(std::uint64_t seed);
};

Bytes defaultBranches(std::uint64_t seed) { return makeBranchesSample(1000, seed); }

constexpr std::array<Row, 7> kRows{{
    {{"ds-cnn", "Depthwise separable network of the keyword-spotting shape, 12 classes"}, dsCnn},
    {{"mobilenet", "MobileNet V1 0.25 of the visual-wake-words shape, 2 classes"}, mobilenet},
    {{"resnet8", "ResNet-8 of the image-classification shape, 10 classes"}, resnet8},
    {{"autoencoder", "Fully connected autoencoder of the anomaly-detection shape"}, autoencoder},
    {{"every-operator", "Every operator the target places, with several K slices"}, everyOperator},
    {{"refused", "Breaks several rules of the target"}, refused},
    {{kBranches, "1000 operators with residual branches; branches-N has N"}, defaultBranches},
}};

constexpr auto kInfos = [] {
    std::array<SampleInfo, kRows.size()> infos{};
    for (std::size_t i = 0; i < kRows.size(); ++i)
        infos[i] = kRows[i].info;
    return infos;
}();

/// N of "branches-N".
std::optional<std::size_t> branchCount(std::string_view name) {
    if (!name.starts_with(kBranches) || name.size() < kBranches.size() + 2 ||
        name[kBranches.size()] != '-')
        return std::nullopt;
    const std::string_view digits = name.substr(kBranches.size() + 1);
    std::size_t count = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), count);
    const bool whole = error == std::errc() && end == digits.data() + digits.size();
    return whole && count >= 1 && count <= kMaxBranchOperators ? std::optional(count)
                                                               : std::nullopt;
}

} // namespace

std::span<const SampleInfo> allSamples() { return kInfos; }

Result<Bytes> makeSample(std::string_view name, std::uint64_t seed) {
    const auto row = std::find_if(kRows.begin(), kRows.end(),
                                  [name](const Row& each) { return each.info.name == name; });
    if (row != kRows.end())
        return row->make(seed);
    if (const auto count = branchCount(name))
        return makeBranchesSample(*count, seed);
    return makeError(Code::Usage, fmt::format("'{}' is no sample; branches takes 1..{} operators",
                                              name, kMaxBranchOperators));
}

} // namespace plumbline
