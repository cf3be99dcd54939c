// SPDX-License-Identifier: GPL-3.0-or-later
// Texts and marks of the cards; their shapes are in graph_card_shapes.cpp.
#include "core/chart/graph_cards.h"

#include <fmt/format.h>

#include "core/base/text.h"

namespace plumbline {
namespace {

std::size_t asSize(std::int64_t index) { return static_cast<std::size_t>(index); }

std::string placementSentence(const LoweredOperator& op) {
    switch (op.placement) {
    case Placement::Npu:
        return "on the NPU" +
               (op.opcodeName.empty() ? std::string() : " as " + printable(op.opcodeName)) +
               (op.record ? fmt::format(", record {}", *op.record) : std::string());
    case Placement::Alias:
        return "an alias: it shares the bytes of its input";
    case Placement::CpuSoftmax:
        return "on the CPU as softmax";
    case Placement::Refused:
        return "refused";
    }
    return {};
}

} // namespace

std::string_view placementText(Placement placement) {
    switch (placement) {
    case Placement::Npu:
        return "NPU";
    case Placement::Alias:
        return "alias";
    case Placement::CpuSoftmax:
        return "CPU softmax";
    case Placement::Refused:
        return "refused";
    }
    return {};
}

bool hasGraphCards(const Document& document) {
    const Graph* const graph = document.graph();
    return graph != nullptr && document.layout != nullptr && !document.layout->nodes.empty() &&
           document.layout->nodes.size() >= graph->operators.size();
}

GraphCards::GraphCards(const Document& document, const GraphLayout& layout)
    : m_document(&document)
    , m_layout(&layout)
    , m_marks(layout.nodes.size())
    , m_texts(m_marks.size()) {
    for (std::size_t i = 0; i < m_marks.size(); ++i)
        if (const LoweredOperator* const op = operatorOf(static_cast<std::int32_t>(i)))
            m_marks[i].refused = op->placement == Placement::Refused;
    addDiagnosticMarks();
    addComparisonMarks();
}

void GraphCards::addDiagnosticMarks() {
    const std::vector<Record>& records = m_document->lowering->records;
    for (const Diagnostic& diagnostic : m_document->diagnostics) {
        std::optional<std::int64_t> index = diagnostic.where.operatorIndex;
        const std::optional<std::int64_t>& record = diagnostic.where.record;
        if (!index && record && *record >= 0 && asSize(*record) < records.size())
            index = records[asSize(*record)].operatorIndex;
        if (!index || *index < 0 || asSize(*index) >= m_marks.size() ||
            diagnostic.severity == Severity::Note)
            continue;
        std::optional<Severity>& worst = m_marks[asSize(*index)].diagnostic;
        if (worst != Severity::Error)
            worst = diagnostic.severity;
    }
}

void GraphCards::addComparisonMarks() {
    if (!m_document->verdicts)
        return;
    for (const LayerVerdict& layer : m_document->verdicts->layers) {
        if (layer.operatorIndex < 0 || asSize(layer.operatorIndex) >= m_marks.size())
            continue;
        GraphMarks& marks = m_marks[asSize(layer.operatorIndex)];
        if (layer.isEqual())
            marks.verdict = GraphVerdict::Equal;
        else if (layer.isWrongAlone() || layer.accumulated)
            marks.verdict = GraphVerdict::Differs;
        if (layer.accumulated)
            marks.mismatches = layer.accumulated->mismatches;
        marks.culprit = m_document->verdicts->culprit == layer.operatorIndex;
    }
}

const LoweredOperator* GraphCards::operatorOf(std::int32_t node) const {
    const GraphNode& at = layout().nodes[asSize(node)];
    const std::vector<LoweredOperator>& operators = m_document->lowering->operators;
    return at.kind == GraphNodeKind::Operator && asSize(at.index) < operators.size()
               ? &operators[asSize(at.index)]
               : nullptr;
}

const LoweredOperator* GraphCards::placedOperator(std::int32_t node) const {
    return m_document->kind == DocumentKind::Trace ? nullptr : operatorOf(node);
}

const Tensor* GraphCards::tensor(std::int32_t index) const {
    const Graph* const graph = m_document->graph();
    return graph != nullptr && index >= 0 && asSize(index) < graph->tensors.size()
               ? &graph->tensors[asSize(index)]
               : nullptr;
}

std::int32_t GraphCards::outputTensor(std::int32_t node) const {
    const GraphNode& at = layout().nodes[asSize(node)];
    if (at.kind != GraphNodeKind::Operator)
        return static_cast<std::int32_t>(at.index);
    const std::vector<std::int32_t>& outputs =
        m_document->graph()->operators[asSize(at.index)].outputs;
    return outputs.empty() ? -1 : outputs.front();
}

const GraphMarks& GraphCards::marksOf(std::int32_t node) const { return m_marks[asSize(node)]; }

const GraphNodeText& GraphCards::textOf(std::int32_t node) const {
    std::optional<GraphNodeText>& text = m_texts[asSize(node)];
    if (!text)
        text = makeText(node);
    return *text;
}

GraphNodeText GraphCards::makeText(std::int32_t node) const {
    const GraphNode& at = layout().nodes[asSize(node)];
    GraphNodeText text;
    if (const Tensor* const made = tensor(outputTensor(node)))
        text.shape = shapeLine(*made);
    if (at.kind != GraphNodeKind::Operator) {
        text.name = at.kind == GraphNodeKind::Input ? "input" : "output";
        return text;
    }
    const Operator& op = m_document->graph()->operators[asSize(at.index)];
    text.number = std::to_string(at.index);
    text.name = printable(op.customCode.empty() ? op.name : op.customCode);
    const LoweredOperator* const lowered = placedOperator(node);
    if (lowered == nullptr)
        return text;
    text.detail = placementText(lowered->placement);
    if (lowered->record) {
        text.record = fmt::format("#{}", *lowered->record);
        text.detail += " " + text.record;
    }
    if (lowered->placement == Placement::Npu && !lowered->opcodeName.empty())
        text.detail += " · " + printable(lowered->opcodeName);
    return text;
}

std::string GraphCards::verdictText(std::int32_t node) const {
    const GraphMarks& marks = marksOf(node);
    switch (marks.verdict) {
    case GraphVerdict::NotCompared:
        return {};
    case GraphVerdict::Equal:
        return "equal to the reference";
    case GraphVerdict::Differs:
        break;
    }
    std::string text = "differs from the reference";
    if (marks.mismatches)
        text = groupedDigits(*marks.mismatches) +
               (*marks.mismatches == 1 ? " element differs" : " elements differ");
    if (marks.culprit)
        text += ", the culprit: the first layer that is wrong by itself";
    return text;
}

std::string GraphCards::shapeLine(const Tensor& tensor) {
    std::string line;
    // A batch of one goes without saying.
    for (std::size_t i = tensor.shape.size() > 1 && tensor.shape.front() == 1 ? 1 : 0;
         i < tensor.shape.size(); ++i)
        line += (line.empty() ? "" : "×") + std::to_string(tensor.shape[i]);
    return line.empty() ? "scalar" : line;
}

std::optional<std::uint64_t> GraphCards::bytesOf(const Tensor& tensor) {
    const int bits = elementBits(tensor.type);
    std::uint64_t elements = 1;
    for (const std::int32_t extent : tensor.shape) {
        if (extent < 0)
            return std::nullopt;
        if (__builtin_mul_overflow(elements, static_cast<std::uint64_t>(extent), &elements) ||
            elements > (std::uint64_t{1} << 48))
            return std::nullopt;
    }
    if (bits <= 0)
        return std::nullopt;
    return (elements * static_cast<std::uint64_t>(bits) + 7) / 8;
}

std::string GraphCards::edgeLabel(std::int32_t index) const {
    const Tensor* const found = tensor(index);
    if (found == nullptr)
        return {};
    const std::optional<std::uint64_t> bytes = bytesOf(*found);
    return bytes ? shapeLine(*found) + " · " + shortBytesText(*bytes) : shapeLine(*found);
}

std::string GraphCards::title(std::int32_t node) const {
    const GraphNode& at = layout().nodes[asSize(node)];
    const GraphNodeText& text = textOf(node);
    if (at.kind != GraphNodeKind::Operator)
        return fmt::format("{} {}", text.name, text.shape);
    std::string words = fmt::format("{}, operator {}", text.name, at.index);
    if (!text.shape.empty())
        words += ", output " + text.shape;
    if (const LoweredOperator* const op = placedOperator(node))
        words += ", " + placementSentence(*op);
    const GraphMarks& marks = marksOf(node);
    if (marks.diagnostic && !marks.refused)
        words += *marks.diagnostic == Severity::Error ? ", with an error" : ", with a warning";
    if (const std::string verdict = verdictText(node); !verdict.empty())
        words += ", " + verdict;
    return words;
}

} // namespace plumbline
