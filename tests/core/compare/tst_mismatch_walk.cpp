// SPDX-License-Identifier: GPL-3.0-or-later
// The walk over mismatches, both ways round, on made-up verdicts.
#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "core/compare/mismatch_walk.h"

namespace plumbline {
namespace {

constexpr Hwc kShape{2, 3, 4};

/// Layers of operators 0, 2, 4, 6, 8; element places that differ are listed per layer.
struct Walked {
    Verdicts verdicts;
    Reference reference;

    void addLayer(std::int64_t operatorIndex, const std::vector<ElementIndex>& differing) {
        Bytes theirs(static_cast<std::size_t>(kShape.elements()), 7);
        LayerVerdict layer;
        layer.operatorIndex = operatorIndex;
        layer.shape = kShape;
        layer.ours = theirs;
        for (const ElementIndex& at : differing)
            layer.ours[static_cast<std::size_t>((at.h * 3 + at.w) * 4 + at.c)] = 9;
        layer.accumulated = compareTensors(layer.ours, theirs, kShape, 0, nullptr);
        verdicts.layers.push_back(layer);
        TraceLayer from;
        from.operatorIndex = operatorIndex;
        from.shape = {2, 3, 4};
        from.bytes = theirs;
        sealLayer(from);
        reference.trace.layers.push_back(from);
    }

    std::optional<MismatchPlace> step(std::optional<std::int64_t> operatorIndex,
                                      std::optional<ElementIndex> element, int direction) const {
        return stepMismatch(verdicts, reference, operatorIndex, element, direction);
    }
};

/// Operator 2 differs in two elements, 6 by digest only, 8 in one; 0 and 4 are equal.
Walked example() {
    Walked made;
    made.addLayer(0, {});
    made.addLayer(2, {{0, 1, 2}, {1, 2, 3}});
    made.addLayer(4, {});
    made.addLayer(6, {});
    made.addLayer(8, {{1, 0, 0}});
    LayerVerdict& digestOnly = made.verdicts.layers[3];
    digestOnly.accumulated = TensorComparison{};
    digestOnly.accumulated->equal = false;
    made.reference.trace.layers[3].bytes.clear();
    return made;
}

struct Expected {
    std::int64_t operatorIndex;
    std::optional<ElementIndex> element;
};
const std::vector<Expected> kOrder{
    {2, ElementIndex{0, 1, 2}}, {2, ElementIndex{1, 2, 3}}, {6, {}}, {8, ElementIndex{1, 0, 0}}};

void expectPlace(const std::optional<MismatchPlace>& place, const Expected& expected,
                 bool wrapped) {
    ASSERT_TRUE(place);
    EXPECT_EQ(place->operatorIndex, expected.operatorIndex);
    EXPECT_EQ(place->element, expected.element);
    EXPECT_EQ(place->wrapped, wrapped);
}

TEST(MismatchWalk, walksForwardsAndGoesRound) {
    const Walked walked = example();
    expectPlace(walked.step({}, {}, 1), kOrder[0], false);
    for (std::size_t i = 0; i < kOrder.size(); ++i)
        expectPlace(walked.step(kOrder[i].operatorIndex, kOrder[i].element, 1),
                    kOrder[(i + 1) % kOrder.size()], i + 1 == kOrder.size());
}

TEST(MismatchWalk, walksBackwardsAndGoesRound) {
    const Walked walked = example();
    expectPlace(walked.step({}, {}, -1), kOrder[3], false);
    for (std::size_t i = 0; i < kOrder.size(); ++i)
        expectPlace(walked.step(kOrder[i].operatorIndex, kOrder[i].element, -1),
                    kOrder[(i + 3) % kOrder.size()], i == 0);
}

TEST(MismatchWalk, startsBetweenMismatches) {
    const Walked walked = example();
    const ElementIndex equalElement{0, 2, 0};
    expectPlace(walked.step(2, equalElement, 1), kOrder[1], false);
    expectPlace(walked.step(2, equalElement, -1), kOrder[0], false);
    expectPlace(walked.step(2, {}, 1), kOrder[0], false);
    expectPlace(walked.step(2, {}, -1), kOrder[3], true);
    expectPlace(walked.step(3, {}, 1), kOrder[2], false); // 3 has no layer
    expectPlace(walked.step(3, {}, -1), kOrder[1], false);
    expectPlace(walked.step(9, {}, 1), kOrder[0], true);
    expectPlace(walked.step(9, {}, -1), kOrder[3], false);
    expectPlace(walked.step(2, ElementIndex{9, 9, 9}, 1), kOrder[0], false);
}

TEST(MismatchWalk, theOnlyMismatchIsItsOwnNeighbour) {
    Walked walked;
    walked.addLayer(0, {{1, 1, 1}});
    const Expected only{0, ElementIndex{1, 1, 1}};
    expectPlace(walked.step(0, only.element, 1), only, true);
    expectPlace(walked.step(0, only.element, -1), only, true);
}

TEST(MismatchWalk, layersWrongByThemselvesAndFaultsArePlaces) {
    Walked walked;
    walked.addLayer(0, {});
    walked.addLayer(1, {});
    walked.addLayer(2, {});
    walked.verdicts.layers[1].strayBytes = 3;
    walked.verdicts.layers[2].accumulated.reset();
    walked.verdicts.layers[2].ours.clear();
    walked.verdicts.layers[2].shape = {};
    walked.verdicts.layers[2].fault = Fault{};
    expectPlace(walked.step({}, {}, 1), {1, {}}, false);
    expectPlace(walked.step(1, {}, 1), {2, {}}, false);
    expectPlace(walked.step(2, {}, 1), {1, {}}, true);
}

TEST(MismatchWalk, nothingWhereAllIsEqual) {
    Walked walked;
    EXPECT_FALSE(walked.step({}, {}, 1));
    walked.addLayer(0, {});
    walked.addLayer(1, {});
    for (const int direction : {1, -1}) {
        EXPECT_FALSE(walked.step({}, {}, direction));
        EXPECT_FALSE(walked.step(0, ElementIndex{0, 0, 0}, direction));
        EXPECT_FALSE(walked.step(5, {}, direction));
    }
}

} // namespace
} // namespace plumbline
