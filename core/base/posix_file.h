// SPDX-License-Identifier: GPL-3.0-or-later
// What file.cpp and output_directory.cpp share: descriptors, complete writes, temporary names.
// Every function that can fail returns an errno value, 0 for success.
#pragma once

#include <filesystem>
#include <string>

#include <sys/types.h>

#include "core/base/bytes.h"
#include "core/base/diagnostic.h"

namespace plumbline::posix {

/// Owns an open file descriptor.
class FileDescriptor {
  public:
    explicit FileDescriptor(int fd = -1)
        : m_fd(fd) {}
    ~FileDescriptor() { close(); }
    FileDescriptor(FileDescriptor&& other) noexcept;
    FileDescriptor& operator=(FileDescriptor&& other) noexcept;

    bool isOpen() const { return m_fd >= 0; }
    int get() const { return m_fd; }
    int close();

  private:
    int m_fd;
};

/// Opens `name` relative to the directory `directory` (AT_FDCWD: the current one), close-on-exec.
FileDescriptor openAt(int directory, const std::filesystem::path& name, int flags, mode_t mode = 0);

/// Writes all of `content`.
int writeAll(int fd, ByteView content);

/// fsync, where the file system knows it.
int syncFile(int fd);
/// fsync of a directory: makes names in it durable.
int syncDirectory(const std::filesystem::path& directory);

/// A diagnostic of `code` about `path`: "Cannot ACTION: No space left on device."
Diagnostic failure(Code code, const std::filesystem::path& path, std::string_view action,
                   int error);

/// `.NAME.plumbline-PID-RANDOM` beside `target`: a different name with each call.
std::filesystem::path temporarySibling(const std::filesystem::path& target);

/// Removes temporary siblings of `target` that a process which is gone left behind.
void removeAbandonedSiblings(const std::filesystem::path& target);

} // namespace plumbline::posix
