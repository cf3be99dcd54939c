// SPDX-License-Identifier: GPL-3.0-or-later
// Entry point: writeDirectoryAtomically. The new directory is completed under a temporary name and
// then takes the target's name in one system call:
//   - nothing or an empty directory there: rename, which replaces an empty directory and no other;
//   - a directory of ours: an exchange of both names, after which the old one is removed.
// Whoever loses a race against another writer looks again.
#include "core/base/output_directory.h"

#include <cerrno>
#include <cstdio>
#include <set>

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

Diagnostic refusal(Code code, const fs::path& directory, std::string message) {
    Location where;
    where.file = directory.string();
    return makeError(code, std::move(message), std::move(where));
}

std::optional<Diagnostic> checkNames(const fs::path& directory,
                                     const std::vector<OutputFile>& files) {
    std::set<std::string_view> seen;
    for (const OutputFile& file : files) {
        const bool plain = !file.name.empty() && file.name != "." && file.name != ".." &&
                           file.name.find('/') == std::string::npos &&
                           file.name.find('\0') == std::string::npos;
        if (!plain || !seen.insert(file.name).second)
            return refusal(Code::Internal, directory,
                           fmt::format("The output file name \"{}\" is {}.", file.name,
                                       plain ? "used twice" : "not a plain name"));
    }
    return std::nullopt;
}

/// Where the directory really is: links resolved, parents created.
Result<fs::path> resolveTarget(const fs::path& directory) {
    fs::path path = directory;
    while (path.has_relative_path() && (!path.has_filename() || path.filename() == ".") &&
           path != ".")
        path = path.parent_path();
    std::error_code error;
    if (path.empty())
        return failure(Code::FileUnwritable, directory, "create the directory", ENOENT);
    if (fs::exists(fs::symlink_status(path, error))) {
        fs::path target = fs::canonical(path, error);
        if (error)
            return failure(Code::FileUnwritable, directory, "resolve the path", error.value());
        return target;
    }
    const fs::path parent = path.has_parent_path() ? path.parent_path() : fs::path(".");
    fs::create_directories(parent, error);
    const fs::path resolved = error ? fs::path() : fs::canonical(parent, error);
    if (error)
        return failure(Code::FileUnwritable, directory, "create the parent directory",
                       error.value());
    return resolved / path.filename();
}

enum class Occupant { Nothing, EmptyDirectory, OurDirectory };

Result<Occupant> examine(const fs::path& directory, const fs::path& target, const IsOurs& isOurs) {
    std::error_code error;
    const fs::file_status status = fs::symlink_status(target, error);
    if (status.type() == fs::file_type::not_found)
        return Occupant::Nothing;
    if (error)
        return failure(Code::FileUnwritable, directory, "examine", error.value());
    if (!fs::is_directory(status))
        return refusal(Code::ForeignDirectory, directory,
                       "This is not a directory; it is left untouched.");
    const bool empty = fs::is_empty(target, error);
    if (error)
        return failure(Code::FileUnwritable, directory, "list the directory", error.value());
    if (empty)
        return Occupant::EmptyDirectory;
    if (isOurs && isOurs(target))
        return Occupant::OurDirectory;
    return refusal(Code::ForeignDirectory, directory,
                   "The directory is not empty and holds other things than an output of "
                   "Plumbline; it is left untouched.");
}

int writeInto(int directory, const OutputFile& file) {
    FileDescriptor fd = posix::openAt(directory, file.name, O_WRONLY | O_CREAT | O_EXCL, 0666);
    if (!fd.isOpen())
        return errno;
    int error = posix::writeAll(fd.get(), file.content);
    if (file.more)
        file.more([&](ByteView piece) {
            if (error == 0)
                error = posix::writeAll(fd.get(), piece);
        });
    if (error != 0)
        return error;
    error = posix::syncFile(fd.get());
    return error != 0 ? error : fd.close();
}

/// Creates `temporary` with all files, durable.
Status fillTemporary(const fs::path& directory, const fs::path& temporary,
                     const std::vector<OutputFile>& files) {
    if (::mkdir(temporary.c_str(), 0777) != 0)
        return failure(Code::FileUnwritable, directory, "create a directory beside it", errno);
    const FileDescriptor fd = posix::openAt(AT_FDCWD, temporary, O_RDONLY | O_DIRECTORY);
    if (!fd.isOpen())
        return failure(Code::FileUnwritable, directory, "open a directory beside it", errno);
    for (const OutputFile& file : files) {
        if (const int error = writeInto(fd.get(), file))
            return failure(Code::FileUnwritable, directory / file.name, "write", error);
    }
    if (const int error = posix::syncFile(fd.get()))
        return failure(Code::FileUnwritable, directory, "make the files durable", error);
    return Done{};
}

