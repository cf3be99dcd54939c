// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/layers/slice_raster.h"

#include <algorithm>
#include <cstdlib>

#include "views/common/palette.h"

namespace plumbline {
namespace {

/// The cells from `begin` to `end` of a row or a column of cells that one pixel stands for.
struct Stretch {
    std::int64_t begin = 0, end = 0;
    std::int64_t step() const {
        return std::max<std::int64_t>(1, (end - begin + kPixelSamples - 1) / kPixelSamples);
    }
};

Stretch stretchOf(int pixel, int pixels, std::int64_t first, std::int64_t count) {
    const std::int64_t begin = first + count * pixel / pixels;
    return {begin, std::max(begin + 1, first + count * (pixel + 1) / pixels)};
}

std::optional<int> valueUnder(const SliceContent& content, const SliceGrid& grid,
                              const Stretch& rows, const Stretch& columns) {
    std::optional<int> found;
    for (std::int64_t row = rows.begin; row < rows.end; row += rows.step())
        for (std::int64_t column = columns.begin; column < columns.end; column += columns.step()) {
            const auto element = grid.elementAt({row, column}, content.channel);
            if (!element)
                continue;
            const int value = content.values->at(content.side, content.values->indexOf(*element));
            if (content.side != TensorSide::Difference)
                return value;
            if (!found || std::abs(value) > std::abs(*found))
                found = value;
        }
    return found;
}

} // namespace

TensorColors TensorColors::ofValues(int low, int high, const QPalette& palette) {
    TensorColors made;
    made.m_low = low;
    made.m_high = high;
    const double span = std::max(1, high - low);
    for (int value = -kOffset; value <= kOffset; ++value)
        made.m_colors.at(static_cast<std::size_t>(value + kOffset)) =
            heatColor((value - low) / span, palette).rgb();
    return made;
}

TensorColors TensorColors::ofDifferences(int most, const QPalette& palette) {
    TensorColors made;
    made.m_high = std::max(1, most);
    made.m_low = -made.m_high;
    for (int value = -kOffset; value <= kOffset; ++value) {
        // The smallest difference is already apart from none.
        constexpr double kLeast = 0.25;
        const double share = static_cast<double>(std::abs(value)) / made.m_high;
        const double strength = value == 0 ? 0 : kLeast + (1 - kLeast) * share;
        made.m_colors.at(static_cast<std::size_t>(value + kOffset)) =
            divergingColor(value < 0 ? -strength : strength, palette).rgb();
    }
    return made;
}

QRgb TensorColors::of(int value) const {
    return m_colors.at(static_cast<std::size_t>(std::clamp(value, -kOffset, kOffset) + kOffset));
}

QImage sliceImage(const SliceContent& content, const SliceGrid& grid, const CellRange& range,
                  const QSize& pixels, const TensorColors& colors) {
    if (range.rows <= 0 || range.columns <= 0 || pixels.isEmpty())
        return {};
    QImage image(pixels, QImage::Format_ARGB32_Premultiplied);
    for (int y = 0; y < image.height(); ++y) {
        const Stretch rows = stretchOf(y, image.height(), range.row, range.rows);
        auto* const line = reinterpret_cast<QRgb*>(image.scanLine(y));
        for (int x = 0; x < image.width(); ++x) {
            const Stretch columns = stretchOf(x, image.width(), range.column, range.columns);
            const auto value = valueUnder(content, grid, rows, columns);
            line[x] = value ? colors.of(*value) : qRgba(0, 0, 0, 0);
        }
    }
    return image;
}

} // namespace plumbline
