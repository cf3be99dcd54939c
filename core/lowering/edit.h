// SPDX-License-Identifier: GPL-3.0-or-later
// Changes to a job as an experiment: values that are applied to a copy, never to the original.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "core/base/result.h"
#include "core/lowering/field_table.h"
#include "core/lowering/job.h"

namespace plumbline {

/// Sets one field of a record's template. A relocation of that very word follows, so that word and
/// relocation stay in step; edit the relocation to set them apart.
struct FieldEdit {
    std::int64_t record = 0;
    std::size_t field = 0; ///< row of the field table
    std::int64_t value = 0;
    bool operator==(const FieldEdit&) const = default;
};

/// Replaces one relocation, and nothing else.
struct RelocationEdit {
    std::int64_t index = 0; ///< in Job::relocations
    Relocation relocation;
    bool operator==(const RelocationEdit&) const = default;
};

/// Sets one byte of the "weights", "params" or "descriptors" region.
struct ByteEdit {
    std::string region;
    std::uint64_t offset = 0;
    std::uint8_t value = 0;
    bool operator==(const ByteEdit&) const = default;
};

using Edit = std::variant<FieldEdit, RelocationEdit, ByteEdit>;

/// Smallest and largest value that the bits of a field can hold.
struct ValueRange {
    std::int64_t low = 0, high = 0;
};
ValueRange valueRange(const FieldSpec& field);

/// A copy of `job` with `edits` applied in order. Errors: BadEdit for a record, field, relocation,
/// region or byte that does not exist, or a value that the field's bits cannot hold. A value that
/// merely breaks a rule is fine: that is what experiments are for.
Result<Job> applyEdits(const Job& job, const FieldTable& fields, std::span<const Edit> edits);

/// Reads an edit:
///     record/N/word/W/FIELD=VALUE      weights|params|descriptors/OFFSET=VALUE
///     relocation/N/region=NAME         relocation/N/offset=VALUE    relocation/N/word=VALUE
///     relocation/N/record=VALUE
/// Numbers are decimal, negative or 0x hexadecimal. `job` gives the other parts of a relocation.
/// Error: BadEdit.
Result<Edit> parseEdit(std::string_view text, const Job& job, const FieldTable& fields);

/// The text that parseEdit reads back; of a relocation all that differs from `job`'s is given by
/// several texts, joined by a space.
std::string toText(const Edit& edit, const Job& job, const FieldTable& fields);

} // namespace plumbline
