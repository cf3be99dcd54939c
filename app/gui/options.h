// SPDX-License-Identifier: GPL-3.0-or-later
// The command line of plumbline: one table that parsing, help, completion and manual page share.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include <QSize>
#include <QStringList>

#include "app/command_line/program_info.h"
#include "app/gui/workspace.h"
#include "views/common/palette.h"

namespace plumbline::gui {

struct Options {
    QStringList files;
    QString sample;
    QString input;
    std::uint64_t seed = 1;
    QString select;
    QString filter;
    QString grab;
    QString reference;
    QString compare;
    QStringList edits;
    std::optional<BuiltInLayout> layout;
    std::optional<Theme> theme;
    std::optional<QSize> size; ///< of the window, in logical pixels
};

/// Says on standard error what is wrong with the command line and ends the program with status 2.
[[noreturn]] void failUsage(const QString& message);

/// What `arguments`, the program's name first, ask for; needs the application object. Prints help
/// and version and ends where these are asked for; wrong usage ends in failUsage().
Options parseOptions(const QStringList& arguments);

/// The value of `--NAME VALUE` or `--NAME=VALUE` in `arguments`, before there is an application.
std::optional<QString> valueBefore(const QStringList& arguments, const QString& name);

/// What --completion or --manual ask to print instead of opening a window; nothing without them.
std::optional<std::string> textInsteadOfWindow(const QStringList& arguments);

/// The command line as help shows it.
command_line::ProgramInfo programInfo();

} // namespace plumbline::gui
