// SPDX-License-Identifier: GPL-3.0-or-later
// The program stopped at any moment: by kill -9 while it replaces a package, by SIGINT and SIGTERM.
#include <chrono>
#include <csignal>
#include <filesystem>

#include <gtest/gtest.h>

#include "tests/app/plumb_process.h"

namespace plumbline::test {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;
using std::chrono::microseconds;

TEST(Kill, DuringCompileOverAPackageLeavesTheOldOrTheNewOne) {
    constexpr int kKills = 120;
    constexpr int kMaxAttempts = 2000;
    const TemporaryDirectory directory;
    const std::string models[] = {sampleFile(directory.path(), "ds-cnn"),
                                  sampleFile(directory.path(), "resnet8")};
    const std::string package = (directory.path() / "out" / "p0").string();
    std::vector<std::vector<std::pair<std::string, Bytes>>> versions;
    microseconds longest{0};
    for (const std::string& model : models) {
        const auto start = Clock::now();
        ASSERT_EQ(plumb({"compile", model, "-o", package, "--workload", "w"}).exitCode, 0);
        longest = std::max(longest, std::chrono::duration_cast<microseconds>(Clock::now() - start));
        versions.push_back(contentOf(package));
    }
    ASSERT_NE(versions[0], versions[1]);

    SplitMix64 random(11);
    int kills = 0;
    int seen[2] = {0, 0};
    for (int attempt = 0; kills < kKills && attempt < kMaxAttempts; ++attempt) {
        ProcessOptions options;
        options.signal = SIGKILL;
        options.delay = microseconds(random.below(static_cast<std::uint64_t>(longest.count()) + 1));
        const Outcome outcome =
            plumb({"compile", models[random.below(2)], "-o", package, "--workload", "w"}, options);
        kills += outcome.signal == SIGKILL ? 1 : 0;
        const Outcome check = plumb({"check", package});
        ASSERT_EQ(check.exitCode, 0) << "after kill " << kills << ": " << check.err;
        const auto content = contentOf(package);
        ASSERT_TRUE(content == versions[0] || content == versions[1]) << "after kill " << kills;
        ++seen[content == versions[0] ? 0 : 1];
    }
    EXPECT_EQ(kills, kKills);
    EXPECT_GT(seen[0], 0);
    EXPECT_GT(seen[1], 0);

    // What the killed ones left beside the package goes with the next that is not killed.
    ASSERT_EQ(plumb({"compile", models[0], "-o", package, "--workload", "w"}).exitCode, 0);
    std::vector<fs::path> beside;
    for (const auto& entry : fs::directory_iterator(directory.path() / "out"))
        beside.push_back(entry.path().filename());
    EXPECT_EQ(beside, std::vector<fs::path>{"p0"});
}

class StopSignal : public testing::TestWithParam<int> {};

TEST_P(StopSignal, EndsALongJobWithExit130AndNoOutput) {
    const TemporaryDirectory directory;
    const std::string model = sampleFile(directory.path(), "mobilenet");
    constexpr std::size_t kItem = 96 * 96 * 3;
    // Zeros that take no room on the disk, for longer than any machine needs to be told to stop.
    const std::string inputs = writeFile(directory.path() / "inputs.bin", Bytes(1));
    fs::resize_file(inputs, kItem * 200'000);
    fs::create_directory(directory.path() / "out");
    ProcessOptions options;
    options.signal = GetParam();
    options.delay = std::chrono::milliseconds(400);
    const Outcome outcome =
        plumb({"corpus", model, "--inputs", inputs, "--item-bytes", std::to_string(kItem),
               "--digests", (directory.path() / "out" / "d.jsonl").string(), "--part",
               (directory.path() / "out" / "p.json").string(), "--json"},
              options);
    EXPECT_EQ(outcome.signal, 0);
    EXPECT_EQ(outcome.exitCode, 130) << outcome.err;
    EXPECT_TRUE(fs::is_empty(directory.path() / "out"));
    ASSERT_TRUE(outcome.json().is_object()) << outcome.out;
    EXPECT_EQ(codesOf(outcome.json()), std::vector<std::string>{"PL-F005"});
}

INSTANTIATE_TEST_SUITE_P(Signals, StopSignal, testing::Values(SIGINT, SIGTERM),
                         [](const auto& row) {
                             return row.param == SIGINT ? "SIGINT" : "SIGTERM";
                         });

} // namespace
} // namespace plumbline::test
