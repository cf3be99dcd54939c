// SPDX-License-Identifier: GPL-3.0-or-later
// What several paths mean together, and session files.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "core/document/open_request.h"

namespace plumbline::test {
namespace {

namespace fs = std::filesystem;

class Sessions : public testing::Test {
  protected:
    void SetUp() override {
        m_folder = fs::temp_directory_path() / ("plumbline-session-" + std::to_string(::getpid()));
        fs::create_directories(m_folder / "models");
        fs::create_directories(m_folder / "trace");
    }
    void TearDown() override { fs::remove_all(m_folder); }
    void write(const std::string& name, const std::string& text) const {
        std::ofstream(m_folder / name) << text;
    }
    fs::path m_folder;
};

TEST_F(Sessions, PathsAreUnderstoodTogether) {
    const auto request =
        requestFor({m_folder / "trace", m_folder / "in.npy", m_folder / "m.tflite"});
    ASSERT_TRUE(request.ok());
    EXPECT_EQ(request->path, m_folder / "m.tflite");
    EXPECT_EQ(request->input, m_folder / "in.npy");
    EXPECT_EQ(request->reference, m_folder / "trace");
}

TEST_F(Sessions, ATraceAloneIsOpenedItself) {
    const auto request = requestFor({m_folder / "trace"});
    ASSERT_TRUE(request.ok());
    EXPECT_EQ(request->path, m_folder / "trace");
    EXPECT_TRUE(request->reference.empty());
}

TEST_F(Sessions, TwoModelsAreTooMany) {
    const auto request = requestFor({"a.tflite", "b.tflite"});
    ASSERT_FALSE(request.ok());
    EXPECT_EQ(request.diagnostics().front().code, Code::Usage);
}

TEST_F(Sessions, ARoundTripKeepsEverything) {
    SessionFile session;
    session.request.path = m_folder / "models" / "m.tflite";
    session.request.input = m_folder / "in.npy";
    session.request.reference = m_folder / "trace";
    session.request.seed = 0xFFFFFFFFFFFFFFFFU;
    session.modelSha256 = std::string(64, 'a');
    session.selection = "op/3/word/2";
    session.filter = "cout > 8";
    session.heat = "cycles";
    const fs::path file = m_folder / "s.plumbline";
    ASSERT_TRUE(writeSession(file, session).ok());
    std::string text;
    std::getline(std::ifstream(file), text, '\0');
    EXPECT_NE(text.find("\"models/m.tflite\""), std::string::npos) << text;
    const auto read = readSession(file);
    ASSERT_TRUE(read.ok());
    EXPECT_EQ(read->request.path, session.request.path);
    EXPECT_EQ(read->request.input, session.request.input);
    EXPECT_EQ(read->request.reference, session.request.reference);
    EXPECT_EQ(read->request.seed, session.request.seed);
    EXPECT_EQ(read->modelSha256, session.modelSha256);
    EXPECT_EQ(read->selection, session.selection);
    EXPECT_EQ(read->filter, session.filter);
    EXPECT_EQ(read->heat, session.heat);
}

TEST_F(Sessions, WrongFilesAreRefusedWithTheKey) {
    const char* const complete =
        R"({"plumbline_session":1,"path":null,"sample":"ds-cnn","input":null,"seed":1,"reference":null,)"
        R"("sha256":null,"selection":null,"filter":null,"heat":null)";
    write("good.plumbline", std::string(complete) + "}");
    EXPECT_TRUE(readSession(m_folder / "good.plumbline").ok());
    write("extra.plumbline", std::string(complete) + R"(,"more":1})");
    write("text.plumbline", "not JSON");
    write("array.plumbline", "[]");
    write("version.plumbline", R"({"plumbline_session":2})");
    for (const char* const name : {"extra", "text", "array", "version"}) {
        const auto read = readSession(m_folder / (std::string(name) + ".plumbline"));
        ASSERT_FALSE(read.ok()) << name;
        EXPECT_EQ(read.diagnostics().front().code, Code::BadSession) << name;
    }
}

} // namespace
} // namespace plumbline::test
