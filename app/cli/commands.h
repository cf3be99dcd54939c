// SPDX-License-Identifier: GPL-3.0-or-later
// The commands of plumb, one file each. Every function declares one.
#pragma once

#include "app/cli/options.h"

namespace plumbline::cli {

void addInfo(Program& program);
void addCompile(Program& program);
void addRun(Program& program);
void addBench(Program& program);
void addCheck(Program& program);
void addDiff(Program& program);
void addEdit(Program& program);
void addDump(Program& program);
void addExplain(Program& program);
void addReport(Program& program);
void addCorpus(Program& program);
void addCorpusMerge(Program& program);
void addSample(Program& program);
void addDemo(Program& program);
void addDocs(Program& program);
void addCompletion(Program& program);
void addVersion(Program& program);

} // namespace plumbline::cli
