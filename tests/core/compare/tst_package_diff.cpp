// SPDX-License-Identifier: GPL-3.0-or-later
// Package against package: nothing between equal ones, the changed place otherwise.
#include <gtest/gtest.h>

#include <algorithm>

#include "core/compare/diff.h"
#include "tests/support/sample_package.h"

namespace plumbline {
namespace {

using test::SamplePackage;

std::vector<PackageDifference> diff(const Package& a, const Package& b) {
    return diffPackages(a, b, npuP0Target().fields());
}

const PackageDifference* find(const std::vector<PackageDifference>& all, const std::string& kind) {
    const auto found = std::find_if(all.begin(), all.end(),
                                    [&](const PackageDifference& d) { return d.kind == kind; });
    return found == all.end() ? nullptr : &*found;
}

TEST(PackageDiff, EqualPackagesDoNotDiffer) {
    const SamplePackage sample;
    const Package package = *loadPackage(sample.path());
    EXPECT_TRUE(diff(package, package).empty());
}

TEST(PackageDiff, FreeTextAndCompilerAreLeftOut) {
    const SamplePackage sample;
    const Package ours = *loadPackage(sample.path());
    Package theirs = ours;
    theirs.manifest["compiler"]["git_revision"] = "other";
    theirs.manifest["report"]["arena_note"] = "other";
    EXPECT_TRUE(diff(ours, theirs).empty());
}

TEST(PackageDiff, AChangedFieldIsNamed) {
    const SamplePackage sample;
    const Package ours = *loadPackage(sample.path());
    Package theirs = ours;
    storeU32(theirs.job.descriptors, 2 * 128 + 15 * 4, 7); // K_SLICE of record 2
    const auto all = diff(ours, theirs);
    ASSERT_EQ(all.size(), 1U);
    EXPECT_EQ(all[0].kind, "field");
    EXPECT_EQ(all[0].key, "K_SLICE");
    EXPECT_EQ(all[0].record, 2);
    EXPECT_EQ(all[0].word, 15);
    EXPECT_EQ(all[0].operatorIndex, 2);
    EXPECT_EQ(all[0].theirs, "7");
}

TEST(PackageDiff, AChangedWeightByteNamesItsOperator) {
    const SamplePackage sample;
    const Package ours = *loadPackage(sample.path());
    Package theirs = ours;
    const auto slice = *sample.lowering().operators[1].weights;
    theirs.job.weights[slice.offset + 5] ^= 0x10;
    const auto all = diff(ours, theirs);
    ASSERT_EQ(all.size(), 1U);
    EXPECT_EQ(all[0].kind, "weights");
    EXPECT_EQ(all[0].operatorIndex, 1);
}

TEST(PackageDiff, RelocationStepAndArenaAreTold) {
    const SamplePackage sample;
    const Package ours = *loadPackage(sample.path());
    Package theirs = ours;
    theirs.job.relocations[3].offset += 64;
    theirs.manifest["arena_bytes"] = 1;
    theirs.manifest["steps"][0]["count"] = 1;
    const auto all = diff(ours, theirs);
    ASSERT_NE(find(all, "relocation"), nullptr);
    EXPECT_EQ(find(all, "relocation")->key, "relocations[3]");
    ASSERT_NE(find(all, "arena"), nullptr);
    EXPECT_EQ(find(all, "arena")->key, "arena_bytes");
    ASSERT_NE(find(all, "step"), nullptr);
}

} // namespace
} // namespace plumbline
