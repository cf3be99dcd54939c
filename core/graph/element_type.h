// SPDX-License-Identifier: GPL-3.0-or-later
// Element types of tensors, with the numbers that TFLite files use.
#pragma once

#include <cstdint>
#include <string>

namespace plumbline {

/// Values are those of TFLite's TensorType; a file may hold numbers beyond the last one.
enum class ElementType : std::int8_t {
    Float32 = 0,
    Float16 = 1,
    Int32 = 2,
    UInt8 = 3,
    Int64 = 4,
    String = 5,
    Bool = 6,
    Int16 = 7,
    Complex64 = 8,
    Int8 = 9,
    Float64 = 10,
    Complex128 = 11,
    UInt64 = 12,
    Resource = 13,
    Variant = 14,
    UInt32 = 15,
    UInt16 = 16,
    Int4 = 17,
    BFloat16 = 18,
};

/// "INT8"; an unknown number gives "TYPE_42".
std::string elementTypeName(ElementType type);

/// Size of one element in bits; 0 where it is not fixed (STRING, RESOURCE, VARIANT, unknown).
int elementBits(ElementType type);

} // namespace plumbline
