// SPDX-License-Identifier: GPL-3.0-or-later
// The file: magic, version, header length, a Python dictionary literal, the elements.
#include "core/artifacts/npy.h"

#include <algorithm>
#include <charconv>
#include <optional>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/base/file.h"

namespace plumbline {
namespace {

constexpr std::string_view kMagic = "\x93NUMPY";
constexpr std::size_t kMaxHeaderBytes = 64 * 1024;
constexpr std::size_t kMaxDimensions = 32;
constexpr std::uint64_t kMaxItemBytes = 1 << 20;

struct Header {
    std::optional<std::string> descr;
    std::optional<bool> fortranOrder;
    std::optional<std::vector<std::int64_t>> shape;
};

/// Reads the dictionary literal. Each function returns false, with `m_problem` set, on other text.
class HeaderParser {
  public:
    explicit HeaderParser(std::string_view text)
        : m_text(text) {}

    bool parse(Header& header) {
        if (!take('{'))
            return expected("'{'");
        while (!take('}')) {
            if (!parseEntry(header))
                return false;
            if (!take(',') && !peek('}'))
                return expected("',' or '}'");
        }
        skipSpace();
        return m_at == m_text.size() || expected("nothing after '}'");
    }

    const std::string& problem() const { return m_problem; }

  private:
    bool parseEntry(Header& header) {
        std::string key;
        if (!parseString(key))
            return false;
        if (!take(':'))
            return expected("':'");
        if (key == "descr" && !header.descr)
            return parseString(header.descr.emplace());
        if (key == "fortran_order" && !header.fortranOrder)
            return parseBoolean(header.fortranOrder.emplace());
        if (key == "shape" && !header.shape)
            return parseShape(header.shape.emplace());
        m_problem =
            fmt::format("The header has an unknown or repeated key of {} characters", key.size());
        return false;
    }

    bool parseString(std::string& value) {
        skipSpace();
        const char quote = m_at < m_text.size() ? m_text[m_at] : '\0';
        if (quote != '\'' && quote != '"')
            return expected("a string");
        const std::size_t end = m_text.find_first_of(quote == '"' ? "\"\\" : "'\\", m_at + 1);
        if (end == std::string_view::npos || m_text[end] == '\\')
            return expected("a string without escapes");
        value = m_text.substr(m_at + 1, end - m_at - 1);
        m_at = end + 1;
        return true;
    }

    bool parseBoolean(bool& value) {
        skipSpace();
        const std::string_view rest = m_text.substr(m_at);
        value = rest.starts_with("True");
        if (!value && !rest.starts_with("False"))
            return expected("True or False");
        m_at += value ? 4 : 5;
        return true;
    }

    bool parseShape(std::vector<std::int64_t>& shape) {
        if (!take('('))
            return expected("'('");
        while (!take(')')) {
            std::int64_t extent = 0;
            if (!parseExtent(extent))
                return false;
            if (shape.size() == kMaxDimensions) {
                m_problem = fmt::format("The array has more than {} dimensions", kMaxDimensions);
                return false;
            }
            shape.push_back(extent);
            if (!take(',') && !peek(')'))
                return expected("',' or ')'");
        }
        return true;
    }

    bool parseExtent(std::int64_t& extent) {
        skipSpace();
        const char* const begin = m_text.data() + m_at;
        const auto [end, error] = std::from_chars(begin, m_text.data() + m_text.size(), extent);
        if (error != std::errc{} || extent < 0)
            return expected("an extent");
        m_at += static_cast<std::size_t>(end - begin);
        if (m_at < m_text.size() && m_text[m_at] == 'L') // as Python 2 wrote long integers
            ++m_at;
        return true;
    }

    void skipSpace() { m_at = std::min(m_text.find_first_not_of(" \t\r\n", m_at), m_text.size()); }

    bool peek(char c) {
        skipSpace();
        return m_at < m_text.size() && m_text[m_at] == c;
    }

    bool take(char c) {
        const bool there = peek(c);
        m_at += there ? 1 : 0;
        return there;
    }

    bool expected(std::string_view what) {
        m_problem = fmt::format("The header has not {} at its character {}", what, m_at);
        return false;
    }

