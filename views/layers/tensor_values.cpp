// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/layers/tensor_values.h"

#include <algorithm>

#include <QCoreApplication>

#include "core/graph/tensor_size.h"
#include "views/common/empty_note.h"
#include "views/common/format.h"

namespace plumbline {
namespace {

QString tr(const char* text) { return QCoreApplication::translate("plumbline::TensorView", text); }

int valueAt(ByteView bytes, std::int64_t index) {
    return static_cast<std::int8_t>(bytes[static_cast<std::size_t>(index)]);
}

ByteView ifLong(const Bytes& bytes, std::uint64_t size) {
    return bytes.size() == size ? ByteView(bytes) : ByteView();
}

Hwc shapeOf(const TraceLayer& layer) {
    if (layer.shape.size() == 3)
        return {layer.shape[0], layer.shape[1], layer.shape[2]};
    return {1, 1, static_cast<std::int64_t>(layer.bytes.size())};
}

const LoweredOperator* operatorAt(const Document& document, std::int64_t index) {
    const auto& operators = document.lowering->operators;
    return index >= 0 && static_cast<std::size_t>(index) < operators.size()
               ? &operators[static_cast<std::size_t>(index)]
               : nullptr;
}

} // namespace

QString sideName(TensorSide side) {
    switch (side) {
    case TensorSide::Ours:
        return tr("Ours");
    case TensorSide::Theirs:
        return tr("Reference");
    case TensorSide::Difference:
        return tr("Difference");
    case TensorSide::Alone:
        return tr("Ours alone");
    }
    return {};
}

std::int64_t TensorValues::indexOf(const ElementIndex& element) const {
    const Hwc extent = shape();
    return (element.h * extent.w + element.w) * extent.c + element.c;
}

ElementIndex TensorValues::elementOf(std::int64_t index) const {
    const Hwc extent = shape();
    return {index / extent.c / extent.w, index / extent.c % extent.w, index % extent.c};
}

bool TensorValues::contains(const ElementIndex& element) const {
    const Hwc extent = shape();
    return element.h >= 0 && element.h < extent.h && element.w >= 0 && element.w < extent.w &&
           element.c >= 0 && element.c < extent.c;
}

bool TensorValues::differs(TensorSide side, std::int64_t index) const {
    if (side == TensorSide::Alone)
        return has(TensorSide::Theirs) &&
               at(TensorSide::Alone, index) != at(TensorSide::Theirs, index);
    return has(TensorSide::Difference) && at(TensorSide::Difference, index) != 0;
}

std::shared_ptr<const LayerTensor> LayerTensor::of(DocumentPtr document,
                                                   std::int64_t operatorIndex) {
    auto made = std::make_shared<LayerTensor>();
    made->m_operatorIndex = operatorIndex;
    made->m_verdict = document->verdictOf(operatorIndex);
    made->takeBytes(*document);
    if (made->m_ours.empty() && made->m_theirs.empty() && made->m_alone.empty())
        return nullptr;
    made->takeQuantization(*document);
    made->m_document = std::move(document);
    made->measure();
    return made;
}

void LayerTensor::takeBytes(const Document& document) {
    const TraceLayer* const theirs =
        document.reference ? document.reference->trace.layerOf(m_operatorIndex) : nullptr;
    const TraceLayer* const executed =
        document.execution ? document.execution->trace.layerOf(m_operatorIndex) : nullptr;
    const Bytes* ours = executed ? &executed->bytes : nullptr;
    if (m_verdict && (!m_verdict->ours.empty() || !m_verdict->isolatedOurs.empty())) {
        ours = &m_verdict->ours;
        m_shape = m_verdict->shape;
    } else if (const TraceLayer* const stated = executed ? executed : theirs) {
        m_shape = shapeOf(*stated);
    }
    const std::uint64_t size = tensorBytes(m_shape).value_or(0);
    if (ours)
        m_ours = ifLong(*ours, size);
    if (theirs)
        m_theirs = ifLong(theirs->bytes, size);
    if (m_verdict && m_verdict->isolated)
        m_alone = m_verdict->isolatedOurs.empty() ? m_ours : ifLong(m_verdict->isolatedOurs, size);
}

void LayerTensor::takeQuantization(const Document& document) {
    const TraceLayer* const layer = document.layerOf(m_operatorIndex);
    if (layer && layer->scale) {
        m_scale = layer->scale;
        m_zeroPoint = layer->zeroPoint.value_or(0);
    } else if (const LoweredOperator* const op = operatorAt(document, m_operatorIndex);
               op && op->quantization.outputScale > 0) {
        m_scale = op->quantization.outputScale;
        m_zeroPoint = op->quantization.outputZeroPoint;
    }
}

void LayerTensor::measure() {
    if (std::max({m_ours.size(), m_theirs.size(), m_alone.size()}) > kMeasured)
        return;
    m_range = {127, -128};
    for (const ByteView bytes : {m_ours, m_theirs, m_alone})
        for (std::size_t i = 0; i < bytes.size(); ++i) {
            const int value = valueAt(bytes, static_cast<std::int64_t>(i));
            m_range = {std::min(m_range.first, value), std::max(m_range.second, value)};
        }
}

bool LayerTensor::has(TensorSide side) const {
    switch (side) {
    case TensorSide::Ours:
        return !m_ours.empty();
    case TensorSide::Theirs:
        return !m_theirs.empty();
    case TensorSide::Difference:
        return !m_ours.empty() && !m_theirs.empty();
    case TensorSide::Alone:
        return !m_alone.empty();
    }
    return false;
}

int LayerTensor::at(TensorSide side, std::int64_t index) const {
    switch (side) {
    case TensorSide::Ours:
        return valueAt(m_ours, index);
    case TensorSide::Theirs:
        return valueAt(m_theirs, index);
    case TensorSide::Difference:
        return valueAt(m_ours, index) - valueAt(m_theirs, index);
    case TensorSide::Alone:
        return valueAt(m_alone, index);
    }
    return 0;
}

const TensorComparison* LayerTensor::comparison(TensorSide side) const {
    if (m_verdict == nullptr)
        return nullptr;
    const auto& compared = side == TensorSide::Alone ? m_verdict->isolated : m_verdict->accumulated;
    return compared ? &*compared : nullptr;
}

QString LayerTensor::name(TensorSide side) const {
    const bool isTrace = m_document && m_document->kind == DocumentKind::Trace;
    return isTrace && side == TensorSide::Theirs ? tr("Trace") : sideName(side);
}

QString LayerTensor::whyMissing(TensorSide side) const {
    if (side == TensorSide::Difference)
        return whyMissing(m_ours.empty() ? TensorSide::Ours : TensorSide::Theirs);
    if (side == TensorSide::Theirs)
        return m_document->reference && m_document->reference->trace.layerOf(m_operatorIndex)
                   ? tr("The reference has no bytes of this layer, only its digest.")
                   : tr("The reference lacks this layer.");
    if (side == TensorSide::Alone)
        return tr("This layer could not be run alone on the reference's inputs.");
    if (m_verdict && m_verdict->fault)
        return tr("Ours has no bytes: the run faulted in this layer.");
    const bool isFaulted = (m_document->verdicts && m_document->verdicts->fault) ||
                           (m_document->execution && m_document->execution->fault);
    return isFaulted ? tr("Ours has no bytes: the run faulted before this layer.")
                     : tr("Ours has no bytes: this layer has not been run.");
}

std::optional<double> LayerTensor::real(int value) const {
    return m_scale ? std::optional(*m_scale * static_cast<double>(value - m_zeroPoint))
                   : std::nullopt;
}

QString LayerTensor::valueText(TensorSide side, std::int64_t index) const {
    const int value = at(side, index);
    const auto real = this->real(value);
    return real ? QStringLiteral("%1 (%2)").arg(value).arg(*real, 0, 'g', 4)
                : QString::number(value);
}

QString LayerTensor::describe(const ElementIndex& element) const {
    const std::int64_t index = indexOf(element);
    QStringList parts;
    if (has(TensorSide::Ours))
        parts += tr("ours %1").arg(valueText(TensorSide::Ours, index));
    if (has(TensorSide::Theirs))
        parts += QStringLiteral("%1 %2").arg(name(TensorSide::Theirs).toLower(),
                                             valueText(TensorSide::Theirs, index));
    if (has(TensorSide::Difference)) {
        const int difference = at(TensorSide::Difference, index);
        parts +=
            difference == 0 ? tr("equal") : tr("≠ difference %1").arg(signedNumber(difference));
    }
    if (has(TensorSide::Alone) &&
        (!has(TensorSide::Ours) || at(TensorSide::Alone, index) != at(TensorSide::Ours, index)))
        parts += tr("ours alone %1").arg(valueText(TensorSide::Alone, index));
    return tr("h %1, w %2, c %3: %4")
        .arg(element.h)
        .arg(element.w)
        .arg(element.c)
        .arg(parts.join(QStringLiteral(", ")));
}

QString whyNoTensor(const Document& document, std::optional<std::int64_t> operatorIndex) {
    if (document.lowering->operators.empty() && !document.reference)
        return emptyReason(document, tr("Open a model or a package to see its tensors."));
    if (!operatorIndex)
        return tr("Select an operator to see its output tensor.");
    const LoweredOperator* const op = operatorAt(document, *operatorIndex);
    const QString name =
        tr("Operator %1 %2").arg(*operatorIndex).arg(op ? safeText(op->name) : QString()).trimmed();
    const LayerVerdict* const verdict = document.verdictOf(*operatorIndex);
    if (verdict && verdict->fault)
        return tr("%1 faulted: %2").arg(name, safeText(verdict->fault->reason));
    if (op && op->placement == Placement::Alias)
        return tr("%1 makes no tensor of its own; its output is its input's bytes.").arg(name);
    if (op && op->placement == Placement::Refused)
        return tr("%1 was refused, so it makes no tensor. The diagnostics say why.").arg(name);
    if (document.execution && document.execution->fault)
        return tr("%1 did not run: %2").arg(name, safeText(document.execution->fault->reason));
    if (document.layerOf(*operatorIndex))
        return tr("Only the digest of what %1 makes is known.").arg(name);
    return document.execution
               ? tr("%1 made no tensor.").arg(name)
               : tr("%1 has not been run. Choose an input in the Run menu.").arg(name);
}

} // namespace plumbline
