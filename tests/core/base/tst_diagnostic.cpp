// SPDX-License-Identifier: GPL-3.0-or-later
#include <cctype>
#include <set>

#include <gtest/gtest.h>

#include "core/base/diagnostic.h"
#include "core/base/result.h"

namespace plumbline {
namespace {

TEST(Diagnostic, idsAreUniqueAndWellFormed) {
    std::set<std::string_view> ids;
    for (const CodeInfo& info : allCodes()) {
        EXPECT_TRUE(ids.insert(info.id).second) << info.id << " is used twice";
        ASSERT_GE(info.id.size(), 7u) << info.name;
        const std::string_view tail = info.id.substr(info.id.size() - 5);
        EXPECT_EQ(tail[0], '-') << info.id;
        EXPECT_TRUE(std::isupper(tail[1])) << info.id;
        EXPECT_TRUE(std::isdigit(tail[2]) && std::isdigit(tail[3]) && std::isdigit(tail[4]))
            << info.id;
        EXPECT_FALSE(info.rule.empty()) << info.id;
    }
}

TEST(Diagnostic, everyCodeIsFoundByItself) {
    for (const CodeInfo& info : allCodes())
        EXPECT_EQ(&codeInfo(info.code), &info) << info.id;
}

TEST(Diagnostic, textHasPlaceMessageAndHint) {
    Location where;
    where.file = "model.tflite";
    where.operatorIndex = 3;
    where.record = 2;
    where.word = 12;
    EXPECT_EQ(placeText(where), "model.tflite: operator 3, record 2, word 12");
    Diagnostic diagnostic{Severity::Error, Code::Stride, "The stride is 3.", "Use 2.", where};
    EXPECT_EQ(toText(diagnostic), "error P0-L021 at model.tflite: operator 3, record 2, word 12: "
                                  "The stride is 3.\n  hint: Use 2.");
}

TEST(Diagnostic, textWithoutPlaceOrHint) {
    EXPECT_EQ(placeText({}), "");
    EXPECT_EQ(toText({Severity::Note, Code::Stride, "Text.", "", {}}), "note P0-L021: Text.");
}

TEST(Diagnostic, onlyErrorsCountAsErrors) {
    const Diagnostics mild{makeWarning(Code::Stride, "w"), makeNote(Code::Stride, "n")};
    EXPECT_FALSE(hasErrors(mild));
    EXPECT_TRUE(hasErrors(Diagnostics{mild[0], makeError(Code::Stride, "e")}));
}

TEST(Diagnostic, errorsCarryTheHintOfTheirCode) {
    EXPECT_EQ(makeError(Code::FileUnreadable, "m").hint, codeInfo(Code::FileUnreadable).hint);
}

TEST(Result, warningsTravelWithSuccess) {
    const Result<int> result(7, {makeWarning(Code::Stride, "w")});
    ASSERT_TRUE(result.ok());
    EXPECT_EQ(*result, 7);
    EXPECT_EQ(result.diagnostics().size(), 1u);
}

TEST(Result, failureHasNoValue) {
    const Result<int> result(makeError(Code::Stride, "e"));
    EXPECT_FALSE(result.ok());
    EXPECT_EQ(result.diagnostics().front().code, Code::Stride);
}

} // namespace
} // namespace plumbline
