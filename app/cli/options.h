// SPDX-License-Identifier: GPL-3.0-or-later
// What the commands' option declarations share.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include <CLI/CLI.hpp>

#include "app/cli/console.h"

namespace plumbline::cli {

/// What a parsed command line asks for; gives an exit code.
using Action = std::function<ExitCode(Console&)>;

/// Collects the declared commands and, after parsing, the one to run.
struct Program {
    Console& console;
    CLI::App app{};
    Action action{};
};

/// Declares a command: --json, --quiet, and a help that ends with `example`.
CLI::App* addCommand(Program& program, const std::string& name, const std::string& description,
                     const std::string& example);

/// Makes `run` the action when the command `command` is on the command line. `options` lives as
/// long.
template <class Options>
void onCommand(Program& program, CLI::App* command, std::shared_ptr<Options> options,
               ExitCode (*run)(const Options&, Console&)) {
    command->callback([&program, options = std::move(options), run] {
        program.action = [options, run](Console& console) { return run(*options, console); };
    });
}

/// An option that takes a natural number: decimal, or hexadecimal with 0x. Others are wrong usage.
CLI::Option* addNumber(CLI::App* command, const std::string& name,
                       std::optional<std::uint64_t>& value, const std::string& description);

/// The number in `text`, decimal or 0x-hexadecimal; nothing for any other text or beyond 64 bits.
std::optional<std::uint64_t> parseNumber(std::string_view text);

enum class Engine : std::uint8_t { Executor, Reference };
std::string_view engineName(Engine engine);

void addEngine(CLI::App* command, Engine& engine);

/// --input FILE and --seed N.
struct InputChoice {
    std::string file;
    std::optional<std::uint64_t> seed;
    bool given() const { return !file.empty() || seed.has_value(); }
};
void addInputChoice(CLI::App* command, InputChoice& choice);

/// Wrong usage when both are given, or when none is and one is `required`.
void checkInputChoice(const InputChoice& choice, bool required);

} // namespace plumbline::cli