int exchange(const fs::path& a, const fs::path& b) {
    return ::renameat2(AT_FDCWD, a.c_str(), AT_FDCWD, b.c_str(), RENAME_EXCHANGE) == 0 ? 0 : errno;
}

enum class Step { Done, LookAgain };

/// Gives the name to a directory where nothing or an empty directory is.
Result<Step> moveIntoPlace(const fs::path& directory, const fs::path& temporary,
                           const fs::path& target) {
    struct stat old {};
    if (::stat(target.c_str(), &old) == 0 && ::chmod(temporary.c_str(), old.st_mode & 07777) != 0)
        return failure(Code::FileUnwritable, directory, "set the permissions", errno);
    if (::rename(temporary.c_str(), target.c_str()) == 0)
        return Step::Done;
    if (errno == ENOTEMPTY || errno == EEXIST || errno == ENOTDIR)
        return Step::LookAgain;
    return failure(Code::FileUnwritable, directory, "put the new directory in place", errno);
}

/// Swaps names with a directory of ours. `temporary` then holds the old one.
Result<Step> exchangeWithOurs(const fs::path& directory, const fs::path& temporary,
                              const fs::path& target, const IsOurs& isOurs) {
    struct stat old {};
    if (::stat(target.c_str(), &old) == 0 && ::chmod(temporary.c_str(), old.st_mode & 07777) != 0)
        return failure(Code::FileUnwritable, directory, "set the permissions", errno);
    const int error = exchange(temporary, target);
    if (error == ENOENT)
        return Step::LookAgain;
    if (error == EINVAL || error == ENOSYS || error == ENOTSUP)
        return refusal(Code::FileUnwritable, directory,
                       "The file system cannot exchange two directories in one step, so the "
                       "existing one is left untouched; remove it first or choose another.");
    if (error != 0)
        return failure(Code::FileUnwritable, directory, "exchange the directories", error);
    // What was swapped out may not be what was looked at before: never remove a stranger's files.
    std::error_code ignored;
    if (fs::is_directory(fs::symlink_status(temporary, ignored)) &&
        (fs::is_empty(temporary, ignored) || isOurs(temporary)))
        return Step::Done;
    if (const int undone = exchange(temporary, target))
        return failure(Code::FileUnwritable, temporary, "move the former content back", undone);
    return Step::LookAgain;
}

Status putInPlace(const fs::path& directory, const fs::path& temporary, const fs::path& target,
                  const IsOurs& isOurs) {
    constexpr int kAttempts = 100; // against other writers of the same directory
    for (int attempt = 0; attempt < kAttempts; ++attempt) {
        const auto occupant = examine(directory, target, isOurs);
        if (!occupant)
            return occupant.diagnostics();
        const auto step = *occupant == Occupant::OurDirectory
                              ? exchangeWithOurs(directory, temporary, target, isOurs)
                              : moveIntoPlace(directory, temporary, target);
        if (!step)
            return step.diagnostics();
        if (*step == Step::Done)
            return Done{};
    }
    return failure(Code::FileUnwritable, directory, "put the new directory in place", EBUSY);
}

/// Removes what stands under the temporary name: an unfinished new directory or the old one.
std::error_code discard(const fs::path& temporary) {
    std::error_code error;
    fs::remove_all(temporary, error);
    return error;
}

} // namespace

Status writeDirectoryAtomically(const fs::path& directory, const std::vector<OutputFile>& files,
                                const IsOurs& isOurs) {
    if (auto wrong = checkNames(directory, files))
        return *std::move(wrong);
    const auto target = resolveTarget(directory);
    if (!target)
        return target.diagnostics();
    // Refuse before writing anything.
    if (const auto occupant = examine(directory, *target, isOurs); !occupant)
        return occupant.diagnostics();
    posix::removeAbandonedSiblings(*target);
    const fs::path temporary = posix::temporarySibling(*target);
    Status status = fillTemporary(directory, temporary, files);
    if (status)
        status = putInPlace(directory, temporary, *target, isOurs);
    const std::error_code left = discard(temporary);
    if (!status)
        return status;
    if (const int error = posix::syncDirectory(target->parent_path()))
        return failure(Code::FileUnwritable, directory, "make the new name durable", error);
    if (left) {
        Location where;
        where.file = temporary.string();
        return Status(Done{}, {makeWarning(Code::FileUnwritable,
                                           fmt::format("The replaced directory could not be "
                                                       "removed: {}.",
                                                       left.message()),
                                           std::move(where))});
    }
    return Done{};
}

} // namespace plumbline
