// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/chart/text_width.h"

namespace plumbline {

double textWidth(std::string_view text, double size, Face /*face*/) {
    return 0.62 * size * static_cast<double>(text.size());
}

std::string fittedText(std::string_view text, double width, double size, Elide /*elide*/,
                       Face face) {
    return textWidth(text, size, face) <= width ? std::string(text) : std::string();
}

} // namespace plumbline
