// SPDX-License-Identifier: GPL-3.0-or-later
// Records by field: loops over the target's field table.
#include <fmt/format.h>

#include "app/cli/diagnostic_json.h"
#include "app/cli/dump.h"
#include "app/cli/table.h"
#include "core/lowering/target.h"

namespace plumbline::cli {
namespace {

const FieldTable& fields() { return npuP0Target().fields(); }

/// Where an address field points once the job is placed in memory.
std::optional<std::uint64_t> finalAddress(const DumpSource& source, const FieldSpec& field,
                                          ByteView record,
                                          const std::optional<std::size_t>& relocation) {
    if (field.kind != FieldKind::Address || !relocation)
        return std::nullopt;
    const auto base = regionBase(source.job().bases, source.job().relocations[*relocation].region);
    if (!base)
        return std::nullopt;
    return *base + rawField(record, field);
}

std::optional<std::size_t> relocationOf(const DumpSource& source, std::int64_t record,
                                        const FieldSpec& field) {
    if (field.kind != FieldKind::Address)
        return std::nullopt;
    return source.relocationOf(record, field.word);
}

std::string valueText(const FieldSpec& field, ByteView record) {
    const std::int64_t value = fieldValue(record, field);
    if (field.kind != FieldKind::Opcode)
        return std::to_string(value);
    const std::string_view name = fields().opcodeName(static_cast<std::uint32_t>(value));
    return fmt::format("{} {}", value, name.empty() ? "(no opcode)" : name);
}

std::string rawText(const FieldSpec& field, ByteView record) {
    return fmt::format("0x{:0{}x}", rawField(record, field), (field.width + 3) / 4);
}

std::string opcodeText(ByteView record) {
    return std::string(fields().opcodeName(opcodeOf(record, fields())));
}

} // namespace

DumpSource::DumpSource(const Job& job)
    : m_job(job)
    , m_records(static_cast<std::int64_t>(job.descriptors.size() / fields().recordBytes)) {
    for (std::size_t i = 0; i < job.relocations.size(); ++i)
        m_relocations.try_emplace({job.relocations[i].record, job.relocations[i].word}, i);
    m_relocated = npuP0Target().relocate(job, m_fault);
}

ByteView DumpSource::record(std::int64_t index) const {
    const std::size_t size = fields().recordBytes;
    return ByteView(m_job.descriptors).subspan(static_cast<std::size_t>(index) * size, size);
}

std::optional<std::size_t> DumpSource::relocationOf(std::int64_t record, std::int64_t word) const {
    const auto found = m_relocations.find({record, word});
    return found == m_relocations.end() ? std::nullopt : std::optional(found->second);
}

std::int64_t DumpSource::field(std::int64_t index, std::string_view name) const {
    const std::optional<std::size_t> row = findField(fields(), name);
    return row ? fieldValue(record(index), fields().fields[*row]) : 0;
}

std::string DumpSource::verdict(std::int64_t index) const {
    if (m_fault)
        return "not relocated: " + m_fault->reason;
    const std::size_t size = fields().recordBytes;
    const auto offset = static_cast<std::size_t>(index) * size;
    if (offset + size > m_relocated.size())
        return "not relocated";
    const auto violation =
        npuP0Target().checkRecord(ByteView(m_relocated).subspan(offset, size),
                                  AddressRange{m_job.bases.descriptors, m_job.descriptors.size()});
    if (!violation)
        return "ok";
    const std::string word = violation->word ? fmt::format(", word {}", *violation->word) : "";
    return fmt::format("{} {}{}: {}", static_cast<int>(violation->code), faultName(violation->code),
                       word, violation->message);
}

bool DumpSource::isValid(std::int64_t index) const { return verdict(index) == "ok"; }

std::string DumpSource::title(std::int64_t index) const {
    const auto i = static_cast<std::size_t>(index);
    if (i >= m_job.layers.size())
        return "operator unknown";
    return fmt::format("operator {} {}", m_job.layers[i].operatorIndex, m_job.layers[i].name);
}

std::string recordText(const DumpSource& source, std::int64_t index) {
    const ByteView record = source.record(index);
    Table table({{"Word", Table::Align::Right},
                 {"Field"},
                 {"Raw", Table::Align::Right},
                 {"Value", Table::Align::Right},
                 {"Unit"},
                 {"Relocation"},
                 {"Address", Table::Align::Right},
                 {"Rule"}});
    for (const FieldSpec& field : fields().fields) {
        const auto relocation = relocationOf(source, index, field);
        const auto address = finalAddress(source, field, record, relocation);
        const std::string violation = fieldViolation(record, field, fields());
        std::string relocationText;
        if (relocation) {
            const Relocation& r = source.job().relocations[*relocation];
            relocationText = fmt::format("{}: {}+{}", *relocation, r.region, r.offset);
        }
        table.add({std::to_string(field.word), std::string(field.name), rawText(field, record),
                   valueText(field, record), std::string(field.unit), relocationText,
                   address ? fmt::format("0x{:08x}", *address) : "",
                   violation.empty() ? "ok" : violation});
    }
    return printable(fmt::format("record {}, {}, {}: {}\n", index, source.title(index),
                                 opcodeText(record), source.verdict(index))) +
           table.text();
}

Json recordJson(const DumpSource& source, std::int64_t index) {
    const ByteView record = source.record(index);
    Json rows = Json::array();
    for (const FieldSpec& field : fields().fields) {
        const auto relocation = relocationOf(source, index, field);
        const std::string violation = fieldViolation(record, field, fields());
        Json relocationJson = nullptr;
        if (relocation) {
            const Relocation& r = source.job().relocations[*relocation];
            relocationJson = {{"index", *relocation}, {"region", r.region}, {"offset", r.offset}};
        }
        rows.push_back({{"name", field.name},
                        {"word", field.word},
                        {"lsb", field.lsb},
                        {"width", field.width},
                        {"raw", rawField(record, field)},
                        {"value", fieldValue(record, field)},
                        {"unit", field.unit},
                        {"relocation", std::move(relocationJson)},
                        {"address", orNull(finalAddress(source, field, record, relocation))},
                        {"violation", violation.empty() ? Json(nullptr) : Json(violation)}});
    }
    const auto i = static_cast<std::size_t>(index);
    const bool known = i < source.job().layers.size();
    return {{"record", index},
            {"operator", known ? Json(source.job().layers[i].operatorIndex) : Json(nullptr)},
            {"name", known ? Json(source.job().layers[i].name) : Json(nullptr)},
            {"opcode", opcodeText(record)},
            {"hex", toHex(record)},
            {"valid", source.isValid(index)},
            {"verdict", source.verdict(index)},
            {"fields", std::move(rows)}};
}

} // namespace plumbline::cli
