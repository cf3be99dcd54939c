// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <atomic>
#include <filesystem>
#include <fstream>
#include <map>
#include <thread>

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/base/output_directory.h"
#include "tests/core/base/file_size_limit.h"
#include "tests/support/test_data.h"

namespace plumbline {
namespace {

namespace fs = std::filesystem;

using Content = std::map<std::string, Bytes>;

const std::vector<OutputFile> kOldFiles{{"mark", {1}}, {"old.bin", {1, 1}}};
const std::vector<OutputFile> kNewFiles{{"mark", {2}}, {"new.bin", {2, 2, 2}}};
const Content kOldContent{{"mark", {1}}, {"old.bin", {1, 1}}};
const Content kNewContent{{"mark", {2}}, {"new.bin", {2, 2, 2}}};

bool hasMark(const fs::path& directory) { return fs::exists(directory / "mark"); }

class OutputDirectory : public testing::Test {
  protected:
    fs::path path(const std::string& name) const { return m_directory.path() / name; }

    static Content contentOf(const fs::path& directory) {
        Content content;
        for (const auto& entry : fs::directory_iterator(directory))
            content[entry.path().filename().string()] = test::readBytes(entry.path());
        return content;
    }

    /// Names beside the target, temporary siblings included.
    std::vector<std::string> names() const {
        std::vector<std::string> found;
        for (const auto& entry : fs::directory_iterator(m_directory.path()))
            found.push_back(entry.path().filename().string());
        std::sort(found.begin(), found.end());
        return found;
    }

    void put(const std::string& name, const std::string& text) const {
        std::ofstream(path(name)) << text;
    }

