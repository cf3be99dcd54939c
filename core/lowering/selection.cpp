// SPDX-License-Identifier: GPL-3.0-or-later
// The text form of a selection; selection_place.cpp says what it means in a lowering.
#include "core/lowering/selection.h"

#include <charconv>
#include <limits>

#include <fmt/format.h>

namespace plumbline {
namespace {

bool isRegion(std::string_view name) {
    return name == "weights" || name == "params" || name == "descriptors" || name == "arena";
}

/// Reads the parts of an address between slashes and remembers where it stands.
class AddressReader {
  public:
    explicit AddressReader(std::string_view text)
        : m_text(text) {}

    bool atEnd() const { return m_next > m_text.size(); }
    std::string_view take() {
        m_begin = std::min(m_next, m_text.size());
        const std::size_t slash = m_text.find('/', m_begin);
        const std::size_t end = slash == std::string_view::npos ? m_text.size() : slash;
        m_next = end + 1;
        return m_text.substr(m_begin, end - m_begin);
    }
    Diagnostic error(const std::string& what) const {
        Location where;
        where.byte = m_begin;
        return makeError(Code::BadAddress, fmt::format("'{}': {}.", m_text, what), where);
    }
    /// The next part as an index.
    std::optional<std::int64_t> index() { return number(take()); }

    static std::optional<std::int64_t> number(std::string_view text) {
        int base = 10;
        if (text.starts_with("0x") || text.starts_with("0X")) {
            text.remove_prefix(2);
            base = 16;
        }
        std::int64_t value = 0;
        const char* const end = text.data() + text.size();
        const auto [at, error] = std::from_chars(text.data(), end, value, base);
        if (text.empty() || error != std::errc{} || at != end || value < 0)
            return std::nullopt;
        return value;
    }

