// SPDX-License-Identifier: GPL-3.0-or-later
// Sections: npu.json, descriptors.bin, weights.bin, params.bin. What loads is checked and, unless
// npu.json asks for too much work, run.
#include "core/artifacts/package.h"
#include "tests/fuzz/scratch_directory.h"
#include "tests/fuzz/sections.h"

using namespace plumbline;

namespace {

void checkAndRun(const Package& package) {
    const Target& target = npuP0Target();
    const Diagnostics findings = checkPackage(package, target);
    fuzz::require(!package.damaged || hasErrors(findings), "a damaged package has findings");
    if (package.job.inputBytes > 65536)
        return;
    ExecuteOptions options;
    options.maxWork = std::uint64_t{1} << 20;
    options.sanitize = true;
    const Bytes input = seededBytes(1, package.job.inputBytes);
    const Execution execution = target.execute(package.job, input, options);
    fuzz::require(!execution.fault || execution.output.empty(), "a fault leaves no output");
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    static fuzz::ScratchDirectory directory;
    const std::vector<ByteView> sections = fuzz::splitSections({data, size}, 4);
    directory.write("npu.json", sections[0]);
    directory.write("descriptors.bin", sections[1]);
    directory.write("weights.bin", sections[2]);
    directory.write("params.bin", sections[3]);

    const Result<Package> package = loadPackage(directory.path());
    if (package)
        checkAndRun(*package);
    else
        fuzz::require(hasErrors(package.diagnostics()), "a refusal says why");
    return 0;
}
