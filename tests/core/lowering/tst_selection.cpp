// SPDX-License-Identifier: GPL-3.0-or-later
// Addresses: their text, and what they mean in a small lowering.
#include <gtest/gtest.h>

#include "core/lowering/selection.h"

namespace plumbline::test {
namespace {

struct AddressCase {
    const char* text;
    const char* printed; ///< null: the text is refused
};

class Address : public testing::TestWithParam<AddressCase> {};

TEST_P(Address, ReadsAndPrints) {
    const auto [text, printed] = GetParam();
    const Result<Selection> selection = parseSelection(text);
    ASSERT_EQ(selection.ok(), printed != nullptr) << text;
    if (printed == nullptr) {
        EXPECT_EQ(selection.diagnostics().front().code, Code::BadAddress);
        EXPECT_TRUE(selection.diagnostics().front().where.byte.has_value());
        return;
    }
    EXPECT_EQ(toText(*selection), printed);
    const Result<Selection> again = parseSelection(printed);
    ASSERT_TRUE(again.ok());
    EXPECT_EQ(*again, *selection);
}

INSTANTIATE_TEST_SUITE_P(
    Grammar, Address,
    testing::Values(
        AddressCase{"op/7", "op/7"}, AddressCase{"op/7/word/12", "op/7/word/12"},
        AddressCase{"op/7/word/12/INPUT_H", "op/7/word/12/INPUT_H"},
        AddressCase{"op/7/tile/3", "op/7/tile/3"},
        AddressCase{"op/7/word/1/tile/3/element/1,2,3", "op/7/word/1/tile/3/element/1,2,3"},
        AddressCase{"op/7/word/1/OPCODE/element/1,2,3", "op/7/word/1/OPCODE/element/1,2,3"},
        AddressCase{"record/0x10/word/3", "record/16/word/3"}, AddressCase{"tensor/4", "tensor/4"},
        AddressCase{"buffer/0", "buffer/0"}, AddressCase{"diagnostic/2", "diagnostic/2"},
        AddressCase{"weights/0x40+16", "weights/0x40+16"}, AddressCase{"params/64", "params/0x40"},
        AddressCase{"descriptors/0", "descriptors/0x0"},
        AddressCase{"arena/0x10+0x20", "arena/0x10+32"},
        AddressCase{"arena@3/0x10+2", "arena@3/0x10+2"}));

INSTANTIATE_TEST_SUITE_P(
    Refused, Address,
    testing::Values(
        AddressCase{"", nullptr}, AddressCase{"op", nullptr}, AddressCase{"op/", nullptr},
        AddressCase{"op/-1", nullptr}, AddressCase{"op/7x", nullptr}, AddressCase{"op/7/", nullptr},
        AddressCase{"op/7/word", nullptr}, AddressCase{"op/7/word/x", nullptr},
        AddressCase{"op/7/element/1,2", nullptr}, AddressCase{"op/7/tile/1/word/2", nullptr},
        AddressCase{"record/1/tile/2", nullptr}, AddressCase{"op/99999999999999999999", nullptr},
        AddressCase{"weights", nullptr}, AddressCase{"weights/1+0", nullptr},
        AddressCase{"weights@2/1", nullptr}, AddressCase{"arena@/1", nullptr},
        AddressCase{"arena/1/2", nullptr}, AddressCase{"planet/1", nullptr}));

constexpr FieldSpec kFields[] = {
    {"OPCODE", "HEAD", 0, 0, 8, FieldKind::Opcode, ~0U, 0, 255, "", "", ""},
    {"REST", "HEAD", 0, 8, 24, FieldKind::Number, ~0U, 0, 0xFFFFFF, "", "", ""},
    {"INPUT", "INPUT", 1, 0, 32, FieldKind::Address, ~0U, 0, 0, "bytes", "", "", "arena"}};
const FieldTable kTable{"test", 8, kFields, 0,
                        [](std::uint32_t) { return std::string_view("OP"); }};

/// Operator 0 has record 0 and buffer 1, operator 1 is an alias of its output, operator 2 has
/// record 1.
Lowering smallLowering() {
    Lowering lowering;
    lowering.fields = &kTable;
    auto model = std::make_shared<Model>();
    Graph graph;
    graph.tensors.resize(4);
    for (std::int32_t i = 0; i < 3; ++i) {
        Operator op;
        op.inputs = {i};
        op.outputs = {i + 1};
        graph.operators.push_back(op);
        LoweredOperator lowered;
        lowered.index = i;
        lowered.placement = i == 1 ? Placement::Alias : Placement::Npu;
        if (i != 1)
            lowered.record = i / 2;
        lowered.geometry.oh = 2, lowered.geometry.ow = 3, lowered.geometry.cout = 4;
        lowered.tiles.tiles = 5;
        lowered.arena.output = i == 2 ? 0 : 64;
        lowered.weights = RegionSlice{static_cast<std::uint64_t>(i) * 16, 16};
        lowering.operators.push_back(lowered);
    }
    model->graphs.push_back(graph);
    lowering.model = model;
    lowering.records = {{0, Bytes(8)}, {2, Bytes(8)}};
    lowering.weights = Bytes(48);
    lowering.arena = planArena(
        {{0, {}, "in", 24, -1, 0}, {1, {2}, "mid", 24, 0, 2}, {3, {}, "out", 24, 2, 3}}, 3);
    return lowering;
}

Place placeOf(const char* address, const Diagnostics& diagnostics = {}) {
    const Lowering lowering = smallLowering();
    const Result<Place> place = resolveSelection(*parseSelection(address), lowering, diagnostics);
    EXPECT_TRUE(place.ok()) << address;
    return place ? *place : Place{};
}

TEST(Resolve, AnOperatorBringsItsRecordTensorAndBuffer) {
    const Place place = placeOf("op/2");
    EXPECT_EQ(place.record, 1);
    EXPECT_EQ(place.tensor, 3);
    EXPECT_EQ(place.buffer, 2);
    EXPECT_EQ(place.step, 2);
}

TEST(Resolve, AnAliasHasTheBufferOfWhatItAliases) {
    const Place place = placeOf("op/1");
    EXPECT_EQ(place.record, std::nullopt);
    EXPECT_EQ(place.buffer, 1);
}

TEST(Resolve, AWordIsFourBytesOfTheDescriptors) {
    const Place place = placeOf("record/1/word/1/INPUT");
    EXPECT_EQ(place.operatorIndex, 2);
    EXPECT_EQ(place.field, 2U);
    ASSERT_TRUE(place.span.has_value());
    EXPECT_EQ(*place.span, (AddressSpan{"descriptors", {}, 12, 4}));
}

TEST(Resolve, AFieldIsTheBytesThatItsBitsTouch) {
    EXPECT_EQ(*placeOf("record/0/word/0/OPCODE").span, (AddressSpan{"descriptors", {}, 0, 1}));
    EXPECT_EQ(*placeOf("record/1/word/0/REST").span, (AddressSpan{"descriptors", {}, 9, 3}));
}

TEST(Resolve, BytesFindTheirOwner) {
    EXPECT_EQ(placeOf("descriptors/0xC+2").word, 1);
    EXPECT_EQ(placeOf("descriptors/0xC+2").operatorIndex, 2);
    EXPECT_EQ(placeOf("weights/17").operatorIndex, 1);
    EXPECT_EQ(placeOf("arena@0/0x41").buffer, 1);
    EXPECT_EQ(placeOf("arena@0/0x41").operatorIndex, 0);
    EXPECT_EQ(placeOf("buffer/2").operatorIndex, 2);
    EXPECT_EQ(placeOf("tensor/2").operatorIndex, 1);
}

TEST(Resolve, AnElementIsAByteOfTheArena) {
    const Place place = placeOf("op/0/element/1,2,3");
    ASSERT_TRUE(place.span.has_value());
    EXPECT_EQ(*place.span, (AddressSpan{"arena", 0, 64 + 23, 1}));
}

TEST(Resolve, ADiagnosticLeadsToItsPlace) {
    Location where;
    where.record = 1;
    where.word = 1;
    const Place place = placeOf("diagnostic/0", {makeError(Code::BadAddress, "x", where)});
    EXPECT_EQ(place.operatorIndex, 2);
    EXPECT_EQ(place.word, 1);
    EXPECT_EQ(place.diagnostic, 0);
}

TEST(Resolve, WhatDoesNotExistIsRefused) {
    const Lowering lowering = smallLowering();
    for (const char* const address :
         {"op/3", "record/2", "op/1/word/0", "op/0/word/2", "op/0/word/1/OPCODE", "op/0/tile/5",
          "op/0/element/2,0,0", "tensor/4", "buffer/3", "diagnostic/0", "weights/48",
          "weights/40+9", "arena/128", "params/0"}) {
        const Result<Place> place = resolveSelection(*parseSelection(address), lowering);
        ASSERT_FALSE(place.ok()) << address;
        EXPECT_EQ(place.diagnostics().front().code, Code::NoSuchPlace);
    }
}

TEST(Resolve, NothingInAnEmptyLowering) {
    Lowering empty;
    EXPECT_TRUE(resolveSelection({}, empty).ok());
    for (const char* const address : {"op/0", "record/0", "tensor/0", "buffer/0", "weights/0",
                                      "descriptors/0", "arena/0", "arena@0/0"})
        EXPECT_FALSE(resolveSelection(*parseSelection(address), empty).ok()) << address;
}

} // namespace
} // namespace plumbline::test
