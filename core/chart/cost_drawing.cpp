// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "core/base/text.h"
#include "core/chart/cost_rows.h"
#include "core/chart/ticks.h"

namespace plumbline {
namespace {

constexpr double kWidth = 1040, kHeight = 300;
constexpr GraphRect kPlot{78, 34, 952, 216};
constexpr double kTextSize = 12, kLineHeight = 15;
constexpr double kSwatch = 12;
constexpr double kBarShare = 0.72; ///< of the room of a bar, where bars are wide
constexpr double kWideBar = 6;     ///< from here on bars have gaps, outlines and hatching
constexpr double kThinnest = 0.05; ///< lower parts are not drawn
constexpr double kSeam = 0.3;      ///< of narrow bars below the next one, against light lines
constexpr double kLabelGap = 10;   ///< between two labels below the bars
constexpr std::size_t kMostBars = 320;
/// Parts that are hatched, so that neighbours in the stack differ without colour.
constexpr std::array<bool, kCostParts> kHatched{false, true, false, true};

DrawnLabel label(const GraphRect& box, std::string text, DrawnLabel::Align align) {
    DrawnLabel made;
    made.box = box;
    made.text = std::move(text);
    made.size = kTextSize;
    made.align = align;
    made.ink = Ink::of(Tone::Muted);
    return made;
}

DrawnBox partBox(const GraphRect& box, std::size_t part, bool wide) {
    DrawnBox made;
    made.box = box;
    made.fill = Ink::ofCategory(part);
    if (wide)
        made.edge = Ink::of(Tone::Edge);
    made.edgeWidth = 0.8;
    made.hatched = wide && kHatched.at(part);
    return made;
}

class CostChartMaker {
  public:
    CostChartMaker(const std::vector<CostRow>& rows, CostMeasure measure)
        : m_rows(rows)
        , m_measure(measure)
        , m_bars(costBars(rows, measure, kMostBars))
        , m_pitch(kPlot.width / static_cast<double>(m_bars.size())) {
        std::int64_t largest = 0;
        for (const CostBar& bar : m_bars)
            largest = std::max(largest, totalOf(bar.parts));
        m_axis = costAxis(static_cast<double>(largest));
    }

    Drawing make() {
        m_drawing.width = kWidth;
        m_drawing.height = kHeight;
        m_drawing.title =
            fmt::format("Estimated {} of every record, in execution order", costUnit(m_measure));
        m_drawing.description = descriptionText();
        addLegend();
        addValueAxis();
        for (std::size_t i = 0; i < m_bars.size(); ++i)
            addBar(i);
        addBarLabels();
        return std::move(m_drawing);
    }

  private:
    bool isWide() const { return m_pitch * kBarShare >= kWideBar; }

    double heightOf(double value) const {
        return std::clamp(value / m_axis.end, 0.0, 1.0) * kPlot.height;
    }

    void addLegend() {
        const auto addText = [this](double x, std::string text) {
            const double width = textWidth(text, kTextSize);
            m_drawing.shapes.emplace_back(
                label({x, 4, width, kLineHeight}, std::move(text), DrawnLabel::Align::Left));
            return x + width;
        };
        double x = addText(kPlot.x, "From the bottom up:") + 14;
        for (std::size_t part = 0; part < kCostParts; ++part) {
            m_drawing.shapes.emplace_back(partBox({x, 5.5, kSwatch, kSwatch}, part, true));
            x = addText(x + kSwatch + 5, std::string(costPartName(m_measure, part))) + 18;
        }
    }

    void addValueAxis() {
        for (const double tick : ticksBetween(0, m_axis.end, m_axis.step)) {
            const double y = kPlot.bottom() - heightOf(tick);
            DrawnLine line;
            line.points = {{kPlot.x, y}, {kPlot.right(), y}};
            line.ink = Ink::of(tick == 0 ? Tone::SurfaceEdge : Tone::Grid);
            m_drawing.shapes.emplace_back(std::move(line));
            m_drawing.shapes.emplace_back(
                label({20, y - kLineHeight / 2, kPlot.x - 26, kLineHeight},
                      shortCountText(std::llround(tick)), DrawnLabel::Align::Right));
        }
        DrawnLabel name =
            label({2, kPlot.y, kLineHeight, kPlot.height},
                  fmt::format("{} (estimate)", costUnit(m_measure)), DrawnLabel::Align::Centre);
        name.turned = true;
        m_drawing.shapes.emplace_back(std::move(name));
    }

