// SPDX-License-Identifier: GPL-3.0-or-later
// How much memory the program needs at its peak. Without sanitizers, which need their own.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/support/test_data.h"

namespace plumbline::test {
namespace {

#if defined(__SANITIZE_ADDRESS__)
constexpr bool kMeasures = false;
#elif defined(__has_feature)
constexpr bool kMeasures = !__has_feature(address_sanitizer) && !__has_feature(thread_sanitizer);
#else
constexpr bool kMeasures = true;
#endif

constexpr long kMegabyte = 1'000'000 / 1024; ///< in the kernel's units of 1024 bytes

/// How the program ended and how much of its memory was resident at most. A fork counts what its
/// parent holds until it becomes another program; this one is small.
struct Peak {
    int exitCode = -1;
    long kibibytes = 0;
};

/// Runs plumb in silence.
Peak peakOf(std::vector<std::string> arguments) {
    const pid_t child = ::fork();
    if (child == 0) {
        const int nowhere = ::open("/dev/null", O_WRONLY);
        ::dup2(nowhere, STDOUT_FILENO);
        arguments.insert(arguments.begin(), PLUMB_PROGRAM);
        std::vector<char*> argv;
        for (std::string& argument : arguments)
            argv.push_back(argument.data());
        argv.push_back(nullptr);
        ::execv(PLUMB_PROGRAM, argv.data());
        ::_exit(127);
    }
    int status = 0;
    rusage usage{};
    if (::wait4(child, &status, 0, &usage) != child || !WIFEXITED(status))
        return {};
    return {WEXITSTATUS(status), usage.ru_maxrss};
}

void expectPeakBelow(const std::vector<std::string>& arguments, long megabytes) {
    const Peak peak = peakOf(arguments);
    ASSERT_EQ(peak.exitCode, 0) << arguments[0];
    EXPECT_GT(peak.kibibytes, kMegabyte) << "the measurement itself";
    if (kMeasures) {
        EXPECT_LT(peak.kibibytes, megabytes * kMegabyte) << arguments[0];
    }
}

class Memory : public testing::Test {
  protected:
    std::string path(const std::string& name) const { return (m_folder.path() / name).string(); }

    TemporaryDirectory m_folder;
};

TEST_F(Memory, TenThousandOperatorsLowerInLessThan100Megabytes) {
    const std::string model = path("branches.tflite");
    const std::string package = path("package");
    ASSERT_EQ(peakOf({"sample", "branches-10000", "-o", model}).exitCode, 0);
    expectPeakBelow({"info", model}, 100);
    expectPeakBelow({"compile", model, "-o", package}, 100);
    expectPeakBelow({"compile", model, "-o", package}, 100); // in place of the first
    expectPeakBelow({"run", model, "--seed", "1"}, 100);
}

/// The built-in sample has the shape of VWW.
TEST_F(Memory, RunOfTheVwwShapeNeedsLessThan40Megabytes) {
    const std::string model = path("mobilenet.tflite");
    ASSERT_EQ(peakOf({"sample", "mobilenet", "-o", model}).exitCode, 0);
    expectPeakBelow({"run", model, "--seed", "1"}, 40);
    expectPeakBelow({"run", model, "--seed", "1", "--reference", "reference"}, 40);
}

TEST_F(Memory, RunOfVwwNeedsLessThan40Megabytes) {
    SKIP_WITHOUT_SHARED_DATA();
    const std::string model = (*sharedData() / "models" / "vww.tflite").string();
    expectPeakBelow({"run", model, "--seed", "1"}, 40);
    expectPeakBelow({"run", model, "--seed", "1", "--reference", "reference"}, 40);
    expectPeakBelow({"run", model, "--seed", "1", "--sanitize", "--trace", path("trace")}, 40);
}

} // namespace
} // namespace plumbline::test
