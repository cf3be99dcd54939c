// SPDX-License-Identifier: GPL-3.0-or-later
// Axes and legend of arenaDrawing().
#include <algorithm>

#include <fmt/format.h>

#include "core/chart/arena_chart.h"
#include "core/chart/ticks.h"

namespace plumbline {

void ArenaChart::drawLegend() {
    constexpr double kSwatch = 18;
    const double middle = 9;
    double at = m_map.x;
    const auto name = [&](const std::string& text) {
        const double width = textWidth(text, kArenaText);
        label({at + kSwatch + 5, middle - 8, width, 16}, text, Tone::Muted);
        at += kSwatch + 5 + width + 18;
    };
    DrawnBox box;
    box.box = {at, middle - 5, kSwatch, 10};
    box.fill = Ink::of(Tone::AccentFill);
    box.edge = Ink::of(Tone::Note);
    m_drawing.shapes.emplace_back(box);
    name("live bytes");
    line({at, middle}, {at + kSwatch, middle}, Tone::Error, true);
    name("high-water mark");
    line({at, middle}, {at + kSwatch, middle}, Tone::Ok, true);
    name("minimum of any plan");
    box.box = {at, middle - 5, kSwatch, 10};
    box.fill = Ink::ofCategory(0);
    box.edge = Ink::of(Tone::Edge);
    m_drawing.shapes.emplace_back(box);
    name("buffer");
    box.box.x = at;
    box.hatched = true;
    m_drawing.shapes.emplace_back(box);
    name("padding");
}

void ArenaChart::drawSteps() {
    const double widest =
        textWidth(std::to_string(m_geometry.stepCount()), kArenaText, Face::Mono) + 10;
    const double span = m_geometry.right() - m_geometry.left();
    const double step = roundTickStep(span, static_cast<int>(m_map.width / widest));
    for (const double tick : ticksBetween(m_geometry.left(), m_geometry.right(), step)) {
        const double at = x(tick);
        line({at, m_curve.y}, {at, m_curve.bottom()}, Tone::Grid);
        line({at, m_map.y}, {at, m_map.bottom() + kArenaTick}, Tone::Grid);
    }
    for (const double tick : ticksBetween(m_geometry.left(), m_geometry.right(), step))
        label({x(tick) - widest / 2, m_map.bottom() + kArenaTick, widest, 16},
              tick < 0 ? "in" : fmt::format("{:.0f}", tick), Tone::Muted, DrawnLabel::Align::Centre,
              Face::Mono);
    const std::string title = "operator";
    label({m_map.x, m_map.bottom() + kArenaTick + 16, m_map.width, 16}, title, Tone::Muted,
          DrawnLabel::Align::Centre);
}

void ArenaChart::drawAddresses() {
    const auto ticks =
        ticksBetween(0, m_highest, addressTickStep(m_highest, 6, AddressBase::Hexadecimal));
    for (const double tick : ticks)
        line({m_map.x - kArenaTick, y(tick)}, {m_map.right(), y(tick)}, Tone::Grid);
    for (const double tick : ticks)
        label({kArenaAxisTitle, y(tick) - 8, m_map.x - kArenaTick - 2 - kArenaAxisTitle, 16},
              address(tick), Tone::Muted, DrawnLabel::Align::Right, Face::Mono);
    DrawnLabel title;
    title.box = {0, m_map.y, kArenaAxisTitle, m_map.height};
    title.text = "arena offset";
    title.size = kArenaText;
    title.align = DrawnLabel::Align::Centre;
    title.turned = true;
    title.ink = Ink::of(Tone::Muted);
    m_drawing.shapes.emplace_back(std::move(title));
}

void ArenaChart::drawLevels() {
    const auto levels =
        ticksBetween(0, m_level, addressTickStep(m_level, 2, AddressBase::Hexadecimal));
    const auto at = [this](double level) {
        return m_curve.bottom() - level / m_level * m_curve.height;
    };
    for (const double level : levels)
        line({m_curve.x - kArenaTick, at(level)}, {m_curve.right(), at(level)}, Tone::Grid);
    for (const double level : levels)
        label({0, at(level) - 8, m_curve.x - kArenaTick - 2, 16}, shortAddressText(level),
              Tone::Muted, DrawnLabel::Align::Right);
}

} // namespace plumbline
