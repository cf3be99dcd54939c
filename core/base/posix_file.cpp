// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/posix_file.h"

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <charconv>
#include <csignal>
#include <random>
#include <system_error>
#include <vector>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <fmt/format.h>

namespace plumbline::posix {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kRandomDigits = 16;

/// The same for the life of the process. A container gives every run the same process id, so the id
/// alone does not tell whether a temporary name is this run's.
std::uint32_t processToken() {
    static const std::uint32_t token = std::random_device{}();
    return token;
}

/// What all temporary names of `target` start with; short enough for any file system.
std::string temporaryPrefix(const fs::path& target) {
    constexpr std::size_t kLongestName = 200;
    return fmt::format(".{}.plumbline-", target.filename().string().substr(0, kLongestName));
}

/// Whether "PID-RANDOM" names a process that is gone.
bool isAbandoned(std::string_view suffix) {
    pid_t pid = 0;
    const char* const end = suffix.data() + suffix.size();
    const auto [after, error] = std::from_chars(suffix.data(), end, pid);
    if (error != std::errc{} || pid <= 0 || after == end || *after != '-')
        return false;
    const std::string_view random(after + 1, static_cast<std::size_t>(end - after - 1));
    if (random.size() != kRandomDigits ||
        random.find_first_not_of("0123456789abcdef") != std::string_view::npos)
        return false;
    if (pid == ::getpid())
        return !random.starts_with(fmt::format("{:08x}", processToken()));
    return ::kill(pid, 0) != 0 && errno == ESRCH;
}

} // namespace

FileDescriptor::FileDescriptor(FileDescriptor&& other) noexcept
    : m_fd(other.m_fd) {
    other.m_fd = -1;
}

FileDescriptor& FileDescriptor::operator=(FileDescriptor&& other) noexcept {
    std::swap(m_fd, other.m_fd);
    return *this;
}

int FileDescriptor::close() {
    if (m_fd < 0)
        return 0;
    const int result = ::close(m_fd);
    m_fd = -1;
    // On Linux the descriptor is closed also when a signal interrupted the call.
    return result == 0 || errno == EINTR ? 0 : errno;
}

FileDescriptor openAt(int directory, const fs::path& name, int flags, mode_t mode) {
    int fd = -1;
    do {
        fd = ::openat(directory, name.c_str(), flags | O_CLOEXEC, mode);
    } while (fd < 0 && errno == EINTR);
    return FileDescriptor(fd);
}

int writeAll(int fd, ByteView content) {
    while (!content.empty()) {
        const ssize_t count = ::write(fd, content.data(), content.size());
        if (count < 0 && errno == EINTR)
            continue;
        if (count < 0)
            return errno;
        if (count == 0)
            return EIO;
        content = content.subspan(static_cast<std::size_t>(count));
    }
    return 0;
}

int syncFile(int fd) {
    int result = 0;
    do {
        result = ::fsync(fd);
    } while (result != 0 && errno == EINTR);
    if (result == 0 || errno == EINVAL || errno == EROFS || errno == ENOTSUP)
        return 0;
    return errno;
}

int syncDirectory(const fs::path& directory) {
    const FileDescriptor fd =
        openAt(AT_FDCWD, directory.empty() ? "." : directory, O_RDONLY | O_DIRECTORY);
    return fd.isOpen() ? syncFile(fd.get()) : errno;
}

Diagnostic failure(Code code, const fs::path& path, std::string_view action, int error) {
    Location where;
    where.file = path.string();
    return makeError(code,
                     fmt::format("Cannot {}: {}.", action, std::generic_category().message(error)),
                     std::move(where));
}

fs::path temporarySibling(const fs::path& target) {
    static std::atomic<std::uint32_t> sequence{0};
    return target.parent_path() / fmt::format("{}{}-{:08x}{:08x}", temporaryPrefix(target),
                                              ::getpid(), processToken(), sequence++);
}

void removeAbandonedSiblings(const fs::path& target) {
    const fs::path parent = target.parent_path();
    const std::string prefix = temporaryPrefix(target);
    std::vector<fs::path> abandoned;
    std::error_code error;
    for (fs::directory_iterator entry(parent.empty() ? "." : parent, error), end;
         !error && entry != end; entry.increment(error)) {
        const std::string name = entry->path().filename().string();
        if (name.starts_with(prefix) && isAbandoned(std::string_view(name).substr(prefix.size())))
            abandoned.push_back(entry->path());
    }
    for (const fs::path& path : abandoned)
        fs::remove_all(path, error);
}

} // namespace plumbline::posix
