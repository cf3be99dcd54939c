// SPDX-License-Identifier: GPL-3.0-or-later
// Drawings as SVG, read back with an XML parser.
#include <algorithm>
#include <clocale>
#include <cmath>
#include <limits>
#include <regex>
#include <set>

#include <gtest/gtest.h>

#include "core/chart/svg.h"
#include "core/chart/svg_writer.h"
#include "tests/core/chart/xml.h"

using namespace plumbline;
using test::parseXml;
using test::XmlElement;

namespace {

DrawnBox boxOf(const GraphRect& box, const Ink& fill) {
    DrawnBox made;
    made.box = box;
    made.fill = fill;
    return made;
}

DrawnLine lineOf(std::vector<GraphPoint> points, Tone tone = Tone::Edge) {
    DrawnLine made;
    made.points = std::move(points);
    made.ink = Ink::of(tone);
    return made;
}

DrawnLabel labelOf(const GraphRect& box, const std::string& text) {
    DrawnLabel made;
    made.box = box;
    made.text = text;
    return made;
}

Drawing drawingOf(std::vector<Shape> shapes) {
    return {200, 100, "A picture", "It shows a thing.", std::move(shapes)};
}

/// One of every kind of shape and ink.
Drawing everything() {
    DrawnBox hatched = boxOf({10, 10, 30, 12}, Ink::ofCategory(3));
    hatched.edge = Ink::of(Tone::SurfaceEdge);
    hatched.hatched = true;
    hatched.title = "padding";
    DrawnBox card = boxOf({60, 10, 40, 20}, Ink::of(Tone::Surface));
    card.edge = Ink::of(Tone::Error);
    card.edgeWidth = 2;
    card.radius = 3;
    card.dashed = true;
    DrawnLine arrow = lineOf({{0, 0}, {20, 40}, {20, 60}});
    arrow.arrow = arrow.curved = true;
    DrawnLine polygon = lineOf({{5, 5}, {10, 5}, {7, 9}});
    polygon.closed = true;
    polygon.fill = Ink::ofHeat(0.5);
    DrawnLabel label = labelOf({10, 50, 80, 14}, "conv2d");
    label.align = DrawnLabel::Align::Centre;
    label.face = Face::Mono;
    label.bold = true;
    label.size = 11;
    label.ink = Ink::onHeat(0.5);
    DrawnLabel turned = labelOf({2, 20, 14, 70}, "offset");
    turned.turned = true;
    return drawingOf({hatched, card, arrow, polygon, label, turned});
}

std::vector<std::string> words(const std::string& text) {
    static const std::regex kSpace("\\s+");
    return {std::sregex_token_iterator(text.begin(), text.end(), kSpace, -1), {}};
}

void collectClasses(const XmlElement& element, std::set<std::string>& classes) {
    for (const std::string& name : words(element["class"]))
        if (!name.empty())
            classes.insert(name);
    for (const XmlElement& child : element.children)
        collectClasses(child, classes);
}

} // namespace

TEST(SvgNumber, IsShort) {
    EXPECT_EQ(svgNumber(0), "0");
    EXPECT_EQ(svgNumber(-0.0), "0");
    EXPECT_EQ(svgNumber(-0.004), "0");
    EXPECT_EQ(svgNumber(12), "12");
    EXPECT_EQ(svgNumber(100), "100");
    EXPECT_EQ(svgNumber(1.5), "1.5");
    EXPECT_EQ(svgNumber(-1.25), "-1.25");
    EXPECT_EQ(svgNumber(1.05), "1.05");
    EXPECT_EQ(svgNumber(2.0 / 3), "0.67");
    EXPECT_EQ(svgNumber(0.999), "1");
    EXPECT_EQ(svgNumber(1e-9), "0");
    EXPECT_EQ(svgNumber(1234567.891), "1234567.89");
}

TEST(SvgNumber, IsANumberWhateverComes) {
    EXPECT_EQ(svgNumber(std::numeric_limits<double>::quiet_NaN()), "0");
    EXPECT_EQ(svgNumber(std::numeric_limits<double>::infinity()), "0");
    EXPECT_EQ(svgNumber(1e300), "1000000000");
    EXPECT_EQ(svgNumber(-1e300), "-1000000000");
}

