// SPDX-License-Identifier: GPL-3.0-or-later
// plumb: the command line of Plumbline. Parses the command line, runs one command and turns every
// way it can end into an exit code.
#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <sstream>
#include <string_view>
#include <system_error>
#include <tuple>

#include <fcntl.h>
#include <unistd.h>

#include <CLI/CLI.hpp>

#include "app/cli/commands.h"
#include "app/cli/stop_on_signal.h"
#include "app/cli/version.h"

namespace plumbline::cli {
namespace {

/// A file opened later must not take the number of a standard stream that the caller closed. What
/// replaces one fails like the closed one: reading output, writing input.
void occupyStandardStreams() {
    for (const int fd : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
        if (::fcntl(fd, F_GETFD) == -1 && errno == EBADF)
            std::ignore = ::open("/dev/null", fd == STDOUT_FILENO ? O_RDONLY : O_WRONLY);
    }
}

void declareProgram(Program& program) {
    program.app.description("Lower, inspect, execute and compare models for the NPU-P0 target.");
    program.app.name("plumb");
    program.app.require_subcommand(1);
    program.app.set_version_flag("--version", versionText());
    program.app.footer("Example:\n  plumb run model.tflite --seed 1\n"
                       "Each command has its own help: plumb run --help");
    addInfo(program);
    addCompile(program);
    addRun(program);
    addBench(program);
    addCheck(program);
    addDiff(program);
    addEdit(program);
    addDump(program);
    addExplain(program);
    addReport(program);
    addCorpus(program);
    addCorpusMerge(program);
    addSample(program);
    addDemo(program);
    addDocs(program);
    addCompletion(program);
    addVersion(program);
}

ExitCode runCommand(Console& console, int argc, char** argv) {
    CLI::App app;
    Program program{console, app};
    declareProgram(program);
    try {
        app.parse(argc, argv);
    } catch (const CLI::Success& asked) { // help or version
        std::ostringstream text;
        app.exit(asked, text, text);
        console.write(text.str());
        return ExitCode::Ok;
    } catch (const CLI::ParseError& error) {
        // Parsing may have stopped before it saw the flag.
        console.json = std::any_of(argv + 1, argv + argc, [](const char* arg) {
            return arg == std::string_view("--json");
        });
        failUsage(fmt::format("{}. See plumb --help.", error.what()));
    }
    return program.action(console);
}

ExitCode reportOutputFailure(const OutputFailure& failure) {
    if (failure.error != EPIPE) // a reader that has seen enough is no surprise
        fmt::print(stderr, "{}\n",
                   toText(makeError(Code::FileUnwritable,
                                    fmt::format("Cannot write standard output: {}.",
                                                std::generic_category().message(failure.error)))));
    return ExitCode::CannotWrite;
}

ExitCode reportInternal(Console& console, const std::string& what) {
    const Failure failure(makeError(Code::Internal, what));
    console.reportFailure(failure);
    return ExitCode::Internal;
}

ExitCode runGuarded(Console& console, int argc, char** argv) {
    try {
        return runCommand(console, argc, argv);
    } catch (const Failure& failure) {
        console.reportFailure(failure);
        return failure.exitCode();
    } catch (const OutputFailure&) {
        throw;
    } catch (const std::exception& error) {
        return reportInternal(console, error.what());
    }
}

ExitCode runProgram(int argc, char** argv) {
    const StopOnSignal stop;
    Console console(stop.token());
    try {
        const ExitCode code = runGuarded(console, argc, argv);
        console.flush();
        return code;
    } catch (const OutputFailure& failure) {
        return reportOutputFailure(failure);
    }
}

} // namespace
} // namespace plumbline::cli

int main(int argc, char** argv) {
    using plumbline::cli::ExitCode;
    try {
        plumbline::cli::occupyStandardStreams();
        std::signal(SIGPIPE, SIG_IGN);
        return static_cast<int>(plumbline::cli::runProgram(argc, argv));
    } catch (const std::exception& error) { // even reporting failed
        std::fprintf(stderr, "plumb: %s\n", error.what());
        return static_cast<int>(ExitCode::Internal);
    }
}
