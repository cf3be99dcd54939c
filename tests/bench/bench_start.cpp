// SPDX-License-Identifier: GPL-3.0-or-later
// Until the workbench's start page is painted: `window` makes the window and paints its first
// frame, again and again in one process; `process` starts a whole process that does so once and
// reads when it was done. Milliseconds. Offscreen, software rendering.
#include <cstring>

#include <QApplication>
#include <QProcess>
#include <QTemporaryDir>

#include <benchmark/benchmark.h>

#include "app/gui/main_window.h"
#include "views/common/palette.h"

namespace plumbline::gui {
namespace {

constexpr const char* kOnce = "--paint-once";

void paintStartPage(const QString& folder) {
    Settings settings(folder);
    MainWindow window(settings);
    window.resize(1280, 800);
    window.show();
    QApplication::processEvents();
    benchmark::DoNotOptimize(window.grab());
}

void window(benchmark::State& state) {
    const QTemporaryDir folder;
    for (auto _ : state)
        paintStartPage(folder.path());
}

void process(benchmark::State& state) {
    for (auto _ : state) {
        QProcess child;
        child.start(QApplication::applicationFilePath(), {QString::fromLatin1(kOnce)});
        if (!child.waitForFinished() || child.exitCode() != 0)
            state.SkipWithError("the process did not paint");
    }
}

BENCHMARK(window)->Unit(benchmark::kMillisecond)->UseRealTime();
BENCHMARK(process)->Unit(benchmark::kMillisecond)->UseRealTime();

int run(int argc, char** argv) {
    qputenv("QT_QPA_PLATFORM", "offscreen");
    QApplication application(argc, argv);
    applyTheme(application, Theme::Light);
    if (argc == 2 && std::strcmp(argv[1], kOnce) == 0) {
        const QTemporaryDir folder;
        paintStartPage(folder.path());
        return 0;
    }
    benchmark::Initialize(&argc, argv);
    if (benchmark::ReportUnrecognizedArguments(argc, argv))
        return 2;
    benchmark::RunSpecifiedBenchmarks();
    return 0;
}

} // namespace
} // namespace plumbline::gui

int main(int argc, char** argv) { return plumbline::gui::run(argc, argv); }