TEST(SvgFile, IsXmlWithColoursOfATheme) {
    const std::string light = svgFile(everything(), SvgTheme::Light);
    EXPECT_TRUE(light.starts_with("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"));
    const XmlElement root = parseXml(light);
    EXPECT_EQ(root.name, "svg");
    EXPECT_EQ(root["viewBox"], "0 0 200 100");
    EXPECT_EQ(root["width"], "200");
    ASSERT_EQ(root.all("title").size(), 2U);
    EXPECT_EQ(root.all("title")[0]->text, "A picture");
    EXPECT_EQ(root.all("desc").at(0)->text, "It shows a thing.");
    const XmlElement& background = *root.all("rect").at(0);
    EXPECT_EQ(background["width"], "200");
    EXPECT_EQ(background["fill"], "#ffffff");
    EXPECT_EQ(parseXml(svgFile(everything(), SvgTheme::Dark)).all("rect").at(0)->operator[]("fill"),
              "#15181c");
    std::set<std::string> classes;
    collectClasses(root, classes);
    EXPECT_TRUE(classes.empty());
}

TEST(SvgFile, PaintsShapesAsTheyAre) {
    const XmlElement root = parseXml(svgFile(everything()));
    const XmlElement& card = *root.all("rect").at(2);
    EXPECT_EQ(card["x"] + ' ' + card["y"] + ' ' + card["width"] + ' ' + card["height"],
              "60 10 40 20");
    EXPECT_EQ(card["fill"], "#ffffff");
    EXPECT_EQ(card["stroke"], "#b3261e");
    EXPECT_EQ(card["stroke-width"], "2");
    EXPECT_EQ(card["stroke-dasharray"], "4 3");
    EXPECT_EQ(card["rx"], "3");
    const auto paths = root.all("path"); // hatch, arrow's line and head, polygon
    ASSERT_EQ(paths.size(), 4U);
    EXPECT_EQ((*paths[1])["d"], "M0 0C0 20 20 20 20 40V60");
    EXPECT_EQ((*paths[2])["d"], "M20 60L16.5 53L23.5 53z");
    EXPECT_EQ((*paths[2])["fill"], "#7d8996");
    EXPECT_EQ((*paths[3])["d"], "M5 5H10L7 9z");
}

TEST(SvgFile, PlacesTextOnItsBaseline) {
    const XmlElement root = parseXml(svgFile(everything()));
    const auto texts = root.all("text");
    ASSERT_EQ(texts.size(), 2U);
    const XmlElement &label = *texts[0], &turned = *texts[1];
    EXPECT_EQ(label["x"], "50");    // the middle of 10..90
    EXPECT_EQ(label["y"], "60.96"); // 57 and 0.36 of the size
    EXPECT_EQ(label["text-anchor"], "middle");
    EXPECT_EQ(label["font-family"], "monospace");
    EXPECT_EQ(label["font-weight"], "bold");
    EXPECT_EQ(label["font-size"], "11");
    EXPECT_EQ(turned["x"], "13.32"); // 9 and 0.36 of 12
    EXPECT_EQ(turned["y"], "90");    // begins at the lower end
    EXPECT_EQ(turned["transform"], "rotate(-90 13.32 90)");
    EXPECT_EQ(turned["font-size"], "");
}

TEST(SvgFile, HatchStaysInItsBox) {
    const XmlElement root = parseXml(svgFile(everything()));
    const std::string hatch = (*root.all("path").at(0))["d"];
    static const std::regex kLine("M([0-9.]+) ([0-9.]+)L([0-9.]+) ([0-9.]+)");
    int lines = 0;
    for (std::sregex_iterator at(hatch.begin(), hatch.end(), kLine), end; at != end; ++at, ++lines)
        for (const int x : {1, 3}) {
            EXPECT_GE(std::stod((*at)[static_cast<std::size_t>(x)]), 10);
            EXPECT_LE(std::stod((*at)[static_cast<std::size_t>(x)]), 40);
            EXPECT_GE(std::stod((*at)[static_cast<std::size_t>(x) + 1]), 10);
            EXPECT_LE(std::stod((*at)[static_cast<std::size_t>(x) + 1]), 22);
        }
    EXPECT_EQ(lines, 7); // x + y from 3 in steps of 6 below 30 + 12
}

