// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/common/experiment_text.h"

#include <algorithm>

#include <QObject>

#include "views/common/format.h"

namespace plumbline {
namespace {

QString arrow(const QString& what, const QString& before, const QString& now) {
    return QObject::tr("%1 %2 → %3").arg(what, before, now);
}

QString textOf(const FieldEdit& edit, const Document& original) {
    const auto& records = original.lowering->records;
    const FieldSpec& field = original.target->fields().fields[edit.field];
    const QString what = QObject::tr("record %1 %2").arg(edit.record).arg(safeText(field.name));
    const bool exists = edit.record >= 0 && edit.record < std::ssize(records);
    return arrow(what,
                 exists ? QString::number(fieldValue(
                              records[static_cast<std::size_t>(edit.record)].bytes, field))
                        : QString(),
                 QString::number(edit.value));
}

QString textOf(const RelocationEdit& edit, const Document& original) {
    const auto& relocations = original.lowering->relocations;
    const Relocation& now = edit.relocation;
    const bool exists = edit.index >= 0 && edit.index < std::ssize(relocations);
    const Relocation before =
        exists ? relocations[static_cast<std::size_t>(edit.index)] : Relocation{};
    QStringList parts;
    const auto add = [&parts](const QString& what, const QString& from, const QString& to) {
        if (from != to)
            parts.append(arrow(what, from, to));
    };
    add(QObject::tr("region"), safeText(before.region), safeText(now.region));
    add(QObject::tr("offset"), QString::number(before.offset), QString::number(now.offset));
    add(QObject::tr("record"), QString::number(before.record), QString::number(now.record));
    add(QObject::tr("word"), QString::number(before.word), QString::number(now.word));
    return QObject::tr("relocation %1 %2").arg(edit.index).arg(parts.join(QStringLiteral(", ")));
}

QString textOf(const ByteEdit& edit, const Document& original) {
    const Bytes* bytes = nullptr;
    if (original.job)
        bytes = edit.region == kWeightsRegion  ? &original.job->weights
                : edit.region == kParamsRegion ? &original.job->params
                                               : &original.job->descriptors;
    const auto at = static_cast<std::size_t>(edit.offset);
    return arrow(QStringLiteral("%1 %2").arg(safeText(edit.region), hexNumber(edit.offset)),
                 bytes != nullptr && at < bytes->size() ? hexNumber((*bytes)[at], 2) : QString(),
                 hexNumber(edit.value, 2));
}

QString editsText(const Document& experiment) {
    const QString newest = editText(experiment.edits.back(), *experiment.original);
    const std::size_t count = experiment.edits.size();
    return count == 1 ? QObject::tr("1 change (%1)").arg(newest)
                      : QObject::tr("%1 changes (…, %2)").arg(count).arg(newest);
}

/// "validation, record 3"
QString placeOf(const Fault& fault) {
    QString place = safeText(fault.stage);
    if (fault.record)
        place += QObject::tr(", record %1").arg(*fault.record);
    if (fault.relocation)
        place += QObject::tr(", relocation %1").arg(*fault.relocation);
    return place;
}

QString layersText(std::int64_t count) {
    if (count == 0)
        return QObject::tr("no layer changes");
    return count == 1 ? QObject::tr("1 layer changes")
                      : QObject::tr("%1 layers change").arg(groupedNumber(count));
}

/// Where a run ended with a fault, and what it made until then.
QString faultedText(const Fault& fault, std::size_t ran, std::int64_t changed) {
    const QString faults = QObject::tr("the run faults (%1)").arg(placeOf(fault));
    if (ran == 0)
        return QObject::tr("%1 before the first layer").arg(faults);
    const QString after = ran == 1 ? QObject::tr("%1 after 1 layer").arg(faults)
                                   : QObject::tr("%1 after %2 layers").arg(faults).arg(ran);
    return QObject::tr("%1, of which %2 changed").arg(after, groupedNumber(changed));
}

} // namespace

QString editText(const Edit& edit, const Document& original) {
    return std::visit([&original](const auto& made) { return textOf(made, original); }, edit);
}

QStringList editTexts(const Document& experiment) {
    QStringList texts;
    for (const Edit& edit : experiment.edits)
        texts.append(editText(edit, *experiment.original));
    return texts;
}

QString experimentVerdict(const Document& experiment) {
    const Fault* const fault = experiment.execution && experiment.execution->fault
                                   ? &*experiment.execution->fault
                                   : nullptr;
    const auto faultText = [fault] { return QObject::tr("✗ %1").arg(safeText(fault->reason)); };
    if (fault && fault->relocation) // rules that records break then only follow from it
        return faultText();
    const auto& violations = experiment.violations;
    const auto isBroken = [](const std::optional<RecordViolation>& v) { return v.has_value(); };
    const auto first = std::find_if(violations.begin(), violations.end(), isBroken);
    if (first != violations.end()) {
        const auto more = std::count_if(first + 1, violations.end(), isBroken);
        const QString text = QObject::tr("✗ record %1 breaks a rule: %2")
                                 .arg(first - violations.begin())
                                 .arg(safeText((*first)->message));
        return more == 0 ? text : text + QObject::tr(" (and %1 more)").arg(more);
    }
    if (fault)
        return faultText();
    return violations.empty() ? QObject::tr("✗ not checked: the diagnostics say why")
                              : QObject::tr("✓ all records valid");
}

std::optional<std::int64_t> changedLayers(const Document& experiment) {
    if (!experiment.original || !experiment.execution || !experiment.original->execution)
        return std::nullopt;
    const Trace& now = experiment.execution->trace;
    std::int64_t count = 0;
    for (const TraceLayer& before : experiment.original->execution->trace.layers) {
        const TraceLayer* const layer = now.layerOf(before.operatorIndex);
        count += layer != nullptr && layer->sha256 != before.sha256 ? 1 : 0;
    }
    return count;
}

QString experimentText(const Document& document) {
    if (!document.original)
        return {};
    QStringList parts{QObject::tr("Experiment: %1").arg(editsText(document)),
                      experimentVerdict(document)};
    if (const auto layers = changedLayers(document)) {
        const Execution& run = *document.execution;
        parts.append(run.fault ? faultedText(*run.fault, run.trace.layers.size(), *layers)
                               : layersText(*layers));
    }
    return parts.join(QStringLiteral(" · "));
}

} // namespace plumbline
