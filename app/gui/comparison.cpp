// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/comparison.h"

#include "views/common/format.h"

namespace plumbline::gui {

Comparison::Comparison(Session& session, const Target& target, QObject* parent)
    : QObject(parent)
    , m_session(session)
    , m_loader(target) {
    connect(&m_loader, &DocumentLoader::reached, this,
            [this](DocumentPtr document) { m_reached = std::move(document); });
    connect(&m_loader, &DocumentLoader::failed, this, [this](const Diagnostics& diagnostics) {
        emit problem(safeText(diagnostics.front().message));
    });
    connect(&m_loader, &DocumentLoader::finished, this, [this] {
        if (m_reached == nullptr)
            return;
        m_session.setComparedWith(std::exchange(m_reached, nullptr));
        emit started();
    });
}

void Comparison::compareWith(const std::filesystem::path& path) {
    OpenRequest request;
    request.path = path;
    request.simulate = false; // lowerings are compared, not runs
    m_reached.reset();
    m_loader.open(request);
}

void Comparison::rememberOpen() { m_before = m_session.document(); }

void Comparison::compareWithBefore() {
    m_session.setComparedWith(m_before);
    emit started();
}

void Comparison::stop() { m_session.setComparedWith(nullptr); }

} // namespace plumbline::gui
