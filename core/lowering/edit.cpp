// SPDX-License-Identifier: GPL-3.0-or-later
// Edits of a job: their text form, and applying them to a copy.
#include "core/lowering/edit.h"

#include <algorithm>
#include <charconv>
#include <optional>

#include <fmt/format.h>

namespace plumbline {
namespace {

template <class... Cases> struct Overloaded : Cases... { using Cases::operator()...; };
template <class... Cases> Overloaded(Cases...) -> Overloaded<Cases...>;

Diagnostic badEdit(std::string message, Location where = {}) {
    return makeError(Code::BadEdit, std::move(message), std::move(where));
}

bool isIndex(std::int64_t index, std::size_t count) {
    return index >= 0 && static_cast<std::uint64_t>(index) < count;
}

std::optional<Diagnostic> apply(const FieldEdit& edit, const FieldTable& fields, Job& job) {
    Location where;
    where.record = edit.record;
    const std::size_t records = job.descriptors.size() / fields.recordBytes;
    if (!isIndex(edit.record, records))
        return badEdit(fmt::format("Record {} does not exist; there are {}.", edit.record, records),
                       where);
    if (edit.field >= fields.fields.size())
        return badEdit(fmt::format("A record has no field {}; there are {}.", edit.field,
                                   fields.fields.size()),
                       where);
    const FieldSpec& field = fields.fields[edit.field];
    where.word = field.word;
    const auto [low, high] = valueRange(field);
    if (edit.value < low || edit.value > high)
        return badEdit(fmt::format("{} is outside {}..{}, which the {} bits of {} can hold.",
                                   edit.value, low, high, field.width, field.name),
                       where);
    const auto record = std::span(job.descriptors)
                            .subspan(static_cast<std::size_t>(edit.record) * fields.recordBytes,
                                     fields.recordBytes);
    setField(record, field, edit.value);
    for (Relocation& relocation : job.relocations) {
        if (relocation.record == edit.record && relocation.word == field.word)
            relocation.offset = loadU32(record, std::size_t{field.word} * 4);
    }
    return std::nullopt;
}

std::optional<Diagnostic> apply(const RelocationEdit& edit, Job& job) {
    if (!isIndex(edit.index, job.relocations.size())) {
        Location where;
        where.relocation = edit.index;
        return badEdit(fmt::format("Relocation {} does not exist; there are {}.", edit.index,
                                   job.relocations.size()),
                       where);
    }
    job.relocations[static_cast<std::size_t>(edit.index)] = edit.relocation;
    return std::nullopt;
}

Bytes* regionOf(Job& job, std::string_view name) {
    return name == kWeightsRegion       ? &job.weights
           : name == kParamsRegion      ? &job.params
           : name == kDescriptorsRegion ? &job.descriptors
                                        : nullptr;
}

std::optional<Diagnostic> apply(const ByteEdit& edit, Job& job) {
    Bytes* const region = regionOf(job, edit.region);
    if (region == nullptr)
        return badEdit(fmt::format("'{}' is no region whose bytes can be set; those are weights, "
                                   "params and descriptors.",
                                   edit.region));
    if (edit.offset >= region->size()) {
        Location where;
        where.byte = edit.offset;
        return badEdit(fmt::format("Byte {} of {} does not exist; there are {}.", edit.offset,
                                   edit.region, region->size()),
                       where);
    }
    (*region)[static_cast<std::size_t>(edit.offset)] = edit.value;
    return std::nullopt;
}

std::optional<std::int64_t> numberIn(std::string_view text) {
    const bool isNegative = text.starts_with('-');
    text.remove_prefix(isNegative ? 1 : 0);
    const bool isHexadecimal = text.starts_with("0x") || text.starts_with("0X");
    text.remove_prefix(isHexadecimal ? 2 : 0);
    std::int64_t value = 0;
    const char* const end = text.data() + text.size();
    const auto [at, error] = std::from_chars(text.data(), end, value, isHexadecimal ? 16 : 10);
    if (text.empty() || error != std::errc{} || at != end || value < 0)
        return std::nullopt;
    return isNegative ? -value : value;
}

/// The text of an edit, taken apart: "a/b/c=value".
struct EditText {
    std::string_view whole;
    std::vector<std::string_view> parts;
    std::string_view value;

