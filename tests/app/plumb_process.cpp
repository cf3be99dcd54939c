// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/app/plumb_process.h"

#include <algorithm>
#include <csignal>
#include <fstream>
#include <sstream>
#include <thread>

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <gtest/gtest.h>

#include "core/base/sha256.h"

namespace plumbline::test {
namespace {

namespace fs = std::filesystem;

std::string readText(const fs::path& path) {
    std::ifstream in(path, std::ios::binary);
    std::ostringstream text;
    text << in.rdbuf();
    return text.str();
}

void redirect(const fs::path& path, int flags, int target) {
    const int fd = ::open(path.c_str(), flags, 0600);
    if (fd < 0 || ::dup2(fd, target) < 0)
        ::_exit(126);
    ::close(fd);
}

/// In the child: puts the streams in place and becomes the program.
[[noreturn]] void becomePlumb(const std::vector<std::string>& arguments,
                              const ProcessOptions& options, const fs::path& streams) {
    redirect(streams / "in", O_RDONLY, STDIN_FILENO);
    redirect(streams / "err", O_WRONLY | O_CREAT | O_TRUNC, STDERR_FILENO);
    if (options.closeOutput)
        ::close(STDOUT_FILENO);
    else if (options.outputFd)
        ::dup2(*options.outputFd, STDOUT_FILENO);
    else
        redirect(streams / "out", O_WRONLY | O_CREAT | O_TRUNC, STDOUT_FILENO);
    if (options.addressSpace) {
        const rlimit limit{*options.addressSpace, *options.addressSpace};
        ::setrlimit(RLIMIT_AS, &limit);
    }
    std::vector<char*> argv{const_cast<char*>(PLUMB_PROGRAM)};
    for (const std::string& argument : arguments)
        argv.push_back(const_cast<char*>(argument.c_str()));
    argv.push_back(nullptr);
    ::execv(PLUMB_PROGRAM, argv.data());
    ::_exit(127);
}

} // namespace

std::vector<nlohmann::json> Outcome::jsonLines() const {
    std::vector<nlohmann::json> lines;
    std::istringstream in(out);
    for (std::string line; std::getline(in, line);)
        lines.push_back(nlohmann::json::parse(line, nullptr, false));
    return lines;
}

Outcome plumb(const std::vector<std::string>& arguments, const ProcessOptions& options) {
    const TemporaryDirectory streams;
    writeFile(streams.path() / "in", options.input);
    const pid_t child = ::fork();
    if (child == 0)
        becomePlumb(arguments, options, streams.path());
    if (options.signal != 0) {
        std::this_thread::sleep_for(options.delay);
        ::kill(child, options.signal);
    }
    int status = 0;
    rusage usage{};
    ::wait4(child, &status, 0, &usage);
    Outcome outcome;
    outcome.peakMemory = static_cast<std::uint64_t>(usage.ru_maxrss) * 1024; // from KiB
    outcome.exitCode = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    outcome.signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
    outcome.out = readText(streams.path() / "out");
    outcome.err = readText(streams.path() / "err");
    return outcome;
}

std::string writeFile(const fs::path& path, ByteView content) {
    std::ofstream out(path, std::ios::binary);
    out.write(reinterpret_cast<const char*>(content.data()),
              static_cast<std::streamsize>(content.size()));
    out.close();
    EXPECT_TRUE(out.good()) << path;
    return path.string();
}

std::string writeFile(const fs::path& path, const std::string& content) {
    const auto* data = reinterpret_cast<const std::uint8_t*>(content.data());
    return writeFile(path, ByteView(data, content.size()));
}

std::string sampleFile(const fs::path& directory, const std::string& name, std::uint64_t seed) {
    const std::string path = (directory / (name + "-" + std::to_string(seed) + ".tflite")).string();
    const Outcome made = plumb({"sample", name, "-o", path, "--seed", std::to_string(seed)});
    EXPECT_EQ(made.exitCode, 0) << made.err;
    return path;
}

std::string goldenOnDisk(const fs::path& directory, const std::string& name) {
    return writeFile(directory / fs::path(name).filename(), goldenFile(name));
}

std::vector<std::pair<std::string, Bytes>> contentOf(const fs::path& directory) {
    std::vector<std::pair<std::string, Bytes>> files;
    for (const auto& entry : fs::directory_iterator(directory))
        files.emplace_back(entry.path().filename().string(), readBytes(entry.path()));
    std::sort(files.begin(), files.end());
    return files;
}

Bytes splitMixBytes(std::uint64_t seed, std::size_t count) {
    Bytes bytes;
    while (bytes.size() < count) {
        seed += 0x9E3779B97F4A7C15ULL;
        std::uint64_t mixed = seed;
        mixed = (mixed ^ (mixed >> 30)) * 0xBF58476D1CE4E5B9ULL;
        mixed = (mixed ^ (mixed >> 27)) * 0x94D049BB133111EBULL;
        mixed ^= mixed >> 31;
        for (int i = 0; i < 8 && bytes.size() < count; ++i)
            bytes.push_back(static_cast<std::uint8_t>(mixed >> (8 * i)));
    }
    return bytes;
}

void rewritePackageFile(const fs::path& package, const std::string& name, const Bytes& content) {
    nlohmann::json manifest = readJson(package / "npu.json");
    manifest["files"][name] = {{"bytes", content.size()}, {"sha256", sha256Hex(content)}};
    writeFile(package / name, content);
    writeFile(package / "npu.json", manifest.dump(2) + "\n");
}

std::vector<std::string> codesOf(const nlohmann::json& failure) {
    std::vector<std::string> codes;
    for (const auto& diagnostic : failure.at("diagnostics"))
        codes.push_back(diagnostic.at("code").get<std::string>());
    return codes;
}

} // namespace plumbline::test
