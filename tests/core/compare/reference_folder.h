// SPDX-License-Identifier: GPL-3.0-or-later
// A small network's layers and a folder to put dumps of them in.
#pragma once

#include <fstream>
#include <string>
#include <vector>

#include "core/artifacts/npy.h"
#include "core/compare/reference.h"
#include "tests/support/test_data.h"

namespace plumbline::test {

inline constexpr std::uint64_t kArenaBytes = 192;

/// Operator 2 is a RESHAPE and makes no layer; operators 0 and 1, and 3 and 4, are of one size.
inline std::vector<LayerIdentity> fewLayers() {
    return {{0, "CONV_2D", "net/conv2d/Relu", {4, 5, 2}, 0},
            {1, "DEPTHWISE_CONV_2D", "net/conv2d_9/Relu;bias", {4, 5, 2}, 64},
            {3, "FULLY_CONNECTED", "dense", {1, 1, 12}, 128},
            {4, "SOFTMAX", "Identity_3", {1, 1, 12}, std::nullopt},
            {5, "RELU", "last", {1, 1, 7}, 180}};
}

/// `count` bytes that tell layers apart.
inline Bytes someBytes(std::uint64_t seed, std::size_t count) { return seededBytes(seed, count); }

/// A folder that is filled and then loaded as a reference.
class ReferenceFolder {
  public:
    std::filesystem::path path() const { return m_folder.path() / "dumps"; }
    ReferenceFolder() { std::filesystem::create_directory(path()); }

    void add(const std::string& name, const Bytes& bytes) const {
        std::ofstream(path() / name, std::ios::binary)
            .write(reinterpret_cast<const char*>(bytes.data()),
                   static_cast<std::streamsize>(bytes.size()));
    }
    void addNpy(const std::string& name, const Bytes& bytes,
                const std::vector<std::int64_t>& shape) const {
        add(name, writeNpy(bytes, shape));
    }
    Result<Reference> load() const { return loadReference(path(), fewLayers(), kArenaBytes); }

  private:
    TemporaryDirectory m_folder;
};

/// One line per match, "FILE by -> operator: note", in the reference's order.
inline std::string matchText(const Reference& reference) {
    std::string text;
    for (const LayerMatch& match : reference.matches) {
        text += match.from + " " + std::string(matchedByName(match.by));
        if (match.operatorIndex)
            text += " " + std::to_string(*match.operatorIndex);
        text += match.note.empty() ? "\n" : ": " + match.note + "\n";
    }
    return text;
}

} // namespace plumbline::test