    void addBar(std::size_t index) {
        const CostBar& bar = m_bars[index];
        const double width = isWide() ? m_pitch * kBarShare : m_pitch + kSeam;
        const double left =
            kPlot.x + m_pitch * static_cast<double>(index) + (isWide() ? (m_pitch - width) / 2 : 0);
        double bottom = kPlot.bottom();
        std::vector<DrawnBox> boxes;
        for (std::size_t part = 0; part < kCostParts; ++part) {
            const double height = heightOf(static_cast<double>(bar.parts.at(part)));
            if (height < kThinnest)
                continue;
            bottom -= height;
            boxes.push_back(partBox({left, bottom, width, height}, part, isWide()));
        }
        if (boxes.empty())
            return;
        // One title for the whole bar, where a pointer finds it most easily.
        std::max_element(boxes.begin(), boxes.end(), [](const DrawnBox& a, const DrawnBox& b) {
            return a.box.height < b.box.height;
        })->title = barText(bar);
        for (DrawnBox& box : boxes)
            m_drawing.shapes.emplace_back(std::move(box));
    }

    std::string barText(const CostBar& bar) const {
        const CostRow& first = m_rows[bar.firstRow];
        const std::string total = groupedDigits(totalOf(bar.parts));
        if (bar.rowCount > 1)
            return fmt::format("operators {} to {}: {}", first.operatorIndex,
                               m_rows[bar.firstRow + bar.rowCount - 1].operatorIndex, total);
        if (!isWide())
            return fmt::format("operator {}: {}", first.operatorIndex, total);
        std::string text =
            fmt::format("record {}, operator {} {}: {} {}", first.record, first.operatorIndex,
                        printable(first.name), total, costUnit(m_measure));
        for (std::size_t part = 0; part < kCostParts; ++part)
            text += fmt::format(", {} {}", costPartName(m_measure, part),
                                groupedDigits(bar.parts.at(part)));
        return text;
    }

    /// Operator indices below the bars, as many as there is room for.
    void addBarLabels() {
        const double widest =
            textWidth(std::to_string(m_rows.back().operatorIndex), kTextSize) + kLabelGap;
        const auto every = static_cast<std::size_t>(roundTickStep(std::ceil(widest / m_pitch), 1));
        for (std::size_t i = 0; i < m_bars.size(); i += every) {
            const double centre = kPlot.x + m_pitch * (static_cast<double>(i) + 0.5);
            std::string text = std::to_string(m_rows[m_bars[i].firstRow].operatorIndex);
            const double width = textWidth(text, kTextSize);
            m_drawing.shapes.emplace_back(label({std::min(centre - width / 2, kWidth - width),
                                                 kPlot.bottom() + 6, width, kLineHeight},
                                                std::move(text), DrawnLabel::Align::Centre));
        }
        m_drawing.shapes.emplace_back(
            label({kPlot.x, kPlot.bottom() + 28, kPlot.width, kLineHeight},
                  m_bars.front().rowCount > 1
                      ? fmt::format("operators; a bar is the sum of {} neighbouring records",
                                    m_bars.front().rowCount)
                      : "operator",
                  DrawnLabel::Align::Centre));
    }

    std::string descriptionText() const {
        CostParts sums{};
        const CostRow* largest = &m_rows.front();
        for (const CostBar& bar : costBars(m_rows, m_measure, 1))
            sums = bar.parts;
        for (const CostRow& row : m_rows)
            if (row.total(m_measure) > largest->total(m_measure))
                largest = &row;
        const std::int64_t total = totalOf(sums);
        std::string text = fmt::format(
            "Estimates of the target's cost model, not measurements. {} {} take {} {}",
            groupedDigits(static_cast<std::int64_t>(m_rows.size())),
            m_rows.size() == 1 ? "record" : "records", groupedDigits(total), costUnit(m_measure));
        for (std::size_t part = 0; part < kCostParts; ++part)
            text += fmt::format("{} {} {} ({:.1f} %)", part == 0 ? ":" : ",",
                                costPartName(m_measure, part), groupedDigits(sums.at(part)),
                                total > 0 ? 100.0 * static_cast<double>(sums.at(part)) /
                                                static_cast<double>(total)
                                          : 0.0);
        text += fmt::format(". The largest is record {} (operator {}, {}) with {}.",
                            largest->record, largest->operatorIndex, printable(largest->name),
                            groupedDigits(largest->total(m_measure)));
        if (m_bars.front().rowCount > 1)
            text += fmt::format(" Every bar is the sum of {} neighbouring records.",
                                m_bars.front().rowCount);
        return text;
    }

    const std::vector<CostRow>& m_rows;
    CostMeasure m_measure;
    std::vector<CostBar> m_bars;
    double m_pitch; ///< room of one bar
    CostAxis m_axis;
    Drawing m_drawing;
};

} // namespace

Drawing costDrawing(const Document& document, CostMeasure measure) {
    const std::vector<CostRow> rows = costRows(*document.lowering);
    return rows.empty() ? Drawing() : CostChartMaker(rows, measure).make();
}

} // namespace plumbline
