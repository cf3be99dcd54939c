// SPDX-License-Identifier: GPL-3.0-or-later
// Parts of `plumb dump`: records by field, regions as bytes, packed weights and parameters.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "app/cli/console.h"
#include "core/lowering/field_table.h"
#include "core/lowering/job.h"

namespace plumbline::cli {

/// A job with what finding one's way in it needs. `job` outlives it.
class DumpSource {
  public:
    explicit DumpSource(const Job& job);

    const Job& job() const { return m_job; }
    std::int64_t records() const { return m_records; }
    ByteView record(std::int64_t index) const;
    /// Index of the relocation of a word; nothing when it has none.
    std::optional<std::size_t> relocationOf(std::int64_t record, std::int64_t word) const;
    /// Value of the field called `name`; 0 when the target has no such field.
    std::int64_t field(std::int64_t index, std::string_view name) const;
    /// "ok", or what the validator says to the relocated record.
    std::string verdict(std::int64_t index) const;
    bool isValid(std::int64_t index) const;
    /// "operator 3 CONV_2D", as far as it is known.
    std::string title(std::int64_t index) const;

  private:
    const Job& m_job;
    std::int64_t m_records;
    std::map<std::pair<std::int64_t, std::int64_t>, std::size_t> m_relocations;
    Bytes m_relocated;
    std::optional<Fault> m_fault;
};

std::string recordText(const DumpSource& source, std::int64_t index);
Json recordJson(const DumpSource& source, std::int64_t index);

/// Bytes `begin` to `end` (exclusive) of a region.
struct ByteRange {
    std::uint64_t begin = 0;
    std::uint64_t end = 0;
};

/// The bytes of region `name`; anything but descriptors, weights and params is wrong usage.
ByteView regionBytes(const Job& job, const std::string& name);
/// Sixteen bytes per line with their offset in the region.
std::string hexText(ByteView region, ByteRange range);

/// The packed weights of a record by [group][k][lane]; wrong usage when it has none, refused when
/// they do not lie in the region or do not have that form.
std::string packedWeightsText(const DumpSource& source, std::int64_t record);
Json packedWeightsJson(const DumpSource& source, std::int64_t record);

/// The parameters of a record, one entry per channel, or the one block of ADD. Failures as above.
std::string paramsText(const DumpSource& source, std::int64_t record);
Json paramsJson(const DumpSource& source, std::int64_t record);

} // namespace plumbline::cli
