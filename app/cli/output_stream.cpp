// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/output_stream.h"

#include <cerrno>
#include <cstdio>

#include <fcntl.h>
#include <unistd.h>

#include "app/cli/failure.h"

namespace plumbline::cli {
namespace {

namespace fs = std::filesystem;

/// Whether something other than a regular file has the name: it is written, not replaced.
bool isSpecial(const fs::path& path) {
    std::error_code error;
    const fs::file_status status = fs::status(path, error);
    return fs::exists(status) && !fs::is_regular_file(status);
}

} // namespace

OutputStream::OutputStream(fs::path path)
    : m_path(std::move(path)) {
    if (isSpecial(m_path)) {
        m_file = posix::openAt(AT_FDCWD, m_path, O_WRONLY);
    } else {
        std::error_code error;
        if (fs::exists(m_path, error)) // a link stays a link
            m_path = fs::canonical(m_path, error);
        else if (m_path.has_parent_path())
            fs::create_directories(m_path.parent_path(), error);
        posix::removeAbandonedSiblings(m_path);
        m_temporary = posix::temporarySibling(m_path);
        m_file = posix::openAt(AT_FDCWD, m_temporary, O_WRONLY | O_CREAT | O_EXCL, 0666);
    }
    if (!m_file.isOpen()) {
        m_temporary.clear();
        fail("open for writing", errno);
    }
}

OutputStream::~OutputStream() {
    if (!m_temporary.empty())
        ::unlink(m_temporary.c_str());
}

void OutputStream::fail(std::string_view action, int error) const {
    throw Failure(posix::failure(Code::FileUnwritable, m_path, action, error));
}

void OutputStream::write(std::string_view text) {
    constexpr std::size_t kBuffered = 64 * 1024;
    m_buffer += text;
    if (m_buffer.size() >= kBuffered)
        flush();
}

void OutputStream::flush() {
    const auto* data = reinterpret_cast<const std::uint8_t*>(m_buffer.data());
    if (const int error = posix::writeAll(m_file.get(), ByteView(data, m_buffer.size())))
        fail("write", error);
    m_buffer.clear();
}

void OutputStream::commit() {
    flush();
    const bool direct = m_temporary.empty();
    if (const int error = direct ? 0 : posix::syncFile(m_file.get()))
        fail("write", error);
    if (const int error = m_file.close())
        fail("write", error);
    if (direct)
        return;
    if (::rename(m_temporary.c_str(), m_path.c_str()) != 0)
        fail("write", errno);
    m_temporary.clear();
}

void refuseReplacing(const std::string& output, const std::vector<std::string>& read) {
    for (const std::string& path : read) {
        std::error_code error; // there is nothing to replace when one of them does not exist
        if (fs::equivalent(output, path, error))
            throw Failure(inFile({makeError(Code::ForeignDirectory,
                                            "The output would replace a file that is read.")},
                                 output));
    }
}

} // namespace plumbline::cli
