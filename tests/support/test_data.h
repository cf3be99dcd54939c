// SPDX-License-Identifier: GPL-3.0-or-later
// Where tests get their data from.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>

#include "core/base/bytes.h"

namespace plumbline::test {

/// The folder with the real models and their golden data: the environment variable
/// PLUMBLINE_TEST_DATA, else the CMake variable of that name, else ../shared beside the source tree
/// where that exists. Nothing: tests that need it print what they skip (SKIP_WITHOUT_SHARED_DATA).
std::optional<std::filesystem::path> sharedData();

/// A file of the committed archive tests/golden/synthetic.tar.xz, by its name under the golden
/// data, "cases/case_001.tflite". Throws std::runtime_error when there is no such file.
ByteView goldenFile(std::string_view name);

/// All names in the archive that start with `prefix`, sorted.
std::vector<std::string> goldenNames(std::string_view prefix);

/// The lines of a JSON-lines file of the archive.
std::vector<nlohmann::json> goldenLines(std::string_view name);
nlohmann::json goldenJson(std::string_view name);

/// The content of a file on disk; throws std::runtime_error when it cannot be read.
Bytes readBytes(const std::filesystem::path& path);
nlohmann::json readJson(const std::filesystem::path& path);

/// A fresh empty directory below the system's temporary folder, removed with the object.
class TemporaryDirectory {
  public:
    TemporaryDirectory();
    ~TemporaryDirectory();
    TemporaryDirectory(const TemporaryDirectory&) = delete;
    TemporaryDirectory& operator=(const TemporaryDirectory&) = delete;
    const std::filesystem::path& path() const { return m_path; }

  private:
    std::filesystem::path m_path;
};

} // namespace plumbline::test

/// Skips the running test, saying what for, when the shared data is absent.
#define SKIP_WITHOUT_SHARED_DATA()                                                                 \
    if (!::plumbline::test::sharedData())                                                          \
    GTEST_SKIP() << "needs the real models: set PLUMBLINE_TEST_DATA"
