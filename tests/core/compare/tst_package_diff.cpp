// SPDX-License-Identifier: GPL-3.0-or-later
// Package against package: nothing between equal ones, the changed place otherwise.
#include <gtest/gtest.h>

#include <algorithm>

#include "core/compare/diff.h"
#include "core/document/package_lowering.h"
#include "tests/support/sample_package.h"

namespace plumbline {
namespace {

using test::SamplePackage;

LoweringDiff lowerings(const Package& a, const Package& b) {
    return diffLowerings(*loweringOfPackage(a, npuP0Target()),
                         *loweringOfPackage(b, npuP0Target()));
}

std::vector<PackageDifference> diff(const Package& a, const Package& b) {
    return diffPackages(a, b, lowerings(a, b));
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

TEST(PackageDiff, WhatTheLoweringsTellIsNotToldAgain) {
    const SamplePackage sample;
    const Package ours = *loadPackage(sample.path());
    Package theirs = ours;
    storeU32(theirs.job.descriptors, 2 * 128 + 15 * 4, 7); // K_SLICE of record 2
    theirs.manifest["report"]["operators"][2]["k_slice"] = 7;
    theirs.operators[2].tiles.kSlice = 7; // as loading it gives
    theirs.manifest["report"]["operators"][2]["k_slices"]["count"] = 99;
    theirs.job.weights[0] ^= 1;
    theirs.job.relocations[3].offset += 64;
    theirs.manifest["relocations"][3]["offset"] = 1;
    EXPECT_EQ(lowerings(ours, theirs).changes.size(), 4U); // field, tiles, weights, relocation
    EXPECT_TRUE(diff(ours, theirs).empty());
}

TEST(PackageDiff, ADerivedValueThatNothingExplainsIsTold) {
    const SamplePackage sample;
    const Package ours = *loadPackage(sample.path());
    Package theirs = ours;
    theirs.manifest["report"]["operators"][2]["k_slices"]["count"] = 99;
    theirs.manifest["report"]["operators"][2]["geometry"]["kh"] = 15;
    theirs.manifest["report"]["totals"]["descriptors"] = 1;
    const auto all = diff(ours, theirs);
    ASSERT_EQ(all.size(), 3U);
    EXPECT_EQ(all[0].key, "report.totals.descriptors");
    EXPECT_EQ(all[0].operatorIndex, std::nullopt);
    EXPECT_EQ(all[1].key, "report.operators[2].geometry.kh");
    EXPECT_EQ(all[1].operatorIndex, 2);
    EXPECT_EQ(all[1].theirs, "15");
    EXPECT_EQ(all[2].key, "report.operators[2].k_slices.count");
}

TEST(PackageDiff, StepAndArenaAreTold) {
    const SamplePackage sample;
    const Package ours = *loadPackage(sample.path());
    Package theirs = ours;
    theirs.manifest["arena_bytes"] = 1;
    theirs.manifest["steps"][0]["count"] = 1;
    const auto all = diff(ours, theirs);
    ASSERT_NE(find(all, "arena"), nullptr);
    EXPECT_EQ(find(all, "arena")->key, "arena_bytes");
    ASSERT_NE(find(all, "step"), nullptr);
    EXPECT_EQ(find(all, "step")->key, "steps[0].count");
}

TEST(PackageDiff, WhatTheReportRepeatsIsToldOnce) {
    const SamplePackage sample;
    const Package ours = *loadPackage(sample.path());
    Package theirs = ours;
    theirs.manifest["workload"] = theirs.manifest["report"]["workload"] = "other";
    const auto all = diff(ours, theirs);
    ASSERT_EQ(all.size(), 1U);
    EXPECT_EQ(all[0].key, "workload");
    EXPECT_EQ(all[0].kind, "value");
    theirs.manifest["report"]["workload"] = "a third";
    EXPECT_EQ(diff(ours, theirs).size(), 2U);
}

TEST(PackageDiff, AReportOfAnotherFormIsTold) {
    const SamplePackage sample;
    const Package ours = *loadPackage(sample.path());
    const auto isTold = [&](const Package& theirs) {
        return !lowerings(ours, theirs).equal() || !diff(ours, theirs).empty();
    };
    for (const nlohmann::json& wrong :
         {nlohmann::json(), nlohmann::json(7), nlohmann::json::array({1, 2})}) {
        Package theirs = ours;
        theirs.manifest["report"] = wrong;
        EXPECT_TRUE(isTold(theirs)) << wrong;
        theirs = ours;
        theirs.manifest["report"]["operators"] = wrong;
        EXPECT_TRUE(isTold(theirs)) << wrong;
        theirs = ours;
        theirs.manifest["report"]["operators"][1] = wrong;
        EXPECT_TRUE(isTold(theirs)) << wrong;
    }
}

} // namespace
} // namespace plumbline
