// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

#include "core/base/text.h"
#include "core/chart/charts.h"
#include "core/chart/tile_layout.h"

namespace plumbline {
namespace {

constexpr double kWidth = 520, kHeight = 256;
constexpr GraphRect kGrid{8, 44, 200, 204}; ///< room of the output grid
constexpr double kBarsLeft = 228, kBarsWidth = 284;
constexpr double kBarHeight = 18, kLineHeight = 15;
constexpr double kTextSize = 12;
constexpr double kLargestCell = 24;
constexpr double kBorderWidth = 0.8, kFrameWidth = 1.4;
constexpr double kLeastGap = 3;          ///< between two borders of tiles
constexpr double kNumberedPart = 16;     ///< width of a part that shows its number
constexpr double kGaugeNames = 78;       ///< width of the gauges' names
constexpr double kGaugeNumbers = 120;    ///< and of their numbers
constexpr std::int64_t kMostSlices = 24; ///< more are drawn as one bar

std::string shortenedText(std::int64_t tiles) {
    return tiles > 0 ? fmt::format(", {} shortened", groupedDigits(tiles)) : std::string();
}

DrawnBox boxOf(const GraphRect& box, Ink fill, Ink edge) {
    DrawnBox made;
    made.box = box;
    made.fill = fill;
    made.edge = edge;
    return made;
}

class TileChartMaker {
  public:
    TileChartMaker(const LoweredOperator& op, const TileWalk& walk)
        : m_op(op)
        , m_walk(walk)
        , m_cell(std::min({kGrid.width / static_cast<double>(walk.geometry().ow),
                           kGrid.height / static_cast<double>(walk.geometry().oh), kLargestCell})) {
    }

    Drawing make() {
        m_drawing.width = kWidth;
        m_drawing.height = kHeight;
        m_drawing.title = fmt::format("Tiles and slices of operator {} {}", m_op.index,
                                      printable(m_op.opcodeName));
        m_drawing.description = descriptionText();
        addOutput();
        addReduction();
        addGroups();
        addGauges();
        return std::move(m_drawing);
    }

  private:
    void add(Shape shape) { m_drawing.shapes.emplace_back(std::move(shape)); }

    void addText(const GraphRect& box, const std::string& text, Ink ink,
                 DrawnLabel::Align align = DrawnLabel::Align::Left) {
        DrawnLabel label;
        label.box = box;
        label.text = fittedText(text, box.width, kTextSize);
        label.size = kTextSize;
        label.align = align;
        label.ink = ink;
        if (!label.text.empty())
            add(std::move(label));
    }

    GraphRect cells(const GridRect& rect) const {
        const auto units = [this](std::int64_t count) {
            return static_cast<double>(count) * m_cell;
        };
        return {kGrid.x + units(rect.x), kGrid.y + units(rect.y), units(rect.w), units(rect.h)};
    }

    void addOutput() {
        const OperatorGeometry& g = m_walk.geometry();
        const std::int64_t stepH = m_walk.plan().tileH, stepW = m_walk.plan().tileW;
        const GraphRect frame = cells({0, 0, g.oh, g.ow});
        const std::int64_t whole = (g.oh / stepH) * (g.ow / stepW);
        addText({8, 6, kBarsLeft - 16, kLineHeight},
                fmt::format("Output {}×{}×{}", g.oh, g.ow, g.cout), Ink::of(Tone::Muted));
        addText({8, 23, kBarsLeft - 16, kLineHeight},
                fmt::format("{} of {}×{}{}", counted(m_walk.tileCount(), "tile", "tiles"), stepH,
                            stepW, shortenedText(m_walk.tileCount() - whole)),
                Ink::of(Tone::Muted));
        add(boxOf(frame, Ink::of(Tone::Surface), Ink::none()));
        add(boxOf(cells(m_walk.tile(0)), Ink::of(Tone::AccentFill), Ink::none()));
        addShortened(g.oh % stepH, g.ow % stepW);
        addBorders(frame, static_cast<double>(stepH) * m_cell, true);
        addBorders(frame, static_cast<double>(stepW) * m_cell, false);
        addFrame(frame);
    }

    /// Hatches the tiles that the output's edge cuts: `rows` and `columns` of them are left.
    void addShortened(std::int64_t rows, std::int64_t columns) {
        const OperatorGeometry& g = m_walk.geometry();
        const auto hatch = [this](const GridRect& rect) {
            DrawnBox box = boxOf(cells(rect), Ink::none(), Ink::of(Tone::SurfaceEdge));
            box.hatched = true;
            add(std::move(box));
        };
        if (rows > 0)
            hatch({g.oh - rows, 0, rows, g.ow});
        if (columns > 0)
            hatch({0, g.ow - columns, g.oh - rows, columns});
    }

