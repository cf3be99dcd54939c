// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/scale_models.h"

#include <array>
#include <vector>

#include "core/samples/network_builder.h"
#include "core/samples/samples.h"

namespace plumbline::test {
namespace {

constexpr std::int32_t kLogistic = 14;
const auto kRelu = static_cast<std::int32_t>(OperatorKind::Relu);

Bytes branches(std::size_t operators) { return makeBranchesSample(operators); }

Bytes chain(std::size_t operators) {
    NetworkBuilder net(1);
    const Value in = net.input({1, 1, 8});
    Value x = in;
    for (std::size_t i = 0; i < operators; ++i)
        x = net.unary(kRelu, x);
    return net.finish(in, x, "chain");
}

/// Weights and parameters of every operator fill whole multiples of the regions' alignment.
Bytes convolutions(std::size_t operators) {
    NetworkBuilder net(1);
    const Value in = net.input({1, 1, 16});
    Value x = in;
    for (std::size_t i = 0; i < operators; ++i)
        x = net.conv(x, 16, {1, 1, 1}, FusedActivation::Relu);
    return net.finish(in, x, "convolutions");
}

/// All in one alias group but the first and the last.
Bytes reshapes(std::size_t operators) {
    NetworkBuilder net(1);
    const Value in = net.input({1, 1, 8});
    Value x = net.unary(kRelu, in);
    for (std::size_t i = 2; i < operators; ++i)
        x = net.flatten(x);
    return net.finish(in, net.unary(kRelu, x), "reshapes");
}

/// Every second operator is a RESHAPE, so there are thousands of small alias groups.
Bytes pairs(std::size_t operators) {
    NetworkBuilder net(1);
    const Value in = net.input({1, 1, 8});
    Value x = in;
    for (std::size_t i = 0; i + 1 < operators; i += 2)
        x = net.flatten(net.unary(kRelu, x));
    return net.finish(in, x, "pairs");
}

/// All operators but the first read its output.
Bytes fanOut(std::size_t operators) {
    NetworkBuilder net(1);
    const Value in = net.input({1, 1, 8});
    const Value source = net.unary(kRelu, in);
    Value x = source;
    for (std::size_t i = 1; i < operators; ++i)
        x = net.add(source, x, FusedActivation::None);
    return net.finish(in, x, "fan-out");
}

/// A tree: all leaves are made, of many sizes, before the first two are joined.
Bytes tree(std::size_t operators) {
    NetworkBuilder net(1);
    SplitMix64 random(1);
    const Value in = net.input({2, 2, 8});
    std::vector<Value> leaves;
    for (std::size_t i = 0; i < operators / 3; ++i)
        leaves.push_back(net.conv(in, 8 + static_cast<std::int32_t>(random.below(400)), {1, 1, 1},
                                  FusedActivation::None));
    std::vector<Value> level;
    for (const Value& leaf : leaves)
        level.push_back(net.conv(leaf, 8, {1, 1, 1}, FusedActivation::None));
    while (level.size() > 1) {
        std::vector<Value> joined;
        for (std::size_t i = 0; i + 1 < level.size(); i += 2)
            joined.push_back(net.add(level[i], level[i + 1], FusedActivation::None));
        if (level.size() % 2 == 1)
            joined.push_back(level.back());
        level.swap(joined);
    }
    return net.finish(in, level.front(), "tree");
}

/// Small buffers between ones that live to the end: freed, they are holes of many sizes, none of
/// which holds what comes after.
Bytes comb(std::size_t operators) {
    NetworkBuilder net(1);
    SplitMix64 random(1);
    const Value in = net.input({2, 2, 8});
    std::vector<Value> freed;
    for (std::size_t i = 0; i < operators / 4; ++i) {
        freed.push_back(net.conv(in, 16 + static_cast<std::int32_t>(random.below(200)), {1, 1, 1},
                                 FusedActivation::None));
        net.unary(kRelu, in); // nothing reads it
    }
    for (const Value& each : freed)
        net.conv(each, 8, {1, 1, 1}, FusedActivation::None); // nothing reads it
    Value x = net.conv(in, 300, {1, 1, 1}, FusedActivation::None);
    for (std::size_t i = 1; i < operators / 4; ++i)
        x = net.unary(kRelu, x);
    return net.finish(in, x, "comb");
}

Bytes refused(std::size_t operators) {
    NetworkBuilder net(1);
    const Value in = net.input({1, 1, 8});
    Value x = in;
    for (std::size_t i = 0; i < operators; ++i)
        x = net.unary(kLogistic, x);
    return net.finish(in, x, "refused");
}

constexpr std::array<ScaleShape, 9> kShapes{{
    {"branches", "the built-in sample: blocks of five with a residual path", false, branches},
    {"chain", "one operator after the other, as deep as it is long", false, chain},
    {"convolutions", "constants in every operator, without gaps", false, convolutions},
    {"reshapes", "one storage with an alias per operator", false, reshapes},
    {"pairs", "as many storages with an alias as there are records", false, pairs},
    {"fan-out", "one tensor that every operator reads", false, fanOut},
    {"tree", "buffers of many sizes that live at once", false, tree},
    {"comb", "free blocks of many sizes that do not fit", false, comb},
    {"refused", "a diagnostic per operator", true, refused},
}};

} // namespace

std::span<const ScaleShape> scaleShapes() { return kShapes; }

} // namespace plumbline::test
