// SPDX-License-Identifier: GPL-3.0-or-later
// Lowers a model, runs its records on the bytes of seed 1 and prints every layer's digest.
// Usage: layers [MODEL.tflite]; without a model it takes a built-in sample.
#include <cstdio>

#include <core/base/file.h>
#include <core/lowering/job.h>
#include <core/lowering/target.h>
#include <core/samples/samples.h>
#include <core/tflite/importer.h>

namespace {

int fail(const plumbline::Diagnostics& diagnostics) {
    for (const plumbline::Diagnostic& diagnostic : diagnostics)
        std::fprintf(stderr, "%s\n", plumbline::toText(diagnostic).c_str());
    return 1;
}

} // namespace

int main(int argc, char** argv) {
    plumbline::Result<plumbline::Bytes> file =
        argc > 1 ? plumbline::readFile(argv[1]) : plumbline::makeSample("resnet8");
    if (!file)
        return fail(file.diagnostics());
    const plumbline::Result<plumbline::ModelPtr> model = plumbline::importTflite(*std::move(file));
    if (!model)
        return fail(model.diagnostics());

    const plumbline::Target& target = plumbline::npuP0Target();
    const plumbline::Result<plumbline::LoweringPtr> lowering = target.lower(*model);
    if (!lowering || !(*lowering)->complete)
        return fail(lowering ? (*lowering)->diagnostics : lowering.diagnostics());

    const auto inputBytes = static_cast<std::size_t>((*lowering)->input.bytes);
    const plumbline::Bytes input = plumbline::seededBytes(1, inputBytes);
    const plumbline::Execution execution = target.execute(plumbline::jobOf(**lowering), input);
    for (const plumbline::TraceLayer& layer : execution.trace.layers)
        std::printf("%3lld %-18s %s\n", static_cast<long long>(layer.operatorIndex),
                    layer.name.c_str(), layer.sha256.c_str());
    return execution.fault ? 1 : 0;
}
