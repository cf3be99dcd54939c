// SPDX-License-Identifier: GPL-3.0-or-later
// plumb explain: why one element has its value, or which mistake explains a layer's bytes.
#include "app/cli/explain.h"

#include "app/cli/commands.h"
#include "app/cli/explain_hypotheses.h"
#include "app/cli/subject.h"
#include "core/compare/layer_walk.h"
#include "core/document/reference_source.h"
#include "core/lowering/target.h"

namespace plumbline::cli {
ExplainSource openForExplain(const ExplainOptions& options, Console& console) {
    const Subject subject = openSubject(options.subject, console);
    ExplainSource source;
    source.lowering = loweringOfSubject(subject, console);
    source.input = readInput(options.input, inputFormOf(source.lowering->input));
    const Job job = subject.package ? subject.package->job : jobOf(*source.lowering);
    std::optional<Fault> fault;
    source.runner = npuP0Target().layerRunner(job, fault);
    if (!source.runner)
        throw Failure(ExitCode::Mismatch, {toDiagnostic(*fault)});
    return source;
}

std::optional<Reference> explainReference(const ExplainOptions& options,
                                          const ExplainSource& source, Console& console) {
    if (options.reference.empty())
        return std::nullopt;
    return valueOf(
        openReference(options.reference, *source.lowering, source.input, console.context()));
}

namespace {

/// The operator and element that --at names; anything else is wrong usage.
Place placeAt(const std::string& text, const Lowering& lowering, const LayerRunner& runner) {
    const Result<Selection> selection = parseSelection(text);
    if (!selection)
        throw Failure(ExitCode::Usage, selection.diagnostics());
    if (!selection->element)
        failUsage(fmt::format("--at '{}' names no element; write op/N/element/h,w,c, such as "
                              "op/7/element/3,4,17.",
                              text));
    const std::int64_t op = selection->operatorIndex.value_or(-1);
    if (static_cast<std::size_t>(op) < lowering.operators.size() && !runner.stepOf(op))
        failUsage(
            fmt::format("Operator {} computes nothing: its output is its input's bytes.", op));
    const Result<Place> place = resolveSelection(*selection, lowering);
    if (!place)
        throw Failure(ExitCode::Usage, place.diagnostics());
    return *place;
}

/// The reference's byte; nothing where it has no bytes of that layer.
std::optional<std::int64_t> referenceValue(const Reference& reference, const Lowering& lowering,
                                           const Explanation& explanation) {
    const TraceLayer* layer = reference.trace.layerOf(explanation.operatorIndex);
    for (const LayerIdentity& known : layerIdentities(lowering)) {
        if (layer == nullptr || known.operatorIndex != explanation.operatorIndex ||
            static_cast<std::int64_t>(layer->bytes.size()) != known.shape.elements())
            continue;
        const ElementIndex& e = explanation.element;
        const auto index = (e.h * known.shape.w + e.w) * known.shape.c + e.c;
        return static_cast<std::int8_t>(layer->bytes[static_cast<std::size_t>(index)]);
    }
    return std::nullopt;
}

/// The arena as layer `step` finds it. Unlike siteOf it does not run that layer, which may fault in
/// another element than the one that is asked for.
Bytes arenaBefore(const ExplainSource& source, std::size_t step, const Console& console) {
    LayerWalk walk(*source.runner, source.input, nullptr);
    while (walk.step() < step) {
        const LayerOutcome outcome = walk.runAlone();
        if (outcome.run.fault)
            throw Failure(ExitCode::Mismatch, {toDiagnostic(*outcome.run.fault)});
        if (console.stopRequested())
            failCancelled();
        walk.advance(outcome);
    }
    return walk.arena();
}

ExitCode explainElement(const ExplainOptions& options, Console& console) {
    const ExplainSource source = openForExplain(options, console);
    const Place place = placeAt(options.at, *source.lowering, *source.runner);
    const std::optional<Reference> reference = explainReference(options, source, console);
    const std::size_t step = source.runner->stepOf(*place.operatorIndex).value();
    ExplainedElement explained;
    explained.explanation =
        valueOf(source.runner->explain(step, arenaBefore(source, step, console), *place.element));
    explained.input = inputText(options.input);
    if (reference) {
        explained.referenceName = reference->name;
        explained.reference = referenceValue(*reference, *source.lowering, explained.explanation);
    }
    if (console.json)
        console.writeJson(explainJson(explained));
    else
        console.write(explainText(explained, options.brief));
    return explained.differs() ? ExitCode::Mismatch : ExitCode::Ok;
}

void checkOptions(const ExplainOptions& options) {
    if (options.subject.empty())
        failUsage("A model or a package is needed.");
    checkInputChoice(options.input, true);
    if (options.layer.has_value() != !options.observed.empty())
        failUsage("--layer and --observed go together.");
    if (options.layer && !options.at.empty())
        failUsage("--at explains an element, --layer a layer: give one of them.");
    if (!options.layer && options.at.empty())
        failUsage("Something to explain is needed: --at op/N/element/h,w,c, or --layer N with "
                  "--observed DUMP.");
}

ExitCode runExplain(const ExplainOptions& options, Console& console) {
    if (options.listHypotheses)
        return listHypotheses(console);
    checkOptions(options);
    return options.layer ? explainLayer(options, console) : explainElement(options, console);
}

} // namespace

void addExplain(Program& program) {
    Command command(program, "explain", "Say why an element or a layer has its value",
                    "plumb explain model.tflite --seed 1 --at op/0/element/0,0,0");
    auto options = std::make_shared<ExplainOptions>();
    command.positional("MODEL|DIR", options->subject, "A TFLite model or a package directory",
                       Presence::Optional);
    command.input(options->input);
    command.text("--reference", options->reference, "REF",
                 "Compare with this: a package, trace, folder of dumps, model, or 'reference'");
    command.text("--at", options->at, "PLACE", "The element: op/N/element/h,w,c");
    command.flag("--brief", options->brief, "Leave out the steps of the reduction");
    command.number("--layer", options->layer, "Rank mistakes for the layer of this operator");
    command.text("--observed", options->observed, "DUMP",
                 "The layer's bytes as observed: raw int8 or .npy");
    command.flag("--list-hypotheses", options->listHypotheses, "List the named mistakes");
    command.action(std::move(options), runExplain);
}

} // namespace plumbline::cli
