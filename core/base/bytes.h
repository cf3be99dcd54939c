// SPDX-License-Identifier: GPL-3.0-or-later
// Byte buffers, little-endian access and hexadecimal text.
#pragma once

#include <cstdint>
#include <cstring>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace plumbline {

using Bytes = std::vector<std::uint8_t>;
using ByteView = std::span<const std::uint8_t>;

/// The 32-bit little-endian word at byte `offset`. The caller guarantees offset + 4 <= size.
inline std::uint32_t loadU32(ByteView bytes, std::size_t offset) {
    return std::uint32_t{bytes[offset]} | std::uint32_t{bytes[offset + 1]} << 8 |
           std::uint32_t{bytes[offset + 2]} << 16 | std::uint32_t{bytes[offset + 3]} << 24;
}

/// As loadU32, read as two's complement.
inline std::int32_t loadI32(ByteView bytes, std::size_t offset) {
    return static_cast<std::int32_t>(loadU32(bytes, offset));
}

/// Stores `value` little-endian at byte `offset`. The caller guarantees offset + 4 <= size.
inline void storeU32(std::span<std::uint8_t> bytes, std::size_t offset, std::uint32_t value) {
    for (std::size_t i = 0; i < 4; ++i) {
        bytes[offset + i] = static_cast<std::uint8_t>(value >> (8 * i));
    }
}

/// Appends `value` little-endian.
inline void appendU32(Bytes& bytes, std::uint32_t value) {
    bytes.resize(bytes.size() + 4);
    storeU32(bytes, bytes.size() - 4, value);
}

/// Lower-case hexadecimal, two digits per byte, no separators.
std::string toHex(ByteView bytes);

/// The bytes of `text` (an even number of hexadecimal digits, either case); nothing on other text.
std::optional<Bytes> fromHex(std::string_view text);

/// The first `count` bytes of the SplitMix64 stream of `seed`, each 64-bit output low byte first.
Bytes seededBytes(std::uint64_t seed, std::size_t count);

/// The SplitMix64 generator: one 64-bit value per call, the state advances by the golden gamma.
class SplitMix64 {
  public:
    explicit SplitMix64(std::uint64_t seed)
        : m_state(seed) {}
    std::uint64_t next() {
        m_state += 0x9E3779B97F4A7C15u;
        std::uint64_t z = m_state;
        z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
        z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
        return z ^ (z >> 31);
    }
    /// Uniform in 0 .. bound - 1; bound > 0. The slight modulo bias does not matter here.
    std::uint64_t below(std::uint64_t bound) { return next() % bound; }

  private:
    std::uint64_t m_state;
};

} // namespace plumbline
