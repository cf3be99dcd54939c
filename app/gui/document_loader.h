// SPDX-License-Identifier: GPL-3.0-or-later
// Opens documents in the background; the newest request wins.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <thread>

#include <QObject>

#include "core/document/document.h"

namespace plumbline::gui {

class DocumentLoader : public QObject {
    Q_OBJECT

  public:
    explicit DocumentLoader(const Target& target, QObject* parent = nullptr);
    /// Asks every job to stop and waits for them.
    ~DocumentLoader() override;

    /// Starts opening; a job that still runs is cancelled and nothing more is heard of it.
    void open(const OpenRequest& request);
    /// The same for an experiment on `base` (core/document/document.h).
    void experiment(const DocumentPtr& base, const std::vector<Edit>& edits);
    /// Cancels the job that runs; finished() follows at once, with what was reached so far kept.
    void cancel();
    bool isBusy() const { return m_current != 0; }

  signals:
    void started();
    /// A stage, or the final document, of the newest request.
    void reached(plumbline::DocumentPtr document, bool firstStage);
    /// The newest request came to nothing.
    void failed(plumbline::Diagnostics diagnostics);
    void progressed(double fraction, const QString& what);
    /// After the last reached() or failed(), or after cancel().
    void finished();

  private:
    void deliver(std::uint64_t number, DocumentPtr document);
    void end(std::uint64_t number, const Result<DocumentPtr>& result);
    using Work = std::function<Result<DocumentPtr>(const JobContext&, const OnStage&)>;
    void start(Work work);
    void run(std::uint64_t number, const Work& work, std::stop_token stop);

    const Target& m_target;
    std::map<std::uint64_t, std::jthread> m_jobs; ///< running ones, superseded ones too
    std::uint64_t m_number = 0;
    std::uint64_t m_current = 0; ///< 0: none
    bool m_first = true;
};

} // namespace plumbline::gui