    std::string_view m_text;
    std::size_t m_at = 0;
    std::string m_problem;
};

bool isPrintable(char c) { return c >= ' ' && c <= '~'; }

/// NumPy's descr without its byte order.
std::string_view withoutByteOrder(std::string_view descr) {
    if (!descr.empty() && std::string_view("<>|=").find(descr[0]) != std::string_view::npos)
        descr.remove_prefix(1);
    return descr;
}

/// Bytes per element of `descr`; nothing where that is not fixed or not known.
std::optional<std::uint64_t> itemBytes(std::string_view descr) {
    const std::string_view type = withoutByteOrder(descr);
    if (type.size() < 2 || std::string_view("biufcmMSUV").find(type[0]) == std::string_view::npos)
        return std::nullopt;
    std::uint64_t count = 0;
    const char* const last = type.data() + type.size();
    const auto [end, error] = std::from_chars(type.data() + 1, last, count);
    const bool isTime = type[0] == 'm' || type[0] == 'M'; // "M8[ns]"
    if (error != std::errc{} || count == 0 || count > kMaxItemBytes ||
        (end != last && !(isTime && *end == '[')))
        return std::nullopt;
    return type[0] == 'U' ? 4 * count : count;
}

/// Product of the extents and `item`; nothing above the file limit.
std::optional<std::uint64_t> dataBytes(std::span<const std::int64_t> shape, std::uint64_t item) {
    if (std::find(shape.begin(), shape.end(), 0) != shape.end())
        return 0;
    std::uint64_t product = item;
    for (const std::int64_t extent : shape) {
        if (static_cast<std::uint64_t>(extent) > kMaxFileBytes / product)
            return std::nullopt;
        product *= static_cast<std::uint64_t>(extent);
    }
    return product;
}

Diagnostic badNpy(std::string message) { return makeError(Code::BadNpy, message + "."); }

/// The header's text; `dataOffset` gets the place behind it.
Result<std::string_view> headerText(ByteView file, std::size_t& dataOffset) {
    const auto* text = reinterpret_cast<const char*>(file.data());
    if (file.size() < 10 || std::string_view(text, kMagic.size()) != kMagic)
        return badNpy("The file does not start as a .npy file does (0x93 NUMPY)");
    const int major = file[6];
    if (major < 1 || major > 3)
        return badNpy(fmt::format("Format version {} is unknown; 1, 2 and 3 are read", major));
    const std::size_t start = major == 1 ? 10 : 12;
    if (file.size() < start)
        return badNpy(fmt::format("The file ends in its header, at byte {}", file.size()));
    const std::size_t length = major == 1 ? file[8] + std::size_t{256} * file[9] : loadU32(file, 8);
    if (length > kMaxHeaderBytes)
        return badNpy(
            fmt::format("The header has {} bytes; at most {} are read", length, kMaxHeaderBytes));
    if (length > file.size() - start)
        return badNpy(fmt::format("The header has {} bytes, the file ends after {} of them", length,
                                  file.size() - start));
    dataOffset = start + length;
    return std::string_view(text + start, length);
}

Result<Header> parseHeader(std::string_view text) {
    Header header;
    HeaderParser parser(text);
    if (!parser.parse(header))
        return badNpy(parser.problem());
    for (const auto& [key, present] : {std::pair{"descr", header.descr.has_value()},
                                       std::pair{"fortran_order", header.fortranOrder.has_value()},
                                       std::pair{"shape", header.shape.has_value()}}) {
        if (!present)
            return badNpy(fmt::format("The header lacks the key '{}'", key));
    }
    constexpr std::size_t kLongestType = 32;
    if (header.descr->size() > kLongestType ||
        !std::all_of(header.descr->begin(), header.descr->end(), isPrintable))
        return badNpy("The element type is not a short printable name");
    if (*header.fortranOrder)
        return badNpy("The array is in Fortran order; C order is expected");
    return header;
}

std::string shapeText(std::span<const std::int64_t> shape) {
    return fmt::format("[{}]", fmt::join(shape, ","));
}

std::span<const std::int64_t> withoutLeadingOnes(std::span<const std::int64_t> shape) {
    while (!shape.empty() && shape.front() == 1)
        shape = shape.subspan(1);
    return shape;
}

struct Expectation {
    std::uint64_t bytes;
    std::span<const std::int64_t> shape;
};

std::string toText(const Expectation& wanted) {
    const bool isInt8 = dataBytes(wanted.shape, 1) == wanted.bytes;
    return fmt::format("{} bytes expected ({}{})", wanted.bytes, shapeText(wanted.shape),
                       isInt8 ? " int8" : "");
}

Result<Bytes> inputFromNpy(ByteView file, const Expectation& wanted) {
    auto array = parseNpy(file);
    if (!array)
        return std::move(array).diagnostics();
    const std::string found = fmt::format("{} {}", shapeText(array->shape), array->dtype);
    if (withoutByteOrder(array->dtype) != "i1")
        return makeError(Code::InputType, fmt::format("int8 (|i1) expected, the file has {}; {}.",
                                                      found, toText(wanted)));
    if (array->data.size() != wanted.bytes)
        return makeError(Code::InputSize, fmt::format("{}, the file has {} ({}).", toText(wanted),
                                                      array->data.size(), found));
    const auto ours = withoutLeadingOnes(wanted.shape);
    const auto theirs = withoutLeadingOnes(array->shape);
    if (!std::equal(ours.begin(), ours.end(), theirs.begin(), theirs.end()))
        return makeError(Code::InputType,
                         fmt::format("Shape {} expected (leading ones aside), the file has {}.",
                                     shapeText(wanted.shape), found));
    return std::move(array->data);
}

} // namespace

Result<NpyArray> parseNpy(ByteView file) {
    std::size_t dataOffset = 0;
    const auto text = headerText(file, dataOffset);
    if (!text)
        return text.diagnostics();
    auto header = parseHeader(*text);
    if (!header)
        return std::move(header).diagnostics();
    const auto item = itemBytes(*header->descr);
    if (!item)
        return badNpy(
            fmt::format("The element type '{}' has no fixed size that is known", *header->descr));
    const ByteView data = file.subspan(dataOffset);
    const auto size = dataBytes(*header->shape, *item);
    if (size != data.size())
        return badNpy(
            fmt::format("{} bytes of elements expected ({} {}), the file has {}",
                        size ? std::to_string(*size) : fmt::format("more than {}", kMaxFileBytes),
                        shapeText(*header->shape), *header->descr, data.size()));
    return NpyArray{std::move(*header->descr), std::move(*header->shape),
                    Bytes(data.begin(), data.end())};
}

Bytes writeNpy(ByteView int8Data, std::span<const std::int64_t> shape) {
    std::string header =
        fmt::format("{{'descr': '|i1', 'fortran_order': False, 'shape': ({}{}), }}",
                    fmt::join(shape, ", "), shape.size() == 1 ? "," : "");
    constexpr std::size_t kPreamble = 10;
    constexpr std::size_t kAlignment = 64;
    const std::size_t used = kPreamble + header.size() + 1;
    header.append((kAlignment - used % kAlignment) % kAlignment, ' ');
    header.push_back('\n');

    std::string start(kMagic);
    start +=
        {'\1', '\0', static_cast<char>(header.size() & 255), static_cast<char>(header.size() >> 8)};
    start += header;
    Bytes file;
    file.reserve(start.size() + int8Data.size());
    file.insert(file.end(), start.begin(), start.end());
    file.insert(file.end(), int8Data.begin(), int8Data.end());
    return file;
}

Result<Bytes> loadInput(const std::filesystem::path& path, std::uint64_t expectedBytes,
                        std::span<const std::int64_t> shape) {
    const Expectation wanted{expectedBytes, shape};
    auto file = readFile(path);
    if (!file)
        return file;
    Result<Bytes> input = std::move(file);
    if (path.extension() == ".npy")
        input = inputFromNpy(*input, wanted);
    else if (input->size() != expectedBytes)
        input = makeError(Code::InputSize,
                          fmt::format("{}, the file has {}.", toText(wanted), input->size()));
    if (input)
        return input;
    Diagnostics diagnostics = std::move(input).diagnostics();
    for (Diagnostic& diagnostic : diagnostics)
        diagnostic.where.file = path.string();
    return diagnostics;
}

} // namespace plumbline
