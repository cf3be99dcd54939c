// SPDX-License-Identifier: GPL-3.0-or-later
// Every layer against the reference.
#include <fmt/format.h>

#include "core/base/text.h"
#include "core/export/report_parts.h"

namespace plumbline::reporting {
namespace {

ReportCell verdictCell(const std::optional<TensorComparison>& comparison,
                       const std::optional<Fault>& fault) {
    if (fault)
        return textCell("fault", Tone::Error);
    if (!comparison)
        return textCell("not compared", Tone::Muted);
    return comparison->equal ? textCell("equal", Tone::Ok) : textCell("differs", Tone::Error);
}

/// The comparison that says most: the layer alone where that differs, else as run.
const TensorComparison* tellingOf(const LayerVerdict& layer) {
    if (layer.isolated && !layer.isolated->equal)
        return &*layer.isolated;
    if (layer.accumulated)
        return &*layer.accumulated;
    return layer.isolated ? &*layer.isolated : nullptr;
}

ReportCell firstCell(const TensorComparison* comparison) {
    if (comparison == nullptr || !comparison->first)
        return {};
    const ElementDifference& first = *comparison->first;
    return textCell(
        fmt::format("[{},{},{}] {} / {}", first.h, first.w, first.c, first.ours, first.theirs));
}

std::string noteOf(const LayerVerdict& layer, bool isCulprit) {
    std::string text = isCulprit ? "the culprit" : "";
    const auto add = [&text](const std::string& more) {
        if (!more.empty())
            text += (text.empty() ? "" : "; ") + more;
    };
    add(layer.note);
    if (const TensorComparison* const telling = tellingOf(layer)) {
        add(telling->note);
        for (const std::string& finding : findingsOf(*telling))
            add(finding);
    }
    if (layer.isolatedFault)
        add(toDiagnostic(*layer.isolatedFault).message);
    else if (layer.fault)
        add(toDiagnostic(*layer.fault).message);
    return text;
}

std::vector<ReportCell> verdictCells(const Source& source, const LayerVerdict& layer,
                                     bool isCulprit) {
    const TensorComparison* const telling = tellingOf(layer);
    const bool isCounted = telling && telling->mismatches.has_value();
    ReportCell record;
    if (layer.record)
        record = {
            fmt::format("record/{}", *layer.record), std::to_string(*layer.record), Tone::Text, {}};
    return {operatorCell(source, layer.operatorIndex),
            record,
            textCell(layer.name),
            textCell(fmt::format("{}×{}×{}", layer.shape.h, layer.shape.w, layer.shape.c)),
            verdictCell(layer.accumulated, layer.fault),
            verdictCell(layer.isolated, layer.isolatedFault),
            isCounted ? countCell(*telling->mismatches) : ReportCell{},
            telling ? countCell(telling->elements) : ReportCell{},
            firstCell(telling),
            isCounted ? countCell(telling->maxAbs) : ReportCell{},
            countCell(static_cast<std::int64_t>(layer.strayBytes),
                      layer.strayBytes > 0 ? Tone::Error : Tone::Text),
            textCell(matchedByName(layer.matchedBy)),
            textCell(layer.oursSha256),
            textCell(layer.theirsSha256),
            textCell(noteOf(layer, isCulprit), isCulprit ? Tone::Error : Tone::Text)};
}

std::vector<ReportColumn> verdictColumns() {
    return {numberColumn("operator", "Operator"),
            numberColumn("record", "Record"),
            textColumn("name", "Name"),
            textColumn("shape", "Shape", "Height×width×channels, elements."),
            textColumn("accumulated", "As run", "What the job made, against the reference."),
            textColumn("isolated", "Alone", "The layer run on the reference's own inputs."),
            numberColumn("mismatches", "Mismatches", "Elements that differ."),
            numberColumn("elements", "Elements"),
            textColumn("first", "First mismatch", "[h,w,c] ours / the reference's."),
            numberColumn("max_abs", "Largest error", "Of any element, in quantized steps."),
            numberColumn("stray_bytes", "Stray bytes", "Changed outside the layer's own tensor."),
            textColumn("matched_by", "Matched by", "How the reference's layer was found."),
            digestColumn("sha256", "SHA-256"),
            digestColumn("reference_sha256", "SHA-256 of the reference"),
            textColumn("note", "Note")};
}

void addOutcome(ReportFacts& facts, const Verdicts& verdicts) {
    addFact(facts, "Layers that differ", std::to_string(verdicts.unequal()),
            verdicts.unequal() > 0 ? Tone::Error : Tone::Ok);
    addFact(facts, "Culprit",
            verdicts.culprit          ? fmt::format("op/{}", *verdicts.culprit)
            : verdicts.unequal() == 0 ? "none"
            : verdicts.doubt.empty()  ? "no layer is known to be wrong by itself"
                                      : "not named: " + verdicts.doubt,
            verdicts.culprit ? Tone::Error : Tone::Text);
}

ReportFacts verdictFacts(const Document& document) {
    const Verdicts& verdicts = *document.verdicts;
    ReportFacts facts{"verdict-facts", {}, {}};
    addFact(facts, "Compared with", lastPart(verdicts.reference));
    addFact(facts, "Input", document.inputName);
    addFact(facts, "Layers compared",
            fmt::format("{} of {}", verdicts.compared(), verdicts.layers.size()));
    if (verdicts.compared() > 0)
        addOutcome(facts, verdicts);
    if (verdicts.fault)
        addFact(facts, "Fault", toDiagnostic(*verdicts.fault).message, Tone::Error);
    return facts;
}

std::string noLayers(const Source& source) {
    return source.options.passes ? "No layer that is shown was run." : "No layer was run.";
}

std::string whyNotCompared(const Document& document) {
    if (document.kind == DocumentKind::Trace)
        return "A trace alone is not compared with anything; these are its layers.";
    if (!document.referenceProblem.empty())
        return document.referenceProblem;
    if (!document.job)
        return "The model is not lowered, so no record runs and nothing is compared.";
    if (!document.execution)
        return "The job was not run, so nothing is compared.";
    return "There is no reference to compare with; these are the layers of the run.";
}

void addVerdicts(ReportSection& section, const Source& source) {
    const Verdicts* const verdicts = source.document.verdicts.get();
    if (verdicts)
        section.blocks.emplace_back(verdictFacts(source.document));
    ReportTable table;
    table.id = "verdicts";
    table.title = "Layers against the reference";
    table.empty = verdicts ? noLayers(source) : whyNotCompared(source.document);
    table.columns = verdictColumns();
    const std::vector<LayerVerdict> none;
    const std::vector<LayerVerdict>& layers = verdicts ? verdicts->layers : none;
    for (const LayerVerdict& layer : layers)
        if (source.shows(layer.operatorIndex))
            table.rows.push_back(
                verdictCells(source, layer, verdicts->culprit == layer.operatorIndex));
    addTable(section, std::move(table), layers.size(), source);
}

/// The layers of a trace, or of a run that has nothing to be compared with.
void addLayers(ReportSection& section, const Source& source, const Trace& trace) {
    ReportTable table;
    table.id = "layers";
    table.title = "Layers";
    table.empty = noLayers(source);
    table.columns = {numberColumn("operator", "Operator"), textColumn("name", "Name"),
                     textColumn("shape", "Shape", "Height×width×channels, elements."),
                     numberColumn("bytes", "Bytes"), digestColumn("sha256", "SHA-256")};
    const bool isTrace = source.document.kind == DocumentKind::Trace;
    for (std::size_t i = 0; i < trace.layers.size(); ++i) {
        const TraceLayer& layer = trace.layers[i];
        // A trace's own numbers are told; rows of its operators are counted anew.
        const std::int64_t row = isTrace ? static_cast<std::int64_t>(i) : layer.operatorIndex;
        if (!source.shows(row))
            continue;
        std::string shape;
        for (const std::int64_t extent : layer.shape)
            shape += fmt::format("{}{}", shape.empty() ? "" : "×", extent);
        table.rows.push_back({linked(operatorTitle(layer.operatorIndex), operatorRow(row)),
                              textCell(layer.name), textCell(shape), bytesCell(layer.byteCount),
                              textCell(layer.sha256)});
    }
    addTable(section, std::move(table), trace.layers.size(), source);
}

} // namespace

ReportSection verdictsSection(const Source& source) {
    ReportSection section{"verdicts", "Verdicts", {}};
    const Document& document = source.document;
    addVerdicts(section, source);
    if (document.verdicts)
        return section;
    if (document.execution)
        addLayers(section, source, document.execution->trace);
    else if (document.kind == DocumentKind::Trace && document.reference)
        addLayers(section, source, document.reference->trace);
    return section;
}

} // namespace plumbline::reporting
