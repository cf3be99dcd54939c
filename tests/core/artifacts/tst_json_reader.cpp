// SPDX-License-Identifier: GPL-3.0-or-later
#include <gtest/gtest.h>

#include "core/artifacts/json_reader.h"

namespace plumbline {
namespace {

using nlohmann::json;

Result<json> parse(std::string_view text) {
    return parseJson(Bytes(text.begin(), text.end()), "file.json", Code::BadTrace);
}

std::string repeated(std::string_view text, std::size_t count) {
    std::string all;
    for (std::size_t i = 0; i < count; ++i)
        all += text;
    return all;
}

TEST(ParseJson, validTextGivesItsValue) {
    const auto value = parse(R"( {"a":[1,-2,3.5,"ü",true,null]} )");
    ASSERT_TRUE(value);
    EXPECT_EQ(value->at("a").size(), 6u);
    EXPECT_EQ(value->at("a")[3], "ü");
}

TEST(ParseJson, bracketsInStringsAreNoNesting) {
    EXPECT_TRUE(parse("\"" + repeated("[", 100) + "\""));
    EXPECT_TRUE(parse(R"(["\"[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[", "\\"])"));
}

TEST(ParseJson, nestingUpToTheLimitIsRead) {
    EXPECT_TRUE(parse(repeated("[", 32) + repeated("]", 32)));
}

std::optional<json> memberOf(std::string_view text, std::string_view key) {
    return parseMember(Bytes(text.begin(), text.end()), key);
}

TEST(ParseMember, givesOneMemberOfTheRootAlone) {
    constexpr std::string_view kText =
        R"({"b": {"key": 1}, "key": {"key": [1, {"b": 2}]}, "c": [{"key": 3}]})";
    EXPECT_EQ(memberOf(kText, "key"), json::parse(R"({"key": [1, {"b": 2}]})"));
    EXPECT_EQ(memberOf(kText, "c"), json::parse(R"([{"key": 3}])"));
    EXPECT_EQ(memberOf(kText, "d"), std::nullopt);
}

TEST(ParseMember, givesNothingOfWhatIsNoObject) {
    for (const char* text : {"", "[1]", "\"key\"", "{\"key\": 1", "{\"key\": 1}}", "null"})
        EXPECT_EQ(memberOf(text, "key"), std::nullopt) << text;
    EXPECT_EQ(memberOf("{\"key\":" + repeated("[", 40) + repeated("]", 40) + "}", "key"),
              std::nullopt);
}

struct BadText {
    const char* name;
    std::string text;
    std::string words;
};

class ParseJsonBad : public testing::TestWithParam<BadText> {};

TEST_P(ParseJsonBad, isRefusedWithFileAndCode) {
    const auto value = parse(GetParam().text);
    ASSERT_FALSE(value);
    ASSERT_EQ(value.diagnostics().size(), 1u);
    EXPECT_EQ(value.diagnostics()[0].code, Code::BadTrace);
    EXPECT_EQ(value.diagnostics()[0].where.file, "file.json");
    EXPECT_NE(value.diagnostics()[0].message.find(GetParam().words), std::string::npos)
        << value.diagnostics()[0].message;
}

INSTANTIATE_TEST_SUITE_P(
    Text, ParseJsonBad,
    testing::Values(BadText{"empty", "", "not valid JSON"},
                    BadText{"cut_off", R"({"a":)", "not valid JSON"},
                    BadText{"trailing_text", "{} x", "not valid JSON"},
                    BadText{"invalid_utf8", "[\"\xFF\"]", "not valid JSON"},
                    BadText{"number_beyond_double", "[1e999]", "not valid JSON"},
                    BadText{"comment", "/* */ {}", "not valid JSON"},
                    BadText{"nested_33", repeated("[", 33) + repeated("]", 33), "33 levels"},
                    BadText{"nested_objects", repeated("{\"a\":", 500'000), "levels deep"},
                    BadText{"nested_after_garbage", "x" + repeated("[", 1'000'000), "1000000"},
                    BadText{"too_many_values", "[" + repeated("1,", 4'000'001) + "1]",
                            "4000000 are allowed"}),
    [](const auto& row) { return std::string(row.param.name); });

TEST(ParseJson, errorNamesTheByte) {
    const auto value = parse(R"({"a":1 "b":2})");
    ASSERT_FALSE(value);
    ASSERT_TRUE(value.diagnostics()[0].where.byte.has_value());
    EXPECT_GE(*value.diagnostics()[0].where.byte, 7u);
    EXPECT_LE(*value.diagnostics()[0].where.byte, 9u);
}

class Values : public testing::Test {
  protected:
    JsonValue root() { return {m_document, m_report}; }

    void expectOne(Code code, const std::string& place, const std::string& words) {
        ASSERT_EQ(m_report.diagnostics.size(), 1u);
        const Diagnostic& found = m_report.diagnostics[0];
        EXPECT_EQ(found.code, code);
        EXPECT_EQ(found.where.file, "file.json");
        EXPECT_EQ(found.where.part, place);
        EXPECT_NE(found.message.find(words), std::string::npos) << found.message;
        m_report.diagnostics.clear();
    }

    json m_document = json::parse(R"({
        "int": 5, "negative": -5, "big": 18446744073709551615, "real": 5.0, "text": "abc",
        "flag": true, "nothing": null, "list": [1, 2, 300], "mixed": [{"x": "y"}],
        "digest": "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
        "upper": "E3B0C44298FC1C149AFBF4C8996FB92427AE41E4649B934CA495991B7852B855"})");
    JsonReport m_report{
        "file.json", Code::ManifestKeyMissing, Code::ManifestKeyUnknown, Code::ManifestValue, {}};
};

TEST_F(Values, valuesOfTheRightTypeAreRead) {
    EXPECT_EQ(root().member("int").integer(0, 5), 5);
    EXPECT_EQ(root().member("negative").integer(-5, 0), -5);
    EXPECT_EQ(root().member("real").number(), 5.0);
    EXPECT_EQ(root().member("int").number(), 5.0);
    EXPECT_EQ(root().member("text").text(), "abc");
    EXPECT_EQ(root().member("flag").boolean(), true);
    EXPECT_TRUE(root().member("nothing").isNull());
    EXPECT_EQ(root().member("digest").sha256()->substr(0, 4), "e3b0");
    EXPECT_EQ(root().member("list").integers(0, 300, 3), (std::vector<std::int64_t>{1, 2, 300}));
    EXPECT_EQ((*root().member("mixed").items())[0].member("x").place(), "mixed[0].x");
    EXPECT_TRUE(m_report.diagnostics.empty());
}

TEST_F(Values, wrongValuesAreReportedWithPlaceAndValue) {
    EXPECT_FALSE(root().member("int").integer(0, 4));
    expectOne(Code::ManifestValue, "int", "an integer within 0..4 expected, found 5.");
    EXPECT_FALSE(root().member("int").integer(6, 9));
    expectOne(Code::ManifestValue, "int", "found 5.");
    EXPECT_FALSE(root().member("big").integer(0, INT64_MAX));
    expectOne(Code::ManifestValue, "big", "18446744073709551615");
    EXPECT_FALSE(root().member("real").integer(0, 9));
    expectOne(Code::ManifestValue, "real", "found 5.0");
    EXPECT_FALSE(root().member("text").number());
    expectOne(Code::ManifestValue, "text", "a number expected, found \"abc\"");
    EXPECT_FALSE(root().member("list").text());
    expectOne(Code::ManifestValue, "list", "a string expected, found an array of 3");
    EXPECT_FALSE(root().member("int").boolean());
    expectOne(Code::ManifestValue, "int", "true or false");
    EXPECT_FALSE(root().member("upper").sha256());
    expectOne(Code::ManifestValue, "upper", "64 lower-case");
    EXPECT_FALSE(root().member("text").sha256());
    expectOne(Code::ManifestValue, "text", "64 lower-case");
    EXPECT_FALSE(root().member("int").items());
    expectOne(Code::ManifestValue, "int", "an array expected");
    EXPECT_FALSE(root().member("list").items(2));
    expectOne(Code::ManifestValue, "list", "an array of at most 2");
    EXPECT_FALSE(root().member("list").integers(0, 255, 3));
    expectOne(Code::ManifestValue, "list[2]", "found 300");
}

TEST_F(Values, missingKeyIsReportedOnce) {
    const JsonValue missing = root().member("none");
    EXPECT_FALSE(missing.exists());
    EXPECT_FALSE(missing.integer(0, 1));
    EXPECT_FALSE(missing.text());
    EXPECT_FALSE(missing.sha256());
    EXPECT_FALSE(missing.items());
    EXPECT_FALSE(missing.member("deeper").exists());
    expectOne(Code::ManifestKeyMissing, "none", "\"none\" is missing");
}

TEST_F(Values, optionalKeyMayBeMissing) {
    EXPECT_FALSE(root().optionalMember("none").exists());
    EXPECT_TRUE(root().optionalMember("int").exists());
    EXPECT_TRUE(m_report.diagnostics.empty());
}

TEST_F(Values, memberOfWhatIsNoObjectIsReported) {
    EXPECT_FALSE(root().member("int").member("x").exists());
    expectOne(Code::ManifestValue, "int", "an object expected, found 5");
}

TEST_F(Values, unknownKeysAreReportedWithTheirValue) {
    const std::string_view known[] = {"y"};
    (*root().member("mixed").items())[0].allowOnly(known);
    expectOne(Code::ManifestKeyUnknown, "mixed[0].x", "\"x\" is unknown; its value is \"y\"");
    const std::string_view all[] = {"x"};
    (*root().member("mixed").items())[0].allowOnly(all);
    EXPECT_TRUE(m_report.diagnostics.empty());
}

TEST_F(Values, longTextIsCutInMessages) {
    m_document["text"] = std::string(1'000'000, 'x');
    EXPECT_FALSE(root().member("text").boolean());
    EXPECT_LT(m_report.diagnostics[0].message.size(), 200u);
}

TEST_F(Values, diagnosticsAreBounded) {
    m_document = json::array();
    for (int i = 0; i < 5000; ++i)
        m_document.push_back("x");
    EXPECT_FALSE(root().integers(0, 1, 5000));
    EXPECT_EQ(m_report.diagnostics.size(), kMaxJsonDiagnostics);
}

} // namespace
} // namespace plumbline
