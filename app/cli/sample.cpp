// SPDX-License-Identifier: GPL-3.0-or-later
// plumb sample: a built-in model as a file.
#include "app/cli/commands.h"
#include "app/cli/table.h"
#include "core/base/file.h"
#include "core/base/sha256.h"
#include "core/samples/samples.h"

namespace plumbline::cli {
namespace {

struct SampleOptions {
    std::string name;
    std::string output;
    std::optional<std::uint64_t> seed;
    bool list = false;
};

ExitCode listSamples(Console& console) {
    Json samples = Json::array();
    Table table({{"Name"}, {"Description"}});
    for (const SampleInfo& sample : allSamples()) {
        samples.push_back({{"name", sample.name}, {"description", sample.description}});
        table.add({std::string(sample.name), std::string(sample.description)});
    }
    if (console.json)
        console.writeJson({{"ok", true}, {"samples", std::move(samples)}});
    else
        console.write(table.text());
    return ExitCode::Ok;
}

ExitCode runSample(const SampleOptions& options, Console& console) {
    if (options.list) {
        if (!options.name.empty() || !options.output.empty() || options.seed)
            failUsage("--list stands alone.");
        return listSamples(console);
    }
    if (options.name.empty() || options.output.empty())
        failUsage("Give the sample's name and -o FILE, or --list.");
    const std::uint64_t seed = options.seed.value_or(1);
    const Result<Bytes> sample = makeSample(options.name, seed);
    if (!sample)
        throw Failure(sample.diagnostics());
    if (const Status written = writeFileAtomically(options.output, ByteView(*sample)); !written)
        throw Failure(inFile(written.diagnostics(), options.output));
    const std::string digest = sha256Hex(*sample);
    if (console.json)
        console.writeJson({{"ok", true},
                           {"name", options.name},
                           {"seed", seed},
                           {"file", options.output},
                           {"bytes", sample->size()},
                           {"sha256", digest}});
    else
        console.print("{}: sample {} of seed {}, {}, sha256 {}\n", printable(options.output),
                      options.name, seed, counted(sample->size(), "byte"), digest);
    return ExitCode::Ok;
}

} // namespace

void addSample(Program& program) {
    Command command(program, "sample", "Write a built-in sample model",
                    "plumb sample ds-cnn -o ds-cnn.tflite");
    auto options = std::make_shared<SampleOptions>();
    command.flag("--list", options->list, "List the samples");
    command.positional("SAMPLE", options->name, "The sample's name", Presence::Optional);
    command.text("-o,--output", options->output, "FILE", "The file to write");
    command.number("--seed", options->seed, "Seed of weights and quantization (default 1)");
    command.action(std::move(options), runSample);
}

} // namespace plumbline::cli
