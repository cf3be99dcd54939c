// SPDX-License-Identifier: GPL-3.0-or-later
// Sections: records of 128 bytes with absolute addresses, weights, parameters, input. Every record
// is taken apart and put together again, and validated; then all are run as one job.
#include <algorithm>

#include "core/lowering/target.h"
#include "tests/fuzz/sections.h"

using namespace plumbline;

namespace {

constexpr std::size_t kMaxRecords = 8;
constexpr std::uint64_t kArenaBytes = 65536;

/// The record made of the fields of `record`, each read and set by itself.
Bytes rebuilt(ByteView record, const FieldTable& table) {
    Bytes copy(table.recordBytes);
    for (const FieldSpec& field : table.fields)
        setField(copy, field, fieldValue(record, field));
    return copy;
}

/// The number of records that the validator takes before the first that it does not.
std::size_t checkRecords(ByteView records, const Target& target, AddressRange array) {
    const std::size_t bytes = target.fields().recordBytes;
    std::size_t valid = 0;
    bool allValid = true;
    for (std::size_t offset = 0; offset < records.size(); offset += bytes) {
        const ByteView record = records.subspan(offset, bytes);
        fuzz::require(std::ranges::equal(rebuilt(record, target.fields()), record),
                      "decoding and encoding loses nothing");
        const bool alone = !target.checkRecord(record, std::nullopt);
        const bool inArray = !target.checkRecord(record, array);
        fuzz::require(alone || !inArray, "the array only adds rules");
        allValid = allValid && inArray;
        valid += allValid ? 1 : 0;
    }
    return valid;
}

Job jobOfSections(const std::vector<ByteView>& sections, std::size_t recordBytes) {
    Job job;
    const std::size_t count = std::min(sections[0].size() / recordBytes, kMaxRecords);
    job.descriptors.assign(sections[0].begin(),
                           sections[0].begin() + static_cast<std::ptrdiff_t>(count * recordBytes));
    job.weights.assign(sections[1].begin(), sections[1].end());
    job.params.assign(sections[2].begin(), sections[2].end());
    job.arenaBytes = kArenaBytes;
    job.inputBytes = std::min<std::uint64_t>(sections[3].size(), kArenaBytes);
    Step step;
    step.kind = "npu";
    step.firstRecord = 0;
    step.count = static_cast<std::int64_t>(count);
    job.steps.push_back(step);
    job.layers.resize(count);
    if (count > 0)
        job.outputRecord = static_cast<std::int64_t>(count) - 1;
    return job;
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const Target& target = npuP0Target();
    const std::vector<ByteView> sections = fuzz::splitSections({data, size}, 4);
    const Job job = jobOfSections(sections, target.fields().recordBytes);
    const std::size_t count = job.layers.size();
    const std::size_t valid =
        checkRecords(job.descriptors, target, {job.bases.descriptors, job.descriptors.size()});
    ExecuteOptions options;
    options.maxWork = std::uint64_t{1} << 20;
    options.sanitize = true;
    const Execution execution = target.execute(job, sections[3].first(job.inputBytes), options);
    if (valid < count)
        fuzz::require(execution.fault.has_value(), "a job with an invalid record does not run");
    fuzz::require(execution.fault || execution.trace.layers.size() == count,
                  "a job without a fault has a layer per record");
    return 0;
}
