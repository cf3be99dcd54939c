// SPDX-License-Identifier: GPL-3.0-or-later
// What a person points at, as one value with a text form. Views, the command line, the report and
// the clipboard use the same text. Source: architecture.md, "Selection".
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "core/base/result.h"
#include "core/lowering/lowering.h"

namespace plumbline {

/// One element of a batch-one tensor, zero-based.
struct ElementIndex {
    std::int64_t h = 0, w = 0, c = 0;
    bool operator==(const ElementIndex&) const = default;
};

/// Bytes of a region. Offsets count from the region's start, not from its base address.
struct AddressSpan {
    std::string region;               ///< "descriptors", "weights", "params" or "arena"
    std::optional<std::int64_t> step; ///< arena only: the operator after which the bytes are meant
    std::uint64_t offset = 0;
    std::uint64_t bytes = 1; ///< at least 1
    bool operator==(const AddressSpan&) const = default;
};

/// Every part is optional; all indices are zero-based.
struct Selection {
    std::optional<std::int64_t> operatorIndex; ///< in the main graph
    std::optional<std::int64_t> record;        ///< only without operatorIndex
    std::optional<std::int64_t> word;          ///< of the record
    std::string field;                         ///< name of a field in that word; may be empty
    std::optional<std::int64_t> tile;
    std::optional<ElementIndex> element; ///< of the operator's output
    std::optional<std::int64_t> tensor;
    std::optional<std::int64_t> buffer; ///< index in ArenaPlan::allocations
    std::optional<AddressSpan> span;
    std::optional<std::int64_t> diagnostic; ///< index in the document's list

    bool empty() const { return *this == Selection{}; }
    bool operator==(const Selection&) const = default;
};

Selection selectOperator(std::int64_t index);
Selection selectRecord(std::int64_t record, std::optional<std::int64_t> word = {},
                       std::string_view field = {});
Selection selectBuffer(std::int64_t buffer);
Selection selectSpan(std::string_view region, std::uint64_t offset, std::uint64_t bytes = 1,
                     std::optional<std::int64_t> step = {});

/// Reads an address:
///     op/N[/word/W[/FIELD]][/tile/T][/element/h,w,c]    record/N[/word/W[/FIELD]]
///     tensor/N    buffer/N    diagnostic/N
///     weights|params|descriptors|arena/OFFSET[+LENGTH]    arena@STEP/OFFSET[+LENGTH]
/// Offsets and lengths are decimal or 0x hexadecimal bytes. Error: BadAddress with the place
/// (byte).
Result<Selection> parseSelection(std::string_view text);

/// The text that parseSelection reads back; empty for an empty selection.
std::string toText(const Selection& selection);

/// What a selection means in one lowering: all parts that follow from the ones given.
struct Place {
    std::optional<std::int64_t> operatorIndex;
    std::optional<std::int64_t> record;
    std::optional<std::int64_t> word;
    std::optional<std::size_t> field; ///< index in the field table
    std::optional<std::int64_t> tile;
    std::optional<ElementIndex> element;
    std::optional<std::int64_t> tensor;
    std::optional<std::int64_t> buffer; ///< index in ArenaPlan::allocations
    std::optional<std::int64_t> step;   ///< operator at which the arena is looked at
    std::optional<AddressSpan> span;    ///< the bytes it stands for
    std::optional<std::int64_t> diagnostic;
    bool operator==(const Place&) const = default;
};

/// Completes `selection`. `diagnostics` is the list that diagnostic/N counts. Error: NoSuchPlace
/// when the lowering has no such operator, record, word, field, tile, element, tensor, buffer or
/// byte.
Result<Place> resolveSelection(const Selection& selection, const Lowering& lowering,
                               const Diagnostics& diagnostics = {});

} // namespace plumbline
