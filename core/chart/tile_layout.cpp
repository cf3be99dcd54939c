// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/chart/tile_layout.h"

#include <algorithm>
#include <cmath>

namespace plumbline {
namespace {

constexpr double kMargin = 10;
constexpr double kBarHeight = 18;
constexpr double kGaugeHeight = 4;   ///< beyond the text line
constexpr double kLeastColumn = 230; ///< width of a grid's column with its title
constexpr double kLeastStack = 400;  ///< width of the bars beside a magnified window
constexpr double kLegibleCell = 8;   ///< units; smaller input cells get a magnified window
constexpr double kWideFrom = 1.7;    ///< width / height from which all parts stand side by side
constexpr double kLeastWide = 860;   ///< width of the canvas, likewise

/// Where a part of `size` cells begins so that `focus` is near its middle and it stays in the
/// whole.
std::int64_t partBegin(std::int64_t first, std::int64_t extent, std::int64_t size,
                       std::int64_t focus) {
    return std::clamp(focus - size / 2, first, first + extent - size);
}

/// The window with one element around it, as far as the padded input goes.
GridRect bordered(const GridRect& window, const GridRect& padded) {
    const std::int64_t top = std::max(window.y - 1, padded.y);
    const std::int64_t left = std::max(window.x - 1, padded.x);
    const std::int64_t bottom = std::min(window.y + window.h + 1, padded.y + padded.h);
    const std::int64_t right = std::min(window.x + window.w + 1, padded.x + padded.w);
    return {top, left, std::max<std::int64_t>(bottom - top, 0),
            std::max<std::int64_t>(right - left, 0)};
}

bool contains(const GraphRect& rect, const GraphPoint& point) {
    return point.x >= rect.x && point.x <= rect.right() && point.y >= rect.y &&
           point.y <= rect.bottom();
}

double stackHeight(double line) {
    return (line + kBarHeight + line) + (line + 2 * kBarHeight + 6) +
           (line + 3 * (line + kGaugeHeight + 2)) + 3 * kMargin;
}

} // namespace

GridView::GridView(const GraphRect& area, const GridRect& whole, const GridPoint& focus)
    : m_whole(whole)
    , m_shown(whole) {
    if (whole.h <= 0 || whole.w <= 0 || area.width < 1 || area.height < 1) {
        m_shown = {whole.y, whole.x, 0, 0};
        m_whole = m_shown;
        return;
    }
    m_cell = std::min({area.width / static_cast<double>(whole.w),
                       area.height / static_cast<double>(whole.h), kLargestCell});
    if (m_cell < kLeastCell) {
        m_cell = kPartCell;
        m_shown.h =
            std::clamp<std::int64_t>(std::llround(std::floor(area.height / m_cell)), 1, whole.h);
        m_shown.w =
            std::clamp<std::int64_t>(std::llround(std::floor(area.width / m_cell)), 1, whole.w);
        m_shown.y = partBegin(whole.y, whole.h, m_shown.h, focus.y);
        m_shown.x = partBegin(whole.x, whole.w, m_shown.w, focus.x);
    } else if (m_cell >= 4) {
        m_cell = std::floor(m_cell);
    }
    m_origin = {area.x, area.y};
}

GraphRect GridView::rectOf(const GridRect& rect) const {
    const std::int64_t top = std::max(rect.y, m_shown.y);
    const std::int64_t left = std::max(rect.x, m_shown.x);
    const std::int64_t bottom = std::min(rect.y + rect.h, m_shown.y + m_shown.h);
    const std::int64_t right = std::min(rect.x + rect.w, m_shown.x + m_shown.w);
    if (bottom <= top || right <= left)
        return {};
    const auto units = [this](std::int64_t cells) { return static_cast<double>(cells) * m_cell; };
    return {m_origin.x + units(left - m_shown.x), m_origin.y + units(top - m_shown.y),
            units(right - left), units(bottom - top)};
}

std::optional<GridPoint> GridView::cellAt(const GraphPoint& at) const {
    if (m_cell <= 0 || !contains(frame(), at))
        return std::nullopt;
    const auto cells = [this](double distance, std::int64_t most) {
        return std::clamp<std::int64_t>(std::llround(std::floor(distance / m_cell)), 0, most - 1);
    };
    return GridPoint{m_shown.y + cells(at.y - m_origin.y, m_shown.h),
                     m_shown.x + cells(at.x - m_origin.x, m_shown.w)};
}

GraphRect PartBar::part(std::int64_t begin, std::int64_t end) const {
    if (count <= 0)
        return {};
    const auto at = [this](std::int64_t index) {
        const double fraction = static_cast<double>(std::clamp<std::int64_t>(index, 0, count)) /
                                static_cast<double>(count);
        return rect.x + rect.width * fraction;
    };
    return {at(begin), rect.y, at(end) - at(begin), rect.height};
}

std::optional<std::int64_t> PartBar::partAt(const GraphPoint& at) const {
    if (count <= 0 || rect.width <= 0 || !contains(rect, at))
        return std::nullopt;
    const double fraction = (at.x - rect.x) / rect.width;
    return std::clamp<std::int64_t>(std::llround(std::floor(fraction * static_cast<double>(count))),
                                    0, count - 1);
}

double TileLayout::leastHeight(double line) { return stackHeight(line) + kMargin; }

void TileLayout::placeBars(const GraphPoint& at, double width, double line, const TileWalk& walk) {
    double y = at.y;
    const auto take = [&](double height) {
        const GraphRect row{at.x, y, width, height};
        y += height;
        return row;
    };
    reductionTitle = take(line);
    reduction = {take(kBarHeight), walk.plan().fullK};
    reductionTicks = take(line);
    y += kMargin;
    groupTitle = take(line);
    groups = {take(kBarHeight), walk.groups()};
    y += 4;
    lanes = {take(kBarHeight), walk.plan().facts.lanes};
    y += kMargin;
    gaugeTitle = take(line);
    for (GraphRect& gauge : gauges) {
        gauge = take(line + kGaugeHeight);
        y += 2;
    }
}

TileLayout TileLayout::make(const GraphRect& canvas, double line, const TileWalk& walk,
                            const TileCursor& cursor) {
    TileLayout made;
    const GraphRect inner{canvas.x + kMargin, canvas.y + kMargin, canvas.width - 2 * kMargin,
                          canvas.height - 2 * kMargin};
    const bool isWide = (canvas.width > kWideFrom * canvas.height && canvas.width > kLeastWide) ||
                        inner.height < stackHeight(line) + 6 * line;
    const double gridWidth = (inner.width - (isWide ? 4 : 2) * kMargin) / (isWide ? 3 : 2);
    const double gridHeight = isWide ? inner.height : inner.height - stackHeight(line);
    GraphRect left{inner.x, inner.y, gridWidth, gridHeight};
    const auto titleOf = [line](const GraphRect& area) {
        return GraphRect{area.x, area.y, area.width, line};
    };
    const auto bodyOf = [line](const GraphRect& area) {
        return GraphRect{area.x, area.y + line + 4, area.width, area.height - line - 4};
    };
    const OperatorGeometry& g = walk.geometry();
    const GridPoint at = walk.position(cursor.tile, cursor.position);
    made.output = GridView(bodyOf(left), {0, 0, g.oh, g.ow}, at);
    // Side by side, a column is as wide as its grid: the rest is for the bars.
    const auto narrowed = [&](GraphRect area, const GridView& grid) {
        if (isWide)
            area.width = std::min(area.width, std::max(grid.frame().width, kLeastColumn));
        return area;
    };
    left = narrowed(left, made.output);
    made.outputTitle = titleOf(left);
    GraphRect right{left.right() + 2 * kMargin, left.y, gridWidth, gridHeight};
    const GridRect window = walk.window({at.y, at.x, 1, 1});
    made.input = GridView(bodyOf(right), walk.paddedInput(),
                          {window.y + window.h / 2, window.x + window.w / 2});
    right = narrowed(right, made.input);
    made.inputTitle = titleOf(right);
    double stackLeft = isWide ? right.right() + 2 * kMargin : inner.x;
    if (isWide && made.input.cell() < kLegibleCell &&
        inner.right() - stackLeft > kLeastColumn + kLeastStack) {
        const GraphRect area{stackLeft, right.y, kLeastColumn, gridHeight};
        made.windowTitle = titleOf(area);
        made.window = GridView(bodyOf(area), bordered(window, walk.paddedInput()), {});
        stackLeft = area.right() + 2 * kMargin;
    }
    const double top = isWide ? inner.y : left.bottom() + kMargin;
    made.placeBars({stackLeft, top}, inner.right() - stackLeft, line, walk);
    return made;
}

} // namespace plumbline
