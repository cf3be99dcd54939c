// SPDX-License-Identifier: GPL-3.0-or-later
#include <optional>

#include "core/artifacts/json_reader.h"
#include "core/artifacts/package_format.h"
#include "core/document/reference_source.h"
#include "core/export/report_formats.h"
#include "core/report/p0_report.h"

namespace plumbline {
namespace {

/// The model's name without `.tflite`.
std::string workloadOf(const Document& document) {
    constexpr std::string_view kSuffix = ".tflite";
    const std::string& title = document.title;
    const bool isCut = title.size() > kSuffix.size() && title.ends_with(kSuffix);
    return isCut ? title.substr(0, title.size() - kSuffix.size()) : title;
}

Result<nlohmann::json> reportOfPackage(const Document& document) {
    const std::string name(kManifestName);
    Result<nlohmann::json> manifest =
        parseJson(document.file ? ByteView(*document.file) : ByteView(), name, Code::BadManifest);
    if (!manifest)
        return manifest;
    Location where;
    where.file = name;
    if (!manifest->is_object() || !manifest->contains("report"))
        return makeError(Code::BadManifest, "npu.json has no report.", where);
    return nlohmann::json((*manifest)["report"]);
}

} // namespace

Result<nlohmann::json> p0Report(const Document& document, bool withDigests,
                                const JobContext& context) {
    if (document.kind == DocumentKind::Trace)
        return makeError(Code::Usage, "A trace has no P0 report; only models and packages have.");
    if (document.kind == DocumentKind::Package)
        return reportOfPackage(document);
    if (!document.lowering->complete)
        return document.diagnostics;
    const Lowering& lowering = *document.lowering;
    if (!withDigests)
        return reportJson(lowering, workloadOf(document));
    Result<Reference> reference =
        openReference(std::string(kOwnKernels), lowering, document.input, context);
    if (!reference)
        return std::move(reference).diagnostics();
    return reportJson(lowering, workloadOf(document), &reference->trace);
}

} // namespace plumbline
