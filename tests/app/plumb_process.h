// SPDX-License-Identifier: GPL-3.0-or-later
// Runs the built program and gives what came out of it.
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "tests/support/test_data.h"

namespace plumbline::test {

/// How a process ended and what it wrote.
struct Outcome {
    int exitCode = -1;
    int signal = 0; ///< that ended it; 0 when it exited
    std::string out;
    std::string err;
    std::uint64_t peakMemory = 0; ///< largest resident size in bytes, the test's own at least

    /// Standard output as one JSON value; null when it is none.
    nlohmann::json json() const { return nlohmann::json::parse(out, nullptr, false); }
    /// Standard output as JSON lines.
    std::vector<nlohmann::json> jsonLines() const;
};

struct ProcessOptions {
    std::string input;                         ///< on standard input
    std::optional<int> outputFd;               ///< for standard output, instead of Outcome::out
    bool closeOutput = false;                  ///< standard output is closed
    std::optional<std::uint64_t> addressSpace; ///< limit in bytes
    int signal = 0;                            ///< sent after `delay`
    std::chrono::microseconds delay{0};
};

Outcome plumb(const std::vector<std::string>& arguments, const ProcessOptions& options = {});

/// Writes a file below a temporary directory and gives its path.
std::string writeFile(const std::filesystem::path& path, ByteView content);
std::string writeFile(const std::filesystem::path& path, const std::string& content);

/// A sample model as a file in `directory`; fails the test when it cannot be made.
std::string sampleFile(const std::filesystem::path& directory, const std::string& name,
                       std::uint64_t seed = 1);

/// A file of the committed golden data as a file in `directory`.
std::string goldenOnDisk(const std::filesystem::path& directory, const std::string& name);

/// Name and content of every file in a directory.
std::vector<std::pair<std::string, Bytes>> contentOf(const std::filesystem::path& directory);

/// SplitMix64 as the contract of --seed states it, written down here a second time.
Bytes splitMixBytes(std::uint64_t seed, std::size_t count);

/// Changes one file of a package and states its digest and size anew in npu.json.
void rewritePackageFile(const std::filesystem::path& package, const std::string& name,
                        const Bytes& content);

/// The codes of the diagnostics in a failure object.
std::vector<std::string> codesOf(const nlohmann::json& failure);

} // namespace plumbline::test
