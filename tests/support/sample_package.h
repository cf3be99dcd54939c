// SPDX-License-Identifier: GPL-3.0-or-later
// A compiled sample on disk, for tests that damage packages.
#pragma once

#include <fstream>
#include <string>

#include <gtest/gtest.h>

#include "core/artifacts/package.h"
#include "core/lowering/target.h"
#include "core/report/p0_report.h"
#include "core/samples/samples.h"
#include "core/tflite/importer.h"
#include "tests/support/test_data.h"

namespace plumbline::test {

/// The package of sample `name` in a temporary directory.
class SamplePackage {
  public:
    explicit SamplePackage(const std::string& name = "every-operator") {
        const auto model = importTflite(*makeSample(name));
        EXPECT_TRUE(model);
        m_lowering = *npuP0Target().lower(*model);
        EXPECT_TRUE(m_lowering->complete);
        EXPECT_TRUE(writePackage(path(), *m_lowering, name));
    }

    std::filesystem::path path() const { return m_folder.path() / "package"; }
    const Lowering& lowering() const { return *m_lowering; }

    nlohmann::json manifest() const { return readJson(path() / "npu.json"); }
    void setManifest(const nlohmann::json& manifest) const {
        std::ofstream(path() / "npu.json", std::ios::binary) << canonicalJson(manifest);
    }
    /// Flips one bit of a file's byte.
    void flip(const std::string& file, std::size_t at) const {
        Bytes bytes = readBytes(path() / file);
        bytes.at(at) ^= 1;
        std::ofstream(path() / file, std::ios::binary)
            .write(reinterpret_cast<const char*>(bytes.data()),
                   static_cast<std::streamsize>(bytes.size()));
    }

  private:
    TemporaryDirectory m_folder;
    LoweringPtr m_lowering;
};

} // namespace plumbline::test
