// SPDX-License-Identifier: GPL-3.0-or-later
// A corpus of any size takes the same memory. A program of its own: a child's peak counts from
// what its parent held when it was started, so the parent must be small.
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <gtest/gtest.h>

#include "tests/app/plumb_process.h"

namespace plumbline::test {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t kItem = 4;
constexpr std::uint64_t kFew = 2'000;
constexpr std::uint64_t kMany = 200'000;
/// More than 200,000 labels of four bytes, less than 200,000 allocations, which take 32 at least.
/// The sanitizer's allocator itself grows by some megabytes.
#if defined(__SANITIZE_ADDRESS__)
constexpr std::uint64_t kMostGrowth = 16 << 20;
#elif defined(__has_feature)
constexpr std::uint64_t kMostGrowth = (__has_feature(address_sanitizer) ? 16 : 3) << 20;
#else
constexpr std::uint64_t kMostGrowth = 3 << 20;
#endif

std::uint64_t ownPeak() {
    rusage usage{};
    ::getrusage(RUSAGE_SELF, &usage);
    return static_cast<std::uint64_t>(usage.ru_maxrss) * 1024;
}

class CorpusMemory : public testing::Test {
  protected:
    std::string path(const std::string& name) const { return (m_directory.path() / name).string(); }

    void SetUp() override {
        // The sanitizer keeps freed memory for a while, which is no growth of ours.
        ::setenv("ASAN_OPTIONS", "quarantine_size_mb=1", 1);
        const pid_t child = ::fork(); // unpacking the archive takes memory: not here
        if (child == 0) {
            goldenOnDisk(m_directory.path(), "cases/case_171.tflite");
            ::_exit(0);
        }
        int status = -1;
        ::waitpid(child, &status, 0);
        ASSERT_EQ(status, 0);
        writeFile(m_directory.path() / "inputs.bin", std::string());
        fs::resize_file(path("inputs.bin"), kMany * kItem);
        std::ofstream labels(path("labels.csv"));
        labels << "index,name,class\n";
        for (std::uint64_t i = 0; i < kMany; ++i)
            labels << i << ",x,0\n";
    }
    /// One run as a part, with digest lines where `digests` says.
    Outcome corpus(std::uint64_t inputs, const std::string& part, const std::string& digests) {
        return plumb({"corpus", path("case_171.tflite"), "--inputs", path("inputs.bin"),
                      "--item-bytes", std::to_string(kItem), "--labels", path("labels.csv"),
                      "--limit", std::to_string(inputs), "--jobs", "2", "--json", "--part",
                      path(part), "--digests", path(digests)});
    }
    static void expectSame(const Outcome& few, const Outcome& many) {
        ASSERT_EQ(few.exitCode, 0) << few.err;
        ASSERT_EQ(many.exitCode, 0) << many.err;
        EXPECT_EQ(few.json().at("inputs"), kFew);
        EXPECT_EQ(many.json().at("inputs"), kMany);
        std::cout << "peak of " << kFew << " inputs " << few.peakMemory / 1024 << " KiB, of "
                  << kMany << " " << many.peakMemory / 1024 << " KiB\n";
        EXPECT_LT(many.peakMemory, few.peakMemory + kMostGrowth);
    }

    TemporaryDirectory m_directory;
};

TEST_F(CorpusMemory, DoesNotGrowWithTheNumberOfInputs) {
    const Outcome few = corpus(kFew, "few.json", "few.jsonl");
    const Outcome many = corpus(kMany, "many.json", "many.jsonl");
    expectSame(few, many);
    expectSame(plumb({"corpus-merge", path("few.json"), "--json", "--inputs", path("inputs.bin"),
                      "--digests", path("a.jsonl")}),
               plumb({"corpus-merge", path("many.json"), "--json", "--inputs", path("inputs.bin"),
                      "--digests", path("b.jsonl")}));
    EXPECT_GT(fs::file_size(path("b.jsonl")), kMany * 64); // a digest each at least
    EXPECT_LT(ownPeak(), few.peakMemory) << "the children's peaks cannot be told from the test's";
}

} // namespace
} // namespace plumbline::test
