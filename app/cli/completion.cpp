// SPDX-License-Identifier: GPL-3.0-or-later
// plumb completion: what a shell needs to complete command lines of plumb.
#include "app/command_line/completion.h"

#include "app/cli/commands.h"

namespace plumbline::cli {
namespace {

struct CompletionOptions {
    std::string shell;
    const CLI::App* app = nullptr;
};

ExitCode runCompletion(const CompletionOptions& options, Console& console) {
    const std::optional<std::string> script =
        command_line::completionFor(options.shell, programInfo(*options.app));
    if (!script)
        failUsage(fmt::format("There is no completion for '{}': it is bash, zsh or fish.",
                              options.shell));
    if (console.json)
        console.writeJson({{"ok", true}, {"shell", options.shell}, {"script", *script}});
    else
        console.write(*script);
    return ExitCode::Ok;
}

} // namespace

void addCompletion(Program& program) {
    Command command(program, "completion", "Print the completion script of a shell",
                    "plumb completion bash > ~/.local/share/bash-completion/completions/plumb");
    auto options = std::make_shared<CompletionOptions>();
    options->app = &program.app;
    command.positional(std::string(command_line::kShells), options->shell, "The shell");
    command.action(std::move(options), runCompletion);
}

} // namespace plumbline::cli
