// SPDX-License-Identifier: GPL-3.0-or-later
// Runs a fuzz target on every file of the folders given, without a fuzzer. A broken requirement
// ends the process; the name of the input was printed before.
#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "tests/fuzz/sections.h"

namespace {

namespace fs = std::filesystem;

std::vector<fs::path> filesOf(const fs::path& folder) {
    std::vector<fs::path> files;
    for (const auto& entry : fs::directory_iterator(folder)) {
        if (entry.is_regular_file())
            files.push_back(entry.path());
    }
    std::ranges::sort(files);
    return files;
}

plumbline::Bytes contentOf(const fs::path& path) {
    std::ifstream file(path, std::ios::binary);
    plumbline::fuzz::require(file.good(), "the input can be opened");
    return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

} // namespace

int main(int argc, char** argv) {
    LLVMFuzzerTestOneInput(nullptr, 0);
    std::size_t runs = 0;
    for (int i = 1; i < argc; ++i) {
        const std::vector<fs::path> files = filesOf(argv[i]);
        plumbline::fuzz::require(!files.empty(), "every folder has inputs");
        for (const fs::path& path : files) {
            std::fprintf(stderr, "%s\n", path.c_str());
            const plumbline::Bytes content = contentOf(path);
            LLVMFuzzerTestOneInput(content.data(), content.size());
            ++runs;
        }
    }
    std::printf("%zu inputs\n", runs);
    return 0;
}