    /// The borders between tiles in one direction as one line that turns on the frame; of very
    /// small tiles every second one, or fewer.
    void addBorders(const GraphRect& frame, double step, bool across) {
        const double span = across ? frame.height : frame.width;
        const double spacing = step * std::max(std::ceil(kLeastGap / step), 1.0);
        DrawnLine line;
        line.ink = Ink::of(Tone::Edge);
        line.width = kBorderWidth;
        bool isBack = false;
        for (double at = spacing; at < span - kLeastGap / 100; at += spacing) {
            const double first = isBack ? 1 : 0;
            for (const double end : {first, 1 - first})
                line.points.push_back(across
                                          ? GraphPoint{frame.x + frame.width * end, frame.y + at}
                                          : GraphPoint{frame.x + at, frame.y + frame.height * end});
            isBack = !isBack;
        }
        if (!line.points.empty())
            add(std::move(line));
    }

    /// Covers where the borders turn.
    void addFrame(const GraphRect& frame) {
        DrawnBox box = boxOf(frame, Ink::none(), Ink::of(Tone::Edge));
        box.edgeWidth = kFrameWidth;
        add(std::move(box));
    }

    void addReduction() {
        const PartBar bar{{kBarsLeft, 26, kBarsWidth, kBarHeight}, m_walk.plan().fullK};
        const std::int64_t slices = m_walk.slices();
        const bool isReduced = m_walk.plan().facts.reduction != Reduction::None;
        addText({kBarsLeft, 6, kBarsWidth, kLineHeight},
                isReduced ? reductionText() : "K = 1: no reduction", Ink::of(Tone::Muted));
        for (std::int64_t i = 0; i < slices && slices <= kMostSlices; ++i) {
            const ReductionSlice slice = m_walk.slice(i);
            const GraphRect rect = bar.part(slice.begin, slice.end);
            const auto category = static_cast<std::size_t>(i);
            add(boxOf(rect, Ink::ofCategory(category), Ink::of(Tone::SurfaceEdge)));
            if (rect.width >= kNumberedPart)
                addText(rect, std::to_string(i), Ink::onCategory(category),
                        DrawnLabel::Align::Centre);
        }
        if (slices > kMostSlices)
            add(boxOf(bar.rect, Ink::ofCategory(0), Ink::of(Tone::SurfaceEdge)));
        const GraphRect below{kBarsLeft, 46, kBarsWidth, kLineHeight};
        addText(below, "0", Ink::of(Tone::Muted));
        addText(below, groupedDigits(m_walk.plan().fullK), Ink::of(Tone::Muted),
                DrawnLabel::Align::Right);
        if (isReduced)
            addText(below,
                    counted(slices, "slice", "slices") +
                        (slices > 1
                             ? fmt::format(" of {} steps", groupedDigits(m_walk.plan().kSlice))
                             : ""),
                    Ink::of(Tone::Muted), DrawnLabel::Align::Centre);
    }

    void addGroups() {
        const std::int64_t groups = m_walk.groups(), lanes = m_walk.plan().facts.lanes;
        const PartBar bar{{kBarsLeft, 94, kBarsWidth, kBarHeight}, groups * lanes};
        const std::int64_t channels = m_walk.geometry().cout;
        const std::int64_t tail = groups * lanes - channels;
        addText({kBarsLeft, 74, kBarsWidth, kLineHeight},
                fmt::format("{} in {} of {} lanes", counted(channels, "channel", "channels"),
                            counted(groups, "group", "groups"), lanes),
                Ink::of(Tone::Muted));
        add(boxOf(bar.part(0, channels), Ink::of(Tone::AccentFill), Ink::none()));
        if (tail > 0) {
            DrawnBox unused =
                boxOf(bar.part(channels, bar.count), Ink::none(), Ink::of(Tone::SurfaceEdge));
            unused.hatched = true;
            add(std::move(unused));
            addText({kBarsLeft, 114, kBarsWidth, kLineHeight},
                    counted(tail, "lane unused", "lanes unused"), Ink::of(Tone::Muted),
                    DrawnLabel::Align::Right);
        }
        const double step = bar.rect.width / static_cast<double>(groups);
        addBorders(bar.rect, step, false);
        addFrame(bar.rect);
        for (std::int64_t i = 0; i < groups && step >= kNumberedPart; ++i)
            addText(bar.part(i * lanes, std::min((i + 1) * lanes, channels)), std::to_string(i),
                    Ink::of(Tone::Text), DrawnLabel::Align::Centre);
    }

