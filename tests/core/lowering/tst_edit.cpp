// SPDX-License-Identifier: GPL-3.0-or-later
// Edits: their text, and that they change what they name and nothing else.
#include <gtest/gtest.h>

#include "core/lowering/edit.h"
#include "core/lowering/target.h"
#include "core/samples/samples.h"
#include "core/tflite/importer.h"

namespace plumbline {
namespace {

const FieldTable& fields() { return npuP0Target().fields(); }

const Job& sampleJob() {
    static const Job job = [] {
        const auto model = importTflite(*makeSample("every-operator"));
        return jobOf(**npuP0Target().lower(*model));
    }();
    return job;
}

std::size_t row(std::string_view name) { return *findField(fields(), name); }

Job applied(const Edit& edit) {
    const Result<Job> changed = applyEdits(sampleJob(), fields(), std::span(&edit, 1));
    EXPECT_TRUE(changed) << toText(edit, sampleJob(), fields());
    return changed ? *changed : Job{};
}

Code codeOf(const Edit& edit) {
    const Result<Job> changed = applyEdits(sampleJob(), fields(), std::span(&edit, 1));
    return changed ? Code{} : changed.diagnostics().front().code;
}

/// The record's bytes with `field` set bit by bit, as the table's row says.
Bytes withBits(Bytes bytes, std::int64_t record, const FieldSpec& field, std::int64_t value) {
    for (unsigned bit = 0; bit < field.width; ++bit) {
        const unsigned position = field.lsb + bit;
        std::uint8_t& byte =
            bytes[static_cast<std::size_t>(record) * 128 + field.word * 4U + position / 8];
        const auto mask = static_cast<std::uint8_t>(1U << position % 8);
        const bool isSet = (static_cast<std::uint64_t>(value) >> bit & 1) != 0;
        byte = static_cast<std::uint8_t>(isSet ? byte | mask : byte & ~mask);
    }
    return bytes;
}

TEST(Edit, EveryFieldIsSetBitByBitAndNothingElse) {
    SplitMix64 random(4);
    const auto records = static_cast<std::int64_t>(sampleJob().descriptors.size() / 128);
    for (std::size_t f = 0; f < fields().fields.size(); ++f) {
        const FieldSpec& field = fields().fields[f];
        const std::int64_t record = static_cast<std::int64_t>(random.next() >> 1) % records;
        const std::int64_t values = std::int64_t{1} << field.width;
        const std::int64_t low = field.kind == FieldKind::Signed ? -values / 2 : 0;
        const auto any =
            low + static_cast<std::int64_t>(random.below(static_cast<std::uint64_t>(values)));
        for (const std::int64_t value : {low, low + values - 1, any}) {
            const Job changed = applied(FieldEdit{record, f, value});
            EXPECT_EQ(changed.descriptors, withBits(sampleJob().descriptors, record, field, value))
                << field.name << " " << value;
            EXPECT_EQ(changed.weights, sampleJob().weights);
            EXPECT_EQ(changed.params, sampleJob().params);
        }
        EXPECT_EQ(codeOf(FieldEdit{record, f, low - 1}), Code::BadEdit) << field.name;
        EXPECT_EQ(codeOf(FieldEdit{record, f, low + values}), Code::BadEdit) << field.name;
    }
}

TEST(Edit, TheRelocationOfAnAddressFollowsItsField) {
    const auto index = static_cast<std::size_t>(
        std::find_if(sampleJob().relocations.begin(), sampleJob().relocations.end(),
                     [](const Relocation& r) { return r.record == 1 && r.region == "weights"; }) -
        sampleJob().relocations.begin());
    ASSERT_LT(index, sampleJob().relocations.size());
    const Job changed = applied(FieldEdit{1, row("WEIGHT_BASE"), 4096});
    std::vector<Relocation> expected = sampleJob().relocations;
    expected[index].offset = 4096;
    EXPECT_EQ(changed.relocations, expected);
    EXPECT_EQ(applied(FieldEdit{1, row("K_SLICE"), 3}).relocations, sampleJob().relocations);
}

TEST(Edit, ARelocationIsReplacedAlone) {
    const Relocation wanted{7, 2, "params", 12};
    const Job changed = applied(RelocationEdit{2, wanted});
    std::vector<Relocation> expected = sampleJob().relocations;
    expected[2] = wanted;
    EXPECT_EQ(changed.relocations, expected);
    EXPECT_EQ(changed.descriptors, sampleJob().descriptors);
}

TEST(Edit, AByteOfARegionIsSetAlone) {
    Bytes weights = sampleJob().weights;
    weights[17] = 0xFE;
    EXPECT_EQ(applied(ByteEdit{"weights", 17, 0xFE}).weights, weights);
    EXPECT_EQ(applied(ByteEdit{"weights", 17, 0xFE}).params, sampleJob().params);
    Bytes params = sampleJob().params;
    params.back() = 1;
    EXPECT_EQ(applied(ByteEdit{"params", params.size() - 1, 1}).params, params);
    const Job changed = applied(ByteEdit{"descriptors", 8, 0x55}); // INPUT0_BASE of record 0
    EXPECT_EQ(changed.descriptors[8], 0x55);
    EXPECT_EQ(changed.relocations, sampleJob().relocations);
}

TEST(Edit, EditsAreAppliedInOrder) {
    const std::vector<Edit> edits{ByteEdit{"params", 0, 1}, ByteEdit{"params", 0, 2},
                                  FieldEdit{0, row("INPUT0_BASE"), 64},
                                  RelocationEdit{0, {0, 2, "arena", 65}}};
    const Result<Job> changed = applyEdits(sampleJob(), fields(), edits);
    ASSERT_TRUE(changed);
    EXPECT_EQ(changed->params[0], 2);
    EXPECT_EQ(changed->relocations[0].offset, 65);
    EXPECT_EQ(loadU32(changed->descriptors, 8), 64U);
}

TEST(Edit, WhatDoesNotExistIsRefused) {
    const auto records = static_cast<std::int64_t>(sampleJob().descriptors.size() / 128);
    const auto relocations = static_cast<std::int64_t>(sampleJob().relocations.size());
    const std::vector<Edit> wrong{FieldEdit{records, 0, 1},
                                  FieldEdit{-1, 0, 1},
                                  FieldEdit{0, fields().fields.size(), 0},
                                  RelocationEdit{relocations, {}},
                                  RelocationEdit{-1, {}},
                                  ByteEdit{"weights", sampleJob().weights.size(), 0},
                                  ByteEdit{"arena", 0, 0}};
    for (const Edit& edit : wrong)
        EXPECT_EQ(codeOf(edit), Code::BadEdit) << edit.index();
}

TEST(Edit, TextIsReadBack) {
    SplitMix64 random(11);
    const auto records = sampleJob().descriptors.size() / 128;
    const auto& relocations = sampleJob().relocations;
    for (int i = 0; i < 400; ++i) {
        const std::size_t f = random.below(fields().fields.size());
        const auto value = static_cast<std::int64_t>(random.next() >> 20) - (1LL << 43);
        const std::size_t r = random.below(relocations.size());
        Relocation relocation = relocations[r];
        switch (random.below(4)) {
        case 0:
            relocation.region = relocation.region == "arena" ? "weights" : "arena";
            break;
        case 1:
            relocation.offset = value;
            break;
        case 2:
            relocation.word = value;
            break;
        default:
            relocation.record = value;
        }
        const std::vector<Edit> edits{
            FieldEdit{static_cast<std::int64_t>(random.below(records)), f, value},
            RelocationEdit{static_cast<std::int64_t>(r), relocation},
            ByteEdit{i % 2 == 0 ? "weights" : "descriptors", random.next() >> 1,
                     static_cast<std::uint8_t>(random.next())}};
        for (const Edit& edit : edits) {
            const std::string text = toText(edit, sampleJob(), fields());
            const Result<Edit> read = parseEdit(text, sampleJob(), fields());
            ASSERT_TRUE(read) << text;
            EXPECT_EQ(*read, edit) << text;
        }
    }
}

TEST(Edit, SeveralMembersOfARelocationAreSeveralTexts) {
    const Relocation& from = sampleJob().relocations[1];
    ASSERT_EQ(from.region, "arena");
    const RelocationEdit edit{1, {from.record, from.word, "params", from.offset + 16}};
    EXPECT_EQ(toText(Edit(edit), sampleJob(), fields()),
              "relocation/1/region=params relocation/1/offset=" + std::to_string(from.offset + 16));
}

struct TextRow {
    const char* text;
    Edit edit;
};

TEST(Edit, FormsOfText) {
    const Relocation& r = sampleJob().relocations[2];
    const std::vector<TextRow> rows{
        {"record/3/word/15/K_SLICE=0x10", FieldEdit{3, row("K_SLICE"), 16}},
        {"record/0/word/20/INPUT0_ZERO=-0x1", FieldEdit{0, row("INPUT0_ZERO"), -1}},
        {"weights/0x1F=-1", ByteEdit{"weights", 31, 255}},
        {"params/31=0xfe", ByteEdit{"params", 31, 254}},
        {"descriptors/4=7", ByteEdit{"descriptors", 4, 7}},
        {"relocation/2/offset=-64", RelocationEdit{2, {r.record, r.word, r.region, -64}}},
        {"relocation/2/region=nowhere", RelocationEdit{2, {r.record, r.word, "nowhere", r.offset}}},
    };
    for (const TextRow& line : rows) {
        const Result<Edit> read = parseEdit(line.text, sampleJob(), fields());
        ASSERT_TRUE(read) << line.text;
        EXPECT_EQ(*read, line.edit) << line.text;
    }
}

class BadEditText : public testing::TestWithParam<const char*> {};

TEST_P(BadEditText, IsRefusedWithItsText) {
    const Result<Edit> read = parseEdit(GetParam(), sampleJob(), fields());
    ASSERT_FALSE(read);
    EXPECT_EQ(read.diagnostics().front().code, Code::BadEdit);
    EXPECT_NE(read.diagnostics().front().message.find(GetParam()), std::string::npos);
}

INSTANTIATE_TEST_SUITE_P(
    Texts, BadEditText,
    testing::Values("", "=", "K_SLICE", "record/0/word/15/K_SLICE",
                    "record/0/word/15/K_SLICE=", "record/0/word/15/K_SLICE=3x",
                    "record/0/word/14/K_SLICE=3", "record/0/word/15/NOTHING=3",
                    "record/x/word/15/K_SLICE=3", "record/0/words/15/K_SLICE=3",
                    "record/0/word/15/K_SLICE/1=3", "record/0/word/15/K_SLICE=0x10000000000000000",
                    "weights/0=256", "weights/0=-129", "weights/-1=0", "weights/=0", "weights=0",
                    "weights/0+2=0", "arena/0=0", "relocation/0=1", "relocation/99999/offset=1",
                    "relocation/-1/offset=1", "relocation/0/offset=", "relocation/0/region=",
                    "relocation/0/region=a b", "relocation/0/size=1"));

} // namespace
} // namespace plumbline
