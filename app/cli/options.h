// SPDX-License-Identifier: GPL-3.0-or-later
// Declaring commands and their options. Only options.cpp and main.cpp know the parser: its header
// is expensive to compile.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/cli/console.h"
#include "app/command_line/program_info.h"
#include "core/kernels/kernels.h"

namespace CLI { // NOLINT(readability-identifier-naming): the parser's own name
class App;
}

namespace plumbline::cli {

/// What a parsed command line asks for; gives an exit code.
using Action = std::function<ExitCode(Console&)>;

/// Collects the declared commands and, after parsing, the one to run.
struct Program {
    Console& console;
    CLI::App& app;
    Action action{};
};

/// All that is declared in `app`, as help shows it.
command_line::ProgramInfo programInfo(const CLI::App& app);

enum class Engine : std::uint8_t {
    Executor,  ///< the packed records
    Reference, ///< the graph on the vector kernels
    Plain,     ///< the graph on the plain loops
};
std::string_view engineName(Engine engine);
/// The kernels of an engine that runs the graph.
const KernelSet& kernelsOf(Engine engine);
/// Wrong usage when `engine` runs the graph and `subject` is a package, which has none.
void checkEngine(Engine engine, const std::string& subject);

/// --input FILE and --seed N.
struct InputChoice {
    std::string file;
    std::optional<std::uint64_t> seed;
    bool given() const { return !file.empty() || seed.has_value(); }
};

/// Wrong usage when both are given, or when none is and one is `required`.
void checkInputChoice(const InputChoice& choice, bool required);

/// The number in `text`, decimal or 0x-hexadecimal; nothing for any other text or beyond 64 bits.
std::optional<std::uint64_t> parseNumber(std::string_view text);

enum class Presence : std::uint8_t { Optional, Required };

/// One command under declaration. The variables that take the values live as long as the action.
class Command {
  public:
    /// Declares `name` with --json, --quiet, and a help that ends with `example`.
    Command(Program& program, const std::string& name, const std::string& description,
            const std::string& example);

    void positional(const std::string& name, std::string& value, const std::string& description,
                    Presence presence = Presence::Required);
    /// An option that takes text; `type` says in the help what kind.
    void text(const std::string& flags, std::string& value, const std::string& type,
              const std::string& description, Presence presence = Presence::Optional);
    /// An option that takes one or more texts and may be given several times.
    void texts(const std::string& flags, std::vector<std::string>& values, const std::string& type,
               const std::string& description, Presence presence = Presence::Optional);
    /// An option that takes a natural number: decimal, or hexadecimal with 0x. Others are wrong
    /// usage.
    void number(const std::string& flags, std::optional<std::uint64_t>& value,
                const std::string& description);
    void flag(const std::string& flags, bool& value, const std::string& description);
    void engine(Engine& engine);
    void input(InputChoice& choice);

    /// Makes `run` the action when this command is on the command line.
    template <class Options>
    void action(std::shared_ptr<Options> options, ExitCode (*run)(const Options&, Console&)) {
        select([options = std::move(options), run](Console& console) {
            return run(*options, console);
        });
    }

  private:
    void select(Action action);

    Program& m_program;
    CLI::App& m_app;
};

} // namespace plumbline::cli
