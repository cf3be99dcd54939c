// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/fuzz/scratch_directory.h"

#include <cstdlib>
#include <fstream>

#include "tests/fuzz/sections.h"

namespace plumbline::fuzz {

namespace fs = std::filesystem;

ScratchDirectory::ScratchDirectory() {
    const fs::path memory = "/dev/shm";
    const fs::path parent = fs::is_directory(memory) ? memory : fs::temp_directory_path();
    std::string pattern = (parent / "plumbline-fuzz-XXXXXX").string();
    require(mkdtemp(pattern.data()) != nullptr, "a scratch directory can be made");
    m_path = pattern;
}

ScratchDirectory::~ScratchDirectory() {
    std::error_code ignored;
    fs::remove_all(m_path, ignored);
}

void ScratchDirectory::clear() {
    for (const auto& entry : fs::directory_iterator(m_path))
        fs::remove(entry.path());
}

void ScratchDirectory::write(const std::string& name, ByteView content) {
    std::ofstream file(m_path / name, std::ios::binary);
    file.write(reinterpret_cast<const char*>(content.data()),
               static_cast<std::streamsize>(content.size()));
    require(file.good(), "a scratch file can be written");
}

} // namespace plumbline::fuzz
