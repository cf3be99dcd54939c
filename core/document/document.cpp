// SPDX-License-Identifier: GPL-3.0-or-later
// Opening: read, understand, lower, lay out, run and compare, each as far as the stage before
// allows.
#include "core/document/document.h"

#include <fmt/format.h>

#include "core/artifacts/npy.h"
#include "core/artifacts/trace_io.h"
#include "core/base/file.h"
#include "core/base/sha256.h"
#include "core/compare/diff.h"
#include "core/document/document_run.h"
#include "core/document/package_lowering.h"
#include "core/document/reference_source.h"
#include "core/graph/layout.h"
#include "core/kernels/graph_runner.h"
#include "core/samples/samples.h"
#include "core/tflite/importer.h"

namespace plumbline {
namespace {

class Opener {
  public:
    Opener(const OpenRequest& request, const Target& target, const JobContext& context,
           const OnStage& onStage)
        : m_request(request)
        , m_target(target)
        , m_context(context)
        , m_onStage(onStage) {
        m_made.target = &target;
        m_made.path = request.path;
        m_made.title = request.sample.empty() ? request.path.filename().string() : request.sample;
        if (m_made.title.empty()) // a path with a trailing slash
            m_made.title = request.path.parent_path().filename().string();
    }

    Result<DocumentPtr> run() {
        m_context.report(0, "Reading");
        const Status read = readSubject();
        if (!read)
            return read.diagnostics();
        if (m_made.lowering == nullptr)
            m_made.lowering = emptyLowering();
        if (!layOut() || !publish(0.2))
            return cancelled();
        m_made.readingDiagnostics = m_made.diagnostics.size();
        checkRecords(m_made);
        if (m_request.simulate && m_made.kind != DocumentKind::Trace)
            simulate();
        if (m_context.cancelled())
            return cancelled();
        return std::make_shared<const Document>(m_made);
    }

  private:
    Result<DocumentPtr> cancelled() const {
        return makeError(Code::Cancelled, fmt::format("Opening {} was cancelled.", m_made.title));
    }

    bool publish(double fraction) {
        if (m_onStage)
            m_onStage(std::make_shared<const Document>(m_made));
        return m_context.report(fraction, "Simulating");
    }

    /// False when cancelled.
    bool layOut() {
        const Graph* const graph = m_made.graph();
        if (graph == nullptr)
            return true;
        Result<GraphLayout> layout = layoutGraph(*graph, part(0.15, 0.2));
        if (layout)
            m_made.layout = std::make_shared<const GraphLayout>(*std::move(layout));
        return layout.ok();
    }

    LoweringPtr emptyLowering() const {
        auto made = std::make_shared<Lowering>();
        made->model = std::make_shared<Model>();
        made->target = m_target.name();
        made->contract = m_target.contract();
        made->fields = &m_target.fields();
        return made;
    }

    Status readSubject() {
        if (!m_request.sample.empty())
            return readSample();
        if (isPackagePath(m_request.path))
            return readPackage();
        if (std::filesystem::is_directory(m_request.path))
            return readTrace();
        Result<Bytes> bytes = readFile(m_request.path);
        if (!bytes)
            return std::move(bytes).diagnostics();
        return readModel(*std::move(bytes));
    }

    Status readSample() {
        Result<Bytes> bytes = makeSample(m_request.sample);
        if (!bytes)
            return std::move(bytes).diagnostics();
        return readModel(*std::move(bytes));
    }

    Status readModel(Bytes bytes) {
        m_made.kind = DocumentKind::Model;
        m_made.file = std::make_shared<const Bytes>(bytes);
        Result<ModelPtr> model = importTflite(std::move(bytes));
        addDiagnostics(m_made, model.diagnostics(), m_made.title);
        if (!model)
            return Done{};
        m_context.report(0.1, "Lowering");
        Result<LoweringPtr> lowered = m_target.lower(*model, m_context);
        if (!lowered)
            return std::move(lowered).diagnostics();
        m_made.lowering = *lowered;
        addDiagnostics(m_made, (*lowered)->diagnostics, m_made.title);
        if ((*lowered)->complete)
            m_made.job = jobOf(**lowered);
        return Done{};
    }

