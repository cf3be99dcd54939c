// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/options.h"

#include <charconv>

#include <CLI/CLI.hpp>

#include "core/artifacts/package.h"

namespace plumbline::cli {
namespace {

constexpr bool isRequired(Presence presence) { return presence == Presence::Required; }

command_line::OptionInfo optionInfo(const CLI::Option& option) {
    command_line::OptionInfo info;
    for (const std::string& name : option.get_snames())
        info.names.push_back("-" + name);
    for (const std::string& name : option.get_lnames())
        info.names.push_back("--" + name);
    info.value = option.get_type_name();
    info.description = option.get_description();
    info.required = option.get_required();
    info.repeatable = option.get_items_expected_max() > 1;
    return info;
}

/// The indented line below "Example:" in a footer.
std::string exampleIn(const std::string& footer) {
    const std::string head = "Example:\n  ";
    const std::size_t at = footer.find(head);
    if (at == std::string::npos)
        return {};
    const std::size_t begin = at + head.size();
    return footer.substr(begin, footer.find('\n', begin) - begin);
}

command_line::CommandInfo commandInfo(const CLI::App& app) {
    command_line::CommandInfo info;
    info.name = app.get_name();
    info.description = app.get_description();
    info.example = exampleIn(app.get_footer());
    for (const CLI::Option* option : app.get_options()) {
        if (option->get_positional())
            info.arguments.push_back({option->get_name(true), option->get_description(),
                                      option->get_required(),
                                      option->get_items_expected_max() > 1});
        else
            info.options.push_back(optionInfo(*option));
    }
    return info;
}

} // namespace

command_line::ProgramInfo programInfo(const CLI::App& app) {
    command_line::ProgramInfo info;
    info.program = commandInfo(app);
    for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; }))
        info.commands.push_back(commandInfo(*command));
    return info;
}

Command::Command(Program& program, const std::string& name, const std::string& description,
                 const std::string& example)
    : m_program(program)
    , m_app(*program.app.add_subcommand(name, description)) {
    flag("--json", program.console.json, "Print the result as JSON");
    flag("--quiet", program.console.quiet, "No progress, notes and warnings");
    m_app.footer("Example:\n  " + example);
}

void Command::positional(const std::string& name, std::string& value,
                         const std::string& description, Presence presence) {
    m_app.add_option(name, value, description)->type_name("")->required(isRequired(presence));
}

void Command::text(const std::string& flags, std::string& value, const std::string& type,
                   const std::string& description, Presence presence) {
    CLI::Option* const option = m_app.add_option(flags, value, description);
    option->type_name(type)->required(isRequired(presence));
    // An empty word is mostly a variable that a script forgot to set; a filter may be empty.
    if (flags != "--filter")
        option->check([flags](const std::string& text) {
            return text.empty() ? "'" + flags + "' has an empty value" : std::string();
        });
}

void Command::texts(const std::string& flags, std::vector<std::string>& values,
                    const std::string& type, const std::string& description, Presence presence) {
    m_app.add_option(flags, values, description)->type_name(type)->required(isRequired(presence));
}

void Command::number(const std::string& flags, std::optional<std::uint64_t>& value,
                     const std::string& description) {
    const auto parse = [flags, &value](const std::string& text) {
        value = parseNumber(text);
        if (!value)
            throw CLI::ValidationError(flags, "'" + text + "' is not a natural number");
    };
    m_app.add_option_function<std::string>(flags, parse, description)->type_name("N");
}

void Command::flag(const std::string& flags, bool& value, const std::string& description) {
    m_app.add_flag(flags, value, description);
}

void Command::engine(Engine& engine) {
    const auto parse = [&engine](const std::string& name) {
        for (const Engine each : {Engine::Executor, Engine::Reference, Engine::Plain}) {
            if (name == engineName(each)) {
                engine = each;
                return;
            }
        }
        throw CLI::ValidationError("--engine",
                                   "'" + name + "' is none of executor, reference and plain");
    };
    m_app
        .add_option_function<std::string>("--engine", parse,
                                          "executor (default) runs the packed records, reference "
                                          "the graph on vector kernels, plain on plain loops")
        ->type_name("executor|reference|plain");
}

void Command::input(InputChoice& choice) {
    text("--input", choice.file, "FILE", "The input: raw int8, or .npy of int8");
    number("--seed", choice.seed, "Use the bytes of SplitMix64(N) as the input");
}

void Command::select(Action action) {
    m_app.callback([&program = m_program, action = std::move(action)] { program.action = action; });
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

std::string_view engineName(Engine engine) {
    switch (engine) {
    case Engine::Executor:
        return "executor";
    case Engine::Reference:
        return "reference";
    case Engine::Plain:
        return "plain";
    }
    return "";
}

const KernelSet& kernelsOf(Engine engine) {
    return engine == Engine::Plain ? plainKernels() : fastKernels();
}

void checkEngine(Engine engine, const std::string& subject) {
    if (engine != Engine::Executor && isPackagePath(subject))
        failUsage(fmt::format("--engine {} needs the model; a package holds only packed records.",
                              engineName(engine)));
}

void checkInputChoice(const InputChoice& choice, bool required) {
    if (!choice.file.empty() && choice.seed)
        failUsage("--input and --seed exclude each other.");
    if (required && !choice.given())
        failUsage("An input is needed: --input FILE or --seed N.");
}

} // namespace plumbline::cli
