// SPDX-License-Identifier: GPL-3.0-or-later
// Candidates at many places of a filter; `|` stands for the cursor.
#include <algorithm>

#include <gtest/gtest.h>

#include "core/filter/completion.h"
#include "tests/core/filter/filter_samples.h"

namespace plumbline::test {
namespace {

std::vector<Completion> completionsOf(std::string text, bool withValues = true) {
    const std::size_t cursor = text.find('|');
    text.erase(cursor, 1);
    const FilterSource source(loweredSample("every-operator"));
    return complete(text, cursor, schema(), withValues ? &source : nullptr);
}

std::vector<std::string> textsOf(const std::vector<Completion>& completions) {
    std::vector<std::string> texts;
    for (const Completion& completion : completions)
        texts.push_back(completion.text);
    return texts;
}

bool has(const std::vector<std::string>& texts, const std::string& text) {
    return std::find(texts.begin(), texts.end(), text) != texts.end();
}

struct Row {
    const char* text;
    std::vector<std::string> offered;
    std::vector<std::string> notOffered;
};

class CompletionAt : public testing::TestWithParam<Row> {};

TEST_P(CompletionAt, OffersWhatMayStandThere) {
    const std::vector<std::string> texts = textsOf(completionsOf(GetParam().text));
    for (const std::string& text : GetParam().offered)
        EXPECT_TRUE(has(texts, text)) << text;
    for (const std::string& text : GetParam().notOffered)
        EXPECT_FALSE(has(texts, text)) << text;
}

INSTANTIATE_TEST_SUITE_P(
    Rows, CompletionAt,
    testing::Values(
        Row{"|", {"opcode", "cout", "INPUT_H", "field.OPCODE", "not", "("}, {"and", "==", "npu"}},
        Row{"co|", {"cout", "opcode"}, {"h", "not"}}, Row{"CO|ut", {"cout"}, {"h"}},
        Row{"arena.|", {"arena.bytes", "arena.offset"}, {"cout"}},
        Row{"in|", {"input.scale", "INPUT_H", "index"}, {"in"}},
        Row{"field.|", {"field.INPUT_H"}, {"INPUT_H", "cout"}},
        Row{"cout |", {"==", "!=", "<", ">=", "in"}, {"contains", "~", "and"}},
        Row{"name |", {"==", "!=", "in", "contains", "~"}, {"<"}},
        Row{"severity |", {"<", "=="}, {}}, Row{"name con|", {"contains"}, {"=="}},
        Row{"opcode == |", {"CONV2D", "ADD", "unknown"}, {"cout", "npu"}},
        Row{"opcode == CO|", {"CONV2D"}, {"ADD"}}, Row{"opcode == \"co|", {"CONV2D"}, {"ADD"}},
        Row{"placement != |", {"npu", "none", "cpu-softmax", "refused"}, {"CONV2D"}},
        Row{"name == |", {"CONV_2D"}, {"cout"}},
        Row{"cout == |", {"20", "cin", "unknown"}, {"name", "placement"}},
        Row{"cout > 2|", {"20"}, {"1100", "RESERVED_23"}}, Row{"cout in |", {"{"}, {"20"}},
        Row{"cout in {|", {"20"}, {"{", "cin"}}, Row{"cout in {8 |", {",", "}"}, {"and"}},
        Row{"opcode in {ADD, |", {"CONV2D"}, {"and"}},
        Row{"cout > 3 |", {"and", "or"}, {")", "cout"}}, Row{"(cout > 3 |", {"and", ")"}, {}},
        Row{"(cout > 3) |", {"and"}, {")"}}, Row{"cout > 3 and |", {"cout", "not", "("}, {"and"}},
        Row{"conv |", {"and", "or"}, {"=="}}, Row{"not |", {"cout"}, {"and"}},
        Row{"cout in 1..2 |", {"and"}, {"}"}}, Row{"cout| > 3", {"cout"}, {"and"}},
        Row{"cout not |", {"in"}, {"and"}}, Row{"cout in {1, 2} |", {"and"}, {"}"}}));

TEST(Completion, ReplacesTheWholeWordAtTheCursor) {
    for (const Completion& completion : completionsOf("not co|ut > 3")) {
        EXPECT_EQ(completion.begin, 4U);
        EXPECT_EQ(completion.end, 8U);
    }
    for (const Completion& completion : completionsOf("cout > |")) {
        EXPECT_EQ(completion.begin, 7U);
        EXPECT_EQ(completion.end, 7U);
    }
    // An open quote goes with what it opened.
    for (const Completion& completion : completionsOf("opcode == \"co|"))
        EXPECT_EQ(completion.begin, 10U);
}

TEST(Completion, PutsWhatBeginsWithTheWordFirst) {
    const std::vector<std::string> texts = textsOf(completionsOf("op|"));
    ASSERT_GE(texts.size(), 2U);
    EXPECT_EQ(texts.front(), "opcode");
}

TEST(Completion, SaysWhatAFieldMeans) {
    const std::vector<Completion> completions = completionsOf("arena.byt|");
    ASSERT_FALSE(completions.empty());
    EXPECT_EQ(completions.front().detail, "Size of the output in the arena (bytes)");
    EXPECT_EQ(completions.front().kind, CompletionKind::Field);
}

TEST(Completion, NeedsNoLowering) {
    EXPECT_TRUE(has(textsOf(completionsOf("opcode == |", false)), "ADD"));
    EXPECT_FALSE(has(textsOf(completionsOf("cout == |", false)), "20"));
}

TEST(Completion, OfAFieldOrValueParsesWhenTaken) {
    const FilterSource source(loweredSample("every-operator"));
    for (const char* text :
         {"opcode == ", "name != ", "cout > ", "tensor contains ", "index in {"}) {
        const std::string begun = text;
        for (const Completion& completion : complete(begun, begun.size(), schema(), &source)) {
            const std::string whole = begun + completion.text + (begun.ends_with('{') ? "}" : "");
            EXPECT_TRUE(parseFilter(whole, schema())) << whole;
        }
    }
}

} // namespace
} // namespace plumbline::test