    void addGauges() {
        addText({kBarsLeft, 142, kBarsWidth, kLineHeight},
                m_op.buffers.limit > 0
                    ? fmt::format("Half buffers, limit {}",
                                  exactBytesText(static_cast<std::uint64_t>(m_op.buffers.limit)))
                    : "Half buffers, no limit stated",
                Ink::of(Tone::Muted));
        double y = 162;
        for (const auto& [name, bytes] : gauges()) {
            addGauge(y, name, bytes);
            y += kBarHeight + 8;
        }
    }

    void addGauge(double y, std::string_view name, std::int64_t bytes) {
        const std::int64_t limit = m_op.buffers.limit;
        const double share =
            limit > 0 ? static_cast<double>(bytes) / static_cast<double>(limit) : 0;
        const bool isOver = limit > 0 && bytes > limit;
        const GraphRect bar{kBarsLeft + kGaugeNames, y, kBarsWidth - kGaugeNames - kGaugeNumbers,
                            kBarHeight};
        addText({kBarsLeft, y, kGaugeNames, kBarHeight}, std::string(name), Ink::of(Tone::Text));
        add(boxOf(bar, Ink::of(Tone::Surface), Ink::none()));
        GraphRect filled = bar;
        filled.width *= std::clamp(share, 0.0, 1.0);
        if (filled.width > 0)
            add(boxOf(filled, isOver ? Ink::of(Tone::Error) : Ink::ofCategory(0), Ink::none()));
        add(boxOf(bar, Ink::none(), Ink::of(isOver ? Tone::Error : Tone::Edge)));
        addText({bar.right() + 6, y, kGaugeNumbers - 6, kBarHeight},
                isOver      ? groupedDigits(bytes) + ", over"
                : limit > 0 ? fmt::format("{} ({:.1f} %)", groupedDigits(bytes), 100 * share)
                            : groupedDigits(bytes),
                Ink::of(isOver ? Tone::Error : Tone::Text));
    }

    std::array<std::pair<std::string_view, std::int64_t>, 3> gauges() const {
        return {{{"raw gather", m_op.buffers.rawGatherHalf},
                 {"packed A", m_op.buffers.packedA},
                 {"packed W", m_op.buffers.packedW}}};
    }

    /// "K = 576 = 3 kh × 3 kw × 64 cin"
    std::string reductionText() const {
        return fmt::format("K = {} = {} kh × {} kw{}", groupedDigits(m_walk.plan().fullK),
                           m_walk.kernelH(), m_walk.kernelW(),
                           m_walk.plan().facts.reduction == Reduction::WindowChannels
                               ? fmt::format(" × {} cin", m_walk.geometry().cin)
                               : "");
    }

    std::string descriptionText() const;

    const LoweredOperator& m_op;
    const TileWalk& m_walk;
    double m_cell;
    Drawing m_drawing;
};

std::string TileChartMaker::descriptionText() const {
    const OperatorGeometry& g = m_walk.geometry();
    const TilePlan& plan = m_walk.plan();
    const std::int64_t whole = (g.oh / plan.tileH) * (g.ow / plan.tileW);
    const std::int64_t lanes = plan.facts.lanes;
    std::string text =
        fmt::format("The output of {} rows, {} columns and {} is made in {} of {} rows and {} "
                    "columns, {} of them shortened by the edge.",
                    g.oh, g.ow, counted(g.cout, "channel", "channels"),
                    counted(m_walk.tileCount(), "tile", "tiles"), plan.tileH, plan.tileW,
                    groupedDigits(m_walk.tileCount() - whole));
    if (static_cast<double>(std::min(plan.tileH, plan.tileW)) * m_cell < kLeastGap)
        text += " Not every border of the small tiles is drawn.";
    text += plan.facts.reduction == Reduction::None
                ? " Nothing is reduced."
                : fmt::format(" The reduction, {}, is cut into {} of at most {} steps.",
                              reductionText(), counted(m_walk.slices(), "slice", "slices"),
                              groupedDigits(plan.kSlice));
    text += fmt::format(
        " The channels run in {} of {} lanes; {} in the last group.",
        counted(m_walk.groups(), "group", "groups"), lanes,
        counted(m_walk.groups() * lanes - g.cout, "lane is unused", "lanes are unused"));
    text += " Bytes of a half buffer: ";
    for (const auto& [name, bytes] : gauges())
        text += fmt::format("{} {}, ", name, groupedDigits(bytes));
    return text + (m_op.buffers.limit > 0
                       ? fmt::format("of at most {}.", groupedDigits(m_op.buffers.limit))
                       : "no limit stated.");
}

} // namespace

Drawing tileDrawing(const LoweredOperator& op) {
    if (op.placement != Placement::Npu)
        return {};
    const std::optional<TileWalk> walk = TileWalk::of(op);
    return walk ? TileChartMaker(op, *walk).make() : Drawing();
}

} // namespace plumbline
