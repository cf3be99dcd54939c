// SPDX-License-Identifier: GPL-3.0-or-later
// What parses into what, and where and why the rest is refused.
#include <gtest/gtest.h>

#include "core/filter/lexer.h"
#include "tests/core/filter/filter_samples.h"

namespace plumbline::test {
namespace {

struct ParseRow {
    const char* text;
    const char* canonical;
};

class FilterParses : public testing::TestWithParam<ParseRow> {};

TEST_P(FilterParses, ToItsCanonicalForm) {
    const Result<Filter> filter = parseFilter(GetParam().text, schema());
    ASSERT_TRUE(filter) << toText(filter.diagnostics().front());
    EXPECT_EQ(toText(*filter), GetParam().canonical);
    EXPECT_EQ(filter->text(), GetParam().text);
    const Result<Filter> again = parseFilter(GetParam().canonical, schema());
    ASSERT_TRUE(again);
    EXPECT_EQ(toText(*again), GetParam().canonical);
}

INSTANTIATE_TEST_SUITE_P(
    Rows, FilterParses,
    testing::Values(
        ParseRow{"", ""}, ParseRow{" \t\n", ""},
        ParseRow{"opcode == CONV2D and cout > 32", "opcode == CONV2D and cout > 32"},
        ParseRow{"OPCODE==conv2d&&COUT>0x20", "opcode == CONV2D and cout > 32"},
        ParseRow{"arena.bytes >= 8KiB", "arena.bytes >= 8192"},
        ParseRow{"placement != npu", "placement != npu"},
        ParseRow{"mismatches > 0", "mismatches > 0"},
        ParseRow{"opcode in {CONV2D, 'add'}", "opcode in {CONV2D, ADD}"},
        ParseRow{"cout in 16..64", "cout in 16..64"},
        ParseRow{"cout in {16..64}", "cout in 16..64"},
        ParseRow{"cout in {8, 16..32}", "cout in {8, 16..32}"},
        ParseRow{"cout not in {8}", "not cout in {8}"},
        ParseRow{"dma.bytes in 1 KiB .. 1 MiB", "dma.bytes in 1024..1048576"},
        ParseRow{"a and b or c", "(a and b) or c"}, ParseRow{"a or b and c", "a or (b and c)"},
        ParseRow{"(a or b) and c", "(a or b) and c"}, ParseRow{"not a and b", "not a and b"},
        ParseRow{"not (a and b)", "not (a and b)"}, ParseRow{"!!a", "not not a"},
        ParseRow{"((((a))))", "a"}, ParseRow{"a and b and c", "a and b and c"},
        ParseRow{"name ~ \"^conv\"", "name ~ \"^conv\""},
        ParseRow{"name matches conv", "name ~ conv"},
        ParseRow{"name contains '2D'", "name contains \"2D\""},
        ParseRow{"opcode contains conv", "opcode contains conv"},
        ParseRow{"tensor not contains relu", "not tensor contains relu"},
        ParseRow{"cin != cout", "cin != cout"}, ParseRow{"record == unknown", "record == unknown"},
        ParseRow{"name == 'unknown'", "name == \"unknown\""}, ParseRow{"'cout'", "\"cout\""},
        ParseRow{"severity >= warning", "severity >= warning"},
        ParseRow{"input.scale < 0.5", "input.scale < 0.5"},
        ParseRow{"input.scale == 1.0", "input.scale == 1.0"},
        ParseRow{"field.OPCODE == 1", "field.OPCODE == 1"}, ParseRow{"input_h > 4", "INPUT_H > 4"},
        ParseRow{"field.input_h > 4", "INPUT_H > 4"},
        ParseRow{"output.zero == -128", "output.zero == -128"},
        ParseRow{"WEIGHT_BASE >= 16 KiB", "WEIGHT_BASE >= 16384"}));

struct ErrorRow {
    const char* text;
    Code code;
    std::size_t at;
    std::size_t length;
    const char* says;
};

class FilterRefused : public testing::TestWithParam<ErrorRow> {};

TEST_P(FilterRefused, WhereAndWhy) {
    const ErrorRow& row = GetParam();
    const Result<Filter> filter = parseFilter(row.text, schema());
    ASSERT_FALSE(filter);
    ASSERT_EQ(filter.diagnostics().size(), 1U);
    const Diagnostic& error = filter.diagnostics().front();
    EXPECT_EQ(error.code, row.code) << error.message;
    EXPECT_EQ(error.where.byte, row.at) << error.message;
    EXPECT_EQ(errorLength(error), row.length) << error.message;
    EXPECT_NE(error.message.find(row.says), std::string::npos) << error.message;
}

INSTANTIATE_TEST_SUITE_P(
    Rows, FilterRefused,
    testing::Values(
        ErrorRow{"coutt > 3", Code::FilterField, 0, 5, "did you mean 'cout'?"},
        ErrorRow{"a and arena.byte > 3", Code::FilterField, 6, 10, "'arena.bytes'"},
        ErrorRow{"zzzzqqqq == 3", Code::FilterField, 0, 8, "no field 'zzzzqqqq'."},
        ErrorRow{"field.name == x", Code::FilterField, 0, 10, "no field"},
        ErrorRow{"\"cout\" > 3", Code::FilterSyntax, 0, 6, "unquoted"},
        ErrorRow{"cout", Code::FilterSyntax, 0, 4, "'cout' is a field"},
        ErrorRow{"cout and a", Code::FilterSyntax, 0, 4, "is a field"},
        ErrorRow{"12", Code::FilterSyntax, 0, 2, "number alone"},
        ErrorRow{"cout >", Code::FilterSyntax, 6, 1, "A number must stand here; the filter ends"},
        ErrorRow{"cout > and", Code::FilterSyntax, 7, 3, "A number"},
        ErrorRow{"a and", Code::FilterSyntax, 5, 1, "A condition"},
        ErrorRow{"and a", Code::FilterSyntax, 0, 3, "A condition"},
        ErrorRow{"a b", Code::FilterSyntax, 2, 1, "'and', 'or'"},
        ErrorRow{"cout > 3 4", Code::FilterSyntax, 9, 1, "'and', 'or'"},
        ErrorRow{"cout = 3", Code::FilterSyntax, 5, 1, "'=='"},
        ErrorRow{"(a and b", Code::FilterUnclosed, 0, 1, "'(' is not closed"},
        ErrorRow{"a and (b", Code::FilterUnclosed, 6, 1, "not closed"},
        ErrorRow{"a)", Code::FilterUnclosed, 1, 1, "closes nothing"},
        ErrorRow{"opcode in {ADD", Code::FilterUnclosed, 10, 1, "'{' is not closed"},
        ErrorRow{"opcode in {ADD CONV2D}", Code::FilterSyntax, 15, 6, "','"},
        ErrorRow{"opcode in {}", Code::FilterSyntax, 11, 1, "A text"},
        ErrorRow{"cout in 16", Code::FilterSyntax, 8, 2, "range"},
        ErrorRow{"cout in 64..16", Code::FilterNumber, 8, 2, "range is empty"},
        ErrorRow{"opcode in ADD..CONV2D", Code::FilterType, 13, 2, "ranges are of numbers"},
        ErrorRow{"name == \"a", Code::FilterUnclosed, 8, 2, "quote"},
        ErrorRow{"cout > 3parsecs", Code::FilterUnit, 8, 7, "no unit 'parsecs'"},
        ErrorRow{"cout > 8KiB", Code::FilterType, 7, 4, "does not count bytes"},
        ErrorRow{"cout > many", Code::FilterType, 7, 4, "neither a number nor a field"},
        ErrorRow{"cout > name", Code::FilterType, 7, 4, "neither a number nor a field"},
        ErrorRow{"cout == \"3\"", Code::FilterType, 8, 3, "cannot be compared with text"},
        ErrorRow{"name == 3", Code::FilterType, 8, 1, "quote the value: \"3\""},
        ErrorRow{"name < a", Code::FilterType, 5, 1, "without an order"},
        ErrorRow{"placement < npu", Code::FilterType, 10, 1, "without an order"},
        ErrorRow{"cout contains 3", Code::FilterType, 5, 8, "only text has parts"},
        ErrorRow{"cout ~ a", Code::FilterType, 5, 1, "only text has parts"},
        ErrorRow{"name contains 3", Code::FilterType, 14, 1, "quote the value"},
        ErrorRow{"cout > unknown", Code::FilterType, 5, 1, "only == and !="},
        ErrorRow{"opcode == CONV_2D", Code::FilterName, 10, 7, "did you mean 'CONV2D'?"},
        ErrorRow{"placement == nowhere", Code::FilterName, 13, 7, "one of npu, none,"},
        ErrorRow{"opcode == 1", Code::FilterType, 10, 1, "is text"},
        ErrorRow{"name ~ \"(\"", Code::FilterPattern, 7, 3, "at byte 0"},
        ErrorRow{"name ~ \"a|*\"", Code::FilterPattern, 7, 5, "at byte 2"}));

TEST(FilterLimits, LengthAndNestingAreBounded) {
    const std::string blanks(kMaxFilterBytes - 1, ' ');
    EXPECT_TRUE(parseFilter(blanks + "a", schema()));
    const Result<Filter> tooLong = parseFilter(blanks + "ab", schema());
    ASSERT_FALSE(tooLong);
    EXPECT_EQ(tooLong.diagnostics().front().code, Code::FilterTooLong);
    EXPECT_EQ(tooLong.diagnostics().front().where.byte, kMaxFilterBytes);

    const auto nested = [](std::size_t depth) {
        return std::string(depth, '(') + "a" + std::string(depth, ')');
    };
    EXPECT_TRUE(parseFilter(nested(64), schema()));
    EXPECT_EQ(parseFilter(nested(65), schema()).diagnostics().front().where.byte, 64U);
    const Result<Filter> nots = parseFilter(std::string(4000, '!') + "a", schema());
    EXPECT_EQ(nots.diagnostics().front().code, Code::FilterNesting);
}

TEST(FilterErrors, AreMarkedBelowTheText) {
    const std::string text = "opcode == CONV_2D and cout > 3";
    const Result<Filter> filter = parseFilter(text, schema());
    EXPECT_EQ(markedText(text, filter.diagnostics().front()),
              "opcode == CONV_2D and cout > 3\n          ^~~~~~~");
    const std::string umlaut = "name == \"\xC3\xA4\" and\tcoutt > 1"; // two bytes, one column
    EXPECT_EQ(markedText(umlaut, parseFilter(umlaut, schema()).diagnostics().front()),
              "name == \"\xC3\xA4\" and coutt > 1\n                ^~~~~");
    EXPECT_EQ(markedText("cout >", parseFilter("cout >", schema()).diagnostics().front()),
              "cout >\n      ^");
}

TEST(FilterText, QuotesWhatIsNoWord) {
    EXPECT_EQ(quoteFilterValue(std::string("CONV_2D")), "CONV_2D");
    EXPECT_EQ(quoteFilterValue(std::string("a b\"c\\")), R"("a b\"c\\")");
    EXPECT_EQ(quoteFilterValue(std::string("and")), "\"and\"");
    EXPECT_EQ(quoteFilterValue(std::string()), "\"\"");
    EXPECT_EQ(quoteFilterValue(std::int64_t{-3}), "-3");
    EXPECT_EQ(quoteFilterValue(0.1), "0.1");
    EXPECT_EQ(quoteFilterValue(2.0), "2.0");
    EXPECT_EQ(quoteFilterValue({}), "unknown");
    EXPECT_EQ(filterFor(schema(), *schema().find("field.OPCODE"), std::int64_t{1}),
              "field.OPCODE == 1");
}

TEST(FilterSchema, WithoutARecordTableHasOnlyOperatorFields) {
    const FilterSchema bare = schemaOf(nullptr);
    EXPECT_TRUE(bare.find("cout"));
    EXPECT_FALSE(bare.find("INPUT_H"));
    EXPECT_TRUE(parseFilter("opcode == WHATEVER", bare));
    for (std::size_t i = 0; i < schema().fields().size(); ++i) {
        EXPECT_EQ(schema().find(schema().writtenName(i)), i) << schema().writtenName(i);
        EXPECT_TRUE(isPlainWord(schema().writtenName(i))) << schema().writtenName(i);
        EXPECT_FALSE(schema().field(i).meaning.empty()) << schema().writtenName(i);
    }
}

} // namespace
} // namespace plumbline::test
