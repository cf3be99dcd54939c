// SPDX-License-Identifier: GPL-3.0-or-later
// A file that is written piece by piece and appears when it is complete.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/posix_file.h"

namespace plumbline::cli {

/// Lines go to a temporary sibling; commit() gives it the file's name. Without commit nothing
/// stays. A pipe or device is written directly. All functions throw Failure with FileUnwritable.
class OutputStream {
  public:
    explicit OutputStream(std::filesystem::path path);
    ~OutputStream();
    OutputStream(const OutputStream&) = delete;
    OutputStream& operator=(const OutputStream&) = delete;

    void write(std::string_view text);
    void commit();

  private:
    void flush();
    [[noreturn]] void fail(std::string_view action, int error) const;

    std::filesystem::path m_path;
    std::filesystem::path m_temporary; ///< empty when written directly or committed
    posix::FileDescriptor m_file;
    std::string m_buffer;
};

/// Throws Failure with ForeignDirectory when writing `output` would replace one of the files in
/// `read`. Empty paths are none.
void refuseReplacing(const std::string& output, const std::vector<std::string>& read);

} // namespace plumbline::cli
