// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/graph/graph_facts.h"

#include <algorithm>

#include <QRegularExpression>
#include <QStringList>

#include "views/common/format.h"

namespace plumbline {
namespace {

constexpr std::size_t kMaxShownTensors = 8; ///< in a tip or a cell

std::size_t asSize(std::int64_t index) { return static_cast<std::size_t>(index); }

QString shapeOf(const Tensor& tensor) {
    QStringList extents;
    for (const std::int32_t extent : tensor.shape)
        extents.append(QString::number(extent));
    if (extents.size() > 1 && extents.first() == QLatin1String("1"))
        extents.removeFirst(); // the batch
    return extents.isEmpty() ? GraphFacts::tr("scalar") : extents.join(QChar(0x00D7));
}

std::optional<std::uint64_t> bytesOf(const Tensor& tensor) {
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

QString row(const QString& what, const QString& value) {
    return QStringLiteral("<tr><td>%1&nbsp;&nbsp;</td><td>%2</td></tr>")
        .arg(what.toHtmlEscaped(), value.toHtmlEscaped());
}

} // namespace

QString placementText(Placement placement) {
    switch (placement) {
    case Placement::Npu:
        return GraphFacts::tr("NPU");
    case Placement::Alias:
        return GraphFacts::tr("alias");
    case Placement::CpuSoftmax:
        return GraphFacts::tr("CPU softmax");
    case Placement::Refused:
        return GraphFacts::tr("refused");
    }
    return {};
}

GraphFacts::GraphFacts(DocumentPtr document)
    : m_document(std::move(document))
    , m_marks(m_document->layout->nodes.size())
    , m_texts(m_marks.size()) {
    for (std::size_t i = 0; i < m_marks.size(); ++i)
        if (const LoweredOperator* const op = operatorOf(static_cast<std::int32_t>(i)))
            m_marks[i].refused = op->placement == Placement::Refused;
    addDiagnosticMarks();
    addComparisonMarks();
}

void GraphFacts::addDiagnosticMarks() {
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

void GraphFacts::addComparisonMarks() {
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

const LoweredOperator* GraphFacts::operatorOf(std::int32_t node) const {
    const GraphNode& at = layout().nodes[asSize(node)];
    const std::vector<LoweredOperator>& operators = m_document->lowering->operators;
    return at.kind == GraphNodeKind::Operator && asSize(at.index) < operators.size()
               ? &operators[asSize(at.index)]
               : nullptr;
}

const GraphMarks& GraphFacts::marksOf(std::int32_t node) const { return m_marks[asSize(node)]; }

const GraphNodeText& GraphFacts::textOf(std::int32_t node) const {
    std::optional<GraphNodeText>& text = m_texts[asSize(node)];
    if (!text)
        text = makeText(node);
    return *text;
}

const Tensor* GraphFacts::tensor(std::int32_t index) const {
    const Graph* const graph = m_document->graph();
    return graph != nullptr && index >= 0 && asSize(index) < graph->tensors.size()
               ? &graph->tensors[asSize(index)]
               : nullptr;
}

std::int32_t GraphFacts::outputTensor(std::int32_t node) const {
    const GraphNode& at = layout().nodes[asSize(node)];
    if (at.kind != GraphNodeKind::Operator)
        return static_cast<std::int32_t>(at.index);
    const std::vector<std::int32_t>& outputs =
        m_document->graph()->operators[asSize(at.index)].outputs;
    return outputs.empty() ? -1 : outputs.front();
}

GraphNodeText GraphFacts::makeText(std::int32_t node) const {
    const GraphNode& at = layout().nodes[asSize(node)];
    GraphNodeText text;
    if (const Tensor* const made = tensor(outputTensor(node)))
        text.shape = shapeOf(*made);
    if (at.kind != GraphNodeKind::Operator) {
        text.name = at.kind == GraphNodeKind::Input ? tr("input") : tr("output");
        return text;
    }
    const Operator& op = m_document->graph()->operators[asSize(at.index)];
    text.name = safeText(op.name);
    if (!op.customCode.empty())
        text.name = safeText(op.customCode);
    const LoweredOperator* const lowered = operatorOf(node);
    if (lowered == nullptr)
        return text;
    text.detail = placementText(lowered->placement);
    if (lowered->placement == Placement::Npu && !lowered->opcodeName.empty())
        text.detail += QStringLiteral(" · ") + safeText(lowered->opcodeName);
    if (lowered->record)
        text.record = QLatin1Char('#') + QString::number(*lowered->record);
    return text;
}

QString GraphFacts::tensorName(std::int32_t index) const {
    const Tensor* const found = tensor(index);
    return found == nullptr || found->name.empty() ? tr("tensor %1").arg(index)
                                                   : safeText(found->name);
}

QString GraphFacts::tensorText(std::int32_t index) const {
    const Tensor* const found = tensor(index);
    if (found == nullptr)
        return tr("unknown");
    QString text = QString::fromStdString(plumbline::shapeText(found->shape)) + QLatin1Char(' ') +
                   QString::fromStdString(elementTypeName(found->type));
    if (const auto bytes = bytesOf(*found))
        text += QStringLiteral(" · ") + exactBytes(*bytes);
    return text;
}

QString GraphFacts::edgeLabel(std::int32_t index) const {
    const Tensor* const found = tensor(index);
    if (found == nullptr)
        return {};
    const auto bytes = bytesOf(*found);
    return bytes ? shapeOf(*found) + QStringLiteral(" · ") + shortBytes(*bytes) : shapeOf(*found);
}

QString GraphFacts::neighbours(std::int32_t node, bool inputs) const {
    const GraphNode& at = layout().nodes[asSize(node)];
    QStringList names;
    for (const std::int32_t index : inputs ? at.in : at.out) {
        const GraphEdge& edge = layout().edges[asSize(index)];
        const std::int32_t other = inputs ? edge.from : edge.to;
        const GraphNode& there = layout().nodes[asSize(other)];
        names.append(there.kind == GraphNodeKind::Operator
                         ? tr("%1 (op/%2)").arg(textOf(other).name).arg(there.index)
                         : textOf(other).name);
        if (asSize(names.size()) == kMaxShownTensors) {
            names.append(QStringLiteral("…"));
            break;
        }
    }
    return names.join(QStringLiteral(", "));
}

QString GraphFacts::verdictText(std::int32_t node) const {
    const GraphMarks& marks = marksOf(node);
    switch (marks.verdict) {
    case GraphVerdict::NotCompared:
        return {};
    case GraphVerdict::Equal:
        return tr("equal to the reference");
    case GraphVerdict::Differs:
        return (marks.mismatches ? tr("%1 elements differ").arg(groupedNumber(*marks.mismatches))
                                 : tr("differs from the reference")) +
               (marks.culprit ? tr(", the culprit: the first layer that is wrong by itself")
                              : QString());
    }
    return {};
}

QString GraphFacts::nodeTip(std::int32_t node) const {
    const GraphNode& at = layout().nodes[asSize(node)];
    const GraphNodeText& text = textOf(node);
    QString rows;
    if (at.kind == GraphNodeKind::Operator)
        rows += row(tr("Operator"), QStringLiteral("op/%1").arg(at.index));
    if (const LoweredOperator* const op = operatorOf(node)) {
        rows += row(tr("Placement"), text.detail);
        if (op->record)
            rows += row(tr("Record"), QString::number(*op->record));
        if (op->cost.estimatedCycles > 0)
            rows += row(tr("Cycles (estimate)"), groupedNumber(op->cost.estimatedCycles));
        if (op->cost.usefulMacs > 0)
            rows += row(tr("MACs"), groupedNumber(op->cost.usefulMacs));
        if (!op->note.empty())
            rows += row(tr("Note"), safeText(op->note));
    }
    if (const QString verdict = verdictText(node); !verdict.isEmpty())
        rows += row(tr("Against the reference"), verdict);
    std::size_t shown = 0;
    for (const std::int32_t edge : at.in)
        if (shown++ < kMaxShownTensors) {
            const std::int32_t in = layout().edges[asSize(edge)].tensor;
            rows += row(tr("Input"), tensorName(in) + QLatin1Char(' ') + tensorText(in));
        }
    if (const std::int32_t out = outputTensor(node); out >= 0)
        rows += row(tr("Output"), tensorName(out) + QLatin1Char(' ') + tensorText(out));
    shown = 0;
    for (const Diagnostic& diagnostic : m_document->diagnostics)
        if (diagnostic.where.operatorIndex == at.index && at.kind == GraphNodeKind::Operator &&
            shown++ < kMaxShownTensors)
            rows += row(QString::fromUtf8(codeInfo(diagnostic.code).id.data()),
                        safeText(diagnostic.message));
    return QStringLiteral("<b>%1</b><table>%2</table>").arg(text.name.toHtmlEscaped(), rows);
}

QString GraphFacts::edgeTip(std::int32_t index) const {
    const GraphEdge& edge = layout().edges[asSize(index)];
    QString rows = row(tr("Tensor"), QStringLiteral("tensor/%1").arg(edge.tensor)) +
                   row(tr("Shape"), tensorText(edge.tensor)) +
                   row(tr("From"), textOf(edge.from).name) + row(tr("To"), textOf(edge.to).name);
    if (edge.backward)
        rows += row(tr("Order"), tr("is read before it is made"));
    return QStringLiteral("<b>%1</b><table>%2</table>")
        .arg(tensorName(edge.tensor).toHtmlEscaped(), rows);
}

QString GraphFacts::haystack(std::int32_t node) const {
    const GraphNode& at = layout().nodes[asSize(node)];
    const GraphNodeText& text = textOf(node);
    QStringList parts{text.name, text.detail, text.record, text.shape};
    const auto addTensor = [&](std::int32_t index) {
        if (const Tensor* const found = tensor(index))
            parts << safeText(found->name) << shapeOf(*found)
                  << QString::fromStdString(plumbline::shapeText(found->shape));
    };
    if (at.kind == GraphNodeKind::Operator) {
        const Operator& op = m_document->graph()->operators[asSize(at.index)];
        parts << safeText(op.name) << QStringLiteral("op/%1").arg(at.index);
        // Its weights; what it reads from others is found where it is made.
        for (std::size_t i = 0; i < std::min(op.inputs.size(), kMaxShownTensors); ++i)
            if (const Tensor* const read = tensor(op.inputs[i]); read && read->isConstant())
                addTensor(op.inputs[i]);
        for (std::size_t i = 0; i < std::min(op.outputs.size(), kMaxShownTensors); ++i)
            addTensor(op.outputs[i]);
    } else {
        addTensor(static_cast<std::int32_t>(at.index));
    }
    return parts.join(QLatin1Char('\n')).toLower();
}

std::vector<std::int32_t> GraphFacts::find(const QString& words) const {
    QString wanted = words.toLower();
    // A shape can be typed with a plain x: 25x5x64.
    static const QRegularExpression times(QStringLiteral("(?<=\\d)[x*](?=\\d)"));
    wanted.replace(times, QString(QChar(0x00D7)));
    const QStringList list = wanted.split(QLatin1Char(' '), Qt::SkipEmptyParts);
    std::vector<std::int32_t> found;
    if (list.isEmpty())
        return found;
    if (m_haystacks.empty()) {
        m_haystacks.reserve(m_marks.size());
        for (std::size_t i = 0; i < m_marks.size(); ++i)
            m_haystacks.push_back(haystack(static_cast<std::int32_t>(i)));
    }
    for (std::size_t i = 0; i < m_haystacks.size(); ++i)
        if (std::all_of(list.begin(), list.end(),
                        [&](const QString& word) { return m_haystacks[i].contains(word); }))
            found.push_back(static_cast<std::int32_t>(i));
    return found;
}

} // namespace plumbline
