// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/test_data.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <fstream>
#include <map>
#include <memory>
#include <stdexcept>

#include <archive.h>
#include <archive_entry.h>

namespace plumbline::test {

namespace fs = std::filesystem;

namespace {

using Golden = std::map<std::string, Bytes, std::less<>>;

struct CloseArchive {
    void operator()(archive* reader) const { archive_read_free(reader); }
};

Bytes readEntry(archive* reader, const std::string& name) {
    Bytes content;
    std::array<std::uint8_t, 65536> block{};
    for (;;) {
        const la_ssize_t count = archive_read_data(reader, block.data(), block.size());
        if (count < 0)
            throw std::runtime_error(name + " in the archive: " + archive_error_string(reader));
        if (count == 0)
            return content;
        content.insert(content.end(), block.begin(), block.begin() + count);
    }
}

Golden readArchive(const fs::path& path) {
    const std::unique_ptr<archive, CloseArchive> reader(archive_read_new());
    archive_read_support_filter_xz(reader.get());
    archive_read_support_format_tar(reader.get());
    if (archive_read_open_filename(reader.get(), path.c_str(), 65536) != ARCHIVE_OK)
        throw std::runtime_error(path.string() + ": " + archive_error_string(reader.get()));
    Golden files;
    archive_entry* entry = nullptr;
    int status = ARCHIVE_OK;
    while ((status = archive_read_next_header(reader.get(), &entry)) == ARCHIVE_OK) {
        const std::string name = archive_entry_pathname(entry);
        if (archive_entry_filetype(entry) == AE_IFREG)
            files.emplace(name, readEntry(reader.get(), name));
    }
    if (status != ARCHIVE_EOF)
        throw std::runtime_error(path.string() + ": " + archive_error_string(reader.get()));
    return files;
}

const Golden& golden() {
    static const Golden files =
        readArchive(fs::path(PLUMBLINE_SOURCE_DIR) / "tests/golden/synthetic.tar.xz");
    return files;
}

nlohmann::json parse(std::string_view text, const std::string& name) {
    try {
        return nlohmann::json::parse(text);
    } catch (const nlohmann::json::parse_error& error) {
        throw std::runtime_error(name + ": " + error.what());
    }
}

std::string_view textOf(ByteView bytes) {
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

/// A new directory, whatever other processes do at the same time.
fs::path makeTemporaryDirectory() {
    std::string pattern = (fs::temp_directory_path() / "plumbline-test-XXXXXX").string();
    if (!mkdtemp(pattern.data()))
        throw std::runtime_error("cannot make a temporary directory like " + pattern);
    return pattern;
}

} // namespace

std::optional<fs::path> sharedData() {
    if (const char* variable = std::getenv("PLUMBLINE_TEST_DATA")) {
        // Set but empty, it asks for a run without the shared data.
        return fs::is_directory(variable) ? std::optional<fs::path>(variable) : std::nullopt;
    }
    const fs::path configured = PLUMBLINE_TEST_DATA_DEFAULT;
    if (!configured.empty() && fs::is_directory(configured))
        return configured;
    const fs::path beside = fs::path(PLUMBLINE_SOURCE_DIR) / "../shared";
    if (configured.empty() && fs::is_directory(beside))
        return fs::canonical(beside);
    return std::nullopt;
}

ByteView goldenFile(std::string_view name) {
    const auto found = golden().find(name);
    if (found == golden().end())
        throw std::runtime_error("no file in the golden archive: " + std::string(name));
    return found->second;
}

std::vector<std::string> goldenNames(std::string_view prefix) {
    std::vector<std::string> names;
    for (auto it = golden().lower_bound(prefix);
         it != golden().end() && it->first.starts_with(prefix); ++it)
        names.push_back(it->first);
    return names;
}

std::vector<nlohmann::json> goldenLines(std::string_view name) {
    std::vector<nlohmann::json> lines;
    std::string_view text = textOf(goldenFile(name));
    while (!text.empty()) {
        const std::size_t length = std::min(text.find('\n'), text.size());
        if (length > 0)
            lines.push_back(parse(text.substr(0, length), std::string(name)));
        text.remove_prefix(std::min(length + 1, text.size()));
    }
    return lines;
}

nlohmann::json goldenJson(std::string_view name) {
    return parse(textOf(goldenFile(name)), std::string(name));
}

Bytes readBytes(const fs::path& path) {
    std::ifstream file(path, std::ios::binary | std::ios::ate);
    if (!file)
        throw std::runtime_error("cannot open " + path.string());
    Bytes content(static_cast<std::size_t>(file.tellg()));
    file.seekg(0);
    file.read(reinterpret_cast<char*>(content.data()),
              static_cast<std::streamsize>(content.size()));
    if (!file)
        throw std::runtime_error("cannot read " + path.string());
    return content;
}

nlohmann::json readJson(const fs::path& path) {
    const Bytes content = readBytes(path);
    return parse(textOf(content), path.string());
}

TemporaryDirectory::TemporaryDirectory()
    : m_path(makeTemporaryDirectory()) {}

TemporaryDirectory::~TemporaryDirectory() {
    std::error_code ignored;
    fs::remove_all(m_path, ignored);
}

} // namespace plumbline::test
