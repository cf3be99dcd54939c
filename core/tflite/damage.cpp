// SPDX-License-Identifier: GPL-3.0-or-later
// Walks a file along the reflection tables that flatc makes from tflite.fbs, with the verifier's
// checks, and stops at the first that fails. The one entry point is describeDamage.
#include "core/tflite/damage.h"

#include <fmt/format.h>

#include "core/tflite/importer.h"
#include "core/tflite/tflite_generated.h"

namespace plumbline {
namespace {

using flatbuffers::TypeCode;
using flatbuffers::TypeTable;

constexpr std::size_t kIdentifierByte = 4;
constexpr std::size_t kShortestFile = 8; ///< root offset and identifier

/// Bytes of one stored element; tables, strings and unions are stored as offsets.
std::size_t storedBytes(unsigned short baseType) {
    switch (static_cast<flatbuffers::ElementaryType>(baseType)) {
    case flatbuffers::ET_UTYPE:
    case flatbuffers::ET_BOOL:
    case flatbuffers::ET_CHAR:
    case flatbuffers::ET_UCHAR:
        return 1;
    case flatbuffers::ET_SHORT:
    case flatbuffers::ET_USHORT:
        return 2;
    case flatbuffers::ET_INT:
    case flatbuffers::ET_UINT:
    case flatbuffers::ET_FLOAT:
    case flatbuffers::ET_STRING:
    case flatbuffers::ET_SEQUENCE:
        return 4;
    case flatbuffers::ET_LONG:
    case flatbuffers::ET_ULONG:
    case flatbuffers::ET_DOUBLE:
        return 8;
    }
    return 1;
}

/// The table type that a union holds for `member`; null for none and for members without a row.
const TypeTable* unionMember(const TypeTable& unionType, std::uint8_t member) {
    for (std::size_t i = 0; i < unionType.num_elems; ++i) {
        const std::int64_t value =
            unionType.values ? unionType.values[i] : static_cast<std::int64_t>(i);
        const TypeCode code = unionType.type_codes[i];
        if (value == member && code.sequence_ref >= 0)
            return unionType.type_refs[code.sequence_ref]();
    }
    return nullptr;
}

/// A table whose place and vtable were checked.
struct OpenTable {
    std::uint64_t start = 0;
    std::uint64_t vtable = 0;
    std::uint16_t vtableBytes = 0;
};

class Locator {
  public:
    explicit Locator(ByteView file)
        : m_file(file) {}
    /// The first damage, or nothing when the walk found none.
    std::optional<Diagnostic> locate();

  private:
    struct Step {
        const char* field;
        std::int64_t index; ///< in the field's vector; -1 for the field itself
    };

    // Each returns false once damage was found, which is then in m_found.
    bool visitTable(std::uint64_t start, std::uint64_t from, const TypeTable& type);
    bool openTable(OpenTable& table, std::uint64_t from);
    bool visitField(const OpenTable& table, const TypeTable& type, std::size_t index);
    bool visitTarget(const OpenTable& table, const TypeTable& type, std::size_t index,
                     std::uint64_t field);
    bool visitVector(std::uint64_t start, const TypeCode& code, const TypeTable& type);
    bool visitString(std::uint64_t start);
    bool followOffset(std::uint64_t field, std::uint64_t& target);

    std::uint64_t fieldAt(const OpenTable& table, std::size_t index) const;
    std::uint16_t loadU16(std::uint64_t at) const {
        return static_cast<std::uint16_t>(m_file[at] | m_file[at + 1] << 8);
    }
    std::uint32_t load32(std::uint64_t at) const { return loadU32(m_file, at); }
    bool holds(std::uint64_t at, std::uint64_t bytes) const {
        return bytes < m_file.size() && at <= m_file.size() - bytes;
    }
    bool fail(std::uint64_t byte, std::string what, Code code = Code::DamagedModel);
    std::string part() const;