    Diagnostic error(const std::string& what) const {
        return badEdit(fmt::format("'{}': {}.", whole, what));
    }
};

EditText takenApart(std::string_view text) {
    EditText made{text, {}, {}};
    const std::size_t equals = text.find('=');
    if (equals == std::string_view::npos)
        return made;
    made.value = text.substr(equals + 1);
    std::string_view path = text.substr(0, equals);
    for (std::size_t slash = path.find('/'); slash != std::string_view::npos;
         slash = path.find('/')) {
        made.parts.push_back(path.substr(0, slash));
        path.remove_prefix(slash + 1);
    }
    made.parts.push_back(path);
    return made;
}

Result<Edit> parseField(const EditText& text, const FieldTable& fields) {
    if (text.parts.size() != 5 || text.parts[2] != "word")
        return text.error("a field is given as record/N/word/W/FIELD=VALUE");
    const auto record = numberIn(text.parts[1]);
    const auto word = numberIn(text.parts[3]);
    const auto value = numberIn(text.value);
    if (!record || !word)
        return text.error("record and word are numbers");
    const auto field = findField(fields, text.parts[4]);
    if (!field || fields.fields[*field].word != *word)
        return text.error(fmt::format("word {} has no field '{}'", *word, text.parts[4]));
    if (!value)
        return text.error("the value is a number, decimal or 0x hexadecimal");
    return Edit(FieldEdit{*record, *field, *value});
}

Result<Edit> parseRelocation(const EditText& text, const Job& job) {
    if (text.parts.size() != 3)
        return text.error("a relocation is changed by relocation/N/region=NAME, "
                          "relocation/N/offset=VALUE, relocation/N/word=VALUE or "
                          "relocation/N/record=VALUE");
    const auto index = numberIn(text.parts[1]);
    if (!index || !isIndex(*index, job.relocations.size()))
        return text.error(
            fmt::format("there are {} relocations, counted from 0", job.relocations.size()));
    RelocationEdit edit{*index, job.relocations[static_cast<std::size_t>(*index)]};
    const std::string_view member = text.parts[2];
    if (member == "region") {
        if (text.value.empty() || text.value.find(' ') != std::string_view::npos)
            return text.error("a region's name is a word");
        edit.relocation.region = text.value;
        return Edit(std::move(edit));
    }
    const auto value = numberIn(text.value);
    if (!value)
        return text.error("the value is a number, decimal or 0x hexadecimal");
    if (member == "offset")
        edit.relocation.offset = *value;
    else if (member == "word")
        edit.relocation.word = *value;
    else if (member == "record")
        edit.relocation.record = *value;
    else
        return text.error(fmt::format("a relocation has no '{}'; it has region, offset, word and "
                                      "record",
                                      member));
    return Edit(std::move(edit));
}

Result<Edit> parseByte(const EditText& text) {
    const auto offset = text.parts.size() == 2 ? numberIn(text.parts[1]) : std::nullopt;
    if (!offset || *offset < 0)
        return text.error(fmt::format("a byte is given as {}/OFFSET=VALUE", text.parts[0]));
    const auto value = numberIn(text.value);
    if (!value || *value < -128 || *value > 255)
        return text.error("a byte's value is within -128..255");
    return Edit(ByteEdit{std::string(text.parts[0]), static_cast<std::uint64_t>(*offset),
                         static_cast<std::uint8_t>(*value)});
}

std::string relocationText(const RelocationEdit& edit, const Job& job) {
    const Relocation& to = edit.relocation;
    const Relocation from = isIndex(edit.index, job.relocations.size())
                                ? job.relocations[static_cast<std::size_t>(edit.index)]
                                : Relocation{};
    std::string text;
    const auto add = [&](std::string_view member, const auto& value) {
        text += fmt::format("{}relocation/{}/{}={}", text.empty() ? "" : " ", edit.index, member,
                            value);
    };
    if (to.record != from.record)
        add("record", to.record);
    if (to.word != from.word)
        add("word", to.word);
    if (to.region != from.region)
        add("region", to.region);
    if (to.offset != from.offset || text.empty())
        add("offset", to.offset);
    return text;
}

} // namespace

ValueRange valueRange(const FieldSpec& field) {
    const std::int64_t values = std::int64_t{1} << field.width;
    return field.kind == FieldKind::Signed ? ValueRange{-values / 2, values / 2 - 1}
                                           : ValueRange{0, values - 1};
}

Result<Job> applyEdits(const Job& job, const FieldTable& fields, std::span<const Edit> edits) {
    Job changed = job;
    for (const Edit& edit : edits) {
        const auto problem =
            std::visit(Overloaded{[&](const FieldEdit& e) { return apply(e, fields, changed); },
                                  [&](const RelocationEdit& e) { return apply(e, changed); },
                                  [&](const ByteEdit& e) { return apply(e, changed); }},
                       edit);
        if (problem)
            return *problem;
    }
    return changed;
}

Result<Edit> parseEdit(std::string_view text, const Job& job, const FieldTable& fields) {
    const EditText parts = takenApart(text);
    const std::string_view head = parts.parts.empty() ? std::string_view{} : parts.parts[0];
    if (head == "record")
        return parseField(parts, fields);
    if (head == "relocation")
        return parseRelocation(parts, job);
    if (head == kWeightsRegion || head == kParamsRegion || head == kDescriptorsRegion)
        return parseByte(parts);
    return parts.error("an edit is PLACE=VALUE, and PLACE begins with record, relocation, weights, "
                       "params or descriptors");
}

std::string toText(const Edit& edit, const Job& job, const FieldTable& fields) {
    return std::visit(Overloaded{[&](const FieldEdit& e) {
                                     const FieldSpec& field = fields.fields[e.field];
                                     return fmt::format("record/{}/word/{}/{}={}", e.record,
                                                        field.word, field.name, e.value);
                                 },
                                 [&](const RelocationEdit& e) { return relocationText(e, job); },
                                 [&](const ByteEdit& e) {
                                     return fmt::format("{}/0x{:X}={}", e.region, e.offset,
                                                        e.value);
                                 }},
                      edit);
}

} // namespace plumbline
