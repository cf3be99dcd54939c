// SPDX-License-Identifier: GPL-3.0-or-later
// The report of a model as a function of a shared library; it needs nearly every room.
#include <string>

#include <core/document/document.h>
#include <core/export/report_content.h>
#include <core/export/report_formats.h>
#include <core/lowering/target.h>

std::string reportOf(const char* path) {
    plumbline::OpenRequest request;
    request.path = path;
    const plumbline::Result<plumbline::DocumentPtr> document =
        plumbline::openDocument(request, plumbline::npuP0Target());
    return document ? plumbline::htmlReport(plumbline::reportContent(**document)) : std::string();
}
