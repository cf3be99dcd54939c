// SPDX-License-Identifier: GPL-3.0-or-later
// The exit codes of plumb; part of its interface.
#pragma once

namespace plumbline::cli {

enum class ExitCode : int {
    Ok = 0,
    Mismatch = 1,     ///< a mismatch, violation, finding or fault
    Usage = 2,        ///< the command line is wrong
    BadInput = 3,     ///< an input cannot be read or is refused
    CannotWrite = 4,  ///< an output cannot be written
    Internal = 70,    ///< a defect of the program
    Interrupted = 130 ///< stopped by SIGINT or SIGTERM
};

} // namespace plumbline::cli
