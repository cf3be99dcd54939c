// SPDX-License-Identifier: GPL-3.0-or-later
// The session's filter.
#include "core/filter/source.h"
#include "views/common/session.h"

namespace plumbline {

bool Session::setFilter(const QString& text, QString* problem) {
    const Result<Filter> filter = parseFilter(text.toStdString(), schemaOf(lowering().fields));
    if (!filter) {
        if (problem)
            *problem = QString::fromStdString(filter.diagnostics().front().message);
        return false;
    }
    // Blanks alone are no filter, and no view should say that one is set.
    const QString kept = filter->isEmpty() ? QString() : text;
    if (kept == m_filterText)
        return true;
    m_filterText = kept;
    applyFilter();
    emit filterChanged();
    return true;
}

void Session::applyFilter() {
    m_passes.clear();
    const Result<Filter> filter =
        parseFilter(m_filterText.toStdString(), schemaOf(lowering().fields));
    // A text that was valid for another target's records filters nothing here.
    if (!filter || filter->isEmpty())
        return;
    FilterContext context;
    context.diagnostics = &m_document->diagnostics;
    context.mismatches = [document = m_document](std::int64_t index) {
        return document->mismatchesOf(index);
    };
    m_passes = filterOperators(*filter, lowering(), std::move(context));
}

} // namespace plumbline
