// SPDX-License-Identifier: GPL-3.0-or-later
// Pictures of views as files.
#pragma once

#include <optional>

#include <QImage>

#include "core/base/result.h"
#include "views/common/view.h"

namespace plumbline {

struct PictureOptions {
    enum class Format : std::uint8_t { Svg, Png };
    Format format = Format::Svg;
    QSize size;               ///< in pixels at 100 %; 1 to kMostPictureSide on either side
    int scale = 1;            ///< of PNG: pixels of the file per pixel of `size`
    std::optional<bool> dark; ///< nothing: as shown
};

inline constexpr int kMostPictureSide = 16384; ///< pixels, of a file as well
inline constexpr double kMostPicturePixels = 64e6;

/// Whether a file may be so large.
bool isWithinLimits(const PictureOptions& options);

/// The file's content. Error: Usage beyond the limits.
Result<QByteArray> pictureFile(const ViewPicture& picture, const PictureOptions& options);

/// The picture with `scale` pixels per pixel of `size`; a null image where it cannot be made.
QImage pictureImage(const ViewPicture& picture, QSize size, double scale,
                    std::optional<bool> dark = {});

/// The picture of a widget that paints all of itself and keeps nothing of its size but its layout.
/// `widget` outlives it; what is on the screen stays.
ViewPicture widgetPicture(QWidget& widget, const QString& name, const QString& title);

} // namespace plumbline
