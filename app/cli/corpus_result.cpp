// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/corpus_result.h"

#include "app/cli/diagnostic_json.h"
#include "app/cli/table.h"

namespace plumbline::cli {

ExitCode printCorpusResult(const CorpusResult& result, const CorpusHeading& heading,
                           Console& console) {
    const auto inputs = static_cast<double>(result.inputs);
    const double perSecond = result.seconds > 0 ? inputs / result.seconds : 0;
    std::optional<double> accuracy;
    if (result.correct && result.inputs > 0)
        accuracy = static_cast<double>(*result.correct) / inputs;
    const ExitCode code = result.faults == 0 ? ExitCode::Ok : ExitCode::Mismatch;
    if (console.json) {
        console.writeJson({{"inputs", result.inputs},
                           {"correct", orNull(result.correct)},
                           {"accuracy", orNull(accuracy)},
                           {"seconds", result.seconds},
                           {"inputs_per_second", perSecond},
                           {"engine", heading.engine},
                           {"faults", result.faults}});
        return code;
    }
    LabelledLines lines;
    lines.add("Corpus", fmt::format("{}, {}", heading.corpus, counted(result.inputs, "input")));
    lines.add("Engine", fmt::format("{}, {}", heading.engine, heading.workers));
    if (accuracy)
        lines.add("Correct", fmt::format("{} of {} ({:.2f} %)", *result.correct, result.inputs,
                                         *accuracy * 100));
    lines.add("Faults", std::to_string(result.faults));
    lines.add("Time", fmt::format("{:.3f} s, {:.1f} inputs per second", result.seconds, perSecond));
    if (!heading.digests.empty())
        lines.add("Digests", heading.digests);
    if (!heading.part.empty())
        lines.add("Part", heading.part);
    console.write(lines.text());
    return code;
}

} // namespace plumbline::cli
