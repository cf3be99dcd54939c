// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/manual.h"

#include "app/command_line/manual.h"

namespace plumbline::cli {

std::string manualPageOf(const command_line::ProgramInfo& info) {
    command_line::ManualProse prose;
    prose.purpose = "lower, inspect, execute and compare models for the NPU-P0 target";
    prose.description = {
        "plumb lowers INT8 TFLite models to the 128-byte records of the NPU-P0 target, packs, "
        "checks and executes them bit for bit, and says why each byte is what it is. It needs no "
        "display and no device.",
        "A MODEL is a TFLite file. A package is a directory with npu.json, or the path of that "
        "file. Where a command takes both, whatever is not a package is read as a model. Numbers "
        "are decimal, or hexadecimal with 0x.",
        "Results go to standard output, diagnostics to standard error, and progress to standard "
        "error while that is a terminal. With --json, standard output is one JSON value on one "
        "line."};
    prose.exitStatus = {{"0", "All is well."},
                        {"1", "A mismatch, violation, finding or fault was found."},
                        {"2", "The command line is wrong."},
                        {"3", "An input cannot be read or is refused."},
                        {"4", "An output cannot be written, standard output included."},
                        {"70", "A defect of the program; please report it."},
                        {"130", "Stopped by SIGINT or SIGTERM."}};
    prose.files = {{"npu.json, descriptors.bin, weights.bin, params.bin", "A package."},
                   {"trace.json, layer_NNN.bin", "A trace: what every layer of a run put out."},
                   {"/usr/share/doc/plumbline-doc/file-formats.md",
                    "Every file format, where the package plumbline-doc is installed."}};
    prose.examples = {{"plumb run model.tflite --seed 1", "Execute a model's packed records"}};
    prose.seeAlso = {"plumbline(1)"};
    return command_line::manualPage(info, prose);
}

} // namespace plumbline::cli
