// SPDX-License-Identifier: GPL-3.0-or-later
// How the report's tables and figures are brought to the size of a page.
#pragma once

#include <QObject>
#include <QTextDocument>
#include <QTextObjectInterface>

#include "core/export/content.h"

namespace plumbline::gui {

/// Figures stand in the text as images called "figure:ID", or "figure:ID#K/N" for the K-th of N
/// parts of one that is higher than a page.
class PaperFigures : public QObject, public QTextObjectInterface {
    Q_OBJECT
    Q_INTERFACES(QTextObjectInterface)

  public:
    /// `page` and `unit`, which is one unit of drawings, in the pixels of the device.
    PaperFigures(const ReportContent& content, const QSizeF& page, double unit);

    /// Puts the parts of what is higher than a page in its place.
    void split(QTextDocument& document) const;

    QSizeF intrinsicSize(QTextDocument* document, int position, const QTextFormat& format) override;
    void drawObject(QPainter* painter, const QRectF& rect, QTextDocument* document, int position,
                    const QTextFormat& format) override;

  private:
    struct Part {
        const Drawing* drawing = nullptr; ///< null for an unknown name
        int index = 0, count = 1;
        double scale = 1;  ///< device pixels per unit
        double height = 0; ///< of the part, in units
    };
    Part partOf(const QString& name) const;

    const ReportContent& m_content;
    QSizeF m_page;
    double m_unit;
};

/// Gives every table column widths in which no word is broken, in a font of `points`, or a smaller
/// one where `width`, in the pixels of `device`, is too narrow for that. Returns the smallest share
/// of `points` that a table was given, 1 where all of them fit.
double fitTables(QTextDocument& document, QPaintDevice& device, double width, double points);

} // namespace plumbline::gui
