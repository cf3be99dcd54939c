// SPDX-License-Identifier: GPL-3.0-or-later
// How arenaDrawing() is made; for its own sources alone.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "core/chart/arena_geometry.h"
#include "core/chart/arena_labels.h"
#include "core/chart/drawing.h"
#include "core/document/document.h"

namespace plumbline {

inline constexpr double kArenaTick = 4;       ///< length of a tick
inline constexpr double kArenaText = 11;      ///< size of all labels
inline constexpr double kArenaAxisTitle = 18; ///< width of the address axis' title

/// One drawing of a plan that has steps.
class ArenaChart {
  public:
    explicit ArenaChart(const Document& document);
    Drawing draw();

  private:
    struct BlockLabel {
        std::size_t category;
        DrawnLabel label;
    };

    double x(double step) const;
    double y(double address) const;
    std::string address(double offset) const;

    void drawLegend();
    void drawSteps();
    void drawAddresses();
    void drawLevels();
    void drawCurve();
    void drawBlocks();
    void drawBlock(const ArenaBlock& block, const GraphRect& rect);
    void drawNarrowBlocks(const std::vector<std::pair<const ArenaBlock*, GraphRect>>& blocks);
    void drawPadding(const ArenaBlock& block, const GraphRect& rect);
    void drawMarks();
    void drawBlockLabels();
    void drawFindings();
    void drawMarkText(const GraphPoint& at, const std::string& text, Tone tone);

    void line(const GraphPoint& from, const GraphPoint& to, Tone tone, bool dashed = false);
    void label(const GraphRect& box, std::string text, Tone tone,
               DrawnLabel::Align align = DrawnLabel::Align::Left, Face face = Face::Sans);
    std::string blockTitle(const ArenaBlock& block) const;
    std::string description() const;

    const Lowering& m_lowering;
    const ArenaPlan& m_plan;
    ArenaGeometry m_geometry;
    std::vector<ArenaFinding> m_findings;
    double m_highest = 1; ///< of the address axis
    double m_level = 1;   ///< of the curve's axis
    GraphRect m_curve, m_map;
    std::vector<BlockLabel> m_labels; ///< above the marks' lines
    Drawing m_drawing;
};

} // namespace plumbline
