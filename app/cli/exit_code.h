// SPDX-License-Identifier: GPL-3.0-or-later
// The exit codes of plumb; part of its interface.
#pragma once

namespace plumbline::cli {

enum ExitCode : int {
    kOk = 0,
    kMismatch = 1,     ///< a mismatch, violation, finding or fault
    kUsage = 2,        ///< the command line is wrong
    kBadInput = 3,     ///< an input cannot be read or is refused
    kCannotWrite = 4,  ///< an output cannot be written
    kInternal = 70,    ///< a defect of the program
    kInterrupted = 130 ///< stopped by SIGINT or SIGTERM
};

} // namespace plumbline::cli
