// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/graph/graph_export.h"

#include <algorithm>
#include <cmath>

#include <QBuffer>
#include <QImage>
#include <QSaveFile>
#include <QSvgGenerator>

namespace plumbline {
namespace {

constexpr double kPngScale = 2;
constexpr double kMaxSide = 16384;
constexpr double kMaxPixels = 64e6;

QString tr(const char* text) { return QCoreApplication::translate("plumbline::GraphExport", text); }

GraphLook plainLook(const GraphLook& look) {
    GraphLook plain = look;
    plain.current.reset();
    plain.hovered.reset();
    plain.tensor.reset();
    plain.found.clear();
    return plain;
}

QSizeF contentOf(const GraphScene& scene) {
    return {std::max(scene.facts.layout().width, 1.0), std::max(scene.facts.layout().height, 1.0)};
}

GraphExport written(const QByteArray& content, const QString& path, const QString& note) {
    QSaveFile file(path);
    GraphExport result;
    if (!file.open(QIODevice::WriteOnly) || file.write(content) != content.size() || !file.commit())
        result.error = tr("%1 could not be written: %2").arg(path, file.errorString());
    else
        result.note = note;
    return result;
}

} // namespace

double pngScale(const QSizeF& content) {
    const double width = std::max(content.width(), 1.0);
    const double height = std::max(content.height(), 1.0);
    return std::min(
        {kPngScale, kMaxSide / width, kMaxSide / height, std::sqrt(kMaxPixels / width / height)});
}

GraphExport exportGraphSvg(const GraphScene& scene, const GraphLook& look, const QString& path) {
    const QSizeF content = contentOf(scene);
    const GraphLook plain = plainLook(look);
    QByteArray bytes;
    {
        QBuffer buffer(&bytes);
        buffer.open(QIODevice::WriteOnly);
        QSvgGenerator generator;
        generator.setOutputDevice(&buffer);
        generator.setSize(content.toSize());
        generator.setViewBox(QRectF(QPointF(), content));
        generator.setTitle(QString::fromStdString(scene.facts.document().title));
        generator.setDescription(tr("Operator graph"));
        QPainter painter(&generator);
        painter.fillRect(QRectF(QPointF(), content), plain.palette.color(QPalette::Base));
        GraphPainter(scene.index, scene.facts, plain)
            .paint(painter, QRectF(QPointF(), content), QPointF(), 1);
    }
    return written(bytes, path, {});
}

GraphExport exportGraphPng(const GraphScene& scene, const GraphLook& look, const QString& path) {
    const QSizeF content = contentOf(scene);
    const GraphLook plain = plainLook(look);
    const double scale = pngScale(content);
    const QSize size = (content * scale).toSize().expandedTo(QSize(1, 1));
    QImage image(size, QImage::Format_RGB32);
    if (image.isNull()) {
        GraphExport failed;
        failed.error = tr("There is not enough memory for a picture of this graph.");
        return failed;
    }
    image.fill(plain.palette.color(QPalette::Base));
    {
        QPainter painter(&image);
        GraphPainter(scene.index, scene.facts, plain)
            .paint(painter, QRectF(QPointF(), content), QPointF(), scale);
    }
    QByteArray bytes;
    QBuffer buffer(&bytes);
    buffer.open(QIODevice::WriteOnly);
    image.save(&buffer, "PNG");
    const QString note =
        scale < kPngScale
            ? tr("The graph is large: the picture has %1 by %2 pixels, %3 per cent of "
                 "the full size. An SVG file keeps everything.")
                  .arg(size.width())
                  .arg(size.height())
                  .arg(std::max(1, static_cast<int>(100 * scale / kPngScale)))
            : QString();
    return written(bytes, path, note);
}

} // namespace plumbline
