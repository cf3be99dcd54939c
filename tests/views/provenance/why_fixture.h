// SPDX-License-Identifier: GPL-3.0-or-later
// A Why view that is shown on a document.
#pragma once

#include <QAction>
#include <QCoreApplication>
#include <QTest>

#include "tests/views/provenance/why_documents.h"
#include "views/provenance/why_view.h"

namespace plumbline::test {

struct ShownWhy {
    explicit ShownWhy(const DocumentPtr& document, QSize size = {1000, 700})
        : view(session)
        , panel(*view.hypotheses()) {
        session.setDocument(document, Session::Keep::Nothing);
        view.resize(size);
        view.show();
    }

    bool select(const QString& address) { return session.selectAddress(address) && settle(); }
    /// Waits until nothing in the background will change what is seen.
    bool settle() {
        const bool isDone = QTest::qWaitFor([this] { return !view.isBusy(); }, 60'000);
        QCoreApplication::processEvents(); // lays out what has come
        return isDone;
    }
    const Explanation* explanation() const { return view.steps()->model()->explanation().get(); }
    QString cell(int row, HypothesisModel::Column column) const {
        return panel.model()->index(row, column).data().toString();
    }
    QAction* action(const char* name) const {
        for (QAction* candidate : view.actions())
            if (candidate->objectName() == QLatin1String(name))
                return candidate;
        return nullptr;
    }

    Session session;
    WhyView view;
    HypothesesPanel& panel;
};

} // namespace plumbline::test
