// SPDX-License-Identifier: GPL-3.0-or-later
// Which bytes of a document can be looked at, what the selection means among them, and what one of
// them is. No widgets.
#pragma once

#include <memory>
#include <optional>

#include <QCoreApplication>
#include <QString>

#include "core/document/document.h"
#include "core/lowering/arena_image.h"
#include "core/lowering/selection.h"
#include "views/hex/hex_geometry.h"

namespace plumbline {

enum class ByteRegion : std::uint8_t {
    Descriptors, ///< relocated, as the executor sees them
    Templates,   ///< as the file holds them
    Weights,
    Params,
    Arena, ///< after a step
    File,  ///< the model file, or npu.json
};
inline constexpr int kByteRegions = 6;

/// The region's name in addresses; empty for the file, which has none.
std::string_view regionName(ByteRegion region);

/// The bytes of one region of one document.
class RegionBytes {
    Q_DECLARE_TR_FUNCTIONS(RegionBytes)

  public:
    RegionBytes() = default;
    /// `step` is the operator after which the arena is shown; other regions ignore it.
    RegionBytes(DocumentPtr document, ByteRegion region, std::int64_t step);

    ByteRegion region() const { return m_region; }
    ByteView bytes() const { return m_bytes; }
    const std::shared_ptr<const void>& owner() const { return m_owner; }
    const ArenaImage* arena() const { return m_arena.get(); } ///< null for other regions
    /// Why there are no bytes, and what to do; empty when there are some.
    QString emptyReason() const;

    /// The bytes that `place` names here; nothing when it names none in this region.
    std::optional<HexRun> markOf(const Place& place) const;
    /// The bytes that belong to the operator, record or tensor of `place`.
    std::optional<HexRun> contextOf(const Place& place) const;
    /// What selecting `run` selects; nothing where the bytes have no address.
    std::optional<Selection> selectionOf(const HexRun& run) const;
    /// "record 3 · word 6 INPUT_HW · INPUT_H"; empty when nothing is known.
    QString describe(std::uint64_t offset) const;

  private:
    void takeArena(std::int64_t step);
    const LoweredOperator* operatorAt(std::optional<std::int64_t> index) const;
    const LoweredOperator* ownerOf(std::uint64_t offset) const;
    std::optional<HexRun> constantsOf(const LoweredOperator& op) const;
    std::optional<HexRun> tensorRun(std::int64_t tensor) const;
    std::optional<std::int64_t> tensorAt(std::uint64_t offset) const;
    std::optional<HexRun> fileContext(const Place& place) const;
    std::optional<HexRun> clipped(const HexRun& run) const;
    QString describeRecord(std::uint64_t offset) const;
    QString describeWeight(std::uint64_t offset) const;
    QString describeParameter(std::uint64_t offset) const;
    QString describeArena(std::uint64_t offset) const;
    QString describeFile(std::uint64_t offset) const;
    QString operatorTitle(const LoweredOperator& op) const;

    DocumentPtr m_document;
    ByteRegion m_region = ByteRegion::Descriptors;
    std::int64_t m_step = 0;
    ByteView m_bytes;
    std::shared_ptr<const void> m_owner;
    std::shared_ptr<const ArenaImage> m_arena;
};

} // namespace plumbline
