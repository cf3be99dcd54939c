// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>

#include <gtest/gtest.h>

#include "app/command_line/candidates.h"

namespace plumbline::command_line {
namespace {

using Words = std::vector<std::string>;

TEST(Candidates, SmallLettersAreWords) {
    const Candidates engines = candidatesOf("executor|reference");
    EXPECT_EQ(engines.words, (Words{"executor", "reference"}));
    EXPECT_FALSE(engines.takesPaths());
    EXPECT_EQ(candidatesOf("descriptor-abi").words, Words{"descriptor-abi"});
}

TEST(Candidates, CapitalsAreKindsOfPaths) {
    const Candidates subject = candidatesOf("MODEL|DIR");
    EXPECT_EQ(subject.suffixes, Words{".tflite"});
    EXPECT_TRUE(subject.directories);
    EXPECT_FALSE(subject.files);
    EXPECT_TRUE(subject.words.empty());
    EXPECT_TRUE(candidatesOf("FILE").files);
    EXPECT_FALSE(candidatesOf("FILE").directories);
    EXPECT_TRUE(candidatesOf("DIR").directories);
}

TEST(Candidates, ReferenceIsAWordOrAFile) {
    const Candidates reference = candidatesOf("REF");
    EXPECT_EQ(reference.words, Words{"reference"});
    EXPECT_TRUE(reference.files);
}

TEST(Candidates, SamplesAreTheBuiltInOnes) {
    const Words words = candidatesOf("SAMPLE").words;
    EXPECT_NE(std::find(words.begin(), words.end(), "mobilenet"), words.end());
    EXPECT_NE(std::find(words.begin(), words.end(), "branches"), words.end());
}

TEST(Candidates, OtherValuesHaveNone) {
    for (const char* value : {"", "N", "TEXT", "A:B", "op/N:NAME", "PLACE", "WxH"})
        EXPECT_TRUE(candidatesOf(value).empty()) << value;
}

} // namespace
} // namespace plumbline::command_line
