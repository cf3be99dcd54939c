// SPDX-License-Identifier: GPL-3.0-or-later
// What changes mean, in numbers and words.
#include <cctype>
#include <cmath>
#include <cstdlib>

#include <fmt/format.h>

#include "core/compare/lowering_changes.h"

namespace plumbline {
namespace {

/// What an effect is described from.
struct FieldChange {
    const FieldTable& table;
    const FieldSpec& field;
    ByteView first, second;
    const LoweredOperator* op; ///< null where it is not known

    std::int64_t ours() const { return fieldValue(first, field); }
    std::int64_t theirs() const { return fieldValue(second, field); }
    std::int64_t value(ByteView record, std::string_view name) const {
        const auto row = findField(table, name);
        return row ? fieldValue(record, table.fields[*row]) : 0;
    }
};

std::string byHowMuch(std::int64_t ours, std::int64_t theirs, std::string_view more,
                      std::string_view less) {
    const bool grows = theirs > ours;
    return fmt::format("{} {}", groupedDigits(grows ? theirs - ours : ours - theirs),
                       grows ? more : less);
}

std::string clampEffect(const FieldChange& c) {
    const auto bounds = [&](ByteView record) {
        return fmt::format("{}..{}", c.value(record, "ACTIVATION_MIN"),
                           c.value(record, "ACTIVATION_MAX"));
    };
    return fmt::format("the output is clamped to {} instead of {}", bounds(c.second),
                       bounds(c.first));
}

std::string sliceEffect(const FieldChange& c) {
    const std::int64_t depth = c.op ? c.op->tiles.fullK : 0;
    if (depth <= 0 || c.ours() <= 0 || c.theirs() <= 0)
        return "";
    const auto slices = [depth](std::int64_t k) { return depth / k + (depth % k != 0 ? 1 : 0); };
    const std::int64_t ours = slices(c.ours()), theirs = slices(c.theirs());
    if (ours == theirs)
        return "";
    return fmt::format("the reduction of {} runs in {} {} instead of {}", groupedDigits(depth),
                       groupedDigits(theirs), theirs == 1 ? "slice" : "slices",
                       groupedDigits(ours));
}

std::string outputZeroEffect(const FieldChange& c) {
    return "every output is " + byHowMuch(c.ours(), c.theirs(), "higher", "lower") +
           " before the clamp";
}

std::string inputZeroEffect(const FieldChange& c) {
    return "every input element counts as " + byHowMuch(c.ours(), c.theirs(), "less", "more");
}

/// Fields whose effect can be said better than by their difference. A table without a field of
/// that name has no such effect.
struct Effect {
    std::string_view field;
    std::string (*text)(const FieldChange&);
};
constexpr Effect kEffects[] = {{"ACTIVATION_MIN", clampEffect},  {"ACTIVATION_MAX", clampEffect},
                               {"K_SLICE", sliceEffect},         {"OUTPUT_ZERO", outputZeroEffect},
                               {"INPUT0_ZERO", inputZeroEffect}, {"INPUT1_ZERO", inputZeroEffect}};

std::string effectOf(const FieldChange& change) {
    for (const Effect& effect : kEffects) {
        if (effect.field == change.field.name)
            return effect.text(change);
    }
    if (change.field.kind == FieldKind::Opcode) {
        const auto name = [&](ByteView record) {
            const std::string_view known = change.table.opcodeName(opcodeOf(record, change.table));
            return known.empty() ? std::string_view("no operation") : known;
        };
        return fmt::format("the record is {} instead of {}", name(change.second),
                           name(change.first));
    }
    if (change.field.unit.empty())
        return "";
    std::string meaning(change.field.meaning);
    if (meaning.size() > 1 && std::islower(static_cast<unsigned char>(meaning[1])) != 0)
        meaning[0] = static_cast<char>(std::tolower(static_cast<unsigned char>(meaning[0])));
    std::string unit(change.field.unit);
    if (std::abs(change.theirs() - change.ours()) == 1 && unit.ends_with('s'))
        unit.pop_back();
    return fmt::format("{}: {}", meaning,
                       byHowMuch(change.ours(), change.theirs(), unit + " more", unit + " less"));
}

} // namespace

std::string changeText(std::int64_t first, std::int64_t second, std::string_view unit) {
    std::string text = fmt::format("{} -> {}", groupedDigits(first), groupedDigits(second));
    if (!unit.empty())
        text += fmt::format(" {}", unit);
    if (first != 0)
        text +=
            fmt::format(" ({:+.1f} %)", (static_cast<double>(second) - static_cast<double>(first)) *
                                            100 / std::abs(static_cast<double>(first)));
    return text;
}

std::string distanceText(std::uint64_t first, std::uint64_t second) {
    const bool grows = second > first;
    const std::uint64_t distance = grows ? second - first : first - second;
    return fmt::format("{} {} further {}", groupedDigits(static_cast<std::int64_t>(distance)),
                       distance == 1 ? "byte" : "bytes", grows ? "on" : "back");
}

std::string fieldConsequence(const FieldTable& table, const FieldSpec& field, ByteView first,
                             ByteView second, const LoweredOperator* op) {
    const std::string effect = effectOf({table, field, first, second, op});
    const std::string violation = fieldViolation(second, field, table);
    if (violation.empty() || !fieldViolation(first, field, table).empty())
        return effect;
    return fmt::format("{}{}the field's rule is broken: {}", effect, effect.empty() ? "" : "; ",
                       violation);
}

} // namespace plumbline