    Status readPackage() {
        m_made.kind = DocumentKind::Package;
        if (m_made.title == "npu.json")
            m_made.title =
                std::filesystem::absolute(m_request.path).parent_path().filename().string();
        Result<Package> package = loadPackage(m_request.path);
        if (!package) {
            addDiagnostics(m_made, std::move(package).diagnostics(), m_made.title);
            return m_made.diagnostics.front().code == Code::FileUnreadable
                       ? Status(m_made.diagnostics)
                       : Status(Done{});
        }
        if (Result<Bytes> text = readFile(package->directory / "npu.json"))
            m_made.file = std::make_shared<const Bytes>(*std::move(text));
        m_made.lowering = loweringOfPackage(*package, m_target);
        addDiagnostics(m_made, package->diagnostics, m_made.title);
        addDiagnostics(m_made, contradictedNumbers(*package, m_target), m_made.title);
        if (Trace digests = referenceTrace(*package); !digests.layers.empty())
            m_made.reference = std::make_shared<const Reference>(matchReference(
                std::move(digests), "digests in npu.json", layerIdentities(*m_made.lowering)));
        m_made.job = std::move(package->job);
        return Done{};
    }

    Status readTrace() {
        m_made.kind = DocumentKind::Trace;
        Result<Trace> trace = loadTrace(m_request.path);
        addDiagnostics(m_made, trace.diagnostics(), m_made.title);
        if (!trace)
            return Done{};
        m_made.lowering = loweringOfTrace(*trace);
        Reference reference;
        reference.name = m_made.title;
        reference.trace = *std::move(trace);
        m_made.reference = std::make_shared<const Reference>(std::move(reference));
        return Done{};
    }

    /// A chain of the trace's layers: a trace says nothing of how they are connected.
    LoweringPtr loweringOfTrace(const Trace& trace) const {
        auto made = std::make_shared<Lowering>(*emptyLowering());
        for (const TraceLayer& layer : trace.layers) {
            LoweredOperator op;
            op.index = static_cast<std::int64_t>(made->operators.size());
            op.name = layer.name.empty() ? "layer" : layer.name;
            op.placement = layer.name == "SOFTMAX" ? Placement::CpuSoftmax : Placement::Npu;
            if (layer.shape.size() == 3)
                std::tie(op.geometry.oh, op.geometry.ow, op.geometry.cout) =
                    std::tie(layer.shape[0], layer.shape[1], layer.shape[2]);
            op.quantization.outputScale = layer.scale.value_or(0);
            op.quantization.outputZeroPoint = layer.zeroPoint.value_or(0);
            made->operators.push_back(std::move(op));
        }
        auto model = std::make_shared<Model>();
        model->sha256 = trace.modelSha256.value_or("");
        for (LoweredOperator& op : made->operators)
            op.arena.output = static_cast<std::uint64_t>(op.index) + 1; // only to connect the chain
        for (LoweredOperator& op : made->operators)
            op.arena.input = static_cast<std::uint64_t>(op.index);
        Graph graph = graphOfOperators(made->operators, PortSummary{});
        graph.inputs.clear(); // a trace does not say what the input was
        if (!graph.operators.empty())
            graph.operators.front().inputs.clear();
        model->graphs.push_back(std::move(graph));
        for (LoweredOperator& op : made->operators)
            op.arena = {};
        made->model = std::move(model);
        return made;
    }

    void simulate() {
        if (!readInput())
            return;
        if (m_made.job && m_made.lowering->complete) {
            runJob(m_made, part(0.2, 0.5));
            publish(0.5);
        }
        if (!m_request.reference.empty())
            loadReference();
        else if (m_made.kind == DocumentKind::Model)
            runReference();
        if (!m_context.cancelled())
            judgeRun(m_made, part(0.7, 1.0));
        if (m_request.reference.empty())
            doubtDigests();
    }

    bool readInput() {
        const Graph* const graph = m_made.graph();
        std::optional<std::uint64_t> bytes;
        std::vector<std::int64_t> shape;
        if (m_made.job && m_made.job->inputBytes > 0) {
            const Hwc& hwc = m_made.lowering->input.shape;
            bytes = m_made.job->inputBytes;
            shape = {hwc.h, hwc.w, hwc.c};
        } else if (graph != nullptr && m_made.kind == DocumentKind::Model) {
            bytes = graphInputBytes(*graph);
            shape = {static_cast<std::int64_t>(bytes.value_or(0))};
        }
        if (!bytes || *bytes > kMaxFileBytes)
            return false;
        m_made.inputName = fmt::format("seed {}", m_request.seed);
        if (m_request.input.empty()) {
            m_made.input = seededBytes(m_request.seed, static_cast<std::size_t>(*bytes));
            return true;
        }
        m_made.inputName = m_request.input.filename().string();
        Result<Bytes> loaded = loadInput(m_request.input, *bytes, shape);
        addDiagnostics(m_made, loaded.diagnostics(), m_made.inputName);
        if (loaded)
            m_made.input = *std::move(loaded);
        return loaded.ok();
    }