  private:
    std::string_view m_text;
    std::size_t m_begin = 0;
    std::size_t m_next = 0;
};

std::optional<ElementIndex> elementOf(std::string_view text) {
    const std::size_t first = text.find(',');
    const std::size_t second = first == std::string_view::npos ? first : text.find(',', first + 1);
    if (second == std::string_view::npos)
        return std::nullopt;
    const auto h = AddressReader::number(text.substr(0, first));
    const auto w = AddressReader::number(text.substr(first + 1, second - first - 1));
    const auto c = AddressReader::number(text.substr(second + 1));
    if (!h || !w || !c)
        return std::nullopt;
    return ElementIndex{*h, *w, *c};
}

Result<Selection> readWord(AddressReader& reader, Selection selection, std::string_view& pending) {
    selection.word = reader.index();
    if (!selection.word)
        return reader.error("a word is a number");
    if (reader.atEnd())
        return selection;
    const std::string_view part = reader.take();
    if (part == "tile" || part == "element")
        pending = part;
    else if (part.empty())
        return reader.error("a field name is expected");
    else
        selection.field = part;
    return selection;
}

/// What may follow op/N and record/N.
Result<Selection> readInside(AddressReader& reader, Selection selection) {
    std::string_view pending; // a part that was taken too early; empty for none
    while (!pending.empty() || !reader.atEnd()) {
        const std::string_view part = pending.empty() ? reader.take() : pending;
        pending = {};
        if (part == "word" && !selection.word && !selection.tile && !selection.element) {
            Result<Selection> read = readWord(reader, std::move(selection), pending);
            if (!read)
                return read;
            selection = *std::move(read);
        } else if (part == "tile" && selection.operatorIndex && !selection.tile &&
                   !selection.element) {
            selection.tile = reader.index();
            if (!selection.tile)
                return reader.error("a tile is a number");
        } else if (part == "element" && selection.operatorIndex && !selection.element) {
            selection.element = elementOf(reader.take());
            if (!selection.element)
                return reader.error("an element is h,w,c");
        } else {
            return reader.error(fmt::format("'{}' is not expected here", part));
        }
    }
    return selection;
}

Result<Selection> readSpan(AddressReader& reader, std::string_view head) {
    AddressSpan span;
    const std::size_t at = head.find('@');
    span.region = head.substr(0, at);
    if (at != std::string_view::npos) {
        span.step = AddressReader::number(head.substr(at + 1));
        if (span.region != "arena" || !span.step)
            return reader.error("only arena@STEP names a step, which is a number");
    }
    const std::string_view range = reader.take();
    const std::size_t plus = range.find('+');
    const auto offset = AddressReader::number(range.substr(0, plus));
    const auto bytes = plus == std::string_view::npos
                           ? std::optional<std::int64_t>(1)
                           : AddressReader::number(range.substr(plus + 1));
    if (!offset || !bytes || *bytes == 0)
        return reader.error(
            "a place in a region is OFFSET or OFFSET+LENGTH, with a length of 1 or more");
    if (!reader.atEnd())
        return reader.error("nothing may follow the place in a region");
    span.offset = static_cast<std::uint64_t>(*offset);
    span.bytes = static_cast<std::uint64_t>(*bytes);
    Selection selection;
    selection.span = span;
    return selection;
}

} // namespace

Selection selectOperator(std::int64_t index) {
    Selection selection;
    selection.operatorIndex = index;
    return selection;
}

Selection selectRecord(std::int64_t record, std::optional<std::int64_t> word,
                       std::string_view field) {
    Selection selection;
    selection.record = record;
    selection.word = word;
    selection.field = field;
    return selection;
}

Selection selectBuffer(std::int64_t buffer) {
    Selection selection;
    selection.buffer = buffer;
    return selection;
}

Selection selectSpan(std::string_view region, std::uint64_t offset, std::uint64_t bytes,
                     std::optional<std::int64_t> step) {
    Selection selection;
    selection.span = AddressSpan{std::string(region), step, offset, bytes};
    return selection;
}

Result<Selection> parseSelection(std::string_view text) {
    AddressReader reader(text);
    const std::string_view head = reader.take();
    if (isRegion(head.substr(0, head.find('@'))))
        return readSpan(reader, head);
    Selection selection;
    std::optional<std::int64_t>* const slot = head == "op"           ? &selection.operatorIndex
                                              : head == "record"     ? &selection.record
                                              : head == "tensor"     ? &selection.tensor
                                              : head == "buffer"     ? &selection.buffer
                                              : head == "diagnostic" ? &selection.diagnostic
                                                                     : nullptr;
    if (slot == nullptr)
        return reader.error(
            "an address begins with op, record, tensor, buffer, diagnostic, weights, "
            "params, descriptors or arena");
    *slot = reader.index();
    if (!*slot)
        return reader.error(fmt::format("{} is followed by a number", head));
    return readInside(reader, std::move(selection));
}

std::string toText(const Selection& selection) {
    if (selection.span) {
        const AddressSpan& span = *selection.span;
        std::string text = span.region;
        if (span.step)
            text += fmt::format("@{}", *span.step);
        text += fmt::format("/0x{:X}", span.offset);
        return span.bytes == 1 ? text : text + fmt::format("+{}", span.bytes);
    }
    if (selection.tensor)
        return fmt::format("tensor/{}", *selection.tensor);
    if (selection.buffer)
        return fmt::format("buffer/{}", *selection.buffer);
    if (selection.diagnostic)
        return fmt::format("diagnostic/{}", *selection.diagnostic);
    std::string text;
    if (selection.operatorIndex)
        text = fmt::format("op/{}", *selection.operatorIndex);
    else if (selection.record)
        text = fmt::format("record/{}", *selection.record);
    if (selection.word)
        text += fmt::format("/word/{}", *selection.word);
    if (selection.word && !selection.field.empty())
        text += "/" + selection.field;
    if (selection.tile)
        text += fmt::format("/tile/{}", *selection.tile);
    if (selection.element)
        text += fmt::format("/element/{},{},{}", selection.element->h, selection.element->w,
                            selection.element->c);
    return text;
}

} // namespace plumbline
