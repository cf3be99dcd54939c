// SPDX-License-Identifier: GPL-3.0-or-later
// The whole graph as a file.
#pragma once

#include <QCoreApplication>
#include <QSize>
#include <QString>

#include "views/graph/graph_canvas.h"

namespace plumbline {

/// What became of an export. `note` says what was reduced; `error` why there is no file.
struct GraphExport {
    QString error;
    QString note;
    bool ok() const { return error.isEmpty(); }
};

/// Full detail at 100 %, with the heat, the filter and the colours of `look`, without selection.
/// Text stays text. The file is replaced only when all of it could be written.
GraphExport exportGraphSvg(const GraphScene& scene, const GraphLook& look, const QString& path);

/// The same in pixels, two per unit, fewer for graphs beyond 16,384 pixels a side or 64 million in
/// all.
GraphExport exportGraphPng(const GraphScene& scene, const GraphLook& look, const QString& path);

/// Pixels per unit of a PNG of a layout this large.
double pngScale(const QSizeF& content);

} // namespace plumbline
