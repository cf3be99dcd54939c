// SPDX-License-Identifier: GPL-3.0-or-later
// Inputs and labels of a corpus.
#include <algorithm>
#include <cerrno>
#include <charconv>
#include <fstream>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "app/cli/corpus.h"
#include "core/artifacts/npy.h"
#include "core/base/sha256.h"

namespace plumbline::cli {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void failIn(Code code, const std::string& file, std::string message,
                         std::string place = {}) {
    Location where;
    where.file = file;
    where.part = std::move(place);
    throw Failure(makeError(code, std::move(message), std::move(where)));
}

template <class T> std::optional<T> integerIn(std::string_view text) {
    T value{};
    const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (text.empty() || error != std::errc() || stop != text.data() + text.size())
        return std::nullopt;
    return value;
}

struct Label {
    std::uint64_t index = 0;
    std::int32_t classIndex = 0;
};

/// `index,name,class`; the name may hold commas.
std::optional<Label> parseLabel(std::string_view line) {
    const std::size_t first = line.find(',');
    const std::size_t last = line.rfind(',');
    if (first == std::string_view::npos || first == last)
        return std::nullopt;
    const auto index = integerIn<std::uint64_t>(line.substr(0, first));
    const auto classIndex = integerIn<std::int32_t>(line.substr(last + 1));
    if (!index || !classIndex || *classIndex < 0)
        return std::nullopt;
    return Label{*index, *classIndex};
}

ByteView bytesOf(std::string_view text) {
    return {reinterpret_cast<const std::uint8_t*>(text.data()), text.size()};
}

/// The next line without its end, which `digest` takes; false at the end of the file.
bool nextLine(std::ifstream& in, std::string& line, Sha256& digest) {
    if (!std::getline(in, line))
        return false;
    digest.add(bytesOf(line));
    digest.add(bytesOf("\n"));
    if (line.ends_with('\r'))
        line.pop_back();
    return true;
}

} // namespace

CorpusInputs::CorpusInputs(const std::string& path, std::optional<std::uint64_t> itemBytes,
                           InputForm form, std::optional<std::uint64_t> limit)
    : m_path(path)
    , m_form(std::move(form)) {
    if (itemBytes && *itemBytes != m_form.bytes)
        failIn(Code::InputSize, path,
               fmt::format("An input of the model has {} bytes, not the {} of --item-bytes.",
                           m_form.bytes, *itemBytes));
    std::error_code error;
    if (fs::is_directory(path, error))
        listDirectory();
    else
        openFile(itemBytes);
    if (m_available == 0)
        failIn(Code::BadCorpus, path, "There is no input.");
    m_count = std::min(m_available, limit.value_or(m_available));
}

void CorpusInputs::openFile(std::optional<std::uint64_t> itemBytes) {
    if (!itemBytes)
        failUsage("A file of packed inputs needs --item-bytes.");
    m_file = posix::openAt(AT_FDCWD, m_path, O_RDONLY);
    if (!m_file.isOpen())
        throw Failure(posix::failure(Code::FileUnreadable, m_path, "open", errno));
    struct stat info {};
    if (::fstat(m_file.get(), &info) != 0 || !S_ISREG(info.st_mode))
        failIn(Code::FileUnreadable, m_path, "This is no regular file.");
    const auto bytes = static_cast<std::uint64_t>(info.st_size);
    if (m_form.bytes == 0 || bytes % m_form.bytes != 0)
        failIn(Code::BadCorpus, m_path,
               fmt::format("{} bytes are no whole number of inputs of {} bytes.", bytes,
                           m_form.bytes));
    m_available = bytes / m_form.bytes;
}

void CorpusInputs::listDirectory() {
    std::error_code error;
    for (fs::directory_iterator at(m_path, error), end; !error && at != end; at.increment(error)) {
        std::error_code ignored; // a name that vanished is no input
        std::string name = at->path().filename().string();
        if (at->is_regular_file(ignored) && !name.starts_with('.'))
            m_names.push_back(std::move(name));
    }
    if (error)
        failIn(Code::FileUnreadable, m_path, "Cannot list the directory: " + error.message() + ".");
    std::sort(m_names.begin(), m_names.end());
    m_available = m_names.size();
}

Bytes CorpusInputs::read(std::uint64_t index) const {
    if (isDirectory()) {
        const fs::path path = fs::path(m_path) / m_names[static_cast<std::size_t>(index)];
        Result<Bytes> input = loadInput(path, m_form.bytes, m_form.shape);
        if (!input)
            throw Failure(inFile(std::move(input).diagnostics(), path.string()));
        return *std::move(input);
    }
    Bytes input(static_cast<std::size_t>(m_form.bytes));
    std::size_t done = 0;
    while (done < input.size()) {
        const auto offset = static_cast<off_t>(index * m_form.bytes + done);
        const ssize_t count =
            ::pread(m_file.get(), input.data() + done, input.size() - done, offset);
        if (count < 0 && errno == EINTR)
            continue;
        if (count < 0)
            throw Failure(posix::failure(Code::FileUnreadable, m_path, "read", errno));
        if (count == 0)
            failIn(Code::FileUnreadable, m_path, "The file became shorter while it was read.");
        done += static_cast<std::size_t>(count);
    }
    return input;
}

std::string CorpusInputs::fingerprint() const {
    constexpr std::uint64_t kMostRead = 64;
    Sha256 digest;
    for (const std::string& name : m_names) // with its final zero, which no name holds
        digest.add(bytesOf({name.c_str(), name.size() + 1}));
    const std::uint64_t reads = std::min(m_count, kMostRead);
    const std::uint64_t gaps = std::max<std::uint64_t>(reads, 2) - 1;
    for (std::uint64_t i = 0; i < reads; ++i)
        digest.add(read(i * (m_count - 1) / gaps));
    return digest.finish();
}

Labels loadLabels(const std::string& path, IndexRange range, std::uint64_t classes) {
    std::error_code error;
    std::ifstream in(path, std::ios::binary);
    if (!in || fs::is_directory(path, error))
        failIn(Code::FileUnreadable, path, "The file cannot be opened.");
    Sha256 digest;
    std::string line;
    if (!nextLine(in, line, digest) || parseLabel(line))
        failIn(Code::BadLabels, path, "The first line is no header.", "line 1");
    constexpr std::int32_t kMissing = -1;
    std::vector<std::int32_t> labels(static_cast<std::size_t>(range.count), kMissing);
    for (std::uint64_t number = 2; nextLine(in, line, digest); ++number) {
        if (line.empty())
            continue;
        const std::string place = fmt::format("line {}", number);
        const std::optional<Label> label = parseLabel(line);
        if (!label)
            failIn(Code::BadLabels, path, "The line is not index,name,class.", place);
        if (label->index < range.first || label->index - range.first >= range.count)
            continue;
        std::int32_t& slot = labels[static_cast<std::size_t>(label->index - range.first)];
        if (slot != kMissing)
            failIn(Code::BadLabels, path, fmt::format("Index {} has two labels.", label->index),
                   place);
        if (static_cast<std::uint64_t>(label->classIndex) >= classes)
            failIn(Code::BadLabels, path,
                   fmt::format("Class {} is not among the model's {} outputs.", label->classIndex,
                               classes),
                   place);
        slot = label->classIndex;
    }
    const auto missing = std::find(labels.begin(), labels.end(), kMissing);
    if (missing != labels.end())
        failIn(Code::BadLabels, path,
               fmt::format("Input {} has no label.",
                           range.first + static_cast<std::uint64_t>(missing - labels.begin())));
    return {std::move(labels), digest.finish()};
}

} // namespace plumbline::cli
