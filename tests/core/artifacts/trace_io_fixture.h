// SPDX-License-Identifier: GPL-3.0-or-later
// A trace directory that tests fill and damage.
#pragma once

#include <filesystem>
#include <fstream>
#include <string>

#include <gtest/gtest.h>

#include "core/artifacts/trace_io.h"
#include "tests/support/test_data.h"

namespace plumbline::test {

// SHA-256 of the bytes 00 01 02 03 and of 80, by coreutils' sha256sum.
inline constexpr const char* kDigest4 =
    "054edec1d0211f624fed0cbca9d4f9400b0e491c43742af2c5b0abebf0c990d8";
inline constexpr const char* kDigest1 =
    "76be8b528d0075f7aae98d6fa57a6d3c83ae480a8469e668d7b0af968995ac71";

class TraceIo : public testing::Test {
  protected:
    std::filesystem::path dir() const { return m_directory.path() / "trace"; }

    void put(const std::string& name, const Bytes& content) const {
        std::filesystem::create_directories((dir() / name).parent_path());
        std::ofstream(dir() / name, std::ios::binary)
            .write(reinterpret_cast<const char*>(content.data()),
                   static_cast<std::streamsize>(content.size()));
    }
    void put(const std::string& name, const std::string& text) const {
        put(name, Bytes(text.begin(), text.end()));
    }

    /// A correct directory with one layer of 4 bytes in a.bin; tests change it.
    void putIndex() const { put("trace.json", m_index.dump()); }

    void expectBad(const std::filesystem::path& file, const std::string& part,
                   const std::string& words, std::size_t count = 1) const {
        const auto trace = loadTrace(dir());
        ASSERT_FALSE(trace);
        ASSERT_EQ(trace.diagnostics().size(), count);
        const Diagnostic& found = trace.diagnostics()[0];
        EXPECT_EQ(found.code, Code::BadTrace);
        EXPECT_EQ(found.where.file, file.string());
        EXPECT_EQ(found.where.part, part);
        EXPECT_NE(found.message.find(words), std::string::npos) << found.message;
    }

    void expectBadIndex(const std::string& part, const std::string& words) const {
        putIndex();
        expectBad(dir() / "trace.json", part, words);
    }

    nlohmann::json& layer(std::size_t i = 0) { return m_index["layers"][i]; }

    TemporaryDirectory m_directory;
    nlohmann::json m_index = {{"producer", "other tool"},
                              {"model_sha256", nullptr},
                              {"input_sha256", nullptr},
                              {"layers",
                               {{{"operator", 0},
                                 {"name", "CONV_2D"},
                                 {"shape", {1, 2, 2}},
                                 {"scale", 0.1},
                                 {"zero_point", -3},
                                 {"bytes", 4},
                                 {"sha256", kDigest4},
                                 {"file", "a.bin"}}}}};
    const Bytes m_bytes{0, 1, 2, 3};
};

} // namespace plumbline::test
