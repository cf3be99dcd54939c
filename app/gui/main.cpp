// SPDX-License-Identifier: GPL-3.0-or-later
// plumbline: the workbench. Says what the command line means, opens the window, and no more.
#include <cstdio>
#include <optional>

#include <QApplication>
#include <QCommandLineParser>
#include <QSettings>
#include <QTemporaryDir>

#include "app/gui/grab.h"
#include "app/gui/main_window.h"
#include "app/gui/workspace.h"
#include "core/base/build_info.h"
#include "views/common/palette.h"

namespace plumbline::gui {
namespace {

constexpr int kWrongUsage = 2;

struct Options {
    QStringList files;
    QString sample;
    QString input;
    std::uint64_t seed = 1;
    QString select;
    QString filter;
    QString grab;
    QString reference;
    QString compare;
    QStringList edits;
    std::optional<BuiltInLayout> layout;
    std::optional<Theme> theme;
    std::optional<QSize> size;
};

[[noreturn]] void failUsage(const QString& message) {
    std::fprintf(stderr, "plumbline: %s\nplumbline --help lists the options.\n",
                 qPrintable(message));
    std::exit(kWrongUsage);
}

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

Options parse(const QStringList& arguments) {
    QCommandLineParser parser;
    parser.setApplicationDescription(QStringLiteral(
        "The workbench for NPU compilers. Opens a .tflite model, a package directory or its "
        "npu.json,\n"
        "a trace directory or a .plumbline session; a model with an input and a trace together.\n\n"
        "Example: plumbline model.tflite --select op/7/word/12"));
    parser.addHelpOption();
    parser.addVersionOption();
    parser.addPositionalArgument(QStringLiteral("files"), QStringLiteral("what to open"),
                                 QStringLiteral("[FILE…]"));
    const auto option = [&parser](const char* name, const char* value, const char* help) {
        parser.addOption(QCommandLineOption(QString::fromLatin1(name), QString::fromLatin1(help),
                                            QString::fromLatin1(value)));
    };
    option("sample", "NAME", "open a built-in sample (plumb sample --list names them)");
    option("input", "FILE", "input of the model, raw int8 or .npy");
    option("seed", "N", "input from this seed (default 1)");
    option("select", "ADDRESS", "select this place, as op/7/word/12");
    option("reference", "REF", "judge every layer by this: a model, a package or a directory");
    option("edit", "EDIT", "open an experiment with this change, as plumb edit --set; repeatable");
    option("compare", "FILE", "compare with this model or package");
    option("filter", "TEXT", "show only what this filter lets pass");
    option("layout", "overview|debugging|memory", "layout of this run");
    option("theme", "light|dark", "theme of this run");
    option("size", "WxH", "size of the window in logical pixels");
    option("scale", "FACTOR", "scale of the whole window, as 2");
    option("grab", "DIR", "write pictures of the window and every view, then leave");
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
    options.edits = parser.values(QStringLiteral("edit"));
    if (parser.isSet(QStringLiteral("layout")) && !(options.layout = layoutNamed(value("layout"))))
        failUsage(QStringLiteral("--layout is overview, debugging or memory, not '%1'")
                      .arg(value("layout")));
    options.grab = value("grab");
    if (parser.isSet(QStringLiteral("seed"))) {
        bool ok = false;
        options.seed = value("seed").toULongLong(&ok, 0);
        if (!ok)
            failUsage(QStringLiteral("--seed is a natural number, not '%1'").arg(value("seed")));
    }
    if (parser.isSet(QStringLiteral("theme")) && !(options.theme = themeNamed(value("theme"))))
        failUsage(QStringLiteral("--theme is light or dark, not '%1'").arg(value("theme")));
    if (parser.isSet(QStringLiteral("size")))
        options.size = sizeOf(value("size"));
    if (!options.sample.isEmpty() && !options.files.isEmpty())
        failUsage(QStringLiteral("give either files or --sample"));
    return options;
}

/// What the command line names, as one request; nothing for no file, or for a session.
std::optional<OpenRequest> requestOf(const Options& options) {
    if (!options.sample.isEmpty()) {
        OpenRequest request;
        request.sample = options.sample.toStdString();
        return request;
    }
    std::vector<std::filesystem::path> paths;
    for (const QString& file : options.files)
        paths.emplace_back(file.toStdString());
    if (paths.empty() || (paths.size() == 1 && isSessionPath(paths.front())))
        return std::nullopt;
    const Result<OpenRequest> request = requestFor(paths);
    if (!request)
        failUsage(QString::fromStdString(request.diagnostics().front().message));
    return *request;
}

void openAll(MainWindow& window, const Options& options) {
    if (options.layout)
        window.useLayout(*options.layout);
    if (!options.select.isEmpty())
        window.selectWhenOpen(options.select);
    if (!options.filter.isEmpty())
        window.applyFilterWhenOpen(options.filter);
    if (!options.edits.isEmpty())
        window.editWhenOpen(options.edits);
    if (!options.compare.isEmpty())
        window.compareWhenOpen(options.compare);
    std::optional<OpenRequest> request = requestOf(options);
    if (!request) {
        if (!options.files.isEmpty())
            window.openPaths(options.files);
        return;
    }
    if (!options.input.isEmpty())
        request->input = options.input.toStdString();
    if (!options.reference.isEmpty())
        request->reference = options.reference.toStdString();
    request->seed = options.seed;
    window.open(*request);
}

QtMessageHandler s_previousHandler = nullptr;

/// The offscreen platform complains once per window about size hints, which nobody gave it.
void dropPlatformNoise(QtMsgType type, const QMessageLogContext& context, const QString& text) {
    if (!text.contains(QStringLiteral("propagateSizeHints")))
        s_previousHandler(type, context, text);
}

/// What must be known before the application object: the scale, and whether there is a display.
void prepareEnvironment(int argc, char** argv) {
    const auto setScale = [](const QByteArray& text) {
        bool ok = false;
        const double factor = text.toDouble(&ok);
        constexpr double kSmallest = 0.5, kLargest = 8;
        if (!ok || factor < kSmallest || factor > kLargest)
            failUsage(QStringLiteral("--scale is a number from 0.5 to 8, not '%1'")
                          .arg(QString::fromLocal8Bit(text)));
        qputenv("QT_SCALE_FACTOR", text);
    };
    for (int i = 1; i < argc; ++i) {
        const QString argument = QString::fromLocal8Bit(argv[i]);
        if (argument == QStringLiteral("--scale") && i + 1 < argc)
            setScale(argv[i + 1]);
        else if (argument.startsWith(QStringLiteral("--scale=")))
            setScale(argument.mid(8).toLocal8Bit());
    }
    const bool display =
        qEnvironmentVariableIsSet("DISPLAY") || qEnvironmentVariableIsSet("WAYLAND_DISPLAY");
    if (!display && !qEnvironmentVariableIsSet("QT_QPA_PLATFORM")) {
        qputenv("QT_QPA_PLATFORM", "offscreen");
        s_previousHandler = qInstallMessageHandler(dropPlatformNoise);
    }
}

int run(int argc, char** argv) {
    prepareEnvironment(argc, argv);
    QApplication application(argc, argv);
    QApplication::setApplicationName(QStringLiteral("plumbline"));
    QApplication::setOrganizationName(QStringLiteral("plumbline"));
    QSettings::setDefaultFormat(QSettings::IniFormat);
    QApplication::setApplicationDisplayName(QStringLiteral("Plumbline"));
    QApplication::setApplicationVersion(QString::fromStdString(std::string(buildInfo().version)));
    QApplication::setDesktopFileName(QStringLiteral("plumbline"));
    const Options options = parse(QApplication::arguments());
    const bool picture = !options.grab.isEmpty();
    // Pictures do not depend on what the person did before, and leave no trace.
    std::optional<QTemporaryDir> scratch;
    if (picture)
        scratch.emplace();
    Settings settings(scratch ? scratch->path() : QString());
    applyTheme(application, options.theme.value_or(picture ? Theme::Light : settings.theme()));
    MainWindow window(settings);
    constexpr QSize kPicture{1280, 800};
    if (options.size || picture)
        window.resize(options.size.value_or(kPicture));
    window.show();
    openAll(window, options);
    Grabber grabber(window, options.grab);
    if (picture)
        grabber.start();
    return QApplication::exec();
}

} // namespace
} // namespace plumbline::gui

int main(int argc, char** argv) { return plumbline::gui::run(argc, argv); }
