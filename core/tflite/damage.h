// SPDX-License-Identifier: GPL-3.0-or-later
// Says what is wrong with a file that the FlatBuffers verifier refuses, and where.
#pragma once

#include "core/base/bytes.h"
#include "core/base/diagnostic.h"

namespace plumbline {

/// The first thing in `file` that makes it no well-formed TFLite flatbuffer: NotTflite (too short,
/// or another identifier), ModelTooLarge (more tables than ImportLimits::kMaxTables), else
/// DamagedModel with the part ("subgraphs[0].operators[3].inputs") and the byte of the offset,
/// length or field that is wrong. Safe on any bytes. Source: the FlatBuffers format; the tables are
/// those of tflite.fbs.
Diagnostic describeDamage(ByteView file);

} // namespace plumbline
