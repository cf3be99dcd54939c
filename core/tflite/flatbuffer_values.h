// SPDX-License-Identifier: GPL-3.0-or-later
// Copies of verified flatbuffer vectors and strings.
#pragma once

#include <cstring>
#include <string>
#include <vector>

#include <flatbuffers/flatbuffers.h>

namespace plumbline {

/// The elements of `stored`; none for a field that is absent. The verifier aligns a vector's length
/// only, so that 64-bit elements may stand on any multiple of 4: hence the copy by bytes.
template <class T> std::vector<T> copyVector(const flatbuffers::Vector<T>* stored) {
    std::vector<T> values(stored ? stored->size() : 0);
    for (std::size_t i = 0; i < values.size(); ++i) {
        T value;
        std::memcpy(&value, stored->Data() + i * sizeof(T), sizeof(T));
        values[i] = flatbuffers::EndianScalar(value);
    }
    return values;
}

inline std::string copyString(const flatbuffers::String* stored) {
    return stored ? stored->str() : std::string();
}

} // namespace plumbline
