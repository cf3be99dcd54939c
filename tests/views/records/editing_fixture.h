// SPDX-License-Identifier: GPL-3.0-or-later
// What the tests of editing fields share.
#pragma once

#include <QAction>
#include <QApplication>
#include <QLabel>
#include <QLineEdit>
#include <QTreeView>

#include "core/lowering/target.h"
#include "views/records/fields_view.h"

namespace plumbline::test {

inline DocumentPtr opened(const std::string& sample) {
    OpenRequest request;
    request.sample = sample;
    return *openDocument(request, npuP0Target());
}

inline const FieldTable& table() { return npuP0Target().fields(); }
inline std::size_t rowOf(std::string_view name) { return *findField(table(), name); }

inline std::int64_t valueIn(const Document& document, std::size_t record, std::string_view name) {
    return fieldValue(document.lowering->records[record].bytes, table().fields[rowOf(name)]);
}

/// A view of a document's fields that keeps the edits it asks for.
struct EditingFixture {
    explicit EditingFixture(const DocumentPtr& document)
        : view(session) {
        session.setDocument(document, Session::Keep::Nothing);
        view.resize(900, 520);
        view.show();
        QObject::connect(&session, &Session::editsRequested, &view,
                         [this](const std::vector<Edit>& made) {
                             edits.insert(edits.end(), made.begin(), made.end());
                         });
    }
    FieldsModel& model() { return *qobject_cast<FieldsModel*>(view.tree()->model()); }
    QModelIndex field(std::string_view name) {
        return model().find(table().fields[rowOf(name)].word, rowOf(name));
    }
    QString text(const QModelIndex& row, int column) {
        return row.siblingAtColumn(column).data().toString();
    }
    QString hint() {
        auto* const label = view.findChild<QLabel*>(QStringLiteral("fieldsHint"));
        return label->isVisibleTo(&view) ? label->text() : QString();
    }
    /// Opens the editor of the row by the keyboard.
    void beginEdit(const QModelIndex& row) {
        view.tree()->setCurrentIndex(row);
        view.findChild<QAction*>(QStringLiteral("fieldsEdit"))->trigger();
    }
    QLineEdit* line() { return view.findChild<QLineEdit*>(QStringLiteral("fieldsValueEditor")); }
    void finish() { // editors are committed and deleted later
        QApplication::processEvents();
        QApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
    }
    Session session;
    FieldsView view;
    std::vector<Edit> edits;
};

} // namespace plumbline::test
