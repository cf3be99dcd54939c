// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/core/export/report_documents.h"

#include <gtest/gtest.h>

#include "core/export/report_formats.h"

namespace plumbline::test {

DocumentPtr openRequested(const OpenRequest& request) {
    Result<DocumentPtr> document = openDocument(request, npuP0Target());
    EXPECT_TRUE(document.ok());
    return document ? *document : std::make_shared<const Document>();
}

DocumentPtr openSample(const std::string& name) {
    OpenRequest request;
    request.sample = name;
    return openRequested(request);
}

DocumentPtr openPath(const std::filesystem::path& path) {
    OpenRequest request;
    request.path = path;
    return openRequested(request);
}

namespace {

struct TextCollector {
    std::string text;

    void add(std::string_view more) {
        text += more;
        text += '\n';
    }
    void operator()(const ReportParagraph& paragraph) { add(paragraph.text); }
    void operator()(const ReportFacts& facts) {
        for (const ReportFacts::Fact& fact : facts.facts)
            add(fact.term + ": " + fact.value);
    }
    void operator()(const ReportFigure& figure) { add(figure.caption); }
    void operator()(const ReportTable& table) {
        add(table.title);
        for (const auto& row : table.rows)
            for (const ReportCell& cell : row)
                add(cell.text + " " + cell.plain);
    }
};

} // namespace

std::string allText(const ReportContent& content) {
    TextCollector collector;
    collector.add(content.title);
    collector.add(content.subtitle);
    for (const ReportSection& section : content.sections) {
        collector.add(section.title);
        for (const ReportBlock& block : section.blocks)
            std::visit(collector, block);
    }
    return collector.text;
}

std::string factOf(const ReportContent& content, std::string_view term) {
    for (const ReportSection& section : content.sections)
        for (const ReportBlock& block : section.blocks)
            if (const auto* const facts = std::get_if<ReportFacts>(&block))
                for (const ReportFacts::Fact& fact : facts->facts)
                    if (fact.term == term)
                        return fact.value;
    ADD_FAILURE() << "no fact " << term;
    return {};
}

nlohmann::json tableJson(const ReportContent& content, std::string_view id) {
    const ReportTable* const table = content.table(id);
    if (table != nullptr)
        return jsonTable(*table);
    ADD_FAILURE() << "no table " << id;
    return nlohmann::json::array();
}

} // namespace plumbline::test
