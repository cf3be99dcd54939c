// SPDX-License-Identifier: GPL-3.0-or-later
// Any bytes as a .npy file: refused, or an array whose data fits its shape. An int8 array is
// written and read back unchanged.
#include "core/artifacts/npy.h"
#include "tests/fuzz/sections.h"

using namespace plumbline;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const Result<NpyArray> array = parseNpy({data, size});
    if (!array) {
        fuzz::require(hasErrors(array.diagnostics()), "a refusal says why");
        return 0;
    }
    fuzz::require(array->data.size() <= size, "the data comes from the file");
    if (array->dtype != "|i1")
        return 0;
    const Result<NpyArray> again = parseNpy(writeNpy(array->data, array->shape));
    fuzz::require(again.ok(), "what was written can be read");
    fuzz::require(again->shape == array->shape && again->data == array->data,
                  "writing and reading changes nothing");
    return 0;
}
