// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/common/picture_export.h"

#include <algorithm>

#include <QApplication>
#include <QBuffer>
#include <QPainter>
#include <QPointer>
#include <QScreen>
#include <QSvgGenerator>

#include "views/common/palette.h"

namespace plumbline {
namespace {

/// The application in a theme for as long as this lives: views colour what they paint by their
/// palette or the application's, and learn of the change at once.
class ThemeScope {
  public:
    explicit ThemeScope(std::optional<bool> dark)
        : m_before(QApplication::palette()) {
        m_isOther = dark && *dark != isDark(m_before);
        if (!m_isOther)
            return;
        const QPalette wanted = themePalette(*dark);
        QApplication::setPalette(wanted);
        for (QWidget* const window : QApplication::topLevelWidgets()) {
            give(*window, wanted);
            // With a style sheet, widgets do not inherit what their window is given.
            for (QWidget* const part : window->findChildren<QWidget*>())
                give(*part, wanted);
        }
    }
    ~ThemeScope() {
        if (!m_isOther)
            return;
        QApplication::setPalette(m_before);
        for (const QPointer<QWidget>& widget : std::as_const(m_given))
            if (widget)
                widget->setPalette(QPalette());
    }
    ThemeScope(const ThemeScope&) = delete;
    ThemeScope& operator=(const ThemeScope&) = delete;

  private:
    void give(QWidget& widget, const QPalette& wanted) {
        const bool hasOwn = widget.testAttribute(Qt::WA_SetPalette);
        if (hasOwn || isDark(widget.palette()) == isDark(wanted))
            return;
        widget.setPalette(wanted);
        m_given.append(&widget);
    }

    QPalette m_before;
    bool m_isOther = false;
    QList<QPointer<QWidget>> m_given; ///< that follow the application otherwise
};

/// The size that `picture` is laid out with for one of `size`, in the same proportions.
QSize laidOut(const ViewPicture& picture, QSize size) {
    const double factor = std::max({1.0, picture.least.width() / static_cast<double>(size.width()),
                                    picture.least.height() / static_cast<double>(size.height())});
    return (QSizeF(size) * factor).toSize();
}

QByteArray svgOf(const ViewPicture& picture, QSize size) {
    QByteArray bytes;
    QBuffer buffer(&bytes);
    buffer.open(QIODevice::WriteOnly);
    QSvgGenerator generator;
    generator.setOutputDevice(&buffer);
    generator.setSize(size);
    const QSize inside = laidOut(picture, size);
    generator.setViewBox(QRect(QPoint(), inside));
    generator.setTitle(picture.title.toHtmlEscaped()); // written as it is
    // As texts were laid out.
    generator.setResolution(qRound(QGuiApplication::primaryScreen()->logicalDotsPerInch()));
    picture.paint(generator, inside);
    return bytes;
}

} // namespace

QImage pictureImage(const ViewPicture& picture, QSize size, double scale,
                    std::optional<bool> dark) {
    const ThemeScope theme(dark);
    QImage image((QSizeF(size) * scale).toSize().expandedTo({1, 1}), QImage::Format_RGB32);
    if (image.isNull())
        return image;
    const QSize inside = laidOut(picture, size);
    image.setDevicePixelRatio(scale * size.width() / inside.width());
    image.fill(QApplication::palette().color(QPalette::Base));
    picture.paint(image, inside);
    return image;
}

bool isWithinLimits(const PictureOptions& options) {
    const bool isPng = options.format == PictureOptions::Format::Png;
    const QSizeF pixels = QSizeF(options.size) * (isPng ? options.scale : 1);
    return !options.size.isEmpty() && options.scale >= 1 &&
           std::max(pixels.width(), pixels.height()) <= kMostPictureSide &&
           (!isPng || pixels.width() * pixels.height() <= kMostPicturePixels);
}

Result<QByteArray> pictureFile(const ViewPicture& picture, const PictureOptions& options) {
    if (!isWithinLimits(options))
        return makeError(Code::Usage, "The picture is too large or too small: a side has 1 to "
                                      "16,384 pixels, and all of it at most 64 million.");
    if (options.format == PictureOptions::Format::Svg) {
        const ThemeScope theme(options.dark);
        return svgOf(picture, options.size);
    }
    QByteArray bytes;
    QBuffer buffer(&bytes);
    buffer.open(QIODevice::WriteOnly);
    const QImage image = pictureImage(picture, options.size, options.scale, options.dark);
    if (image.isNull() || !image.save(&buffer, "PNG"))
        return makeError(Code::Usage, "There is not enough memory for a picture of this size.");
    return bytes;
}

ViewPicture widgetPicture(QWidget& widget, const QString& name, const QString& title) {
    const auto paint = [&widget](QPaintDevice& device, QSize size) {
        const QSize before = widget.size();
        widget.resize(size);
        widget.render(&device, QPoint(), QRegion(), QWidget::DrawWindowBackground);
        widget.resize(before);
    };
    return {name, title, widget.size(), paint, widget.minimumSizeHint().expandedTo({1, 1})};
}

} // namespace plumbline
