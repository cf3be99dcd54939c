// SPDX-License-Identifier: GPL-3.0-or-later
// What the fuzz targets share: several files in one input, and the check that ends a run.
#pragma once

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <span>
#include <vector>

#include "core/base/bytes.h"

namespace plumbline::fuzz {

/// Cuts `input` into `count` parts: first count - 1 lengths (u32), then the parts one after the
/// other, the last one taking what is left. A length beyond the end is cut, so every input splits.
inline std::vector<ByteView> splitSections(ByteView input, std::size_t count) {
    std::vector<ByteView> sections(count);
    const std::size_t header = 4 * (count - 1);
    if (input.size() < header)
        return sections;
    ByteView rest = input.subspan(header);
    for (std::size_t i = 0; i + 1 < count; ++i) {
        const std::size_t length = std::min<std::size_t>(loadU32(input, 4 * i), rest.size());
        sections[i] = rest.first(length);
        rest = rest.subspan(length);
    }
    sections[count - 1] = rest;
    return sections;
}

/// The input that splits into `sections`.
inline Bytes joinSections(std::span<const ByteView> sections) {
    Bytes input;
    for (std::size_t i = 0; i + 1 < sections.size(); ++i)
        appendU32(input, static_cast<std::uint32_t>(sections[i].size()));
    for (const ByteView section : sections)
        input.insert(input.end(), section.begin(), section.end());
    return input;
}

/// Ends the process, which is a finding, when `holds` is false.
inline void require(bool holds, const char* what) {
    if (holds)
        return;
    std::fprintf(stderr, "broken: %s\n", what);
    std::abort();
}

} // namespace plumbline::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);
