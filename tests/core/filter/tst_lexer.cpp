// SPDX-License-Identifier: GPL-3.0-or-later
// Tokens, numbers and units.
#include <limits>

#include <gtest/gtest.h>

#include "core/filter/lexer.h"

namespace plumbline {
namespace {

std::vector<Token> tokensOf(std::string_view text) {
    std::vector<Token> tokens;
    std::size_t at = 0;
    do {
        tokens.push_back(nextToken(text, at));
        at = tokens.back().end;
    } while (tokens.back().kind != TokenKind::End && tokens.back().kind != TokenKind::Bad);
    return tokens;
}

TEST(Lexer, NamesEveryKindAndItsPlace) {
    const std::string text = "a.b-c==\"x y\" != < <= > >= ~ ( ) { } , 1..2 and || !";
    const std::vector<TokenKind> kinds{TokenKind::Word,
                                       TokenKind::Equal,
                                       TokenKind::Quoted,
                                       TokenKind::NotEqual,
                                       TokenKind::Less,
                                       TokenKind::LessEqual,
                                       TokenKind::Greater,
                                       TokenKind::GreaterEqual,
                                       TokenKind::Matches,
                                       TokenKind::LeftParenthesis,
                                       TokenKind::RightParenthesis,
                                       TokenKind::LeftBrace,
                                       TokenKind::RightBrace,
                                       TokenKind::Comma,
                                       TokenKind::Number,
                                       TokenKind::Range,
                                       TokenKind::Number,
                                       TokenKind::And,
                                       TokenKind::Or,
                                       TokenKind::Not,
                                       TokenKind::End};
    const std::vector<Token> tokens = tokensOf(text);
    ASSERT_EQ(tokens.size(), kinds.size());
    for (std::size_t i = 0; i < kinds.size(); ++i)
        EXPECT_EQ(tokens[i].kind, kinds[i]) << i;
    EXPECT_EQ(tokens[0].text, "a.b-c");
    EXPECT_EQ(tokens[0].end, 5U);
    EXPECT_EQ(tokens[2].text, "x y");
    EXPECT_EQ(tokens[2].begin, 7U);
    EXPECT_EQ(tokens[2].end, 12U);
    EXPECT_EQ(tokens.back().begin, text.size());
}

TEST(Lexer, KeywordsIgnoreCaseAndAreWholeWords) {
    for (const char* text : {"and", "AND", "And"})
        EXPECT_EQ(nextToken(text, 0).kind, TokenKind::And) << text;
    for (const char* text : {"android", "in.x", "not_", "input"})
        EXPECT_EQ(nextToken(text, 0).kind, TokenKind::Word) << text;
    EXPECT_TRUE(isPlainWord("conv2d/Relu:0"));
    for (const char* text : {"and", "12", "a b", " a", "a,b", "", "\"a\"", "a..b"})
        EXPECT_FALSE(isPlainWord(text)) << text;
}

struct NumberRow {
    const char* text;
    FilterNumber value;
    bool countsBytes;
};

class LexerNumber : public testing::TestWithParam<NumberRow> {};

TEST_P(LexerNumber, IsReadWhole) {
    const Token token = nextToken(GetParam().text, 0);
    ASSERT_EQ(token.kind, TokenKind::Number) << token.text;
    EXPECT_EQ(token.end, std::string(GetParam().text).size());
    EXPECT_EQ(token.number, GetParam().value);
    EXPECT_EQ(token.countsBytes, GetParam().countsBytes);
}

INSTANTIATE_TEST_SUITE_P(
    Rows, LexerNumber,
    testing::Values(
        NumberRow{"0", std::int64_t{0}, false}, NumberRow{"-12", std::int64_t{-12}, false},
        NumberRow{"9223372036854775807", std::numeric_limits<std::int64_t>::max(), false},
        NumberRow{"-9223372036854775808", std::numeric_limits<std::int64_t>::min(), false},
        NumberRow{"0x1F", std::int64_t{31}, false}, NumberRow{"-0x10", std::int64_t{-16}, false},
        NumberRow{"0x10B", std::int64_t{267}, false}, // B is a digit here
        NumberRow{"0x10 B", std::int64_t{16}, true}, NumberRow{"0.5", 0.5, false},
        NumberRow{"1e3", 1000.0, false}, NumberRow{"1.25e-2", 0.0125, false},
        NumberRow{"8KiB", std::int64_t{8192}, true}, NumberRow{"8 KiB", std::int64_t{8192}, true},
        NumberRow{"1.5KiB", std::int64_t{1536}, true},
        NumberRow{"2MB", std::int64_t{2'000'000}, true}, NumberRow{"3k", std::int64_t{3000}, false},
        NumberRow{"1.5M", std::int64_t{1'500'000}, false}));

struct BadRow {
    const char* text;
    Code code;
    std::size_t begin;
};

class LexerRefuses : public testing::TestWithParam<BadRow> {};

TEST_P(LexerRefuses, SayingWhere) {
    const Token token = tokensOf(GetParam().text).back();
    ASSERT_EQ(token.kind, TokenKind::Bad);
    EXPECT_EQ(token.code, GetParam().code);
    EXPECT_EQ(token.begin, GetParam().begin);
    EXPECT_GT(token.end, token.begin);
    EXPECT_FALSE(token.text.empty());
}

INSTANTIATE_TEST_SUITE_P(Rows, LexerRefuses,
                         testing::Values(BadRow{"a \"b", Code::FilterUnclosed, 2},
                                         BadRow{"'it", Code::FilterUnclosed, 0},
                                         BadRow{"\"a\\\"", Code::FilterUnclosed, 0},
                                         BadRow{"a = 1", Code::FilterSyntax, 2},
                                         BadRow{"a == #", Code::FilterSyntax, 5},
                                         BadRow{"a - 1", Code::FilterSyntax, 2},
                                         BadRow{"12parsecs", Code::FilterUnit, 2},
                                         BadRow{"1kib", Code::FilterUnit, 1},
                                         BadRow{"0x", Code::FilterNumber, 0},
                                         BadRow{"9223372036854775808", Code::FilterNumber, 0},
                                         BadRow{"9223372036854775807KiB", Code::FilterNumber, 0},
                                         BadRow{"1e999", Code::FilterNumber, 0},
                                         BadRow{"0x10000000000000000", Code::FilterNumber, 0}));

TEST(Lexer, EscapesOnlyTheQuoteAndTheBackslash) {
    EXPECT_EQ(nextToken(R"("a\"b\\c\d")", 0).text, R"(a"b\c\d)");
    EXPECT_EQ(nextToken(R"('a\'b"c')", 0).text, R"(a'b"c)");
}

} // namespace
} // namespace plumbline
