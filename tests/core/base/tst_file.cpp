// SPDX-License-Identifier: GPL-3.0-or-later
#include <filesystem>
#include <thread>

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/base/file.h"
#include "tests/core/base/file_size_limit.h"
#include "tests/support/test_data.h"

namespace plumbline {
namespace {

namespace fs = std::filesystem;
using test::readBytes;

class File : public testing::Test {
  protected:
    fs::path path(const std::string& name) const { return m_directory.path() / name; }
    const fs::path& root() const { return m_directory.path(); }
    std::size_t entryCount() const {
        return static_cast<std::size_t>(
            std::distance(fs::directory_iterator(root()), fs::directory_iterator()));
    }

    test::TemporaryDirectory m_directory;
};

const Bytes kOld{1, 2, 3};
const Bytes kNew{9, 8, 7, 6, 5};

void expectError(const Diagnostics& diagnostics, Code code, const fs::path& file,
                 const std::string& words) {
    ASSERT_EQ(diagnostics.size(), 1u);
    EXPECT_EQ(diagnostics[0].code, code);
    EXPECT_EQ(diagnostics[0].where.file, file.string());
    EXPECT_NE(diagnostics[0].message.find(words), std::string::npos) << diagnostics[0].message;
}

TEST_F(File, writtenContentIsReadBack) {
    ASSERT_TRUE(writeFileAtomically(path("a.bin"), kNew));
    const auto read = readFile(path("a.bin"));
    ASSERT_TRUE(read);
    EXPECT_EQ(*read, kNew);
    EXPECT_EQ(entryCount(), 1u);
}

TEST_F(File, textIsWrittenAsItIs) {
    ASSERT_TRUE(writeFileAtomically(path("a.txt"), std::string_view("x\ny")));
    EXPECT_EQ(readBytes(path("a.txt")), (Bytes{'x', '\n', 'y'}));
}

TEST_F(File, emptyFileIsReadAndWritten) {
    ASSERT_TRUE(writeFileAtomically(path("empty"), ByteView{}));
    const auto read = readFile(path("empty"));
    ASSERT_TRUE(read);
    EXPECT_TRUE(read->empty());
}

TEST_F(File, largeFileIsReadWhole) {
    const Bytes large = seededBytes(1, 3'000'001);
    ASSERT_TRUE(writeFileAtomically(path("large"), large));
    const auto read = readFile(path("large"));
    ASSERT_TRUE(read);
    EXPECT_EQ(*read, large);
}

TEST_F(File, fileOfExactlyTheLimitIsRead) {
    ASSERT_TRUE(writeFileAtomically(path("a"), kNew));
    EXPECT_TRUE(readFile(path("a"), 5));
}

TEST_F(File, fileAboveTheLimitIsRefusedWithItsSize) {
    ASSERT_TRUE(writeFileAtomically(path("a"), kNew));
    expectError(readFile(path("a"), 4).diagnostics(), Code::FileTooLarge, path("a"),
                "5 bytes; at most 4");
}

TEST_F(File, pipeIsReadToItsEnd) {
    ASSERT_EQ(::mkfifo(path("pipe").c_str(), 0600), 0);
    const Bytes sent = seededBytes(2, 200'000);
    std::jthread writer([&] { (void)writeFileAtomically(path("pipe"), sent); });
    const auto read = readFile(path("pipe"));
    ASSERT_TRUE(read);
    EXPECT_EQ(*read, sent);
    EXPECT_TRUE(fs::is_fifo(path("pipe"))) << "the pipe was replaced";
}

TEST_F(File, pipeAboveTheLimitIsRefusedWhileReading) {
    int ends[2];
    ASSERT_EQ(::pipe(ends), 0);
    ASSERT_EQ(::write(ends[1], "123456", 6), 6); // the write end stays open: no end of file comes
    const fs::path pipe = "/proc/self/fd/" + std::to_string(ends[0]);
    expectError(readFile(pipe, 5).diagnostics(), Code::FileTooLarge, pipe, "more than 5 bytes");
    ::close(ends[0]);
    ::close(ends[1]);
}

// The size of such files is stated as 0.
TEST_F(File, kernelFileIsReadToItsEnd) {
    const auto read = readFile("/proc/self/status");
    ASSERT_TRUE(read);
    EXPECT_GT(read->size(), 100u);
}

TEST_F(File, missingFileIsUnreadable) {
    expectError(readFile(path("none")).diagnostics(), Code::FileUnreadable, path("none"),
                "No such file or directory");
}

TEST_F(File, directoryIsUnreadableAsFile) {
    expectError(readFile(root()).diagnostics(), Code::FileUnreadable, root(), "Is a directory");
}

TEST_F(File, pathThroughFileIsUnreadable) {
    ASSERT_TRUE(writeFileAtomically(path("a"), kNew));
    expectError(readFile(path("a") / "b").diagnostics(), Code::FileUnreadable, path("a") / "b",
                "Not a directory");
}

TEST_F(File, endlessDeviceIsUnreadable) {
    expectError(readFile("/dev/zero").diagnostics(), Code::FileUnreadable, "/dev/zero",
                "neither a regular file nor a pipe");
}

TEST_F(File, writingReplacesAndKeepsPermissions) {
    ASSERT_TRUE(writeFileAtomically(path("a"), kOld));
    fs::permissions(path("a"), fs::perms::owner_read | fs::perms::owner_write);
    ASSERT_TRUE(writeFileAtomically(path("a"), kNew));
    EXPECT_EQ(readBytes(path("a")), kNew);
    EXPECT_EQ(fs::status(path("a")).permissions(), fs::perms::owner_read | fs::perms::owner_write);
    EXPECT_EQ(entryCount(), 1u);
}

TEST_F(File, writingCreatesParents) {
    ASSERT_TRUE(writeFileAtomically(path("x") / "y" / "a", kNew));
    EXPECT_EQ(readBytes(path("x") / "y" / "a"), kNew);
}

TEST_F(File, writingThroughLinkKeepsTheLink) {
    fs::create_directory(path("real"));
    ASSERT_TRUE(writeFileAtomically(path("real") / "a", kOld));
    fs::create_symlink(path("real") / "a", path("link"));
    ASSERT_TRUE(writeFileAtomically(path("link"), kNew));
    EXPECT_TRUE(fs::is_symlink(path("link")));
    EXPECT_EQ(readBytes(path("real") / "a"), kNew);
}

TEST_F(File, longestFileNameIsWritten) {
    const std::string name(255, 'n');
    ASSERT_TRUE(writeFileAtomically(path(name), kNew));
    EXPECT_EQ(readBytes(path(name)), kNew);
}

TEST_F(File, relativeNameIsWrittenInTheCurrentDirectory) {
    const fs::path before = fs::current_path();
    fs::current_path(root());
    const Status status = writeFileAtomically("plain", kNew);
    fs::current_path(before);
    ASSERT_TRUE(status);
    EXPECT_EQ(readBytes(path("plain")), kNew);
}

TEST_F(File, fullDiskLeavesTheOldFileAndNothingElse) {
    ASSERT_TRUE(writeFileAtomically(path("a"), kOld));
    const Bytes large(100'000, 1);
    const Status status = [&] {
        const test::FileSizeLimit limit(4096);
        return writeFileAtomically(path("a"), large);
    }();
    ASSERT_FALSE(status);
    expectError(status.diagnostics(), Code::FileUnwritable, path("a"), "File too large");
    EXPECT_EQ(readBytes(path("a")), kOld);
    EXPECT_EQ(entryCount(), 1u);
}

TEST_F(File, fullDeviceIsReportedAndNotReplaced) {
    expectError(writeFileAtomically("/dev/full", kNew).diagnostics(), Code::FileUnwritable,
                "/dev/full", "No space left on device");
    EXPECT_TRUE(fs::is_character_file("/dev/full"));
}

TEST_F(File, directoryIsNotReplacedByFile) {
    fs::create_directory(path("d"));
    expectError(writeFileAtomically(path("d"), kNew).diagnostics(), Code::FileUnwritable, path("d"),
                "Is a directory");
    expectError(writeFileAtomically(path("e/"), kNew).diagnostics(), Code::FileUnwritable,
                path("e/"), "Is a directory");
    EXPECT_TRUE(fs::is_directory(path("d")));
}

TEST_F(File, pathThroughFileIsUnwritable) {
    ASSERT_TRUE(writeFileAtomically(path("a"), kOld));
    const fs::path below = path("a") / "b" / "c";
    expectError(writeFileAtomically(below, kNew).diagnostics(), Code::FileUnwritable, below,
                "Not a directory");
    EXPECT_EQ(readBytes(path("a")), kOld);
}

TEST_F(File, emptyPathIsUnwritable) {
    expectError(writeFileAtomically(fs::path(), kNew).diagnostics(), Code::FileUnwritable, "",
                "No such file");
}

TEST_F(File, abandonedTemporaryIsRemovedByTheNextWrite) {
    const pid_t gone = ::fork();
    ASSERT_GE(gone, 0);
    if (gone == 0)
        ::_exit(0);
    ASSERT_EQ(::waitpid(gone, nullptr, 0), gone);
    const fs::path abandoned = path(".a.plumbline-" + std::to_string(gone) + "-0123456789abcdef");
    ASSERT_TRUE(writeFileAtomically(abandoned, kOld));
    ASSERT_TRUE(writeFileAtomically(path("a"), kNew));
    EXPECT_FALSE(fs::exists(abandoned));
    EXPECT_EQ(entryCount(), 1u);
}

} // namespace
} // namespace plumbline
