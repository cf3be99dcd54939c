// SPDX-License-Identifier: GPL-3.0-or-later
// What a view says when there is nothing to show.
#pragma once

#include <QLabel>

#include "core/document/document.h"

namespace plumbline {

/// A centred, muted, wrapping line that says what to do next.
QLabel* makeEmptyNote(QWidget* parent);

/// Why a document without records shows none: it is a trace, could not be read, or was not lowered
/// completely. `invitation` is for a session in which nothing is open.
QString emptyReason(const Document& document, const QString& invitation);

} // namespace plumbline
