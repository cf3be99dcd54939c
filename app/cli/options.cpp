// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/options.h"

#include <charconv>

namespace plumbline::cli {

CLI::App* addCommand(Program& program, const std::string& name, const std::string& description,
                     const std::string& example) {
    CLI::App* command = program.app.add_subcommand(name, description);
    command->add_flag("--json", program.console.json, "Print the result as JSON");
    command->add_flag("--quiet", program.console.quiet, "No progress, notes and warnings");
    command->footer("Example:\n  " + example);
    return command;
}

std::optional<std::uint64_t> parseNumber(std::string_view text) {
    const bool isHex = text.starts_with("0x") || text.starts_with("0X");
    if (isHex)
        text.remove_prefix(2);
    std::uint64_t value = 0;
    const char* end = text.data() + text.size();
    const auto [stop, error] = std::from_chars(text.data(), end, value, isHex ? 16 : 10);
    if (text.empty() || error != std::errc() || stop != end)
        return std::nullopt;
    return value;
}

CLI::Option* addNumber(CLI::App* command, const std::string& name,
                       std::optional<std::uint64_t>& value, const std::string& description) {
    return command
        ->add_option_function<std::string>(
            name,
            [name, &value](const std::string& text) {
                value = parseNumber(text);
                if (!value)
                    throw CLI::ValidationError(name, "'" + text + "' is not a natural number");
            },
            description)
        ->type_name("N");
}

std::string_view engineName(Engine engine) {
    return engine == Engine::Executor ? "executor" : "reference";
}

void addEngine(CLI::App* command, Engine& engine) {
    command
        ->add_option_function<std::string>(
            "--engine",
            [&engine](const std::string& name) {
                if (name != "executor" && name != "reference")
                    throw CLI::ValidationError("--engine",
                                               "'" + name + "' is neither executor nor reference");
                engine = name == "executor" ? Engine::Executor : Engine::Reference;
            },
            "executor (default) runs the packed records, reference the graph")
        ->type_name("executor|reference");
}

void addInputChoice(CLI::App* command, InputChoice& choice) {
    command->add_option("--input", choice.file, "The input: raw int8, or .npy of int8")
        ->type_name("FILE");
    addNumber(command, "--seed", choice.seed, "Use the bytes of SplitMix64(N) as the input");
}

void checkInputChoice(const InputChoice& choice, bool required) {
    if (!choice.file.empty() && choice.seed)
        failUsage("--input and --seed exclude each other.");
    if (required && !choice.given())
        failUsage("An input is needed: --input FILE or --seed N.");
}

} // namespace plumbline::cli
