// SPDX-License-Identifier: GPL-3.0-or-later
// Any lines as edits of a job: an error, or a change whose text reads back to the same one. The
// changed job is hostile; its layers are run, replayed and run wrongly all the same.
#include <string>

#include "core/lowering/edit.h"
#include "core/lowering/layer_runner.h"
#include "core/lowering/target.h"
#include "core/samples/samples.h"
#include "core/tflite/importer.h"
#include "tests/fuzz/sections.h"

using namespace plumbline;

namespace {

constexpr std::size_t kMaxEdits = 16;

Job jobOfSample() {
    return jobOf(**npuP0Target().lower(*importTflite(*makeSample("every-operator"))));
}

/// The edits of all lines that are any.
std::vector<Edit> editsOf(std::string_view text, const Job& job, const FieldTable& fields) {
    std::vector<Edit> edits;
    while (!text.empty() && edits.size() < kMaxEdits) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        const Result<Edit> edit = parseEdit(text.substr(0, end), job, fields);
        text.remove_prefix(std::min(end + 1, text.size()));
        if (!edit) {
            fuzz::require(edit.diagnostics().front().code == Code::BadEdit,
                          "it says what is wrong");
            continue;
        }
        edits.push_back(*edit);
        const std::string printed = toText(*edit, job, fields);
        if (printed.find(' ') != std::string::npos || printed.empty())
            continue; // a relocation with several new members, or with none
        const Result<Edit> again = parseEdit(printed, job, fields);
        fuzz::require(again.ok() && *again == *edit, "what was printed reads back");
    }
    return edits;
}

/// One layer of a job that may be anything, over an arena that holds `fill`, rightly and with one
/// mistake.
void useLayer(const LayerRunner& runner, std::size_t step, std::uint8_t fill, std::size_t mistake) {
    Bytes arena(runner.job().arenaBytes, fill);
    const Bytes before = arena;
    const LayerRun run = runner.run(step, arena);
    fuzz::require(run.writtenBegin <= run.writtenEnd && run.writtenEnd <= arena.size(),
                  "what was written lies in the arena");
    if (const auto explained = runner.explain(step, before, {}); explained && !run.fault)
        fuzz::require(!explained->steps.empty() &&
                          static_cast<std::int8_t>(run.layer.bytes.at(0)) == explained->value,
                      "the replay ends in the executor's byte");
    const std::size_t chosen = mistake % npuP0Target().mistakes().size();
    const auto wrong = runner.runWith(step, {before, ByteView(before)}, std::span(&chosen, 1));
    fuzz::require(!wrong || run.fault || wrong->size() == run.layer.bytes.size(),
                  "a mistake makes as many bytes");
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    static const Job original = jobOfSample();
    const FieldTable& fields = npuP0Target().fields();
    if (size < 3)
        return 0;
    const std::string_view text(reinterpret_cast<const char*>(data) + 3, size - 3);
    const Result<Job> job = applyEdits(original, fields, editsOf(text, original, fields));
    if (!job)
        return 0;
    std::optional<Fault> fault;
    const LayerRunnerPtr runner = npuP0Target().layerRunner(*job, fault);
    fuzz::require((runner == nullptr) == fault.has_value(), "no runner has a reason");
    if (runner)
        useLayer(*runner, data[0] % runner->steps().size(), data[1], data[2]);
    return 0;
}
