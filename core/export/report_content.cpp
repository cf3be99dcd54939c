// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/export/report_content.h"

namespace plumbline {

ReportContent reportContent(const Document& document, const ReportOptions& /*options*/) {
    return {document.title, {}, {}};
}

} // namespace plumbline
