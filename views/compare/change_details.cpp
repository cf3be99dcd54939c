// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/compare/change_details.h"

#include <algorithm>

#include "core/lowering/selection.h"
#include "views/common/format.h"
#include "views/common/palette.h"

namespace plumbline {
namespace {

constexpr std::uint64_t kRowBytes = 8; ///< narrow enough for a panel

QString tr(const char* text) { return QCoreApplication::translate("ChangeDetails", text); }

QString marked(const QString& text) { return QStringLiteral("<b><u>%1</u></b>").arg(text); }

QString heading(const QString& text, const QPalette& palette) {
    return QStringLiteral("<div style=\"color:%1;margin-top:6px\">%2</div>")
        .arg(toneColor(Tone::Muted, palette).name(), text.toHtmlEscaped());
}

QString fixed(const QString& html) {
    return QStringLiteral("<pre style=\"margin:0;font-family:'%1'\">%2</pre>")
        .arg(monoFont().family(), html);
}

QString fixedText(const QString& text) { return fixed(text.toHtmlEscaped()); }

/// The record's word; nothing where there is none.
std::optional<std::uint32_t> wordOf(const Document& document, std::optional<std::int64_t> record,
                                    std::optional<std::int64_t> word) {
    const auto& records = document.lowering->records;
    if (!record || !word || *record < 0 || *record >= std::ssize(records) || *word < 0)
        return std::nullopt;
    const Bytes& bytes = records[static_cast<std::size_t>(*record)].bytes;
    if (*word >= std::ssize(bytes) / 4)
        return std::nullopt;
    return loadU32(bytes, static_cast<std::size_t>(*word) * 4);
}

QString wordLine(std::uint32_t word, std::uint32_t other) {
    return fixed(QStringLiteral("%1\n%2").arg(hexNumber(word), markedBits(word, other)));
}

/// Rows of one side around `offset`. Bytes that are others on the other side are marked, those that
/// are there on one side only as well.
QString byteRows(ByteView bytes, std::uint64_t offset, ByteView others, std::uint64_t other) {
    const std::uint64_t row = offset - offset % kRowBytes;
    const std::uint64_t begin = row - std::min(row, kRowBytes);
    const std::uint64_t end = std::min<std::uint64_t>(bytes.size(), row + 2 * kRowBytes);
    QStringList lines;
    for (std::uint64_t at = begin; at < end; at += kRowBytes) {
        QString line = hexNumber(at) + QLatin1Char(' ');
        for (std::uint64_t i = at; i < std::min(end, at + kRowBytes); ++i) {
            const std::uint64_t counterpart =
                other + (i - offset); // wraps below 0, and is then out
            const bool isSame =
                counterpart < others.size() &&
                others[static_cast<std::size_t>(counterpart)] == bytes[static_cast<std::size_t>(i)];
            const QString digits = hexNumber(bytes[static_cast<std::size_t>(i)], 2).mid(2);
            line += QLatin1Char(' ') + (isSame ? digits : marked(digits));
        }
        lines.append(line);
    }
    return lines.isEmpty() ? fixedText(tr("no such byte")) : fixed(lines.join(QLatin1Char('\n')));
}

QString allocationText(const Allocation& allocation) {
    const QString name = allocation.name.empty() ? tr("tensor %1").arg(allocation.tensor)
                                                 : safeText(allocation.name);
    return tr("%1\n%2 .. %3, %4\nlive over operators %5..%6")
        .arg(name, hexNumber(allocation.offset), hexNumber(allocation.offset + allocation.size),
             exactBytes(allocation.size))
        .arg(allocation.firstOperator)
        .arg(allocation.lastOperator);
}

/// The buffer that `address` names; nothing where it names none.
std::optional<QString> bufferText(const Document& document, const std::string& address) {
    const Result<Selection> selection = parseSelection(address);
    const auto& allocations = document.lowering->arena.allocations;
    if (!selection || !selection->buffer || *selection->buffer < 0 ||
        *selection->buffer >= std::ssize(allocations))
        return std::nullopt;
    return allocationText(allocations[static_cast<std::size_t>(*selection->buffer)]);
}

struct Sides {
    QString first, second; ///< HTML
};

Sides sidesOf(const Comparison& comparison, const LoweringChange& change) {
    const Document& first = *comparison.first;
    const Document& second = *comparison.second;
    const auto ours = wordOf(first, change.firstRecord, change.word);
    const auto theirs = wordOf(second, change.secondRecord, change.word);
    if (ours && theirs && *ours != *theirs)
        return {wordLine(*ours, *theirs), wordLine(*theirs, *ours)};
    const bool isWeights = change.kind == ChangeKind::Weights;
    if (change.firstOffset && change.secondOffset) {
        const ByteView a = isWeights ? first.lowering->weights : first.lowering->params;
        const ByteView b = isWeights ? second.lowering->weights : second.lowering->params;
        return {byteRows(a, *change.firstOffset, b, *change.secondOffset),
                byteRows(b, *change.secondOffset, a, *change.firstOffset)};
    }
    const auto before = bufferText(first, change.firstAddress);
    const auto now = bufferText(second, change.secondAddress);
    if (before && now)
        return {fixedText(*before), fixedText(*now)};
    const auto value = [](const std::string& text) {
        return fixedText(text.empty() ? tr("(missing)") : safeText(text));
    };
    return {value(change.first), value(change.second)};
}

} // namespace

QString markedBits(std::uint32_t word, std::uint32_t other) {
    QString text;
    for (int bit = 31; bit >= 0; --bit) {
        const QString digit = (word >> bit & 1U) != 0 ? QStringLiteral("1") : QStringLiteral("0");
        text += ((word ^ other) >> bit & 1U) != 0 ? marked(digit) : digit;
        if (bit % 4 == 0 && bit != 0)
            text += QLatin1Char(' ');
    }
    return text;
}

QString changeDetails(const Comparison& comparison, const LoweringChange& change,
                      const QPalette& palette) {
    const Sides sides = sidesOf(comparison, change);
    QString title = safeText(changeKindName(change.kind));
    if (change.word)
        title += tr(" · word %1").arg(*change.word);
    title += QStringLiteral(" · ") + safeText(change.key);
    QString html = QStringLiteral("<div><b>%1</b></div>").arg(title.toHtmlEscaped());
    const auto side = [](const QString& name, const std::string& value) {
        return value.empty() ? name : QStringLiteral("%1: %2").arg(name, safeText(value));
    };
    html += heading(side(tr("First"), change.first), palette) + sides.first;
    html += heading(side(tr("Second"), change.second), palette) + sides.second;
    if (!change.consequence.empty())
        html += heading(tr("Consequence"), palette) +
                QStringLiteral("<div>%1</div>").arg(safeText(change.consequence).toHtmlEscaped());
    if (!change.firstAddress.empty())
        html +=
            heading(tr("Place in the first"), palette) + fixedText(safeText(change.firstAddress));
    return html;
}

} // namespace plumbline