    test::TemporaryDirectory m_directory;
};

void expectError(const Status& status, Code code, const std::string& words) {
    ASSERT_FALSE(status);
    ASSERT_EQ(status.diagnostics().size(), 1u);
    const Diagnostic& diagnostic = status.diagnostics()[0];
    EXPECT_EQ(diagnostic.code, code) << diagnostic.message;
    EXPECT_NE(diagnostic.message.find(words), std::string::npos) << diagnostic.message;
    EXPECT_FALSE(diagnostic.where.file.empty());
}

pid_t finishedProcess() {
    const pid_t pid = ::fork();
    if (pid == 0)
        ::_exit(0);
    ::waitpid(pid, nullptr, 0);
    return pid;
}

TEST_F(OutputDirectory, missingOneIsCreatedWithParents) {
    ASSERT_TRUE(writeDirectoryAtomically(path("a/b/out"), kNewFiles, hasMark));
    EXPECT_EQ(contentOf(path("a/b/out")), kNewContent);
    EXPECT_EQ(std::distance(fs::directory_iterator(path("a/b")), fs::directory_iterator()), 1);
}

TEST_F(OutputDirectory, emptyOneIsFilledAndKeepsPermissions) {
    fs::create_directory(path("out"));
    fs::permissions(path("out"), fs::perms::owner_all);
    ASSERT_TRUE(writeDirectoryAtomically(path("out"), kNewFiles, nullptr));
    EXPECT_EQ(contentOf(path("out")), kNewContent);
    EXPECT_EQ(fs::status(path("out")).permissions(), fs::perms::owner_all);
    EXPECT_EQ(names(), std::vector<std::string>{"out"});
}

TEST_F(OutputDirectory, oursIsReplacedWhole) {
    ASSERT_TRUE(writeDirectoryAtomically(path("out"), kOldFiles, hasMark));
    const Status status = writeDirectoryAtomically(path("out"), kNewFiles, hasMark);
    ASSERT_TRUE(status);
    EXPECT_TRUE(status.diagnostics().empty());
    EXPECT_EQ(contentOf(path("out")), kNewContent);
    EXPECT_EQ(names(), std::vector<std::string>{"out"});
}

TEST_F(OutputDirectory, whatIsHandedOverInPiecesFollowsTheContent) {
    const std::vector<OutputFile> files{{"text", {'a', 'b'}, [](const ContentSink& sink) {
                                             sink({});
                                             for (const std::uint8_t letter : {'c', 'd', 'e'})
                                                 sink(Bytes(2, letter));
                                         }}};
    ASSERT_TRUE(writeDirectoryAtomically(path("out"), files, hasMark));
    EXPECT_EQ(test::readBytes(path("out/text")), (Bytes{'a', 'b', 'c', 'c', 'd', 'd', 'e', 'e'}));
}

TEST_F(OutputDirectory, noFilesGiveAnEmptyDirectory) {
    ASSERT_TRUE(writeDirectoryAtomically(path("out"), {}, hasMark));
    EXPECT_TRUE(fs::is_empty(path("out")));
}

TEST_F(OutputDirectory, foreignOneIsRefusedAndUntouched) {
    fs::create_directory(path("out"));
    put("out/thesis.txt", "precious");
    expectError(writeDirectoryAtomically(path("out"), kNewFiles, hasMark), Code::ForeignDirectory,
                "not empty");
    EXPECT_EQ(contentOf(path("out")).size(), 1u);
    EXPECT_EQ(names(), std::vector<std::string>{"out"});
}

TEST_F(OutputDirectory, withoutATestNothingIsOurs) {
    ASSERT_TRUE(writeDirectoryAtomically(path("out"), kOldFiles, nullptr));
    expectError(writeDirectoryAtomically(path("out"), kNewFiles, nullptr), Code::ForeignDirectory,
                "not empty");
    EXPECT_EQ(contentOf(path("out")), kOldContent);
}

TEST_F(OutputDirectory, regularFileIsRefused) {
    put("out", "text");
    expectError(writeDirectoryAtomically(path("out"), kNewFiles, hasMark), Code::ForeignDirectory,
                "not a directory");
    EXPECT_EQ(fs::file_size(path("out")), 4u);
}

TEST_F(OutputDirectory, pathThroughFileIsUnwritable) {
    put("file", "text");
    expectError(writeDirectoryAtomically(path("file/a/out"), kNewFiles, hasMark),
                Code::FileUnwritable, "Not a directory");
}

TEST_F(OutputDirectory, emptyPathIsUnwritable) {
    const Status status = writeDirectoryAtomically(fs::path(), kNewFiles, hasMark);
    ASSERT_FALSE(status);
    EXPECT_EQ(status.diagnostics().front().code, Code::FileUnwritable);
}

TEST_F(OutputDirectory, linkToDirectoryStaysALink) {
    ASSERT_TRUE(writeDirectoryAtomically(path("real"), kOldFiles, hasMark));
    fs::create_directory_symlink(path("real"), path("link"));
    ASSERT_TRUE(writeDirectoryAtomically(path("link"), kNewFiles, hasMark));
    EXPECT_TRUE(fs::is_symlink(path("link")));
    EXPECT_EQ(contentOf(path("real")), kNewContent);
    EXPECT_EQ(names(), (std::vector<std::string>{"link", "real"}));
}

TEST_F(OutputDirectory, linkToNothingIsUnwritable) {
    fs::create_symlink(path("nowhere"), path("link"));
    expectError(writeDirectoryAtomically(path("link"), kNewFiles, hasMark), Code::FileUnwritable,
                "No such file");
}

TEST_F(OutputDirectory, trailingSlashesAndDotsNameTheSameDirectory) {
    for (const char* name : {"out/", "out//", "out/.", "out/./"}) {
        fs::remove_all(path("out"));
        ASSERT_TRUE(writeDirectoryAtomically(path(name), kOldFiles, hasMark)) << name;
        ASSERT_TRUE(writeDirectoryAtomically(path(name), kNewFiles, hasMark)) << name;
        EXPECT_EQ(contentOf(path("out")), kNewContent) << name;
        EXPECT_EQ(names(), std::vector<std::string>{"out"}) << name;
    }
}

TEST_F(OutputDirectory, relativePathIsWrittenInTheCurrentDirectory) {
    const fs::path before = fs::current_path();
    fs::current_path(m_directory.path());
    const Status status = writeDirectoryAtomically("out", kNewFiles, hasMark);
    fs::current_path(before);
    ASSERT_TRUE(status);
    EXPECT_EQ(contentOf(path("out")), kNewContent);
}

TEST_F(OutputDirectory, longestDirectoryNameIsWritten) {
    const std::string name(255, 'n');
    ASSERT_TRUE(writeDirectoryAtomically(path(name), kOldFiles, hasMark));
    ASSERT_TRUE(writeDirectoryAtomically(path(name), kNewFiles, hasMark));
    EXPECT_EQ(contentOf(path(name)), kNewContent);
}

struct BadNames {
    const char* name;
    std::vector<OutputFile> files;
};

class OutputDirectoryBadName : public OutputDirectory,
                               public testing::WithParamInterface<BadNames> {};

TEST_P(OutputDirectoryBadName, isAnInternalError) {
    expectError(writeDirectoryAtomically(path("out"), GetParam().files, hasMark), Code::Internal,
                "output file name");
    EXPECT_TRUE(names().empty());
}

INSTANTIATE_TEST_SUITE_P(Names, OutputDirectoryBadName,
                         testing::Values(BadNames{"empty", {{"", {}}}},
                                         BadNames{"dot", {{".", {}}}},
                                         BadNames{"parent", {{"..", {}}}},
                                         BadNames{"separator", {{"a/b", {}}}},
                                         BadNames{"absolute", {{"/a", {}}}},
                                         BadNames{"nul", {{std::string("a\0b", 3), {}}}},
                                         BadNames{"repeated", {{"a", {}}, {"a", {}}}}),
                         [](const auto& row) { return std::string(row.param.name); });

TEST_F(OutputDirectory, fullDiskLeavesTheOldOneAndNothingElse) {
    ASSERT_TRUE(writeDirectoryAtomically(path("out"), kOldFiles, hasMark));
    const std::vector<OutputFile> large{{"mark", {2}}, {"large.bin", Bytes(100'000, 2)}};
    const Status status = [&] {
        const test::FileSizeLimit limit(4096);
        return writeDirectoryAtomically(path("out"), large, hasMark);
    }();
    expectError(status, Code::FileUnwritable, "File too large");
    EXPECT_EQ(status.diagnostics()[0].where.file, path("out/large.bin").string());
    EXPECT_EQ(contentOf(path("out")), kOldContent);
    EXPECT_EQ(names(), std::vector<std::string>{"out"});
}

TEST_F(OutputDirectory, fullDiskCreatesNothing) {
    const Status status = [&] {
        const test::FileSizeLimit limit(0);
        return writeDirectoryAtomically(path("out"), kNewFiles, hasMark);
    }();
    expectError(status, Code::FileUnwritable, "File too large");
    EXPECT_TRUE(names().empty());
}

TEST_F(OutputDirectory, tooLongFileNameLeavesTheOldOne) {
    ASSERT_TRUE(writeDirectoryAtomically(path("out"), kOldFiles, hasMark));
    expectError(writeDirectoryAtomically(path("out"), {{std::string(256, 'n'), {}}}, hasMark),
                Code::FileUnwritable, "File name too long");
    EXPECT_EQ(contentOf(path("out")), kOldContent);
    EXPECT_EQ(names(), std::vector<std::string>{"out"});
}

// Something foreign appears between the look and the exchange.
TEST_F(OutputDirectory, filesThatAppearLateAreNotRemoved) {
    ASSERT_TRUE(writeDirectoryAtomically(path("out"), kOldFiles, hasMark));
    int looks = 0;
    const IsOurs addsFileAfterSecondLook = [&](const fs::path& directory) {
        const bool ours = !fs::exists(directory / "thesis.txt");
        if (++looks == 2)
            std::ofstream(directory / "thesis.txt") << "precious";
        return ours;
    };
    expectError(writeDirectoryAtomically(path("out"), kNewFiles, addsFileAfterSecondLook),
                Code::ForeignDirectory, "not empty");
    EXPECT_EQ(contentOf(path("out")).count("thesis.txt"), 1u);
    EXPECT_EQ(contentOf(path("out")).count("old.bin"), 1u);
    EXPECT_EQ(names(), std::vector<std::string>{"out"});
}

TEST_F(OutputDirectory, abandonedSiblingsOfThisNameAreRemoved) {
    const std::string gone = std::to_string(finishedProcess());
    const std::string abandoned = ".out.plumbline-" + gone + "-0123456789abcdef";
    const std::string ownIdOfEarlierRun =
        ".out.plumbline-" + std::to_string(::getpid()) + "-fedcba9876543210";
    fs::create_directories(path(abandoned));
    put(abandoned + "/half", "x");
    fs::create_directories(path(ownIdOfEarlierRun));
    ASSERT_TRUE(writeDirectoryAtomically(path("out"), kNewFiles, hasMark));
    EXPECT_EQ(names(), std::vector<std::string>{"out"});
}

TEST_F(OutputDirectory, otherSiblingsAreKept) {
    const std::string gone = std::to_string(finishedProcess());
    std::vector<std::string> kept{
        ".out.plumbline-" + std::to_string(::getppid()) + "-0123456789abcdef", // still runs
        ".out.plumbline-" + gone + "-backup",                                  // not our form
        ".out.plumbline-x-0123456789abcdef",
        ".out.plumbline-" + gone,
        ".output.plumbline-" + gone + "-0123456789abcdef", // of another name
        "out.plumbline-" + gone + "-0123456789abcdef"};
    for (const std::string& name : kept)
        fs::create_directories(path(name));
    ASSERT_TRUE(writeDirectoryAtomically(path("out"), kNewFiles, hasMark));
    kept.push_back("out");
    std::sort(kept.begin(), kept.end());
    EXPECT_EQ(names(), kept);
}

TEST_F(OutputDirectory, concurrentWritersLeaveOneWholeResult) {
    constexpr int kRounds = 25;
    std::atomic<int> failures{0};
    const auto write = [&](std::uint8_t tag) {
        for (int i = 0; i < kRounds; ++i) {
            const std::vector<OutputFile> files{{"mark", {tag}}, {"b", {tag, tag}}};
            failures += writeDirectoryAtomically(path("out"), files, hasMark) ? 0 : 1;
        }
    };
    {
        std::jthread first(write, std::uint8_t{1});
        std::jthread second(write, std::uint8_t{2});
    }
    EXPECT_EQ(failures, 0);
    const Content content = contentOf(path("out"));
    ASSERT_EQ(content.size(), 2u);
    EXPECT_EQ(content.at("b"), Bytes(2, content.at("mark").at(0)));
    EXPECT_EQ(names(), std::vector<std::string>{"out"});
}

} // namespace
} // namespace plumbline
