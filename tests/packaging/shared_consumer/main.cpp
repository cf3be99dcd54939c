// SPDX-License-Identifier: GPL-3.0-or-later
// Writes the report of a model to standard output. Usage: page MODEL
#include <cstdio>
#include <string>

std::string reportOf(const char* path);

int main(int argc, char** argv) {
    const std::string page = argc > 1 ? reportOf(argv[1]) : std::string();
    return std::fwrite(page.data(), 1, page.size(), stdout) == page.size() && !page.empty() ? 0 : 1;
}
