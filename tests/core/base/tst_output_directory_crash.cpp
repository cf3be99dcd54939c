// SPDX-License-Identifier: GPL-3.0-or-later
// A writer that is killed at any moment leaves a complete directory of one generation.
#include <algorithm>
#include <chrono>
#include <csignal>
#include <filesystem>
#include <set>
#include <thread>

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/base/output_directory.h"
#include "tests/support/test_data.h"

namespace plumbline {
namespace {

namespace fs = std::filesystem;

using Clock = std::chrono::steady_clock;
using std::chrono::microseconds;

constexpr int kKills = 120;
constexpr std::size_t kFileBytes = 20'000;
const std::vector<std::string> kNames{"a.bin", "b.bin", "c.bin", "d.bin"};

/// Every byte of every file of a generation is its number; the number of files differs as well.
std::vector<OutputFile> generation(std::uint8_t number) {
    std::vector<OutputFile> files;
    for (std::size_t i = 0; i < kNames.size() - number % 2; ++i)
        files.push_back({kNames[i], Bytes(kFileBytes, number)});
    return files;
}

bool isOurs(const fs::path& directory) { return fs::exists(directory / kNames[0]); }

[[noreturn]] void writeForever(const fs::path& target, std::uint8_t firstNumber) {
    for (std::uint8_t number = firstNumber;; ++number) {
        if (!writeDirectoryAtomically(target, generation(number), isOurs))
            ::_exit(1);
    }
}

/// The generation of a complete directory; -1 when it is a mixture or incomplete.
int generationOf(const fs::path& directory) {
    std::set<std::string> names;
    std::set<std::uint8_t> numbers;
    for (const auto& entry : fs::directory_iterator(directory)) {
        const Bytes bytes = test::readBytes(entry.path());
        if (bytes.size() != kFileBytes)
            return -1;
        numbers.insert(bytes.begin(), bytes.end());
        names.insert(entry.path().filename().string());
    }
    if (numbers.size() != 1)
        return -1;
    std::set<std::string> expected;
    for (const OutputFile& file : generation(*numbers.begin()))
        expected.insert(file.name);
    return names == expected ? *numbers.begin() : -1;
}

std::size_t siblings(const fs::path& parent) {
    return static_cast<std::size_t>(
               std::distance(fs::directory_iterator(parent), fs::directory_iterator())) -
           1;
}

TEST(OutputDirectoryCrash, killedWriterLeavesOneCompleteGeneration) {
    const test::TemporaryDirectory directory;
    const fs::path target = directory.path() / "out";
    ASSERT_TRUE(writeDirectoryAtomically(target, generation(0), isOurs));
    const auto start = Clock::now();
    ASSERT_TRUE(writeDirectoryAtomically(target, generation(1), isOurs));
    const auto oneWrite = std::chrono::duration_cast<microseconds>(Clock::now() - start);
    const auto longestLife = std::clamp(2 * oneWrite, microseconds(2'000), microseconds(60'000));
    SplitMix64 random(1);
    int interrupted = 0;
    std::set<int> seen;
    for (int kill = 0; kill < kKills; ++kill) {
        const pid_t child = ::fork();
        ASSERT_GE(child, 0);
        if (child == 0)
            writeForever(target, static_cast<std::uint8_t>(kill + 2));
        std::this_thread::sleep_for(
            microseconds(random.below(static_cast<std::uint64_t>(longestLife.count()))));
        ASSERT_EQ(::kill(child, SIGKILL), 0);
        int status = 0;
        ASSERT_EQ(::waitpid(child, &status, 0), child);
        ASSERT_TRUE(WIFSIGNALED(status)) << "the writer failed by itself, kill " << kill;
        const int found = generationOf(target);
        ASSERT_GE(found, 0) << "a mixture after kill " << kill;
        seen.insert(found);
        interrupted += siblings(directory.path()) > 0 ? 1 : 0;
        ASSERT_LE(siblings(directory.path()), 1u) << "abandoned siblings pile up";
    }
    EXPECT_GT(interrupted, 5) << "too few kills hit a write under way";
    EXPECT_GT(seen.size(), 1u) << "too few kills came after a finished write";
    ASSERT_TRUE(writeDirectoryAtomically(target, generation(7), isOurs));
    EXPECT_EQ(generationOf(target), 7);
    EXPECT_EQ(siblings(directory.path()), 0u);
}

// A reader sees a complete generation at every moment, not only after a kill.
TEST(OutputDirectoryCrash, targetNeverVanishesWhileItIsReplaced) {
    const test::TemporaryDirectory directory;
    const fs::path target = directory.path() / "out";
    ASSERT_TRUE(writeDirectoryAtomically(target, generation(0), isOurs));
    const pid_t child = ::fork();
    ASSERT_GE(child, 0);
    if (child == 0)
        writeForever(target, 1);
    int missing = 0;
    const auto end = Clock::now() + std::chrono::milliseconds(500);
    while (Clock::now() < end)
        missing += ::access(target.c_str(), F_OK) == 0 ? 0 : 1;
    ::kill(child, SIGKILL);
    ::waitpid(child, nullptr, 0);
    EXPECT_EQ(missing, 0);
}

} // namespace
} // namespace plumbline