TEST(SvgFile, EscapesHostileTexts) {
    const std::string hostile = "a<b>&\"'</text><script>\x01\xFF\u202E]]>";
    Drawing drawing = drawingOf({labelOf({0, 0, 90, 14}, hostile)});
    DrawnBox box = boxOf({0, 0, 5, 5}, Ink::of(Tone::Ok));
    box.title = hostile + "\nsecond line";
    drawing.shapes.emplace_back(box);
    drawing.title = drawing.description = hostile;
    const std::string shown = "a<b>&\"'</text><script>\uFFFD\uFFFD\uFFFD]]>";
    for (const std::string& text : {svgFile(drawing), svgElement(drawing, "x")}) {
        const XmlElement root = parseXml(text);
        EXPECT_EQ(root.all("text").at(0)->text, shown);
        EXPECT_EQ(root.all("title").at(0)->text, shown);
        EXPECT_EQ(root.all("title").at(1)->text, shown + "\nsecond line");
        EXPECT_EQ(root.all("desc").at(0)->text, shown);
        EXPECT_TRUE(root.all("script").empty());
    }
}

TEST(SvgElement, IsNamedForReaders) {
    const XmlElement root = parseXml(svgElement(everything(), "arena"));
    EXPECT_EQ(root["role"], "img");
    EXPECT_EQ(root["aria-labelledby"], root.all("title").at(0)->operator[]("id"));
    EXPECT_EQ(root["aria-describedby"], root.all("desc").at(0)->operator[]("id"));
    EXPECT_NE(root["aria-labelledby"], root["aria-describedby"]);
    EXPECT_TRUE(root["aria-labelledby"].starts_with("arena"));
    EXPECT_EQ(root.all("g").at(0)->all("title").at(0)->text, "padding");
}

TEST(SvgElement, IdsAreUniqueInAPage) {
    const XmlElement page =
        parseXml("<p>" + svgElement(everything(), "a") + svgElement(everything(), "b") + "</p>");
    std::multiset<std::string> ids;
    for (const char* const name : {"svg", "title", "desc", "g", "rect", "path", "text"})
        for (const XmlElement* element : page.all(name))
            if (!(*element)["id"].empty())
                ids.insert((*element)["id"]);
    EXPECT_EQ(ids.size(), 4U);
    for (const std::string& id : ids)
        EXPECT_EQ(ids.count(id), 1U) << id;
}

TEST(SvgElement, EveryClassHasARule) {
    Drawing drawing = everything();
    for (std::size_t i = 0; i < kToneCount; ++i)
        drawing.shapes.emplace_back(boxOf({0, 0, 1, 1}, Ink::of(static_cast<Tone>(i))));
    for (std::size_t i = 0; i < 2 * kCategoryCount; ++i) {
        drawing.shapes.emplace_back(boxOf({0, 0, 1, 1}, Ink::ofCategory(i)));
        drawing.shapes.emplace_back(boxOf({0, 0, 1, 1}, Ink::onCategory(i)));
    }
    for (const double heat : {-1.0, 0.0, 0.03, 0.5, 0.97, 1.0, 7.0, std::nan("")}) {
        drawing.shapes.emplace_back(boxOf({0, 0, 1, 1}, Ink::ofHeat(heat)));
        drawing.shapes.emplace_back(boxOf({0, 0, 1, 1}, Ink::onHeat(heat)));
    }
    for (int size = 6; size < 30; ++size) {
        DrawnLabel label = labelOf({0, 0, 50, 30}, "x");
        label.size = size;
        drawing.shapes.emplace_back(label);
    }
    const std::string style = svgStyle();
    std::set<std::string> classes;
    collectClasses(parseXml(svgElement(drawing, "x")), classes);
    EXPECT_GT(classes.size(), 40U);
    for (const std::string& name : classes)
        EXPECT_NE(style.find("." + name + "{"), std::string::npos) << name;
}

TEST(SvgStyle, DefinesEachPropertyForLightAndDark) {
    const std::string style = svgStyle();
    const auto darkAt = style.find("@media screen and (prefers-color-scheme:dark){");
    ASSERT_NE(darkAt, std::string::npos);
    static const std::regex kUse("var\\((--[a-z0-9-]+)\\)");
    std::set<std::string> used;
    for (std::sregex_iterator at(style.begin(), style.end(), kUse), end; at != end; ++at)
        used.insert((*at)[1]);
    EXPECT_EQ(used.size(), kToneCount + 2 * kCategoryCount + 2 * kHeatSteps);
    for (const std::string& name : used) {
        const auto first = style.find(name + ":#");
        ASSERT_NE(first, std::string::npos) << name;
        EXPECT_LT(first, darkAt) << name;
        EXPECT_NE(style.find(name + ":#", darkAt), std::string::npos) << name;
    }
    EXPECT_EQ(std::count(style.begin(), style.end(), '{'),
              std::count(style.begin(), style.end(), '}'));
    EXPECT_NE(style.find("--text:#1a2028"), std::string::npos);
    EXPECT_NE(style.find("--text:#e3e8ee", darkAt), std::string::npos);
}

