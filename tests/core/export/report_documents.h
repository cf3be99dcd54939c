// SPDX-License-Identifier: GPL-3.0-or-later
// Documents that reports are made of, and what tests ask of a report.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include <nlohmann/json.hpp>

#include "core/document/document.h"
#include "core/export/content.h"

namespace plumbline::test {

/// The document of a sample, a path or a request; fails the test when it does not open.
DocumentPtr openSample(const std::string& name);
DocumentPtr openPath(const std::filesystem::path& path);
DocumentPtr openRequested(const OpenRequest& request);

/// Every text of the report, one per line.
std::string allText(const ReportContent& content);

/// The value of a fact anywhere in the report; fails the test when there is none.
std::string factOf(const ReportContent& content, std::string_view term);

/// A table by its id as JSON; fails the test when there is none.
nlohmann::json tableJson(const ReportContent& content, std::string_view id);

} // namespace plumbline::test
