// SPDX-License-Identifier: GPL-3.0-or-later
// What holds for every command: help, exit codes, failures as text and as JSON, broken outputs.
#include <algorithm>
#include <filesystem>

#include <fcntl.h>
#include <unistd.h>

#include <gtest/gtest.h>

#include "tests/app/plumb_process.h"

namespace plumbline::test {
namespace {

namespace fs = std::filesystem;

class CommandHelp : public testing::TestWithParam<const char*> {};

TEST_P(CommandHelp, EndsWithAnExampleOfItself) {
    const Outcome help = plumb({GetParam(), "--help"});
    EXPECT_EQ(help.exitCode, 0);
    EXPECT_EQ(help.err, "");
    const std::size_t example = help.out.rfind("Example:\n");
    ASSERT_NE(example, std::string::npos) << help.out;
    EXPECT_NE(help.out.find("plumb " + std::string(GetParam()), example), std::string::npos);
    EXPECT_NE(help.out.find("--json"), std::string::npos);
    EXPECT_NE(help.out.find("--quiet"), std::string::npos);
}

INSTANTIATE_TEST_SUITE_P(Commands, CommandHelp,
                         testing::Values("info", "compile", "run", "bench", "check", "diff", "dump",
                                         "edit", "explain", "corpus", "corpus-merge", "sample",
                                         "demo", "docs", "completion", "version"),
                         [](const auto& row) {
                             std::string name = row.param;
                             std::replace(name.begin(), name.end(), '-', '_');
                             return name;
                         });

TEST(Help, OfTheProgramListsEveryCommandAndAnExample) {
    const Outcome help = plumb({"--help"});
    EXPECT_EQ(help.exitCode, 0);
    for (const char* command :
         {"info", "compile", "run", "bench", "check", "diff", "dump", "edit", "explain", "corpus",
          "corpus-merge", "sample", "demo", "docs", "version", "Example:"})
        EXPECT_NE(help.out.find(command), std::string::npos) << command;
}

struct UsageRow {
    const char* name;
    std::vector<std::string> arguments;
};

class WrongUsage : public testing::TestWithParam<UsageRow> {};

TEST_P(WrongUsage, IsExitTwoWithTheUsageCode) {
    const Outcome text = plumb(GetParam().arguments);
    EXPECT_EQ(text.exitCode, 2) << text.err;
    EXPECT_EQ(text.out, "");
    EXPECT_NE(text.err.find("PL-U001"), std::string::npos) << text.err;

    std::vector<std::string> arguments = GetParam().arguments;
    arguments.push_back("--json");
    const Outcome json = plumb(arguments);
    EXPECT_EQ(json.exitCode, 2);
    ASSERT_TRUE(json.json().is_object()) << json.out;
    EXPECT_EQ(json.json().at("ok"), false);
    EXPECT_EQ(codesOf(json.json()), std::vector<std::string>{"PL-U001"});
}

const UsageRow kUsageRows[] = {
    {"no_command", {}},
    {"unknown_command", {"lower"}},
    {"unknown_option", {"info", "a", "--colour"}},
    {"missing_argument", {"info"}},
    {"surplus_argument", {"info", "a", "b"}},
    {"compile_without_output", {"compile", "a.tflite"}},
    {"compile_two_inputs", {"compile", "a", "-o", "b", "--seed", "1", "--input", "c"}},
    {"run_without_input", {"run", "a.tflite"}},
    {"run_two_inputs", {"run", "a", "--seed", "1", "--input", "c"}},
    {"run_unknown_engine", {"run", "a", "--seed", "1", "--engine", "gpu"}},
    {"run_sanitize_reference", {"run", "a", "--seed", "1", "--engine", "reference", "--sanitize"}},
    {"seed_negative", {"run", "a", "--seed", "-1"}},
    {"seed_no_number", {"run", "a", "--seed", "one"}},
    {"seed_beyond_64_bits", {"run", "a", "--seed", "18446744073709551616"}},
    {"check_nothing", {"check"}},
    {"check_both", {"check", "a", "--records", "b"}},
    {"diff_one", {"diff", "a"}},
    {"diff_hide_shifts_of_what", {"diff", "a", "b", "--hide-shift"}},
    {"edit_without_edit", {"edit", "a", "-o", "b"}},
    {"edit_without_output", {"edit", "a", "--set", "weights/0=1"}},
    {"dump_filter_and_record", {"dump", "a", "--filter", "conv", "--record", "1"}},
    {"dump_filter_and_region", {"dump", "a", "--filter", "conv", "--region", "params"}},
    {"dump_range_alone", {"dump", "a", "--range", "0:4"}},
    {"explain_nothing", {"explain"}},
    {"explain_without_input", {"explain", "a", "--at", "op/0/element/0,0,0"}},
    {"explain_without_place", {"explain", "a", "--seed", "1"}},
    {"corpus_without_inputs", {"corpus", "a"}},
    {"corpus_no_jobs", {"corpus", "a", "--inputs", "b", "--item-bytes", "4", "--jobs", "0"}},
    {"corpus_no_limit", {"corpus", "a", "--inputs", "b", "--item-bytes", "4", "--limit", "0"}},
    {"sample_nothing", {"sample"}},
    {"sample_without_output", {"sample", "ds-cnn"}},
    {"sample_unknown", {"sample", "no-such-sample", "-o", "/dev/null"}},
    {"demo_unknown", {"demo", "no-such-sample"}},
    {"docs_unknown", {"docs", "no-such-page"}},
    {"completion_unknown", {"completion", "tcsh"}},
};

INSTANTIATE_TEST_SUITE_P(Rows, WrongUsage, testing::ValuesIn(kUsageRows),
                         [](const auto& row) { return std::string(row.param.name); });

TEST(Failure, OfAnUnreadableFileHasEveryKeyAndNullWhereItDoesNotApply) {
    const Outcome outcome = plumb({"info", "/nonexistent/model.tflite", "--json"});
    EXPECT_EQ(outcome.exitCode, 3);
    EXPECT_NE(outcome.err.find("error PL-F001 at /nonexistent/model.tflite"), std::string::npos)
        << outcome.err;
    const nlohmann::json failure = outcome.json();
    ASSERT_TRUE(failure.is_object()) << outcome.out;
    EXPECT_EQ(failure.at("ok"), false);
    ASSERT_EQ(failure.at("diagnostics").size(), 1U);
    const nlohmann::json& diagnostic = failure["diagnostics"][0];
    EXPECT_EQ(diagnostic.at("severity"), "error");
    EXPECT_EQ(diagnostic.at("code"), "PL-F001");
    EXPECT_EQ(diagnostic.at("name"), "FileUnreadable");
    EXPECT_EQ(diagnostic.at("file"), "/nonexistent/model.tflite");
    EXPECT_TRUE(diagnostic.at("message").is_string());
    EXPECT_TRUE(diagnostic.at("hint").is_string());
    for (const char* key : {"operator", "record", "word", "relocation", "tensor", "byte", "part"})
        EXPECT_TRUE(diagnostic.at(key).is_null()) << key;
}

TEST(Failure, OfAFileThatIsNoModelIsExitThree) {
    const TemporaryDirectory directory;
    const std::string path = writeFile(directory.path() / "a.tflite", std::string("no model"));
    for (const char* command : {"info", "dump"})
        EXPECT_EQ(plumb({command, path}).exitCode, 3) << command;
    EXPECT_EQ(plumb({"run", path, "--seed", "1"}).exitCode, 3);
    EXPECT_EQ(plumb({"compile", path, "-o", (directory.path() / "p").string()}).exitCode, 3);
    EXPECT_FALSE(fs::exists(directory.path() / "p"));
    EXPECT_EQ(plumb({"check", directory.path().string()}).exitCode, 3);
    EXPECT_EQ(plumb({"diff", path, path}).exitCode, 3);
}

TEST(Output, FullDeviceIsExitFour) {
    const int full = ::open("/dev/full", O_WRONLY);
    ASSERT_GE(full, 0);
    for (const std::vector<std::string>& arguments :
         std::vector<std::vector<std::string>>{{"version"}, {"--help"}, {"docs", "diagnostics"}}) {
        ProcessOptions options;
        options.outputFd = full;
        const Outcome outcome = plumb(arguments, options);
        EXPECT_EQ(outcome.exitCode, 4) << arguments[0];
        EXPECT_NE(outcome.err.find("PL-F003"), std::string::npos) << outcome.err;
    }
    ::close(full);
}

TEST(Output, ClosedReaderEndsTheProgramWithoutASignal) {
    int ends[2];
    ASSERT_EQ(::pipe(ends), 0);
    ::close(ends[0]);
    ProcessOptions options;
    options.outputFd = ends[1];
    const Outcome outcome = plumb({"docs", "descriptor-abi"}, options);
    ::close(ends[1]);
    EXPECT_EQ(outcome.signal, 0);
    EXPECT_EQ(outcome.exitCode, 4);
    EXPECT_EQ(outcome.err, "");
}

TEST(Output, ClosedStreamDoesNotEndUpInAFile) {
    const TemporaryDirectory directory;
    const std::string path = (directory.path() / "a.tflite").string();
    ProcessOptions options;
    options.closeOutput = true;
    EXPECT_EQ(plumb({"sample", "autoencoder", "-o", path}, options).exitCode, 4);
    EXPECT_EQ(readBytes(path), readBytes(sampleFile(directory.path(), "autoencoder")));
}

TEST(Version, NamesProgramRevisionAndContract) {
    const Outcome text = plumb({"version"});
    EXPECT_EQ(text.exitCode, 0);
    EXPECT_EQ(text.out.substr(0, 6), "plumb ");
    EXPECT_NE(text.out.find("npu-p0/1.0.2"), std::string::npos);
    EXPECT_EQ(plumb({"--version"}).out, text.out);
    const nlohmann::json json = plumb({"version", "--json"}).json();
    EXPECT_EQ(json.at("ok"), true);
    EXPECT_EQ(json.at("contract"), "npu-p0/1.0.2");
    EXPECT_TRUE(json.contains("git_revision"));
    EXPECT_TRUE(json.contains("git_dirty"));
}

class GeneratedPage : public testing::TestWithParam<const char*> {};

TEST_P(GeneratedPage, CommittedCopyIsUpToDate) {
    const std::string name = GetParam();
    const Outcome page = plumb({"docs", name});
    ASSERT_EQ(page.exitCode, 0);
    const Bytes committed = readBytes(fs::path(PLUMBLINE_DOCS_DIR) / (name + ".md"));
    EXPECT_EQ(page.out, std::string(committed.begin(), committed.end()))
        << "run: plumb docs " << name << " > docs/" << name << ".md";
}

INSTANTIATE_TEST_SUITE_P(Pages, GeneratedPage,
                         testing::Values("descriptor-abi", "diagnostics", "filter-fields"),
                         [](const auto& row) {
                             std::string name = row.param;
                             for (char& c : name)
                                 c = c == '-' ? '_' : c;
                             return name;
                         });

#if defined(__SANITIZE_ADDRESS__)
constexpr bool kAddressSanitizer = true;
#elif defined(__has_feature)
constexpr bool kAddressSanitizer = __has_feature(address_sanitizer);
#else
constexpr bool kAddressSanitizer = false;
#endif

TEST(Internal, ExhaustedMemoryIsExitSeventy) {
    if (kAddressSanitizer)
        GTEST_SKIP() << "the sanitizer itself needs more address space than the limit";
    const TemporaryDirectory directory;
    const std::string path = writeFile(directory.path() / "big.tflite", std::string("x"));
    fs::resize_file(path, 900U << 20); // sparse
    ProcessOptions options;
    options.addressSpace = std::uint64_t{400} << 20;
    const Outcome outcome = plumb({"info", path, "--json"}, options);
    EXPECT_EQ(outcome.exitCode, 70) << outcome.err;
    ASSERT_TRUE(outcome.json().is_object()) << outcome.out;
    EXPECT_EQ(codesOf(outcome.json()), std::vector<std::string>{"PL-U002"});
}

} // namespace
} // namespace plumbline::test