    ByteView m_file;
    std::vector<Step> m_path;
    std::uint32_t m_tables = 0;
    std::optional<Diagnostic> m_found;
};

std::string Locator::part() const {
    std::string text;
    for (const Step& step : m_path) {
        if (step.index >= 0)
            text += fmt::format("[{}]", step.index);
        else
            text += (text.empty() ? "" : ".") + std::string(step.field);
    }
    return text.empty() ? "model" : text;
}

bool Locator::fail(std::uint64_t byte, std::string what, Code code) {
    Location where;
    where.part = part();
    where.byte = byte;
    m_found = makeError(code, fmt::format("{}: {}", where.part, what), where);
    return false;
}

std::optional<Diagnostic> Locator::locate() {
    std::uint64_t root = 0;
    if (followOffset(0, root))
        visitTable(root, 0, *tflite_schema::ModelTypeTable());
    return m_found;
}

bool Locator::followOffset(std::uint64_t field, std::uint64_t& target) {
    if (field % 4 != 0)
        return fail(field, fmt::format("the offset at byte {} is not aligned to 4", field));
    if (!holds(field, 4))
        return fail(field, fmt::format("the offset at byte {} lies outside the file of {} bytes",
                                       field, m_file.size()));
    const std::uint32_t offset = load32(field);
    target = field + offset;
    if (offset == 0 || offset > 0x7FFFFFFFu || !holds(target, 1))
        return fail(field,
                    fmt::format("the offset {} at byte {} leads outside the file of {} bytes",
                                offset, field, m_file.size()));
    return true;
}

bool Locator::openTable(OpenTable& table, std::uint64_t from) {
    const std::uint64_t start = table.start;
    if (start % 4 != 0)
        return fail(from, fmt::format("the table at byte {} is not aligned to 4", start));
    if (!holds(start, 4))
        return fail(from, fmt::format("the table at byte {} lies outside the file of {} bytes",
                                      start, m_file.size()));
    if (++m_tables > ImportLimits::kMaxTables)
        return fail(start,
                    fmt::format("the file holds more than {} tables", ImportLimits::kMaxTables),
                    Code::ModelTooLarge);
    const std::int64_t vtable = static_cast<std::int64_t>(start) - loadI32(m_file, start);
    if (vtable < 0 || vtable % 2 != 0 || !holds(static_cast<std::uint64_t>(vtable), 2))
        return fail(start,
                    fmt::format("the table's field list at byte {} is not inside the file of {} "
                                "bytes or not aligned to 2",
                                vtable, m_file.size()));
    table.vtable = static_cast<std::uint64_t>(vtable);
    table.vtableBytes = loadU16(table.vtable);
    if (table.vtableBytes % 2 != 0 || !holds(table.vtable, table.vtableBytes))
        return fail(table.vtable,
                    fmt::format("the table's field list at byte {} has the impossible "
                                "length {}",
                                vtable, table.vtableBytes));
    return true;
}

/// Where the field is stored; 0 when the table leaves it out.
std::uint64_t Locator::fieldAt(const OpenTable& table, std::size_t index) const {
    const std::size_t slot = 4 + 2 * index;
    if (slot >= table.vtableBytes)
        return 0;
    const std::uint16_t offset = loadU16(table.vtable + slot);
    return offset == 0 ? 0 : table.start + offset;
}

bool Locator::visitTable(std::uint64_t start, std::uint64_t from, const TypeTable& type) {
    OpenTable table{start, 0, 0};
    if (!openTable(table, from))
        return false;
    for (std::size_t i = 0; i < type.num_elems; ++i) {
        m_path.push_back({type.names[i], -1});
        if (!visitField(table, type, i))
            return false;
        m_path.pop_back();
    }
    return true;
}

bool Locator::visitField(const OpenTable& table, const TypeTable& type, std::size_t index) {
    const std::uint64_t field = fieldAt(table, index);
    if (field == 0)
        return true;
    const TypeCode code = type.type_codes[index];
    if (code.is_repeating || code.base_type >= flatbuffers::ET_STRING)
        return visitTarget(table, type, index, field);
    const std::size_t bytes = storedBytes(code.base_type);
    if (field % bytes != 0)
        return fail(field, fmt::format("the field at byte {} is not aligned to {}", field, bytes));
    if (!holds(field, bytes))
        return fail(field, fmt::format("the field at byte {} lies outside the file of {} bytes",
                                       field, m_file.size()));
    return true;
}

bool Locator::visitTarget(const OpenTable& table, const TypeTable& type, std::size_t index,
                          std::uint64_t field) {
    std::uint64_t target = 0;
    if (!followOffset(field, target))
        return false;
    const TypeCode code = type.type_codes[index];
    const TypeTable* held = code.sequence_ref >= 0 ? type.type_refs[code.sequence_ref]() : nullptr;
    if (code.is_repeating)
        return visitVector(target, code, held ? *held : type);
    if (code.base_type == flatbuffers::ET_STRING)
        return visitString(target);
    if (held && held->st == flatbuffers::ST_UNION) {
        // The field before a union's says which member it holds; it was checked just before.
        const std::uint64_t member = fieldAt(table, index - 1);
        held = unionMember(*held, member == 0 ? std::uint8_t{0} : m_file[member]);
    }
    return !held || visitTable(target, field, *held);
}

bool Locator::visitVector(std::uint64_t start, const TypeCode& code, const TypeTable& type) {
    if (start % 4 != 0)
        return fail(start, fmt::format("the vector at byte {} is not aligned to 4", start));
    if (!holds(start, 4))
        return fail(start, fmt::format("the vector at byte {} lies outside the file of {} bytes",
                                       start, m_file.size()));
    const std::uint64_t count = load32(start);
    const std::uint64_t bytes = storedBytes(code.base_type);
    if (!holds(start, 4 + count * bytes))
        return fail(start,
                    fmt::format("the vector of {} elements of {} bytes at byte {} ends behind "
                                "the file of {} bytes",
                                count, bytes, start, m_file.size()));
    if (code.base_type != flatbuffers::ET_SEQUENCE)
        return true;
    for (std::uint64_t i = 0; i < count; ++i) {
        const std::uint64_t element = start + 4 + 4 * i;
        m_path.push_back({nullptr, static_cast<std::int64_t>(i)});
        if (!visitTable(element + load32(element), element, type))
            return false;
        m_path.pop_back();
    }
    return true;
}

bool Locator::visitString(std::uint64_t start) {
    if (start % 4 != 0)
        return fail(start, fmt::format("the text at byte {} is not aligned to 4", start));
    if (!holds(start, 4))
        return fail(start, fmt::format("the text at byte {} lies outside the file of {} bytes",
                                       start, m_file.size()));
    const std::uint64_t length = load32(start);
    const std::uint64_t end = start + 4 + length;
    if (!holds(start, 4 + length) || !holds(end, 1))
        return fail(start, fmt::format("the text of {} bytes at byte {} ends behind the file of {} "
                                       "bytes",
                                       length, start, m_file.size()));
    if (m_file[end] != 0)
        return fail(
            end, fmt::format("the text of {} bytes at byte {} has no closing zero", length, start));
    return true;
}

Diagnostic notTflite(ByteView file) {
    Location where;
    where.byte = kIdentifierByte;
    const ByteView found = file.subspan(kIdentifierByte, 4);
    std::string text;
    for (const std::uint8_t byte : found)
        text += byte >= 0x20 && byte < 0x7F ? static_cast<char>(byte) : '.';
    return makeError(
        Code::NotTflite,
        fmt::format(R"(Bytes 4 to 7 are {} ("{}"), not 54464c33 ("TFL3").)", toHex(found), text),
        where);
}

} // namespace

Diagnostic describeDamage(ByteView file) {
    if (file.size() < kShortestFile)
        return makeError(
            Code::NotTflite,
            fmt::format("The file has {} bytes, fewer than the {} that begin every TFLite "
                        "file.",
                        file.size(), kShortestFile));
    if (!tflite_schema::ModelBufferHasIdentifier(file.data()))
        return notTflite(file);
    if (std::optional<Diagnostic> found = Locator(file).locate())
        return *std::move(found);
    return makeError(
        Code::DamagedModel,
        fmt::format("The file of {} bytes is no well-formed flatbuffer.", file.size()));
}

} // namespace plumbline
