// SPDX-License-Identifier: GPL-3.0-or-later
// CSV, JSON, Markdown and print of a small table that has every kind of cell.
#include <gtest/gtest.h>

#include "core/export/report_formats.h"
#include "tests/core/chart/xml.h"

namespace plumbline::test {
namespace {

ReportTable sampleTable() {
    ReportTable table;
    table.id = "sample";
    table.title = "A <table>";
    table.columns = {{"name", "Name", "What it is called.", false, false},
                     {"bytes", "Bytes", "", true, false},
                     {"offset", "Offset", "", true, true}};
    table.rows = {{{"a, \"b\"", "", Tone::Text, "x"},
                   {"1,024", "1024", Tone::Error, ""},
                   {"0x00000010", "16", Tone::Text, ""}},
                  {{"c|d*", "", Tone::Text, ""}, {}, {"–", "", Tone::Muted, ""}}};
    return table;
}

ReportContent sampleContent() {
    ReportContent content{"A & B", "sub", {}};
    ReportFigure figure{"figure-x", "Caption", {}};
    figure.drawing.width = 1360;
    figure.drawing.height = 100;
    figure.drawing.description = "Two boxes.";
    figure.drawing.shapes = {DrawnBox{}};
    ReportFacts facts{"facts", "Facts", {{"Digest", "abc", true, Tone::Text}}};
    content.sections = {
        {"x",
         "Section",
         {ReportParagraph{"So_it is", Tone::Ok}, facts, sampleTable(), std::move(figure)}}};
    return content;
}

TEST(ReportFormats, CsvHasKeysAndPlainValues) {
    EXPECT_EQ(csvTable(sampleTable()), "name,bytes,offset\n\"a, \"\"b\"\"\",1024,16\nc|d*,,–\n");
}

TEST(ReportFormats, JsonHasNumbersWhereTheColumnIsOne) {
    const nlohmann::json expected = {{{"name", "a, \"b\""}, {"bytes", 1024}, {"offset", 16}},
                                     {{"name", "c|d*"}, {"bytes", nullptr}, {"offset", nullptr}}};
    EXPECT_EQ(jsonTable(sampleTable()), expected);
}

TEST(ReportFormats, MarkdownEscapesItsMarkup) {
    EXPECT_EQ(markdownReport(sampleContent()),
              "# A \\& B\n\nsub\n\n## Section\n\nSo\\_it is\n\n### Facts\n\n- Digest: abc\n\n"
              "### A \\<table\\>\n\n| Name | Bytes | Offset |\n| --- | ---: | ---: |\n"
              "| a, \"b\" | 1,024 | 0x00000010 |\n| c\\|d\\* | – | – |\n\n"
              "Figure: Caption Two boxes.\n");
}

TEST(ReportFormats, PrintIsWellFormedAndLeavesSizesToThePage) {
    std::string print = printReport(sampleContent());
    const std::string image = "<img src=\"figure:figure-x\">";
    const std::size_t at = print.find(image);
    ASSERT_NE(at, std::string::npos);
    print.erase(at, image.size());
    const XmlElement root = parseXml(print);
    EXPECT_EQ(root.all("h1").front()->text, "A & B");
    EXPECT_EQ(root.all("th").size(), 3U);
    EXPECT_EQ(root.all("td").size(), 2U + 6U);
    EXPECT_EQ(print.find("class="), std::string::npos);
}

TEST(ReportFormats, ATableWithoutRowsSaysWhatItIsFor) {
    ReportContent content = sampleContent();
    ReportTable table = sampleTable();
    table.rows.clear();
    table.empty = "Nothing to see.";
    content.sections.front().blocks = {table};
    for (const std::string& text :
         {htmlReport(content), printReport(content), markdownReport(content)})
        EXPECT_NE(text.find("Nothing to see."), std::string::npos);
    EXPECT_EQ(csvTable(table), "name,bytes,offset\n");
    EXPECT_EQ(jsonTable(table), nlohmann::json::array());
}

TEST(ReportFormats, HtmlLeavesOutColumnsThatSayNothing) {
    ReportContent content = sampleContent();
    ReportTable table = sampleTable();
    table.rows = {{{"a", "", Tone::Text, ""}, {}, {"0x1", "1", Tone::Text, ""}}};
    content.sections.front().blocks = {table};
    EXPECT_EQ(htmlReport(content).find(">Bytes<"), std::string::npos);
    EXPECT_NE(htmlReport(content).find(">Offset<"), std::string::npos);
}

} // namespace
} // namespace plumbline::test
