// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/options.h"

#include <cstdio>

#include <QCommandLineParser>

#include "app/command_line/completion.h"
#include "app/command_line/manual.h"
#include "app/gui/settings.h"

namespace plumbline::gui {
namespace {

constexpr int kWrongUsage = 2;

struct OptionRow {
    const char* name;
    const char* value; ///< as app/command_line/candidates.h reads it; empty for a flag
    const char* help;
    bool repeatable = false;
};

constexpr OptionRow kRows[] = {
    {"sample", "SAMPLE", "Open a built-in sample (plumb sample --list names them)"},
    {"input", "FILE", "Input of the model, raw int8 or .npy"},
    {"seed", "N", "Input from this seed (default 1)"},
    {"select", "ADDRESS", "Select this place, as op/7/word/12"},
    {"reference", "REF", "Judge every layer by this: a model, a package or a directory"},
    {"edit", "EDIT", "Open an experiment with this change, as plumb edit --set", true},
    {"compare", "FILE", "Compare with this model or package"},
    {"filter", "TEXT", "Show only what this filter lets pass"},
    {"layout", "overview|debugging|memory", "Layout of this run"},
    {"theme", "light|dark", "Theme of this run"},
    {"size", "WxH", "Size of the window in logical pixels"},
    {"scale", "FACTOR", "Scale of the whole window, as 2"},
    {"grab", "DIR", "Write pictures of the window and every view, then leave"},
    {"completion", "bash|zsh|fish", "Print the completion script of this shell, then leave"},
    {"manual", "", "Print the manual page as roff, then leave"},
};

/// Those that the parser declares itself.
constexpr struct {
    const char* shortName; ///< empty when there is none
    const char* name;
    const char* help;
} kParserRows[] = {
    {"h", "help", "Display help on the command line"},
    {"", "help-all", "Display help, including the options of Qt"},
    {"v", "version", "Display the version"},
};

constexpr const char* kFiles = "What to open";

QSize sizeOf(const QString& text) {
    const QStringList parts = text.split(QLatin1Char('x'));
    bool wide = false, high = false;
    const QSize size =
        parts.size() == 2 ? QSize(parts[0].toInt(&wide), parts[1].toInt(&high)) : QSize();
    constexpr int kLargest = 16384;
    if (!wide || !high || size.width() < 1 || size.height() < 1 || size.width() > kLargest ||
        size.height() > kLargest)
        failUsage(QStringLiteral("--size is WIDTHxHEIGHT, as 1280x800, not '%1'").arg(text));
    return size;
}

void declare(QCommandLineParser& parser) {
    parser.setApplicationDescription(QStringLiteral(
        "The workbench for NPU compilers. Opens a .tflite model, a package directory or its "
        "npu.json,\n"
        "a trace directory or a .plumbline session; a model with an input and a trace together.\n\n"
        "Example: plumbline model.tflite --select op/7/word/12"));
    parser.addHelpOption();
    parser.addVersionOption();
    parser.addPositionalArgument(QStringLiteral("files"), QString::fromLatin1(kFiles),
                                 QStringLiteral("[FILE…]"));
    for (const OptionRow& row : kRows) {
        const QString help = QString::fromLatin1(row.help) +
                             (row.repeatable ? QStringLiteral("; repeatable") : QString());
        parser.addOption(QCommandLineOption(QString::fromLatin1(row.name), help,
                                            QString::fromLatin1(row.value)));
    }
}

/// Where the options in `arguments` end: at "--", or at the end.
qsizetype optionsEnd(const QStringList& arguments) {
    const qsizetype at = arguments.indexOf(QStringLiteral("--"));
    return at < 0 ? arguments.size() : at;
}

/// The options whose values are not any text.
void readChecked(const QCommandLineParser& parser, Options& options) {
    const QString layout = parser.value(QStringLiteral("layout"));
    if (parser.isSet(QStringLiteral("layout")) && !(options.layout = layoutNamed(layout)))
        failUsage(
            QStringLiteral("--layout is overview, debugging or memory, not '%1'").arg(layout));
    const QString seed = parser.value(QStringLiteral("seed"));
    if (parser.isSet(QStringLiteral("seed"))) {
        bool ok = false;
        options.seed = seed.toULongLong(&ok, 0);
        if (!ok)
            failUsage(QStringLiteral("--seed is a natural number, not '%1'").arg(seed));
    }
    const QString theme = parser.value(QStringLiteral("theme"));
    if (parser.isSet(QStringLiteral("theme")) && !(options.theme = themeNamed(theme)))
        failUsage(QStringLiteral("--theme is light or dark, not '%1'").arg(theme));
    if (parser.isSet(QStringLiteral("size")))
        options.size = sizeOf(parser.value(QStringLiteral("size")));
}

std::string manualPage() {
    command_line::ManualProse prose;
    prose.purpose = "workbench for NPU compilers";
    prose.description = {
        "plumbline opens a TFLite model, a package or a trace and shows what became of it: the "
        "operator graph, every record with its fields and bytes, the arena over time, tiles and K "
        "slices, costs, the verdict on every layer, and why any element has its value. All views "
        "stand on one selection.",
        "A model is lowered to the NPU-P0 target and executed when it is opened, on the input that "
        "was given or on the bytes of a seed. Several files are understood together: one model or "
        "package, one input, one directory as the reference.",
        "Without a display the program can still write pictures, with --grab. Qt's own options are "
        "listed by --help-all."};
    prose.exitStatus = {{"0", "The window was closed, or the text or the pictures were written."},
                        {"2", "The command line is wrong."},
                        {"3", "What pictures were asked of cannot be opened."},
                        {"4", "The pictures, or standard output, cannot be written."}};
    prose.environment = {
        {"QT_QPA_PLATFORM", "The platform that Qt draws on. Where it is not set and "
                            "there is no display, it is offscreen."},
        {"XDG_CONFIG_HOME", "Where settings are kept; ~/.config if it is not set."}};
    prose.files = {{"~/.config/plumbline/preferences.ini", "Theme and other choices."},
                   {"~/.config/plumbline/state.ini", "Window, layouts and recent files."},
                   {"*.plumbline", "A session: what was open, and where the person stood."}};
    prose.examples = {
        {"plumbline model.tflite --select op/7/word/12", "Open a model at one word of one record"},
        {"plumbline model.tflite input.npy device-trace", "Judge a device's layers"},
        {"plumbline --sample resnet8 --theme dark --grab pictures",
         "Write pictures of every view"}};
    prose.seeAlso = {"plumb(1)"};
    return command_line::manualPage(programInfo(), prose);
}

} // namespace

void failUsage(const QString& message) {
    std::fprintf(stderr, "plumbline: %s\nplumbline --help lists the options.\n",
                 qPrintable(message));
    std::exit(kWrongUsage);
}

Options parseOptions(const QStringList& arguments) {
    QCommandLineParser parser;
    declare(parser);
    parser.process(arguments);
    const auto value = [&parser](const char* name) {
        return parser.value(QString::fromLatin1(name));
    };
    Options options;
    options.files = parser.positionalArguments();
    options.sample = value("sample");
    options.input = value("input");
    options.select = value("select");
    options.filter = value("filter");
    options.reference = value("reference");
    options.compare = value("compare");
    options.grab = value("grab");
    options.edits = parser.values(QStringLiteral("edit"));
    readChecked(parser, options);
    if (!options.sample.isEmpty() && !options.files.isEmpty())
        failUsage(QStringLiteral("give either files or --sample"));
    return options;
}

std::optional<QString> valueBefore(const QStringList& arguments, const QString& name) {
    const QString option = QStringLiteral("--") + name;
    const qsizetype end = optionsEnd(arguments);
    for (qsizetype i = 1; i < end; ++i) {
        if (arguments[i] == option && i + 1 < end)
            return arguments[i + 1];
        if (arguments[i].startsWith(option + QLatin1Char('=')))
            return arguments[i].mid(option.size() + 1);
    }
    return std::nullopt;
}

std::optional<std::string> textInsteadOfWindow(const QStringList& arguments) {
    if (const std::optional<QString> shell = valueBefore(arguments, QStringLiteral("completion"))) {
        std::optional<std::string> script =
            command_line::completionFor(shell->toStdString(), programInfo());
        if (!script)
            failUsage(QStringLiteral("--completion is bash, zsh or fish, not '%1'").arg(*shell));
        return script;
    }
    if (arguments.mid(0, optionsEnd(arguments)).contains(QStringLiteral("--manual")))
        return manualPage();
    return std::nullopt;
}

command_line::ProgramInfo programInfo() {
    command_line::ProgramInfo info;
    info.program.name = "plumbline";
    info.program.arguments.push_back({"FILE", kFiles, false, true});
    for (const auto& row : kParserRows) {
        command_line::OptionInfo option;
        if (*row.shortName != '\0')
            option.names.push_back(std::string("-") + row.shortName);
        option.names.push_back(std::string("--") + row.name);
        option.description = row.help;
        info.program.options.push_back(std::move(option));
    }
    for (const OptionRow& row : kRows)
        info.program.options.push_back(
            {{std::string("--") + row.name}, row.value, row.help, false, row.repeatable});
    return info;
}

} // namespace plumbline::gui
