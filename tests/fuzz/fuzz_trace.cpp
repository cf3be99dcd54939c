// SPDX-License-Identifier: GPL-3.0-or-later
// Sections: trace.json and two layer files. Without a trace.json the layers are a plain directory
// of numbered files.
#include "core/artifacts/trace_io.h"
#include "tests/fuzz/scratch_directory.h"
#include "tests/fuzz/sections.h"

using namespace plumbline;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    static fuzz::ScratchDirectory directory;
    const std::vector<ByteView> sections = fuzz::splitSections({data, size}, 3);
    directory.clear();
    if (!sections[0].empty())
        directory.write("trace.json", sections[0]);
    directory.write("layer_000.bin", sections[1]);
    directory.write(sections[0].empty() ? "layer_001.npy" : "layer_001.bin", sections[2]);

    const Result<Trace> trace = loadTrace(directory.path());
    if (!trace) {
        fuzz::require(hasErrors(trace.diagnostics()), "a refusal says why");
        return 0;
    }
    for (const TraceLayer& layer : trace->layers)
        fuzz::require(layer.bytes.empty() || layer.hasBytes(), "a layer's bytes have their size");
    return 0;
}
