// SPDX-License-Identifier: GPL-3.0-or-later
// What a view says when there is nothing to show.
#pragma once

#include <QLabel>

namespace plumbline {

/// A centred, muted, wrapping line that says what to do next.
inline QLabel* makeEmptyNote(QWidget* parent) {
    auto* const note = new QLabel(parent);
    note->setAlignment(Qt::AlignCenter);
    note->setWordWrap(true);
    note->setForegroundRole(QPalette::PlaceholderText);
    note->setTextFormat(Qt::PlainText);
    note->setTextInteractionFlags(Qt::TextSelectableByMouse);
    note->setMargin(16);
    return note;
}

} // namespace plumbline
