// SPDX-License-Identifier: GPL-3.0-or-later
// plumb report: formats, exit codes, and that the same job gives the same bytes anywhere.
#include <filesystem>
#include <fstream>

#include <gtest/gtest.h>

#include "core/base/sha256.h"
#include "tests/app/plumb_process.h"

namespace plumbline::test {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

class Report : public testing::Test {
  protected:
    TemporaryDirectory m_directory;
    std::string m_model = sampleFile(m_directory.path(), "every-operator");
    std::string path(const std::string& name) const { return (m_directory.path() / name).string(); }

    static std::string textOf(const std::string& file) {
        const Bytes bytes = readBytes(file);
        return {bytes.begin(), bytes.end()};
    }
    std::string package(std::vector<std::string> more = {}) const {
        std::vector<std::string> arguments{"compile", m_model, "-o", path("p0")};
        arguments.insert(arguments.end(), more.begin(), more.end());
        EXPECT_EQ(plumb(arguments).exitCode, 0);
        return path("p0");
    }
};

TEST_F(Report, WritesThePageAndSaysWhatItIs) {
    const Outcome outcome = plumb({"report", m_model, "-o", path("r.html"), "--json"});
    ASSERT_EQ(outcome.exitCode, 0) << outcome.err;
    const json result = outcome.json();
    const Bytes page = readBytes(path("r.html"));
    EXPECT_EQ(result.at("ok"), true);
    EXPECT_EQ(result.at("path"), path("r.html"));
    EXPECT_EQ(result.at("format"), "html");
    EXPECT_TRUE(result.at("table").is_null());
    EXPECT_EQ(result.at("bytes"), page.size());
    EXPECT_EQ(result.at("sha256"), sha256Hex(page));
    EXPECT_EQ(result.at("verdict"), "equal");
    EXPECT_EQ(textOf(path("r.html")).substr(0, 15), "<!DOCTYPE html>");
    EXPECT_EQ(plumb({"report", m_model}).out, textOf(path("r.html")));
}

TEST_F(Report, TheExtensionChoosesTheFormat) {
    for (const auto& [name, format] : {std::pair{"r.json", "json"},
                                       {"r.csv", "csv"},
                                       {"r.md", "markdown"},
                                       {"r.html", "html"},
                                       {"s.JSON", "json"},
                                       {"s.Csv", "csv"},
                                       {"s.HTM", "html"},
                                       {"s.markdown", "markdown"}}) {
        const Outcome outcome = plumb({"report", m_model, "-o", path(name), "--json"});
        EXPECT_EQ(outcome.json().at("format"), format);
    }
    const Outcome given =
        plumb({"report", m_model, "-o", path("a.csv"), "--format", "markdown", "--json"});
    EXPECT_EQ(given.json().at("format"), "markdown");
    EXPECT_EQ(textOf(path("a.csv")), textOf(path("r.md")));
    EXPECT_EQ(textOf(path("r.csv")).substr(0, 21), "operator,record,name,");
}

TEST_F(Report, AnotherExtensionNeedsAFormat) {
    for (const char* name : {"r.txt", "r", "r.html.gz", ".html"}) {
        const Outcome outcome = plumb({"report", m_model, "-o", path(name)});
        EXPECT_EQ(outcome.exitCode, 2) << name;
        EXPECT_NE(outcome.err.find("--format"), std::string::npos) << outcome.err;
        EXPECT_FALSE(fs::exists(path(name)));
        EXPECT_EQ(plumb({"report", m_model, "-o", path(name), "--format", "html"}).exitCode, 0);
    }
}

TEST_F(Report, IsTheSameFromAnyFolderAndPath) {
    const fs::path before = fs::current_path();
    const std::string absolute = plumb({"report", m_model}).out;
    fs::current_path(m_directory.path());
    const std::string relative = plumb({"report", fs::path(m_model).filename().string()}).out;
    package();
    const std::string outside = plumb({"report", path("p0")}).out;
    fs::current_path(path("p0"));
    const std::string inside = plumb({"report", "."}).out;
    const std::string byManifest = plumb({"report", "npu.json"}).out;
    const std::string byDetour = plumb({"report", "../p0/"}).out;
    fs::current_path(before);
    EXPECT_EQ(absolute, relative);
    EXPECT_EQ(absolute.find(m_directory.path().string()), std::string::npos);
    EXPECT_EQ(outside, inside);
    EXPECT_EQ(outside, byManifest);
    EXPECT_EQ(outside, byDetour);
}

TEST_F(Report, JsonIsTheReportOfThePackage) {
    for (const std::vector<std::string>& input :
         {std::vector<std::string>{},
          {"--seed", "3"},
          {"--input", writeFile(m_directory.path() / "in.bin", splitMixBytes(9, 720))}}) {
        std::vector<std::string> arguments{"report", m_model, "--format", "json"};
        arguments.insert(arguments.end(), input.begin(), input.end());
        const Outcome outcome = plumb(arguments);
        ASSERT_EQ(outcome.exitCode, 0) << outcome.err;
        // Without an input the digests are those of seed 1, which compile is told.
        const json manifest = readJson(
            package(input.empty() ? std::vector<std::string>{"--seed", "1"} : input) + "/npu.json");
        EXPECT_EQ(outcome.json(), manifest.at("report"));
        EXPECT_EQ(plumb({"report", path("p0"), "--format", "json", "--quiet"}).out, outcome.out);
        EXPECT_EQ(outcome.out.substr(0, 4), "{\n  ");
        fs::remove_all(path("p0"));
    }
}

TEST_F(Report, ATableComesAsJsonOrCsv) {
    const Outcome csv = plumb({"report", m_model, "--format", "csv", "--table", "dma"});
    ASSERT_EQ(csv.exitCode, 0) << csv.err;
    const Outcome rows = plumb({"report", m_model, "--format", "json", "--table", "dma"});
    const json report = plumb({"report", m_model, "--format", "json"}).json();
    std::size_t at = 0;
    for (const json& entry : report.at("operators")) {
        if (entry.at("placement") != "npu")
            continue;
        EXPECT_EQ(rows.json().at(at).at("operator"), entry.at("index"));
        EXPECT_EQ(rows.json().at(at).at("read_bytes"), entry.at("dma").at("read_bytes"));
        ++at;
    }
    EXPECT_EQ(rows.json().size(), at);
    EXPECT_EQ(static_cast<std::size_t>(std::count(csv.out.begin(), csv.out.end(), '\n')), at + 1);
    const Outcome unknown = plumb({"report", m_model, "--format", "csv", "--table", "none"});
    EXPECT_EQ(unknown.exitCode, 2);
    EXPECT_NE(unknown.err.find("operators, quantization, arena"), std::string::npos);
}

TEST_F(Report, AFilterTakesRows) {
    const Outcome csv =
        plumb({"report", m_model, "--format", "csv", "--filter", "opcode == MAX_POOL"});
    ASSERT_EQ(csv.exitCode, 0) << csv.err;
    EXPECT_EQ(std::count(csv.out.begin(), csv.out.end(), '\n'), 2);
    EXPECT_EQ(plumb({"report", m_model, "--filter", "opcode =="}).exitCode, 2);
}

TEST_F(Report, ARefusedModelIsWrittenButHasNoP0Report) {
    const std::string refused = sampleFile(m_directory.path(), "refused");
    for (const char* name : {"r.html", "r.md", "r.csv"}) {
        const Outcome outcome = plumb({"report", refused, "-o", path(name), "--json"});
        EXPECT_EQ(outcome.exitCode, 3);
        EXPECT_EQ(outcome.json().at("ok"), false);
        EXPECT_EQ(outcome.json().at("verdict"), "refused");
        EXPECT_TRUE(fs::exists(path(name)));
    }
    const Outcome p0 = plumb({"report", refused, "-o", path("r.json"), "--json"});
    EXPECT_EQ(p0.exitCode, 3);
    EXPECT_FALSE(fs::exists(path("r.json")));
    EXPECT_FALSE(codesOf(p0.json()).empty());
}

TEST_F(Report, NamesTheKernelsThatJudge) {
    for (const auto& [reference, name] :
         {std::pair{"reference", "reference kernels"}, std::pair{"plain", "plain kernels"}}) {
        const std::string page = path(std::string(reference) + ".html");
        const Outcome outcome =
            plumb({"report", m_model, "--reference", reference, "-o", page, "--json"});
        ASSERT_EQ(outcome.exitCode, 0) << outcome.err;
        EXPECT_EQ(outcome.json().at("verdict"), "equal");
        EXPECT_NE(textOf(page).find(name), std::string::npos);
    }
    const Outcome package =
        plumb({"report", this->package(), "--reference", "plain", "-o", path("p.html"), "--json"});
    EXPECT_EQ(package.exitCode, 2);
    EXPECT_EQ(codesOf(package.json()), std::vector<std::string>{"PL-U001"});
}

TEST_F(Report, WhatIsWrongMakesTheExitCode) {
    ASSERT_EQ(plumb({"run", m_model, "--seed", "1", "--inject", "op/0:single-rounding", "--trace",
                     path("trace")})
                  .exitCode,
              0);
    const Outcome differs =
        plumb({"report", m_model, "--reference", path("trace"), "-o", path("d.html"), "--json"});
    EXPECT_EQ(differs.exitCode, 1);
    EXPECT_EQ(differs.json().at("verdict"), "differs");
    EXPECT_EQ(plumb({"report", path("trace"), "-o", path("t.html")}).exitCode, 0);
    EXPECT_EQ(plumb({"report", path("trace"), "--format", "json"}).exitCode, 2);
    package();
    std::ofstream(path("p0/weights.bin"), std::ios::binary | std::ios::app) << 'x';
    const Outcome damaged = plumb({"report", path("p0"), "-o", path("p.html"), "--json"});
    EXPECT_EQ(damaged.exitCode, 1);
    EXPECT_EQ(damaged.json().at("verdict"), "damaged");
    EXPECT_TRUE(fs::exists(path("p.html")));
}

TEST_F(Report, AManifestThatCannotBeUnderstoodIsABadInput) {
    package();
    for (const char* text : {"{", "[]", "{}", "{\"format\": \"other\"}"}) {
        writeFile(m_directory.path() / "p0/npu.json", std::string(text));
        const Outcome outcome = plumb({"report", path("p0"), "-o", path("u.html"), "--json"});
        EXPECT_EQ(outcome.exitCode, plumb({"check", path("p0")}).exitCode) << text;
        EXPECT_EQ(outcome.json().at("ok"), false) << text;
        EXPECT_FALSE(outcome.json().at("diagnostics").empty()) << text;
    }
    writeFile(m_directory.path() / "p0/npu.json", std::string("{"));
    EXPECT_EQ(plumb({"report", path("p0"), "-o", path("u.html")}).exitCode, 3);
    EXPECT_TRUE(fs::exists(path("u.html")));
}

TEST_F(Report, WhatCannotBeReadOrWrittenFails) {
    EXPECT_EQ(plumb({"report", path("none.tflite"), "-o", path("r.html")}).exitCode, 3);
    const Outcome nameless = plumb({"report", "", "-o", path("r.html"), "--json"});
    EXPECT_EQ(nameless.exitCode, 3);
    EXPECT_EQ(codesOf(nameless.json()), codesOf(plumb({"info", "", "--json"}).json()));
    EXPECT_EQ(plumb({"report", m_model, "--input", path("none"), "-o", path("r.html")}).exitCode,
              3);
    const std::string shortInput = writeFile(m_directory.path() / "short.bin", std::string("abc"));
    EXPECT_EQ(plumb({"report", m_model, "--input", shortInput, "-o", path("r.html")}).exitCode, 3);
    EXPECT_EQ(
        plumb({"report", m_model, "--reference", path("none"), "-o", path("r.html")}).exitCode, 3);
    EXPECT_FALSE(fs::exists(path("r.html")));
    EXPECT_EQ(plumb({"report", m_model, "-o", m_model + "/r.html"}).exitCode, 4);
    ProcessOptions closed;
    closed.closeOutput = true;
    EXPECT_EQ(plumb({"report", m_model}, closed).exitCode, 4);
}

TEST_F(Report, WhatItIsMadeFromIsNotReplaced) {
    package({"--seed", "1"});
    const std::string input = writeFile(m_directory.path() / "in.bin", splitMixBytes(1, 720));
    ASSERT_EQ(plumb({"run", m_model, "--seed", "1", "--trace", path("trace")}).exitCode, 0);
    fs::create_symlink(m_model, path("link.html"));
    const fs::path relative = fs::relative(m_model);
    for (const std::vector<std::string>& arguments :
         {std::vector<std::string>{m_model, m_model},
          {m_model, relative.string()},
          {m_model, path("link.html")},
          {m_model, input, "--input", input},
          {m_model, path("trace/trace.json"), "--reference", path("trace")},
          {m_model, path("trace/layer_000.bin"), "--reference", path("trace/trace.json")},
          {path("p0"), path("p0/npu.json")},
          {path("p0/npu.json"), path("p0/weights.bin")}}) {
        const Bytes before = readBytes(arguments[1]);
        std::vector<std::string> all{"report", arguments[0], "--json", "--format", "html", "-o"};
        all.insert(all.end(), arguments.begin() + 1, arguments.end());
        const Outcome outcome = plumb(all);
        EXPECT_EQ(outcome.exitCode, 4) << arguments[1];
        EXPECT_EQ(codesOf(outcome.json()), std::vector<std::string>{"PL-F004"}) << arguments[1];
        EXPECT_TRUE(readBytes(arguments[1]) == before) << arguments[1];
    }
    EXPECT_TRUE(fs::is_symlink(path("link.html")));
    for (int time = 0; time < 2; ++time) // a report beside them may be written anew
        EXPECT_EQ(plumb({"report", path("p0"), "-o", path("p0/report.html")}).exitCode, 0);
}

TEST_F(Report, WrongUsageIsSaid) {
    const std::vector<std::vector<std::string>> wrong{{"--format", "pdf"},
                                                      {"--table", "dma"},
                                                      {"--json"},
                                                      {"--seed", "1", "--input", "x"},
                                                      {"--format", "markdown", "--table", "dma"}};
    for (const std::vector<std::string>& more : wrong) {
        std::vector<std::string> arguments{"report", m_model};
        arguments.insert(arguments.end(), more.begin(), more.end());
        EXPECT_EQ(plumb(arguments).exitCode, 2) << more.front();
    }
    EXPECT_EQ(plumb({"report"}).exitCode, 2);
}

TEST_F(Report, ATraceIsNeitherRunNorCompared) {
    ASSERT_EQ(plumb({"run", m_model, "--seed", "1", "--trace", path("trace")}).exitCode, 0);
    ASSERT_EQ(plumb({"report", path("trace"), "-o", path("t.html")}).exitCode, 0);
    for (const std::vector<std::string>& more :
         {std::vector<std::string>{"--reference", path("none")},
          {"--reference", path("trace")},
          {"--input", path("none")},
          {"--seed", "5"}}) {
        std::vector<std::string> arguments{"report", path("trace"), "-o", path("n.html")};
        arguments.insert(arguments.end(), more.begin(), more.end());
        const Outcome outcome = plumb(arguments);
        EXPECT_EQ(outcome.exitCode, 2) << more.front();
        EXPECT_NE(outcome.err.find(more.front()), std::string::npos) << outcome.err;
        EXPECT_FALSE(fs::exists(path("n.html")));
    }
}

TEST_F(Report, TheP0ReportTakesNoFilterAndAPackagesNoInput) {
    package({"--seed", "1"});
    const std::string input = writeFile(m_directory.path() / "in.bin", splitMixBytes(9, 720));
    for (const std::vector<std::string>& arguments :
         {std::vector<std::string>{m_model, "--filter", "index == 0"},
          {path("p0"), "--filter", "index == 0"},
          {path("p0"), "--seed", "1"},
          {path("p0"), "--input", input}}) {
        std::vector<std::string> all{"report", "--format", "json"};
        all.insert(all.end(), arguments.begin(), arguments.end());
        const Outcome outcome = plumb(all);
        EXPECT_EQ(outcome.exitCode, 2) << arguments[0] << arguments[1];
        EXPECT_TRUE(outcome.out.empty());
        EXPECT_NE(outcome.err.find(arguments[1]), std::string::npos) << outcome.err;
        all.insert(all.end(), {"--table", "operators"});
        EXPECT_NE(plumb(all).exitCode, 2) << arguments[0] << arguments[1];
    }
}

TEST(RealReport, OfVwwIsWholeAndSmall) {
    SKIP_WITHOUT_SHARED_DATA();
    const TemporaryDirectory folder;
    const std::string file = (folder.path() / "vww.html").string();
    const std::string model = (*sharedData() / "models/vww.tflite").string();
    ASSERT_EQ(plumb({"report", model, "-o", file}).exitCode, 0);
    EXPECT_LT(fs::file_size(file), 600'000U);
}

} // namespace
} // namespace plumbline::test
