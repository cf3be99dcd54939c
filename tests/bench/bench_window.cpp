// SPDX-License-Identifier: GPL-3.0-or-later
// Opening in the real window: time until the first stage and until everything is shown, and the
// longest time the event loop was held on the way (after the window's first frame). Milliseconds.
#include <algorithm>

#include <QApplication>
#include <QElapsedTimer>
#include <QTemporaryDir>
#include <QTimer>

#include <benchmark/benchmark.h>

#include "app/gui/main_window.h"
#include "views/common/palette.h"

namespace plumbline::gui {
namespace {

/// Measures the pauses between the turns of the event loop.
class Heartbeat : public QObject {
  public:
    Heartbeat() {
        m_timer.setInterval(0);
        connect(&m_timer, &QTimer::timeout, this, [this] {
            m_longest = std::max(m_longest, m_clock.nsecsElapsed());
            m_clock.restart();
        });
        m_clock.start();
        m_timer.start();
    }
    double longest() const { return static_cast<double>(m_longest) / 1e6; }

  private:
    QTimer m_timer;
    QElapsedTimer m_clock;
    qint64 m_longest = 0;
};

void openSample(benchmark::State& state, const char* name) {
    QTemporaryDir folder;
    Settings settings(folder.path());
    double firstStage = 0, all = 0, longest = 0;
    for (auto _ : state) {
        QElapsedTimer clock;
        clock.start();
        MainWindow window(settings);
        window.resize(1280, 800);
        window.show();
        QApplication::processEvents();
        const Heartbeat heartbeat;
        OpenRequest request;
        request.sample = name;
        double first = 0;
        QObject::connect(&window.session(), &Session::documentChanged, &window, [&] {
            if (first == 0)
                QTimer::singleShot(
                    0, &window, [&] { first = static_cast<double>(clock.nsecsElapsed()) / 1e6; });
        });
        window.open(request);
        while (!window.isIdle() || first == 0)
            QApplication::processEvents(QEventLoop::WaitForMoreEvents);
        firstStage += first;
        all += static_cast<double>(clock.nsecsElapsed()) / 1e6;
        longest = std::max(longest, heartbeat.longest());
    }
    const auto count = static_cast<double>(state.iterations());
    state.counters["interactive_ms"] = firstStage / count;
    state.counters["all_shown_ms"] = all / count;
    state.counters["longest_hold_ms"] = longest;
}

BENCHMARK_CAPTURE(openSample, mobilenet, "mobilenet")->Unit(benchmark::kMillisecond)->Iterations(5);
BENCHMARK_CAPTURE(openSample, branches_10000, "branches-10000")
    ->Unit(benchmark::kMillisecond)
    ->Iterations(2);

} // namespace
} // namespace plumbline::gui

int main(int argc, char** argv) {
    qputenv("QT_QPA_PLATFORM", "offscreen");
    QApplication application(argc, argv);
    plumbline::applyTheme(application, plumbline::Theme::Light);
    benchmark::Initialize(&argc, argv);
    benchmark::RunSpecifiedBenchmarks();
    return 0;
}
