// SPDX-License-Identifier: GPL-3.0-or-later
// Values as colours, and the visible part of a slice as an image.
#pragma once

#include <array>

#include <QImage>
#include <QPalette>

#include "views/layers/slice_geometry.h"
#include "views/layers/tensor_values.h"

namespace plumbline {

/// One colour per value.
class TensorColors {
  public:
    TensorColors() = default;
    /// Values from `low` to `high`, pale to strong.
    static TensorColors ofValues(int low, int high, const QPalette& palette);
    /// Differences from -`most` to `most` (at least 1).
    static TensorColors ofDifferences(int most, const QPalette& palette);

    QRgb of(int value) const;
    int low() const { return m_low; }
    int high() const { return m_high; }

  private:
    static constexpr int kOffset = 255;
    std::array<QRgb, 2 * kOffset + 1> m_colors{};
    int m_low = 0, m_high = 0;
};

/// What of a tensor is painted.
struct SliceContent {
    const TensorValues* values = nullptr;
    TensorSide side = TensorSide::Ours;
    std::int64_t channel = 0;
};

/// Most samples that are taken of the cells under one pixel, in each direction.
constexpr int kPixelSamples = 4;

/// The cells of `range` in `pixels` pixels, one cell or several per pixel. Of several the first is
/// shown, or of differences the largest of at most kPixelSamples x kPixelSamples spread over them.
/// Cells without an element stay transparent. No other element is asked for.
QImage sliceImage(const SliceContent& content, const SliceGrid& grid, const CellRange& range,
                  const QSize& pixels, const TensorColors& colors);

} // namespace plumbline
