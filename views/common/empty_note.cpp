// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/common/empty_note.h"

#include "views/common/format.h"

namespace plumbline {

QLabel* makeEmptyNote(QWidget* parent) {
    auto* const note = new QLabel(parent);
    note->setAlignment(Qt::AlignCenter);
    note->setWordWrap(true);
    note->setForegroundRole(QPalette::PlaceholderText);
    note->setTextFormat(Qt::PlainText);
    note->setTextInteractionFlags(Qt::TextSelectableByMouse);
    note->setMargin(16);
    return note;
}

QString emptyReason(const Document& document, const QString& invitation) {
    const Lowering& lowering = *document.lowering;
    if (document.title.empty() && lowering.operators.empty())
        return invitation;
    if (document.kind == DocumentKind::Trace && !lowering.operators.empty())
        return QObject::tr(
            "A trace holds the outputs of layers and nothing of how they were made.");
    if (lowering.operators.empty())
        return QObject::tr("%1 could not be understood. The diagnostics say why.")
            .arg(safeText(document.title));
    if (!lowering.complete)
        return QObject::tr(
            "Not lowered completely, so nothing was made. The diagnostics say which rule "
            "the model breaks.");
    return QObject::tr("Nothing of this model runs on the accelerator.");
}

} // namespace plumbline
