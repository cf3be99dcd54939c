// SPDX-License-Identifier: GPL-3.0-or-later
// plumbline: the workbench. Says what the command line means, opens the window, and no more.
#include <cstdio>
#include <optional>

#include <QApplication>
#include <QIcon>
#include <QSettings>
#include <QTemporaryDir>

#include "app/gui/grab.h"
#include "app/gui/main_window.h"
#include "app/gui/options.h"
#include "core/base/build_info.h"

namespace plumbline::gui {
namespace {

constexpr int kCannotWrite = 4;

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
void prepareEnvironment(const QStringList& arguments) {
    if (const std::optional<QString> scale = valueBefore(arguments, QStringLiteral("scale"))) {
        bool ok = false;
        const double factor = scale->toDouble(&ok);
        constexpr double kSmallest = 0.5, kLargest = 8;
        if (!ok || factor < kSmallest || factor > kLargest)
            failUsage(QStringLiteral("--scale is a number from 0.5 to 8, not '%1'").arg(*scale));
        qputenv("QT_SCALE_FACTOR", scale->toLatin1());
    }
    const bool display =
        qEnvironmentVariableIsSet("DISPLAY") || qEnvironmentVariableIsSet("WAYLAND_DISPLAY");
    if (!display && !qEnvironmentVariableIsSet("QT_QPA_PLATFORM")) {
        qputenv("QT_QPA_PLATFORM", "offscreen");
        s_previousHandler = qInstallMessageHandler(dropPlatformNoise);
    }
}

QStringList decoded(int argc, char** argv) {
    QStringList arguments;
    for (int i = 0; i < argc; ++i)
        arguments.append(QString::fromLocal8Bit(argv[i]));
    return arguments;
}

int print(const std::string& text) {
    const bool written =
        std::fwrite(text.data(), 1, text.size(), stdout) == text.size() && std::fflush(stdout) == 0;
    return written ? 0 : kCannotWrite;
}

QIcon windowIcon() {
    QIcon icon;
    for (const int size : {16, 24, 32, 48, 64, 128, 256})
        icon.addFile(QStringLiteral(":/icons/%1/apps/plumbline.png").arg(size));
    return icon;
}

int run(int argc, char** argv) {
    const QStringList early = decoded(argc, argv);
    if (const std::optional<std::string> text = textInsteadOfWindow(early))
        return print(*text);
    prepareEnvironment(early);
    QApplication application(argc, argv);
    QApplication::setApplicationName(QStringLiteral("plumbline"));
    QApplication::setOrganizationName(QStringLiteral("plumbline"));
    QSettings::setDefaultFormat(QSettings::IniFormat);
    QApplication::setApplicationDisplayName(QStringLiteral("Plumbline"));
    QApplication::setApplicationVersion(QString::fromStdString(std::string(buildInfo().version)));
    QApplication::setDesktopFileName(QStringLiteral("plumbline"));
    QApplication::setWindowIcon(windowIcon());
    const Options options = parseOptions(QApplication::arguments());
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
