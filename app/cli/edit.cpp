// SPDX-License-Identifier: GPL-3.0-or-later
// plumb edit: an experiment with single fields, relocations and bytes, as a package of its own.
#include "core/lowering/edit.h"

#include <filesystem>

#include "app/cli/commands.h"
#include "app/cli/diagnostic_json.h"
#include "app/cli/subject.h"
#include "app/cli/table.h"
#include "core/artifacts/edited_package.h"
#include "core/lowering/target.h"

namespace plumbline::cli {
namespace {

struct EditOptions {
    std::string subject;
    std::vector<std::string> edits;
    std::string output;
};

/// What is edited: a job and the npu.json that describes it.
struct Original {
    Job job;
    nlohmann::json manifest;
};

Original originalOf(const EditOptions& options, Console& console) {
    Subject subject = openSubject(options.subject, console);
    if (subject.package) {
        if (subject.package->damaged)
            throw Failure(subject.package->diagnostics);
        return {std::move(subject.package->job), std::move(subject.package->manifest)};
    }
    const LoweringPtr lowering = lowerModel(subject.model, options.subject, console);
    const std::filesystem::path path(options.subject);
    const auto name = path.extension() == ".tflite" ? path.stem() : path.filename();
    return {jobOf(*lowering), manifestJson(*lowering, name.string())};
}

/// The job after one edit. An edit is read against the job that those before it left.
Job edited(const Job& job, const std::string& text) {
    const FieldTable& fields = npuP0Target().fields();
    const Result<Edit> edit = parseEdit(text, job, fields);
    if (!edit)
        throw Failure(ExitCode::Usage, edit.diagnostics());
    Result<Job> changed = applyEdits(job, fields, std::span(&*edit, 1));
    if (!changed)
        throw Failure(ExitCode::Usage, std::move(changed).diagnostics());
    return *std::move(changed);
}

/// What relocation or, where that succeeds, the validator says about the records.
Diagnostics violationsOf(const Job& job) {
    std::optional<Fault> fault;
    const Bytes relocated = npuP0Target().relocate(job, fault);
    if (fault)
        return {toDiagnostic(*fault)};
    Diagnostics found;
    const std::size_t size = npuP0Target().fields().recordBytes;
    const AddressRange array{job.bases.descriptors, relocated.size()};
    for (std::size_t at = 0; at + size <= relocated.size(); at += size) {
        const auto violation =
            npuP0Target().checkRecord(ByteView(relocated).subspan(at, size), array);
        if (violation)
            found.push_back(toDiagnostic(Fault{violation->code,
                                               "validator",
                                               static_cast<std::int64_t>(at / size),
                                               violation->word,
                                               {},
                                               violation->message}));
    }
    return found;
}

void printResult(const EditOptions& options, const Diagnostics& violations, Console& console) {
    if (console.json) {
        console.writeJson({{"ok", violations.empty()},
                           {"directory", options.output},
                           {"edits", options.edits},
                           {"diagnostics", diagnosticsJson(violations)}});
        return;
    }
    console.print("{}: written with {}; {}\n", printable(options.output),
                  counted(options.edits.size(), "edit"),
                  violations.empty()
                      ? "every record is relocated and valid"
                      : counted(violations.size(), "rule") +
                            (violations.size() == 1 ? " fires" : " fire") +
                            ", and the package is written all the same: it is an experiment");
}

ExitCode runEdit(const EditOptions& options, Console& console) {
    Original original = originalOf(options, console);
    Job job = std::move(original.job);
    for (const std::string& text : options.edits)
        job = edited(job, text);
    const Diagnostics violations = violationsOf(job);
    if (console.stopRequested())
        failCancelled();
    const Status written = writeEditedPackage(options.output, original.manifest, job);
    if (!written)
        throw Failure(inFile(written.diagnostics(), options.output));
    console.report(violations);
    printResult(options, violations, console);
    return violations.empty() ? ExitCode::Ok : ExitCode::Mismatch;
}

} // namespace

void addEdit(Program& program) {
    Command command(program, "edit",
                    "Change fields, relocations or bytes of a model's or package's records and "
                    "write the changed package",
                    "plumb edit model.p0 --set record/2/word/15/K_SLICE=8 -o changed.p0");
    auto options = std::make_shared<EditOptions>();
    command.positional("MODEL|DIR", options->subject, "A TFLite model or a package directory");
    command.texts("--set", options->edits, "EDIT",
                  "record/N/word/W/FIELD=VALUE, relocation/N/region|offset|word|record=VALUE or "
                  "weights|params|descriptors/OFFSET=VALUE",
                  Presence::Required);
    command.text("-o,--output", options->output, "DIR", "The changed package's directory",
                 Presence::Required);
    command.action(std::move(options), runEdit);
}

} // namespace plumbline::cli