TEST(SvgElement, JoinsWhatIsPaintedAlike) {
    std::vector<Shape> shapes;
    for (int i = 0; i < 3; ++i)
        shapes.emplace_back(boxOf({10.0 * i, 1, 8, 2}, Ink::ofCategory(1)));
    shapes.emplace_back(boxOf({50, 1, 8, 2}, Ink::ofCategory(2)));
    for (int i = 0; i < 3; ++i)
        shapes.emplace_back(lineOf({{0, 5.0 * i}, {9, 5.0 * i}}, Tone::Grid));
    shapes.emplace_back(lineOf({{0, 0}, {0, 9}}, Tone::Error));
    const XmlElement root = parseXml(svgElement(drawingOf(shapes), "x"));
    const auto paths = root.all("path");
    ASSERT_EQ(paths.size(), 3U);
    EXPECT_EQ((*paths[0])["d"], "M0 1H8V3H0zM10 1H18V3H10zM20 1H28V3H20z");
    EXPECT_EQ((*paths[1])["d"], "M0 0H9M0 5H9M0 10H9");
    EXPECT_EQ((*paths[2])["class"], "s-error");
    EXPECT_EQ(root.all("rect").size(), 1U);
}

TEST(SvgElement, KeepsApartWhatDiffers) {
    DrawnBox titled = boxOf({0, 0, 5, 5}, Ink::ofCategory(1));
    titled.title = "one";
    DrawnBox outlined = boxOf({10, 0, 5, 5}, Ink::ofCategory(1));
    outlined.edge = Ink::of(Tone::Edge);
    const DrawnBox plain = boxOf({20, 0, 5, 5}, Ink::ofCategory(1));
    DrawnLine dashed = lineOf({{0, 0}, {9, 0}});
    dashed.dashed = true;
    DrawnLine thick = lineOf({{0, 0}, {9, 0}});
    thick.width = 1.5;
    const XmlElement root = parseXml(svgElement(
        drawingOf({titled, plain, outlined, plain, lineOf({{0, 0}, {9, 0}}), dashed, thick}), "x"));
    EXPECT_EQ(root.all("rect").size(), 4U);
    EXPECT_EQ(root.all("path").size(), 3U);
    EXPECT_EQ((*root.all("path")[1])["class"], "s-edge s-dash");
    EXPECT_EQ((*root.all("path")[2])["stroke-width"], "1.5");
}

TEST(SvgElement, AnUntitledBoxIsShort) {
    const std::string none = svgElement(drawingOf({}), "x");
    DrawnBox box = boxOf({104, 20, 212, 62}, Ink::of(Tone::Surface));
    box.edge = Ink::of(Tone::SurfaceEdge);
    EXPECT_LE(svgElement(drawingOf({box}), "x").size() - none.size(), 90U);
}

TEST(Svg, SameBytesInEveryLocale) {
    const std::string file = svgFile(everything()), element = svgElement(everything(), "x");
    const std::string style = svgStyle();
    const char* const changed = std::setlocale(LC_ALL, "de_DE.UTF-8");
    const std::string fileAgain = svgFile(everything()),
                      elementAgain = svgElement(everything(), "x");
    const std::string styleAgain = svgStyle();
    std::setlocale(LC_ALL, "C");
    EXPECT_EQ(file, fileAgain) << (changed == nullptr ? "the C locale" : changed);
    EXPECT_EQ(element, elementAgain);
    EXPECT_EQ(style, styleAgain);
}

TEST(Svg, AnEmptyDrawingIsStillXml) {
    EXPECT_EQ(parseXml(svgFile({})).name, "svg");
    EXPECT_EQ(parseXml(svgElement({}, "x")).name, "svg");
}

TEST(Svg, DegenerateShapesAreStillXml) {
    DrawnLine none = lineOf({}), point = lineOf({{1, 1}}), still = lineOf({{1, 1}, {1, 1}});
    none.arrow = point.arrow = still.arrow = true;
    DrawnBox hatched = boxOf({0, 0, 0, 0}, Ink::none());
    hatched.hatched = true;
    hatched.edge = Ink::of(Tone::Edge);
    const XmlElement root =
        parseXml(svgFile(drawingOf({none, point, still, hatched, labelOf({}, "")})));
    EXPECT_TRUE(root.all("text").empty());
    EXPECT_EQ((*root.all("path").at(0))["d"], "M1 1M1 1H1");
}
