// SPDX-License-Identifier: GPL-3.0-or-later
// The page as a strict parser reads it: well-formed, links that lead somewhere, nothing from
// elsewhere, nothing that a hostile name could add.
#include <fstream>
#include <regex>
#include <set>

#include <gtest/gtest.h>

#include "core/artifacts/package.h"
#include "core/artifacts/trace_io.h"
#include "core/export/report_content.h"
#include "core/export/report_formats.h"
#include "core/samples/samples.h"
#include "tests/core/chart/xml.h"
#include "tests/core/export/report_documents.h"
#include "tests/support/test_data.h"

namespace plumbline::test {
namespace {

namespace fs = std::filesystem;

/// The page as XML: void elements closed, the script left out.
XmlElement parsePage(std::string page) {
    const std::size_t begin = page.find("<script>"), end = page.find("</script>");
    EXPECT_NE(begin, std::string::npos);
    page.erase(begin, end + 9 - begin);
    page.erase(0, page.find('\n') + 1); // the doctype
    return parseXml(std::regex_replace(page, std::regex("<meta ([^>]*)>"), "<meta $1/>"));
}

void collectIds(const XmlElement& element, std::multiset<std::string>& ids) {
    if (!element["id"].empty())
        ids.insert(element["id"]);
    for (const XmlElement& child : element.children)
        collectIds(child, ids);
}

std::string pageOf(const DocumentPtr& document) { return htmlReport(reportContent(*document)); }

void expectSound(const std::string& page) {
    const XmlElement root = parsePage(page);
    std::multiset<std::string> ids;
    collectIds(root, ids);
    for (const std::string& id : ids)
        EXPECT_EQ(ids.count(id), 1U) << id;
    EXPECT_GE(root.all("a").size(), 13U); // the contents and the skip link
    for (const XmlElement* link : root.all("a")) {
        ASSERT_EQ((*link)["href"].substr(0, 1), "#");
        EXPECT_EQ(ids.count((*link)["href"].substr(1)), 1U) << (*link)["href"];
    }
    EXPECT_EQ(root.all("h1").size(), 1U);
    EXPECT_EQ(root.all("h2").size(), 12U);
    EXPECT_EQ(page.find("://"), std::string::npos);
    EXPECT_EQ(page.find("url("), std::string::npos);
    EXPECT_EQ(page.find("@import"), std::string::npos);
    EXPECT_EQ(page.find(".ariaSort"), std::string::npos); // Firefox has it since version 119
    for (const char* loader : {"img", "link", "iframe", "object", "embed", "image", "use"})
        EXPECT_TRUE(root.all(loader).empty()) << loader;
    for (const XmlElement* table : root.all("table")) {
        EXPECT_EQ(table->all("caption").size(), 1U);
        const std::size_t columns = table->all("thead").front()->all("th").size();
        for (const XmlElement* row : table->all("tbody").front()->all("tr"))
            EXPECT_EQ(row->children.size(), columns);
    }
    for (const XmlElement* figure : root.all("figure")) {
        EXPECT_EQ(figure->all("figcaption").size(), 1U);
        EXPECT_EQ(figure->all("svg").size(), 1U);
        EXPECT_EQ((*figure->all("svg").front())["role"], "img");
    }
}

TEST(HtmlReport, OfSamplesIsSound) {
    for (const char* name : {"every-operator", "ds-cnn", "refused", "autoencoder"}) {
        SCOPED_TRACE(name);
        expectSound(pageOf(openSample(name)));
    }
}

TEST(HtmlReport, OfPackagesAndTracesIsSound) {
    const TemporaryDirectory folder;
    const DocumentPtr model = openSample("every-operator");
    ASSERT_TRUE(writePackage(folder.path() / "whole", *model->lowering, "w"));
    expectSound(pageOf(openPath(folder.path() / "whole")));
    fs::copy(folder.path() / "whole", folder.path() / "damaged");
    fs::resize_file(folder.path() / "damaged/weights.bin", 100);
    expectSound(pageOf(openPath(folder.path() / "damaged")));
    std::ofstream(folder.path() / "damaged/npu.json") << "{\"schema\": 1}";
    expectSound(pageOf(openPath(folder.path() / "damaged")));
    ASSERT_TRUE(writeTrace(folder.path() / "trace", model->execution->trace));
    expectSound(pageOf(openPath(folder.path() / "trace")));
}

TEST(HtmlReport, OfAFileThatIsNoModelIsSound) {
    const TemporaryDirectory folder;
    std::ofstream(folder.path() / "none.tflite") << "no model at all";
    const DocumentPtr document = openPath(folder.path() / "none.tflite");
    EXPECT_EQ(reportVerdict(*document), ReportVerdict::Refused);
    expectSound(pageOf(document));
}

TEST(HtmlReport, WithAFilterIsSound) {
    const DocumentPtr document = openSample("every-operator");
    for (const char* text : {"opcode == CONV2D", "cout > 100000", "placement != npu"}) {
        SCOPED_TRACE(text);
        const auto filter = parseFilter(text, schemaOf(&npuP0Target().fields()));
        ASSERT_TRUE(filter.ok());
        expectSound(htmlReport(reportContent(*document, filteredReport(*document, *filter))));
    }
}

TEST(HtmlReport, IsTheSameEveryTime) {
    EXPECT_EQ(pageOf(openSample("ds-cnn")), pageOf(openSample("ds-cnn")));
}

TEST(HtmlReport, NamesFilesAndNoFolders) {
    const TemporaryDirectory a, b;
    std::vector<std::string> pages;
    for (const auto* folder : {&a, &b}) {
        const fs::path model = folder->path() / "some.tflite";
        const Bytes bytes = *makeSample("ds-cnn");
        std::ofstream(model, std::ios::binary)
            .write(reinterpret_cast<const char*>(bytes.data()),
                   static_cast<std::streamsize>(bytes.size()));
        const DocumentPtr document = openPath(model);
        ASSERT_TRUE(writePackage(folder->path() / "p0", *document->lowering, "w"));
        fs::resize_file(folder->path() / "p0/params.bin", 3);
        pages.push_back(pageOf(document) + pageOf(openPath(folder->path() / "p0")));
        EXPECT_EQ(pages.back().find(folder->path().string()), std::string::npos);
    }
    EXPECT_EQ(pages.front(), pages.back());
}

TEST(HtmlReport, KeepsHostileTextsAsTexts) {
    const std::string hostile = "</td><script>alert(1)</script>\"'&\x01\xE2\x80\xAE\xFF";
    ReportContent content;
    content.title = hostile;
    content.subtitle = hostile;
    Document document = *openSample("ds-cnn");
    document.title = hostile;
    document.inputName = hostile;
    auto lowering = std::make_shared<Lowering>(*document.lowering);
    for (LoweredOperator& op : lowering->operators)
        op.name = op.opcodeName = op.note = hostile;
    for (Allocation& allocation : lowering->arena.allocations)
        allocation.name = hostile;
    document.lowering = lowering;
    document.diagnostics.push_back(makeError(Code::Internal, hostile));
    const std::string page = htmlReport(reportContent(document));
    expectSound(page);
    EXPECT_EQ(page.find("<script>alert"), std::string::npos);
    EXPECT_EQ(page.find('\x01'), std::string::npos);
    EXPECT_EQ(page.find("\xE2\x80\xAE"), std::string::npos);
    EXPECT_NE(page.find("&lt;script&gt;alert(1)"), std::string::npos);
}

TEST(HtmlReport, OfVwwIsSmall) {
    SKIP_WITHOUT_SHARED_DATA();
    const std::string page = pageOf(openPath(*sharedData() / "models/vww.tflite"));
    expectSound(page);
    EXPECT_LT(page.size(), 600'000U);
}

} // namespace
} // namespace plumbline::test
