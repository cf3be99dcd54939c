// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/chart/drawing.h"

namespace plumbline {
namespace {

ThemedColor textOn(const ThemedColor& fill) {
    return {plumbline::textOn(fill.light), plumbline::textOn(fill.dark)};
}

} // namespace

ThemedColor colorOf(const Ink& ink) {
    switch (ink.kind) {
    case Ink::Kind::None:
        return {};
    case Ink::Kind::Tone:
        return toneValues(ink.tone);
    case Ink::Kind::Category:
        return categoryValues(ink.category);
    case Ink::Kind::OnCategory:
        return textOn(categoryValues(ink.category));
    case Ink::Kind::Heat:
        return heatValues(ink.heat);
    case Ink::Kind::OnHeat:
        return textOn(heatValues(ink.heat));
    }
    return {};
}

} // namespace plumbline
