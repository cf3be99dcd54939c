// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/document_loader.h"

#include <chrono>

namespace plumbline::gui {
namespace {

constexpr std::chrono::milliseconds kProgressInterval{50};

} // namespace

DocumentLoader::DocumentLoader(const Target& target, QObject* parent)
    : QObject(parent)
    , m_target(target) {}

DocumentLoader::~DocumentLoader() {
    for (auto& [number, job] : m_jobs)
        job.request_stop();
    m_jobs.clear(); // joins
}

void DocumentLoader::open(const OpenRequest& request) {
    start([this, request](const JobContext& context, const OnStage& onStage) {
        return openDocument(request, m_target, context, onStage);
    });
}

void DocumentLoader::experiment(const DocumentPtr& base, const std::vector<Edit>& edits) {
    start([base, edits](const JobContext& context, const OnStage&) {
        return openExperiment(base, edits, context);
    });
}

void DocumentLoader::start(Work work) {
    for (auto& [number, job] : m_jobs)
        job.request_stop();
    m_current = ++m_number;
    m_first = true;
    m_jobs.emplace(m_current,
                   std::jthread([this, number = m_current, work = std::move(work)](
                                    std::stop_token stop) { run(number, work, std::move(stop)); }));
    emit started();
}

void DocumentLoader::run(std::uint64_t number, const Work& work, std::stop_token stop) {
    JobContext context;
    context.stop = std::move(stop);
    auto last = std::chrono::steady_clock::now();
    context.progress = [this, number, last](double fraction, std::string_view what) mutable {
        const auto now = std::chrono::steady_clock::now();
        if (now - last < kProgressInterval)
            return;
        last = now;
        const QString text = QString::fromUtf8(what.data(), static_cast<qsizetype>(what.size()));
        QMetaObject::invokeMethod(this, [this, number, fraction, text] {
            if (number == m_current)
                emit progressed(fraction, text);
        });
    };
    const auto onStage = [this, number](DocumentPtr document) {
        QMetaObject::invokeMethod(
            this, [this, number, made = std::move(document)] { deliver(number, made); });
    };
    Result<DocumentPtr> result = work(context, onStage);
    QMetaObject::invokeMethod(this,
                              [this, number, result = std::move(result)] { end(number, result); });
}

void DocumentLoader::deliver(std::uint64_t number, DocumentPtr document) {
    if (number != m_current)
        return;
    emit reached(std::move(document), std::exchange(m_first, false));
}

void DocumentLoader::end(std::uint64_t number, const Result<DocumentPtr>& result) {
    if (number == m_current) {
        if (result)
            deliver(number, *result);
        else
            emit failed(result.diagnostics());
    }
    m_jobs.erase(number); // the thread is at its end: joining does not wait
    if (number != m_current)
        return;
    m_current = 0;
    emit finished();
}

void DocumentLoader::cancel() {
    if (m_current == 0)
        return;
    m_jobs.at(m_current).request_stop();
    m_current = 0;
    emit finished();
}

} // namespace plumbline::gui
