// SPDX-License-Identifier: GPL-3.0-or-later
// Documents for the tests of the Why view.
#pragma once

#include <string_view>

#include "core/document/document.h"

namespace plumbline::test {

/// A built-in sample, run and compared with the reference kernels. Opened once per program.
DocumentPtr sample(const char* name);

/// `document` compared with a device that makes the named mistake in one layer.
DocumentPtr withMistake(const DocumentPtr& document, std::int64_t operatorIndex,
                        std::string_view mistake);

/// `document` compared with `trace`.
DocumentPtr withReference(const DocumentPtr& document, Trace trace, std::string name);

/// The first operator with the opcode name; -1 where there is none.
std::int64_t firstOf(const DocumentPtr& document, std::string_view opcode);

/// `document` with the reduction of a record cut into slices of `kSlice`, as if it were compiled
/// so.
DocumentPtr inSlices(const DocumentPtr& document, std::int64_t operatorIndex, std::int64_t kSlice);

/// The bytes of an operator's layer, which `trace` has.
const Bytes& bytesOf(const Trace& trace, std::int64_t operatorIndex);

/// The executed byte of an element, signed.
int executedValue(const DocumentPtr& document, std::int64_t operatorIndex, const ElementIndex& at);

} // namespace plumbline::test
