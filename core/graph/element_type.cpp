// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/graph/element_type.h"

#include <array>
#include <string_view>

namespace plumbline {
namespace {

struct TypeRow {
    std::string_view name;
    int bits;
};

// Indexed by the TFLite number.
constexpr std::array<TypeRow, 19> kTypes{{{"FLOAT32", 32},
                                          {"FLOAT16", 16},
                                          {"INT32", 32},
                                          {"UINT8", 8},
                                          {"INT64", 64},
                                          {"STRING", 0},
                                          {"BOOL", 8},
                                          {"INT16", 16},
                                          {"COMPLEX64", 64},
                                          {"INT8", 8},
                                          {"FLOAT64", 64},
                                          {"COMPLEX128", 128},
                                          {"UINT64", 64},
                                          {"RESOURCE", 0},
                                          {"VARIANT", 0},
                                          {"UINT32", 32},
                                          {"UINT16", 16},
                                          {"INT4", 4},
                                          {"BFLOAT16", 16}}};

const TypeRow* rowOf(ElementType type) {
    const int number = static_cast<int>(type);
    return number >= 0 && number < static_cast<int>(kTypes.size())
               ? &kTypes[static_cast<std::size_t>(number)]
               : nullptr;
}

} // namespace

std::string elementTypeName(ElementType type) {
    if (const TypeRow* row = rowOf(type))
        return std::string(row->name);
    return "TYPE_" + std::to_string(static_cast<int>(type));
}

int elementBits(ElementType type) {
    const TypeRow* row = rowOf(type);
    return row ? row->bits : 0;
}

} // namespace plumbline