    JobContext part(double from, double to) const {
        JobContext inner;
        inner.stop = m_context.stop;
        if (m_context.progress)
            inner.progress = [this, from, to](double fraction, std::string_view what) {
                m_context.progress(from + (to - from) * fraction, what);
            };
        return inner;
    }

    void runReference() {
        GraphRunOptions options;
        options.threads = kAllProcessors;
        Result<GraphRun> run =
            runGraph(*m_made.lowering->model, m_made.input, fastKernels(), part(0.5, 0.7), options);
        if (run) {
            m_made.reference =
                std::make_shared<const Reference>(referenceOfRun(*std::move(run), kKernelsName));
            return;
        }
        for (Diagnostic diagnostic : run.diagnostics()) {
            if (diagnostic.code == Code::Cancelled)
                continue;
            diagnostic.severity = Severity::Note; // the lowering has said what matters
            addDiagnostics(m_made, {std::move(diagnostic)}, m_made.title);
        }
    }

    void loadReference() {
        Result<Reference> loaded = openReference(m_request.reference.string(), *m_made.lowering,
                                                 m_made.input, part(0.5, 0.7));
        addDiagnostics(m_made, loaded.diagnostics(), m_request.reference.filename().string());
        m_made.reference.reset(); // a package's own digests were not asked for
        if (!loaded) {
            m_made.referenceProblem = loaded.diagnostics().front().message;
            return;
        }
        addDiagnostics(m_made, matchNotes(*loaded), m_request.reference.filename().string());
        m_made.reference = std::make_shared<const Reference>(*std::move(loaded));
    }

    /// A package does not say which input its digests are of; those of another one are no failure
    /// of this run.
    void doubtDigests() {
        if (m_made.kind != DocumentKind::Package || !m_made.verdicts ||
            m_made.verdicts->doubt.empty())
            return;
        m_made.referenceProblem =
            fmt::format("The digests in npu.json are not compared with: of {}, {}.",
                        m_made.inputName, m_made.verdicts->doubt);
        addDiagnostics(m_made, {makeNote(Code::TraceMismatch, m_made.referenceProblem)},
                       m_made.title);
        m_made.verdicts.reset();
        m_made.reference.reset();
    }

    const OpenRequest& m_request;
    const Target& m_target;
    const JobContext& m_context;
    const OnStage& m_onStage;
    Document m_made;
};

} // namespace

const Graph* Document::graph() const {
    if (lowering == nullptr || lowering->model == nullptr || lowering->model->graphs.empty())
        return nullptr;
    return &lowering->model->graphs.front();
}

const TraceLayer* Document::layerOf(std::int64_t operatorIndex) const {
    if (execution)
        return execution->trace.layerOf(operatorIndex);
    if (kind == DocumentKind::Trace && reference) { // its operators are counted anew
        const auto& layers = reference->trace.layers;
        const auto at = static_cast<std::size_t>(operatorIndex);
        return operatorIndex >= 0 && at < layers.size() ? &layers[at] : nullptr;
    }
    return reference ? reference->trace.layerOf(operatorIndex) : nullptr;
}

const LayerVerdict* Document::verdictOf(std::int64_t operatorIndex) const {
    return verdicts ? verdicts->of(operatorIndex) : nullptr;
}

std::optional<std::int64_t> Document::mismatchesOf(std::int64_t operatorIndex) const {
    const LayerVerdict* const verdict = verdictOf(operatorIndex);
    return verdict && verdict->accumulated ? verdict->accumulated->mismatches : std::nullopt;
}

Result<DocumentPtr> openDocument(const OpenRequest& request, const Target& target,
                                 const JobContext& context, const OnStage& onStage) {
    return Opener(request, target, context, onStage).run();
}

ByteView regionOf(const Document& document, std::string_view region) {
    if (region == "descriptors")
        return document.relocatedRecords;
    if (region == "weights")
        return document.lowering->weights;
    if (region == "params")
        return document.lowering->params;
    return {};
}

} // namespace plumbline
