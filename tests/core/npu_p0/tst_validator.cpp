// SPDX-License-Identifier: GPL-3.0-or-later
// Every line of the golden validator data: same verdict, code and word.
#include <gtest/gtest.h>

#include "core/npu_p0/validator.h"
#include "tests/support/test_data.h"

namespace plumbline::npu_p0 {
namespace {

using nlohmann::json;

std::string verdictText(const json& line) {
    if (line["ok"].get<bool>())
        return "ok";
    return line["code"].dump() + "," + line["word"].dump();
}

std::string verdictText(const std::optional<RecordViolation>& violation) {
    if (!violation)
        return "ok";
    return std::to_string(static_cast<int>(violation->code)) + "," +
           (violation->word ? std::to_string(*violation->word) : "null");
}

TEST(Validator, GivesTheGoldenVerdictForEveryRecord) {
    const std::vector<json> lines = test::goldenLines("validator.jsonl");
    ASSERT_EQ(lines.size(), 6000U);
    for (const json& line : lines) {
        const auto bytes = fromHex(line["hex"].get<std::string>());
        ASSERT_TRUE(bytes && bytes->size() == kDescriptorBytes);
        std::optional<AddressRange> array;
        if (!line["region"].is_null())
            array = AddressRange{line["region"][0], line["region"][1]};
        const auto violation = validate(Descriptor(ByteView(*bytes)), array);
        ASSERT_EQ(verdictText(violation), verdictText(line)) << line["hex"];
        if (violation) {
            EXPECT_FALSE(violation->message.empty()) << line["hex"];
        }
    }
}

} // namespace
} // namespace plumbline::npu_p0
