// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/export/content.h"

namespace plumbline {
namespace {

template <class Part> const Part* partCalled(const ReportContent& content, std::string_view id) {
    for (const ReportSection& section : content.sections)
        for (const ReportBlock& block : section.blocks)
            if (const Part* const part = std::get_if<Part>(&block); part && part->id == id)
                return part;
    return nullptr;
}

} // namespace

const ReportTable* ReportContent::table(std::string_view id) const {
    return partCalled<ReportTable>(*this, id);
}

const ReportFigure* ReportContent::figure(std::string_view id) const {
    return partCalled<ReportFigure>(*this, id);
}

std::vector<std::string> ReportContent::tableIds() const {
    std::vector<std::string> ids;
    for (const ReportSection& section : sections)
        for (const ReportBlock& block : section.blocks)
            if (const auto* const table = std::get_if<ReportTable>(&block))
                ids.push_back(table->id);
    return ids;
}

} // namespace plumbline
