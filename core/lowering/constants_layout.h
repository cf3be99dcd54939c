// SPDX-License-Identifier: GPL-3.0-or-later
// The constants that records point at: packed weights as [group][k][lane] and parameters as
// records of named words. A target states its layout once, here it is read.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/lowering/field_table.h"
#include "core/lowering/lowering.h"

namespace plumbline {

/// One factor of the reduction index k. Axes are listed outermost first:
/// k = (kh * KW + kw) * CIN + cin.
struct ReductionAxis {
    std::string_view name; ///< "kh"
    std::size_t field;     ///< row of the field table that holds its extent
    std::uint32_t opcodes; ///< bit (1 << opcode) of every opcode whose k has it
};

/// One little-endian 32-bit word of a parameter record.
struct ParameterField {
    std::string_view name; ///< "multiplier"
    bool isSigned;         ///< two's complement
    std::string_view meaning;
};

/// Parameters of some opcodes: one record, or one per output channel.
struct ParameterLayout {
    std::uint32_t opcodes; ///< bit (1 << opcode)
    bool perChannel;
    std::span<const ParameterField> fields;
    std::size_t recordBytes() const { return fields.size() * 4; }
};

/// What a target says about its constants.
struct ConstantsLayout {
    std::size_t lanes;    ///< output channels per group; missing ones are 0
    std::size_t channels; ///< row of the field that holds the number of output channels
    std::span<const ReductionAxis> axes;
    std::span<const ParameterLayout> parameters;
};

/// The part of `region` ("weights", "params") that `record` (a template) points at, as its fields
/// say; 0 bytes when it has none. It may leave the region.
RegionSlice constantsSlice(ByteView record, const FieldTable& table, std::string_view region);

/// Weights of one record. Views the region it was made from.
struct PackedWeights {
    struct Axis {
        std::string_view name;
        std::size_t extent = 0; ///< at least 1
    };
    std::uint64_t offset = 0; ///< in the region, bytes
    ByteView bytes;
    std::size_t groups = 0;
    std::size_t depth = 0; ///< reduction length K
    std::size_t lanes = 0;
    std::size_t channels = 0;
    std::vector<Axis> axes; ///< outermost first; empty when their product is not `depth`

    std::size_t rows() const { return groups * depth; }
    std::size_t indexOf(std::size_t group, std::size_t k, std::size_t lane) const {
        return (group * depth + k) * lanes + lane;
    }
    int at(std::size_t group, std::size_t k, std::size_t lane) const {
        return static_cast<std::int8_t>(bytes[indexOf(group, k, lane)]);
    }
    /// Position of `k` on `axes[axis]`.
    std::size_t axisIndex(std::size_t k, std::size_t axis) const;
};

/// Error: ManifestInconsistent when the record's bytes leave `weights` or are no [group][k][lane]
/// of its channels. The record has weights (constantsSlice).
Result<PackedWeights> packedWeights(ByteView record, const FieldTable& table, ByteView weights);

/// Parameters of one record. Views the region it was made from.
struct ParameterRecords {
    std::uint64_t offset = 0; ///< in the region, bytes
    ByteView bytes;
    const ParameterLayout* layout = nullptr;

    std::size_t count() const { return bytes.size() / layout->recordBytes(); }
    std::size_t indexOf(std::size_t record, std::size_t field) const {
        return record * layout->recordBytes() + field * 4;
    }
    /// The word, sign-extended where the field is signed.
    std::int64_t at(std::size_t record, std::size_t field) const;
};

/// Errors as packedWeights; also when the record's opcode has no parameters.
Result<ParameterRecords> parameterRecords(ByteView record, const FieldTable& table,
                                          ByteView params);

} // namespace plumbline
