// SPDX-License-Identifier: GPL-3.0-or-later
// A directory of this process for targets that read directories, in memory where the system can.
#pragma once

#include <filesystem>
#include <string>

#include "core/base/bytes.h"

namespace plumbline::fuzz {

class ScratchDirectory {
  public:
    /// Empty; removed when the process ends in good order.
    ScratchDirectory();
    ~ScratchDirectory();
    ScratchDirectory(const ScratchDirectory&) = delete;
    ScratchDirectory& operator=(const ScratchDirectory&) = delete;

    const std::filesystem::path& path() const { return m_path; }
    /// Removes every file that earlier calls of write() made.
    void clear();
    void write(const std::string& name, ByteView content);

  private:
    std::filesystem::path m_path;
};

} // namespace plumbline::fuzz
