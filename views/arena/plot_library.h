// SPDX-License-Identifier: GPL-3.0-or-later
// QCustomPlot's header needs the keyword `foreach`, which this project turns off.
#pragma once

#include <utility>

#define foreach(variable, container) for (variable : std::as_const(container))
#include <qcustomplot.h> // NOLINT(misc-include-cleaner)
#undef foreach
