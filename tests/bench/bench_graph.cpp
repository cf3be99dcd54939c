// SPDX-License-Identifier: GPL-3.0-or-later
// What a graph of 10,000 operators costs: `layout`, `prepare` (from a document to a picture) and
// `paint/...` at 1280x800 with software rendering; the counters are milliseconds per frame.
#include <algorithm>
#include <cstdio>
#include <memory>
#include <vector>

#include <QApplication>
#include <QElapsedTimer>
#include <QImage>
#include <QScrollBar>

#include <benchmark/benchmark.h>

#include "core/document/document.h"
#include "core/graph/layout.h"
#include "views/common/palette.h"
#include "views/graph/graph_view.h"

namespace plumbline {
namespace {

constexpr const char* kSample = "branches-10000";
constexpr QSize kWindow(1280, 800);

DocumentPtr document() {
    static const DocumentPtr opened = [] {
        OpenRequest request;
        request.sample = kSample;
        request.simulate = false;
        return *openDocument(request, npuP0Target());
    }();
    return opened;
}

void layout(benchmark::State& state) {
    for (auto _ : state)
        benchmark::DoNotOptimize(layoutGraph(*document()->graph()));
    state.counters["nodes"] = static_cast<double>(document()->layout->nodes.size());
}

/// The first frame with everything that is made for it.
void prepare(benchmark::State& state) {
    QImage frame(kWindow, QImage::Format_RGB32);
    for (auto _ : state) {
        Session session;
        GraphView view(session);
        view.resize(kWindow);
        session.setDocument(document(), Session::Keep::Nothing);
        view.show();
        view.render(&frame);
    }
}

/// Paints `frames` frames of the canvas; `next` moves it on.
template <class Next>
void paintFrames(benchmark::State& state, GraphCanvas& canvas, const Next& next) {
    QImage frame(kWindow, QImage::Format_RGB32);
    std::vector<double> times;
    for (auto _ : state) {
        next();
        QElapsedTimer timer;
        timer.start();
        canvas.viewport()->render(&frame);
        times.push_back(static_cast<double>(timer.nsecsElapsed()) / 1e6);
    }
    std::sort(times.begin(), times.end());
    state.counters["median_ms"] = times[times.size() / 2];
    state.counters["worst_ms"] = times.back();
}

struct Shown {
    Shown()
        : view(session) {
        view.resize(kWindow);
        session.setDocument(document(), Session::Keep::Nothing);
        view.show();
        view.canvas()->zoomToActualSize();
    }
    Session session;
    GraphView view;
};

/// At `zoom`, across the whole graph and back, 37 pixels a frame down and a window to the right.
void paintPanning(benchmark::State& state, double zoom, Heat heat) {
    Shown shown;
    GraphCanvas& canvas = *shown.view.canvas();
    shown.session.setHeat(heat);
    canvas.zoomBy(zoom / canvas.view().zoom());
    QScrollBar& down = *canvas.verticalScrollBar();
    QScrollBar& right = *canvas.horizontalScrollBar();
    paintFrames(state, canvas, [&] {
        down.setValue(down.value() >= down.maximum() ? 0 : down.value() + 37);
        right.setValue(right.value() >= right.maximum() ? 0 : right.value() + 61);
    });
}

void paintWhole(benchmark::State& state, Heat heat) {
    Shown shown;
    GraphCanvas& canvas = *shown.view.canvas();
    shown.session.setHeat(heat);
    shown.session.select(selectOperator(5000));
    canvas.fit();
    paintFrames(state, canvas, [] {});
}

/// The selection moves on, so that the overview changes as well.
void paintSelecting(benchmark::State& state) {
    Shown shown;
    GraphCanvas& canvas = *shown.view.canvas();
    std::int64_t index = 0;
    paintFrames(state, canvas, [&] { shown.session.select(selectOperator(++index % 10000)); });
}

} // namespace
} // namespace plumbline

int main(int argc, char** argv) {
    using namespace plumbline;
    if (qEnvironmentVariableIsEmpty("QT_QPA_PLATFORM"))
        qputenv("QT_QPA_PLATFORM", "offscreen");
    QApplication application(argc, argv);
    applyTheme(application, Theme::Light);
    benchmark::RegisterBenchmark("layout", layout)->Unit(benchmark::kMillisecond);
    benchmark::RegisterBenchmark("prepare", prepare)->Unit(benchmark::kMillisecond);
    const auto paint = [](const char* name, auto&& run) {
        benchmark::RegisterBenchmark(name, run)->Unit(benchmark::kMillisecond)->Iterations(200);
    };
    paint("paint/panning", [](benchmark::State& s) { paintPanning(s, 1, Heat::None); });
    paint("paint/panning-heat", [](benchmark::State& s) { paintPanning(s, 1, Heat::Cycles); });
    paint("paint/panning-names", [](benchmark::State& s) { paintPanning(s, 0.31, Heat::None); });
    paint("paint/panning-boxes", [](benchmark::State& s) { paintPanning(s, 0.1, Heat::None); });
    paint("paint/whole", [](benchmark::State& s) { paintWhole(s, Heat::None); });
    paint("paint/whole-heat", [](benchmark::State& s) { paintWhole(s, Heat::Cycles); });
    paint("paint/selecting", paintSelecting);
    benchmark::Initialize(&argc, argv);
    if (benchmark::ReportUnrecognizedArguments(argc, argv))
        return 2;
    benchmark::RunSpecifiedBenchmarks();
    return 0;
}
