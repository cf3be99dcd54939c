// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/chart/text_width.h"

#include <algorithm>
#include <array>
#include <vector>

#include "core/base/text.h"

namespace plumbline {
namespace {

constexpr int kFirst = 32; ///< code point of the first width below
constexpr int kCount = 95;

/// Advance widths of DejaVu Sans, the widest face in usual use, U+0020 to U+007E, 1/1000 em.
constexpr std::array<std::int16_t, kCount> kRegular{
    318,  401, 460, 838, 637, 951, 780, 275, 391, 391, 500, 838, 318, 361, 318, 337, // to /
    637,  637, 637, 637, 637, 637, 637, 637, 637, 637, 337, 337, 838, 838, 838, 531, // to ?
    1000, 685, 687, 699, 771, 632, 576, 775, 752, 295, 295, 656, 558, 863, 749, 788, // to O
    604,  788, 695, 635, 611, 732, 685, 989, 686, 611, 686, 391, 337, 391, 838, 500, // to _
    500,  613, 635, 550, 635, 616, 353, 635, 634, 278, 278, 580, 278, 975, 634, 612, // to o
    635,  635, 412, 521, 393, 634, 592, 818, 592, 592, 525, 637, 337, 637, 838};     // to ~

/// The same of DejaVu Sans Bold.
constexpr std::array<std::int16_t, kCount> kBold{
    349,  457, 521, 838, 696, 1002, 873, 307,  458, 458, 523, 838, 380, 416,  380, 366,
    696,  696, 696, 696, 696, 696,  696, 696,  696, 696, 400, 400, 838, 838,  838, 581,
    1000, 774, 763, 734, 831, 684,  684, 821,  837, 373, 373, 775, 638, 996,  837, 851,
    733,  851, 771, 721, 683, 813,  774, 1104, 771, 725, 726, 458, 366, 458,  838, 500,
    500,  675, 716, 593, 716, 679,  436, 716,  712, 343, 343, 666, 343, 1042, 712, 688,
    716,  716, 494, 596, 479, 712,  652, 924,  646, 652, 583, 712, 366, 712,  838};

constexpr int kMono = 602;
constexpr int kRest = 1100;
constexpr char32_t kMonoEnd = 0x2E80; ///< fixed faces have other cells from here

struct Range {
    char32_t first, last;
    int width; ///< 1/1000 em
};

/// Outside ASCII; the first that holds a code point counts.
constexpr std::array<Range, 14> kRanges{
    {{0x0300, 0x036F, 0},       // combining marks
     {0x1AB0, 0x1AFF, 0},       //
     {0x1DC0, 0x1DFF, 0},       //
     {0x20D0, 0x20FF, 0},       //
     {0xFE00, 0xFE0F, 0},       // variation selectors
     {0xFE20, 0xFE2F, 0},       //
     {0x00A9, 0x00AE, kRest},   // copyright to registered
     {0x00BC, 0x00BE, kRest},   // fractions
     {0x00C6, 0x00C6, kRest},   // AE
     {0x00E6, 0x00E6, kRest},   // ae
     {0x00A0, 0x00FF, 860},     // Latin-1
     {0x2190, 0x22FF, 860},     // arrows and signs of mathematics
     {0x2E80, 0xFAFF, 1000},    // CJK
     {0x1F000, 0x1FBFF, 1250}}, // emoji
};

/// The first code point of `text`, which is not empty; a byte that begins none stands for itself.
CodePoint shownAt(std::string_view text) {
    constexpr CodePoint kStray{0xFFFD, 1};
    const CodePoint at = codePointAt(text);
    return at.bytes == 0 ? kStray : at;
}

/// In 1/1000 em.
int widthOf(char32_t c, Face face, bool bold) {
    if (c < kFirst + kCount) {
        if (face == Face::Mono)
            return kMono;
        return c < kFirst ? kRest : (bold ? kBold : kRegular).at(c - kFirst);
    }
    const auto* const range = std::find_if(kRanges.begin(), kRanges.end(), [c](const Range& r) {
        return r.first <= c && c <= r.last;
    });
    const int width = range == kRanges.end() ? kRest : range->width;
    return face == Face::Mono && c < kMonoEnd && width > 0 ? kMono : width;
}

/// Where code points begin, and the width of what stands before; the end is the last one.
struct Cut {
    std::size_t byte = 0;
    double width = 0; ///< 1/1000 em
};

std::vector<Cut> cutsOf(std::string_view text, Face face, bool bold) {
    std::vector<Cut> cuts{{}};
    cuts.reserve(text.size() + 1);
    while (cuts.back().byte < text.size()) {
        const CodePoint at = shownAt(text.substr(cuts.back().byte));
        cuts.push_back(
            {cuts.back().byte + at.bytes, cuts.back().width + widthOf(at.value, face, bold)});
    }
    return cuts;
}

/// The last cut with at most `room` before it.
const Cut& cutBefore(const std::vector<Cut>& cuts, double room) {
    const auto after = std::upper_bound(cuts.begin(), cuts.end(), room,
                                        [](double r, const Cut& cut) { return r < cut.width; });
    return after == cuts.begin() ? cuts.front() : *(after - 1);
}

} // namespace

double textWidth(std::string_view text, double size, Face face, bool bold) {
    std::int64_t width = 0;
    while (!text.empty()) {
        const CodePoint at = shownAt(text);
        width += widthOf(at.value, face, bold);
        text.remove_prefix(at.bytes);
    }
    return static_cast<double>(width) * size / 1000;
}

std::string fittedText(std::string_view text, double width, double size, Elide elide, Face face,
                       bool bold) {
    if (textWidth(text, size, face, bold) <= width)
        return std::string(text);
    constexpr std::string_view kEllipsis = "…";
    if (textWidth(kEllipsis, size, face, bold) > width)
        return {};
    const std::vector<Cut> cuts = cutsOf(text, face, bold);
    const double room = width / size * 1000 - widthOf(U'…', face, bold);
    if (elide == Elide::End)
        return std::string(text.substr(0, cutBefore(cuts, room).byte)).append(kEllipsis);
    const Cut& head = cutBefore(cuts, room / 2);
    const double needed = cuts.back().width - (room - head.width);
    const auto tail =
        std::lower_bound(cuts.begin(), cuts.end(), needed,
                         [](const Cut& cut, double least) { return cut.width < least; });
    return std::string(text.substr(0, head.byte)).append(kEllipsis).append(text.substr(tail->byte));
}

} // namespace plumbline
