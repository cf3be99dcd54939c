// SPDX-License-Identifier: GPL-3.0-or-later
// The arena over time as a drawing: arenaDrawing().
#include "core/chart/charts.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <set>
#include <tuple>

#include <fmt/format.h>

#include "core/base/text.h"
#include "core/chart/arena_chart.h"
#include "core/chart/ticks.h"

namespace plumbline {
namespace {

constexpr double kWidth = 1040;
constexpr double kLegendHeight = 24;
constexpr double kCurveHeight = 64;
constexpr double kMapHeight = 380;
constexpr double kGap = 10;    ///< between curve and map
constexpr double kRight = 12;  ///< margin
constexpr double kGapFrom = 5; ///< blocks this wide stand apart and have an outline
constexpr double kLeastPadding = 1.5;
constexpr double kFinding = 5;           ///< half a mark's diagonal
constexpr std::size_t kMostTitles = 300; ///< with more blocks, they have no titles
constexpr std::size_t kMostFindings = 300;
constexpr std::size_t kCurvePoints = 480;
constexpr double kCoarse = 2; ///< what is narrower is drawn in columns of this width

} // namespace

ArenaChart::ArenaChart(const Document& document)
    : m_lowering(*document.lowering)
    , m_plan(m_lowering.arena)
    , m_geometry(m_plan)
    , m_findings(findingsOf(document))
    , m_highest(arenaHighestByte(m_plan, m_geometry))
    , m_level(arenaHighestLevel(m_plan, m_geometry)) {
    double widest = textWidth("999 KiB", kArenaText);
    for (const double tick :
         ticksBetween(0, m_highest, addressTickStep(m_highest, 6, AddressBase::Hexadecimal)))
        widest = std::max(widest, textWidth(address(tick), kArenaText, Face::Mono));
    const double left = kArenaAxisTitle + widest + kArenaTick + 4;
    m_curve = {left, kLegendHeight, kWidth - left - kRight, kCurveHeight};
    m_map = {left, m_curve.bottom() + kGap, m_curve.width, kMapHeight};
}

std::string ArenaChart::address(double offset) const {
    return addressText(offset, AddressBase::Hexadecimal);
}

double ArenaChart::x(double step) const {
    const double span = m_geometry.right() - m_geometry.left();
    return m_map.x + (step - m_geometry.left()) / span * m_map.width;
}

double ArenaChart::y(double address) const {
    return m_map.bottom() - address / m_highest * m_map.height;
}

void ArenaChart::line(const GraphPoint& from, const GraphPoint& to, Tone tone, bool dashed) {
    DrawnLine made;
    made.points = {from, to};
    made.ink = Ink::of(tone);
    made.dashed = dashed;
    m_drawing.shapes.emplace_back(std::move(made));
}

void ArenaChart::label(const GraphRect& box, std::string text, Tone tone, DrawnLabel::Align align,
                       Face face) {
    DrawnLabel made;
    made.box = box;
    made.text = std::move(text);
    made.size = kArenaText;
    made.align = align;
    made.face = face;
    made.ink = Ink::of(tone);
    m_drawing.shapes.emplace_back(std::move(made));
}

void ArenaChart::drawCurve() {
    const ArenaCurve curve =
        arenaCurve(m_plan, m_geometry.left(), m_geometry.right(), kCurvePoints);
    const auto steps = [&](const std::vector<double>& levels) {
        std::vector<GraphPoint> points;
        for (std::size_t i = 0; i < levels.size(); ++i) {
            const double height = m_curve.bottom() - levels[i] / m_level * m_curve.height;
            if (i > 0 && i + 1 < levels.size() && height == points.back().y)
                continue;
            if (i > 0 && height != points.back().y)
                points.push_back({x(curve.at[i]), points.back().y});
            points.push_back({x(curve.at[i]), height});
        }
        return points;
    };
    DrawnLine live, area, high;
    live.points = area.points = steps(curve.live);
    live.ink = Ink::of(Tone::Note);
    area.points.push_back({x(curve.at.back()), m_curve.bottom()});
    area.points.push_back({x(curve.at.front()), m_curve.bottom()});
    area.closed = true;
    area.fill = Ink::of(Tone::AccentFill);
    high.points = steps(curve.highWater);
    high.ink = Ink::of(Tone::Error);
    high.dashed = true;
    for (DrawnLine* made : {&area, &live, &high})
        m_drawing.shapes.emplace_back(std::move(*made));
}

std::string ArenaChart::blockTitle(const ArenaBlock& block) const {
    const Allocation& a = m_plan.allocations[block.buffer];
    const auto count = m_geometry.stepCount();
    return fmt::format(
        "{} (buffer/{})\n{} .. {}, {}, {} with padding\nlive from {} to {}", allocationName(a),
        block.buffer, hexText(a.offset, 5), hexText(a.offset + a.bytes, 5), exactBytesText(a.bytes),
        groupedDigits(static_cast<std::int64_t>(a.size)),
        a.firstOperator < 0 ? "the graph input"
                            : "operator " + arenaStepName(m_lowering, a.firstOperator),
        a.lastOperator >= count ? "the end of the job"
                                : "operator " + arenaStepName(m_lowering, a.lastOperator));
}

void ArenaChart::drawPadding(const ArenaBlock& block, const GraphRect& rect) {
    const Allocation& a = m_plan.allocations[block.buffer];
    if (a.size <= a.bytes)
        return;
    const double top = y(static_cast<double>(a.offset) + static_cast<double>(a.size));
    if (rect.y - top < kLeastPadding)
        return;
    DrawnBox padding;
    padding.box = {rect.x, top, rect.width, rect.y - top};
    padding.fill = Ink::ofCategory(block.buffer);
    padding.edge = Ink::of(Tone::Edge);
    padding.edgeWidth = 0.5;
    padding.hatched = true;
    m_drawing.shapes.emplace_back(std::move(padding));
}

void ArenaChart::drawBlock(const ArenaBlock& block, const GraphRect& rect) {
    const Allocation& a = m_plan.allocations[block.buffer];
    DrawnBox box;
    box.box = rect;
    box.fill = Ink::ofCategory(block.buffer);
    if (rect.height > 3)
        box.edge = Ink::of(Tone::Edge);
    box.edgeWidth = 0.5;
    if (m_geometry.blocks().size() <= kMostTitles)
        box.title = blockTitle(block);
    m_drawing.shapes.emplace_back(std::move(box));
    drawPadding(block, rect);
    const std::vector<std::string> lines = arenaLabel(a, rect.width, rect.height, kArenaText);
    const double height = arenaLineHeight(kArenaText);
    double top = rect.y + (rect.height - static_cast<double>(lines.size()) * height) / 2;
    for (const std::string& text : lines) {
        DrawnLabel made;
        made.box = {rect.x, top, rect.width, height};
        made.text = text;
        made.size = kArenaText;
        made.align = DrawnLabel::Align::Centre;
        made.ink = Ink::onCategory(block.buffer);
        m_labels.push_back({block.buffer, std::move(made)});
        top += height;
    }
}

/// What falls into the same place is drawn once, its first block; those of one colour follow each
/// other.
void ArenaChart::drawNarrowBlocks(
    const std::vector<std::pair<const ArenaBlock*, GraphRect>>& blocks) {
    std::set<std::tuple<double, double, double>> drawn;
    std::array<std::vector<GraphRect>, kCategoryCount> places;
    for (auto [block, rect] : blocks) {
        if (rect.width < kCoarse) {
            const double top = std::round(rect.y), bottom = std::round(rect.bottom());
            rect = {std::floor(rect.centre() / kCoarse) * kCoarse, top, kCoarse,
                    std::max(bottom - top, 1.0)};
            if (!drawn.emplace(rect.x, rect.y, rect.height).second)
                continue;
        }
        places.at(block->buffer % kCategoryCount).push_back(rect);
    }
    for (std::size_t category = 0; category < kCategoryCount; ++category)
        for (const GraphRect& rect : places.at(category)) {
            DrawnBox box;
            box.box = rect;
            box.fill = Ink::ofCategory(category);
            m_drawing.shapes.emplace_back(std::move(box));
        }
}

void ArenaChart::drawBlocks() {
    std::vector<std::pair<const ArenaBlock*, GraphRect>> narrow;
    for (const ArenaBlock& block : m_geometry.blocks()) {
        const bool isWide = x(block.right) - x(block.left) > kGapFrom;
        const double left = x(block.left) + (isWide ? 1 : 0);
        const double right = x(block.right) - (isWide ? 1 : 0);
        const double top = y(block.top);
        const GraphRect rect{left, top, right - left, std::max(y(block.bottom) - top, 1.0)};
        if (isWide)
            drawBlock(block, rect);
        else
            narrow.emplace_back(&block, rect);
    }
    drawNarrowBlocks(narrow);
}

void ArenaChart::drawMarkText(const GraphPoint& at, const std::string& text, Tone tone) {
    DrawnBox back;
    back.box = arenaMarkBox(at, text, kArenaText, m_map);
    back.fill = Ink::of(Tone::Background);
    const GraphRect box = back.box;
    m_drawing.shapes.emplace_back(std::move(back));
    label(box, text, tone, DrawnLabel::Align::Centre);
}

void ArenaChart::drawMarks() {
    const double high = y(static_cast<double>(m_plan.peakBytes));
    const double least = y(static_cast<double>(m_plan.minimumBytes));
    const double peak = x(static_cast<double>(m_plan.peakOperator));
    const double height = arenaLineHeight(kArenaText) + 1;
    line({m_map.x, least}, {m_map.right(), least}, Tone::Ok, true);
    line({m_map.x, high}, {m_map.right(), high}, Tone::Error, true);
    line({peak, m_map.y}, {peak, m_map.bottom()}, Tone::Error, true);
    drawBlockLabels();
    drawFindings();
    drawMarkText({m_map.right(), least - height}, minimumText(m_plan), Tone::Ok);
    drawMarkText({m_map.x + 4, high - height},
                 highWaterText(m_plan, address(static_cast<double>(m_plan.peakBytes))),
                 Tone::Error);
    drawMarkText({peak + 4, m_map.y}, peakText(m_lowering, m_plan), Tone::Error);
}

/// Behind a label that a mark's line would strike through lies its block's colour.
void ArenaChart::drawBlockLabels() {
    const double high = y(static_cast<double>(m_plan.peakBytes));
    const double least = y(static_cast<double>(m_plan.minimumBytes));
    const double peak = x(static_cast<double>(m_plan.peakOperator));
    const auto within = [](double at, double from, double size) {
        return at >= from && at <= from + size;
    };
    for (BlockLabel& made : m_labels) {
        DrawnBox back;
        const double width = std::min(textWidth(made.label.text, kArenaText), made.label.box.width);
        back.box = made.label.box;
        back.box.x += (back.box.width - width) / 2;
        back.box.width = width;
        back.fill = Ink::ofCategory(made.category);
        if (within(high, back.box.y, back.box.height) ||
            within(least, back.box.y, back.box.height) || within(peak, back.box.x, width))
            m_drawing.shapes.emplace_back(std::move(back));
        m_drawing.shapes.emplace_back(std::move(made.label));
    }
}

void ArenaChart::drawFindings() {
    std::set<std::pair<double, double>> drawn;
    for (const ArenaFinding& finding : m_findings) {
        const double across = std::round(x(static_cast<double>(finding.step)));
        const double down = std::round(y(static_cast<double>(finding.offset)));
        if (across < m_map.x || across > m_map.right() || down < m_map.y || down > m_map.bottom())
            continue;
        if (drawn.size() == kMostFindings || !drawn.emplace(across, down).second)
            continue;
        DrawnLine mark;
        mark.points = {{across, down - kFinding},
                       {across + kFinding, down},
                       {across, down + kFinding},
                       {across - kFinding, down}};
        mark.closed = true;
        mark.fill = Ink::of(Tone::Error);
        mark.ink = Ink::of(Tone::Surface);
        m_drawing.shapes.emplace_back(std::move(mark));
    }
}

std::string ArenaChart::description() const {
    std::string text = fmt::format(
        "{} buffers over {} operators, with offsets that are multiples of {} bytes. The arena "
        "needs "
        "{} at most, first at operator {}; no plan needs less than {}.",
        groupedDigits(static_cast<std::int64_t>(m_plan.allocations.size())),
        groupedDigits(m_geometry.stepCount()), m_plan.alignment, exactBytesText(m_plan.peakBytes),
        arenaStepName(m_lowering, m_plan.peakOperator), exactBytesText(m_plan.minimumBytes));
    if (!m_findings.empty())
        text += fmt::format(" Findings of the sanitizer, marked by diamonds: {}.",
                            groupedDigits(static_cast<std::int64_t>(m_findings.size())));
    return text;
}

Drawing ArenaChart::draw() {
    m_drawing.width = kWidth;
    m_drawing.height = m_map.bottom() + kArenaTick + 36;
    m_drawing.title = "Arena over time";
    m_drawing.description = description();
    drawLegend();
    drawSteps();
    drawAddresses();
    drawLevels();
    drawCurve();
    drawBlocks();
    drawMarks();
    return std::move(m_drawing);
}

Drawing arenaDrawing(const Document& document) {
    const ArenaPlan& plan = document.lowering->arena;
    return plan.steps.empty() || plan.allocations.empty() ? Drawing() : ArenaChart(document).draw();
}

} // namespace plumbline
