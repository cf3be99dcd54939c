// SPDX-License-Identifier: GPL-3.0-or-later
// What is open: a file with everything that was derived from it, as one immutable value.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/artifacts/package.h"
#include "core/base/job_context.h"
#include "core/compare/reference.h"
#include "core/compare/verdict.h"
#include "core/graph/trace.h"
#include "core/lowering/edit.h"
#include "core/lowering/lowering.h"
#include "core/lowering/target.h"

namespace plumbline {

struct GraphLayout;

enum class DocumentKind : std::uint8_t { Model, Package, Trace };

/// Built in stages; a part that is not there yet, or cannot be made, is empty.
struct Document {
    DocumentKind kind = DocumentKind::Model;
    std::filesystem::path path;        ///< empty for a built-in sample
    std::string title;                 ///< file name, or the sample's name
    std::shared_ptr<const Bytes> file; ///< the model file or npu.json
    const Target* target = nullptr;

    /// Never null; of a damaged file without operators, of a refused model incomplete.
    LoweringPtr lowering;
    std::shared_ptr<const GraphLayout> layout; ///< of the main graph
    std::optional<Job> job;                    ///< what the executor ran or could run
    /// The records as the executor sees them; empty where they do not relocate.
    Bytes relocatedRecords;
    /// One per relocated record: what the validator says of it; nothing where it is clean.
    std::vector<std::optional<RecordViolation>> violations;

    std::string inputName;              ///< "seed 1" or the input file's name
    Bytes input;                        ///< empty where the model has no input of a fixed size
    std::optional<Execution> execution; ///< by the target's executor, with the sanitizer
    LayerRunnerPtr runner;              ///< of `job`; null where it does not relocate and validate
    /// Reference kernels, the package's digests, or what was loaded; null where there is none.
    std::shared_ptr<const Reference> reference;
    std::shared_ptr<const Verdicts> verdicts; ///< every layer against `reference`
    /// Why the reference is not compared with, one sentence: the chosen one is refused, or a
    /// package's digests are of another input. Empty otherwise.
    std::string referenceProblem;

    /// An experiment: `edits` were applied to what `original` holds. Null and empty otherwise.
    std::shared_ptr<const Document> original;
    std::vector<Edit> edits;

    Diagnostics diagnostics;            ///< of every stage; diagnostic/N counts this list
    std::size_t readingDiagnostics = 0; ///< how many of them come from reading and lowering

    const Graph* graph() const; ///< the main graph; null when there is none
    /// The operator's layer as it was executed, or as the trace holds it; null when there is none.
    const TraceLayer* layerOf(std::int64_t operatorIndex) const;
    /// Mismatching elements of the operator's layer; nothing where it was not compared.
    std::optional<std::int64_t> mismatchesOf(std::int64_t operatorIndex) const;
    /// The layer's verdicts; null where there are none.
    const LayerVerdict* verdictOf(std::int64_t operatorIndex) const;
};

using DocumentPtr = std::shared_ptr<const Document>;

struct OpenRequest {
    std::filesystem::path path; ///< a .tflite file, a package or its npu.json, or a trace directory
    std::string sample;         ///< instead of `path`: the name of a built-in sample
    std::filesystem::path input; ///< raw bytes or .npy; empty: `seed`
    std::uint64_t seed = 1;      ///< the input is SplitMix64(seed)
    /// What to compare with (openReference); empty: own reference kernels, a package's digests.
    std::filesystem::path reference;
    bool simulate = true; ///< run the executor and the reference
};

/// Gets the document after each stage; called from the working thread.
using OnStage = std::function<void(DocumentPtr)>;

/// Opens as far as it can: a damaged or refused file gives a document with its diagnostics. Errors:
/// FileUnreadable and FileTooLarge, when nothing can be read at all; Usage for an unknown sample;
/// Cancelled.
Result<DocumentPtr> openDocument(const OpenRequest& request, const Target& target,
                                 const JobContext& context = {}, const OnStage& onStage = {});

/// `base` with `edits` applied to its job (which it has), run and compared anew; an experiment on
/// an experiment starts from the original. Without edits it is the original. Errors: BadEdit,
/// Cancelled.
Result<DocumentPtr> openExperiment(const DocumentPtr& base, std::vector<Edit> edits,
                                   const JobContext& context = {});

/// Writes the job of `experiment` (whose original is a model or a package) as a package; npu.json
/// keeps the report of the original. Errors: BadEdit where there is no job, BadManifest when the
/// original's npu.json is none, those of writing.
Status exportExperiment(const Document& experiment, const std::filesystem::path& directory);

/// The bytes of a region in `document`: "descriptors" (relocated ones where there are), "weights",
/// "params"; empty for any other.
ByteView regionOf(const Document& document, std::string_view region);

} // namespace plumbline
