// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/file.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <fmt/format.h>

#include "core/base/posix_file.h"

namespace plumbline {
namespace {

namespace fs = std::filesystem;
using posix::failure;
using posix::FileDescriptor;

Diagnostic tooLarge(const fs::path& path, std::string_view size, std::uint64_t maxBytes) {
    Location where;
    where.file = path.string();
    return makeError(Code::FileTooLarge,
                     fmt::format("The file has {} bytes; at most {} are read.", size, maxBytes),
                     std::move(where));
}

/// Reads to the end of the file. `sizeHint` saves growing; the file may be shorter or longer.
Result<Bytes> readToEnd(int fd, const fs::path& path, std::uint64_t sizeHint,
                        std::uint64_t maxBytes) {
    constexpr std::uint64_t kStep = 64 * 1024;
    Bytes bytes(static_cast<std::size_t>(sizeHint) + 1); // one more: the end shows without growing
    std::size_t used = 0;
    for (;;) {
        if (used == bytes.size())
            bytes.resize(used + static_cast<std::size_t>(std::max<std::uint64_t>(kStep, used / 2)));
        const ssize_t count = ::read(fd, bytes.data() + used, bytes.size() - used);
        if (count < 0 && errno == EINTR)
            continue;
        if (count < 0)
            return failure(Code::FileUnreadable, path, "read the file", errno);
        if (count == 0)
            break;
        used += static_cast<std::size_t>(count);
        if (used > maxBytes)
            return tooLarge(path, fmt::format("more than {}", maxBytes), maxBytes);
    }
    bytes.resize(used);
    return bytes;
}

/// Writes the temporary file, durable, with the permissions of the file that it will replace.
int fillTemporary(const fs::path& temporary, ByteView content, const struct stat* replaced) {
    FileDescriptor fd =
        posix::openAt(AT_FDCWD, temporary, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, 0666);
    if (!fd.isOpen())
        return errno;
    if (replaced && ::fchmod(fd.get(), replaced->st_mode & 07777) != 0)
        return errno;
    if (const int error = posix::writeAll(fd.get(), content))
        return error;
    if (const int error = posix::syncFile(fd.get()))
        return error;
    return fd.close();
}

/// Writes to a pipe or device: those have no earlier content to keep, and must not be replaced.
Status writeDirectly(const fs::path& path, ByteView content) {
    FileDescriptor fd = posix::openAt(AT_FDCWD, path, O_WRONLY);
    if (!fd.isOpen())
        return failure(Code::FileUnwritable, path, "open for writing", errno);
    int error = posix::writeAll(fd.get(), content);
    if (error == 0)
        error = fd.close();
    if (error != 0)
        return failure(Code::FileUnwritable, path, "write", error);
    return Done{};
}

Status replaceFile(const fs::path& path, const fs::path& target, ByteView content,
                   const struct stat* replaced) {
    posix::removeAbandonedSiblings(target);
    const fs::path temporary = posix::temporarySibling(target);
    int error = fillTemporary(temporary, content, replaced);
    if (error == 0 && ::rename(temporary.c_str(), target.c_str()) != 0)
        error = errno;
    if (error != 0) {
        ::unlink(temporary.c_str());
        return failure(Code::FileUnwritable, path, "write", error);
    }
    if (const int unsynced = posix::syncDirectory(target.parent_path()))
        return failure(Code::FileUnwritable, path, "make the new name durable", unsynced);
    return Done{};
}

} // namespace

Result<Bytes> readFile(const fs::path& path, std::uint64_t maxBytes) {
    const FileDescriptor fd = posix::openAt(AT_FDCWD, path, O_RDONLY);
    if (!fd.isOpen())
        return failure(Code::FileUnreadable, path, "open", errno);
    struct stat info {};
    if (::fstat(fd.get(), &info) != 0)
        return failure(Code::FileUnreadable, path, "examine", errno);
    if (S_ISDIR(info.st_mode))
        return failure(Code::FileUnreadable, path, "read the file", EISDIR);
    if (!S_ISREG(info.st_mode) && !S_ISFIFO(info.st_mode)) {
        Location where;
        where.file = path.string();
        return makeError(Code::FileUnreadable, "This is neither a regular file nor a pipe.",
                         std::move(where));
    }
    const auto size = S_ISREG(info.st_mode) ? static_cast<std::uint64_t>(info.st_size) : 0;
    if (size > maxBytes)
        return tooLarge(path, std::to_string(size), maxBytes);
    return readToEnd(fd.get(), path, size, maxBytes);
}

Status writeFileAtomically(const fs::path& path, ByteView content) {
    std::error_code error;
    struct stat info {};
    const bool exists = ::stat(path.c_str(), &info) == 0;
    if (exists && S_ISDIR(info.st_mode))
        return failure(Code::FileUnwritable, path, "write", EISDIR);
    if (exists && !S_ISREG(info.st_mode))
        return writeDirectly(path, content);
    if (!path.has_filename())
        return failure(Code::FileUnwritable, path, "write", path.empty() ? ENOENT : EISDIR);
    if (!exists && path.has_parent_path()) {
        fs::create_directories(path.parent_path(), error);
        if (error)
            return failure(Code::FileUnwritable, path, "create the parent directory",
                           error.value());
    }
    // A link stays a link: what it points to is replaced.
    const fs::path target = exists ? fs::canonical(path, error) : path;
    if (error)
        return failure(Code::FileUnwritable, path, "resolve", error.value());
    return replaceFile(path, target, content, exists ? &info : nullptr);
}

Status writeFileAtomically(const fs::path& path, std::string_view content) {
    const auto* data = reinterpret_cast<const std::uint8_t*>(content.data());
    return writeFileAtomically(path, ByteView(data, content.size()));
}

} // namespace plumbline
