// SPDX-License-Identifier: GPL-3.0-or-later
// The field table as code and as a lossless codec.
#include <gtest/gtest.h>

#include "core/npu_p0/descriptor.h"

namespace plumbline::npu_p0 {
namespace {

TEST(Descriptor, FieldsStandAtTheirWords) {
    EXPECT_EQ(wordOf(Field::Version), 0);
    EXPECT_EQ(wordOf(Field::ParamBase), 5);
    EXPECT_EQ(wordOf(Field::InputW), 6);
    EXPECT_EQ(wordOf(Field::OutputC), 7);
    EXPECT_EQ(wordOf(Field::KSlice), 15);
    EXPECT_EQ(wordOf(Field::ParamBytes), 19);
    EXPECT_EQ(wordOf(Field::ActivationMax), 23);
    EXPECT_EQ(wordOf(Field::WeightBase), 24);
    EXPECT_EQ(wordOf(Field::Reserved31), 31);
}

TEST(Descriptor, SignedBytesExtend) {
    Descriptor d;
    d.set(Field::Input0Zero, -128);
    d.set(Field::ActivationMin, -1);
    d.set(Field::ActivationMax, 127);
    EXPECT_EQ(d.get(Field::Input0Zero), -128);
    EXPECT_EQ(d.word(20), 0x80U);
    EXPECT_EQ(d.word(23), 0x7fffU);
}

TEST(Descriptor, EveryFieldKeepsMinimumMaximumAndNeighbours) {
    for (const FieldSpec& field : fieldTable().fields) {
        for (const std::uint8_t background : {std::uint8_t{0}, std::uint8_t{0xff}}) {
            Bytes record(kDescriptorBytes, background);
            const Bytes before = record;
            const std::int64_t old = fieldValue(record, field);
            for (const std::int64_t value : {field.minimum, field.maximum}) {
                setField(record, field, value);
                EXPECT_EQ(fieldValue(record, field), value) << field.name;
            }
            setField(record, field, old);
            EXPECT_EQ(record, before) << field.name;
        }
    }
}

TEST(Descriptor, RandomBytesSurviveDecodeAndEncode) {
    for (std::uint64_t seed = 0; seed < 200; ++seed) {
        const Bytes record = seededBytes(seed, kDescriptorBytes);
        const Descriptor decoded{ByteView(record)};
        Descriptor encoded;
        for (std::size_t i = 0; i < fieldTable().fields.size(); ++i) {
            const auto field = static_cast<Field>(i);
            encoded.set(field, decoded.get(field));
        }
        EXPECT_EQ(toHex(encoded.bytes()), toHex(record));
    }
}

TEST(Descriptor, ViolationsOfAFieldsOwnRule) {
    Bytes record(kDescriptorBytes, 0);
    const auto check = [&](Field field) {
        return fieldViolation(record, specOf(field), fieldTable());
    };
    setField(record, specOf(Field::Opcode), 8); // CLAMP
    EXPECT_EQ(check(Field::Reserved1), "");
    setField(record, specOf(Field::Reserved1), 5);
    EXPECT_EQ(check(Field::Reserved1), "reserved bits hold 0x5, not 0");
    setField(record, specOf(Field::WeightBase), 64);
    EXPECT_EQ(check(Field::WeightBase), "CLAMP does not use this field; it holds 0x40, not 0");
    EXPECT_EQ(check(Field::InputH), "0 is outside 1..4096");
    setField(record, specOf(Field::InputH), 4096);
    EXPECT_EQ(check(Field::InputH), "");
}

} // namespace
} // namespace plumbline::npu_p0
