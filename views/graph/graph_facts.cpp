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
    return QString::fromStdString(GraphCards::shapeLine(tensor));
}

QString row(const QString& what, const QString& value) {
    return QStringLiteral("<tr><td>%1&nbsp;&nbsp;</td><td>%2</td></tr>")
        .arg(what.toHtmlEscaped(), value.toHtmlEscaped());
}

} // namespace

GraphFacts::GraphFacts(DocumentPtr document)
    : m_document(std::move(document))
    , m_cards(*m_document) {}

QString GraphFacts::nameOf(std::int32_t node) const {
    return QString::fromStdString(m_cards.textOf(node).name);
}

QString GraphFacts::verdictText(std::int32_t node) const {
    return QString::fromStdString(m_cards.verdictText(node));
}

QString GraphFacts::tensorName(std::int32_t index) const {
    const Tensor* const found = m_cards.tensor(index);
    return found == nullptr || found->name.empty() ? tr("tensor %1").arg(index)
                                                   : safeText(found->name);
}

QString GraphFacts::tensorText(std::int32_t index) const {
    const Tensor* const found = m_cards.tensor(index);
    if (found == nullptr)
        return tr("unknown");
    QString text = QString::fromStdString(plumbline::shapeText(found->shape)) + QLatin1Char(' ') +
                   QString::fromStdString(elementTypeName(found->type));
    if (const auto bytes = GraphCards::bytesOf(*found))
        text += QStringLiteral(" · ") + exactBytes(*bytes);
    return text;
}

QString GraphFacts::neighbours(std::int32_t node, bool inputs) const {
    const GraphNode& at = layout().nodes[asSize(node)];
    QStringList names;
    for (const std::int32_t index : inputs ? at.in : at.out) {
        const GraphEdge& edge = layout().edges[asSize(index)];
        const std::int32_t other = inputs ? edge.from : edge.to;
        const GraphNode& there = layout().nodes[asSize(other)];
        names.append(there.kind == GraphNodeKind::Operator
                         ? tr("%1 (op/%2)").arg(nameOf(other)).arg(there.index)
                         : nameOf(other));
        if (asSize(names.size()) == kMaxShownTensors) {
            names.append(QStringLiteral("…"));
            break;
        }
    }
    return names.join(QStringLiteral(", "));
}

QString GraphFacts::nodeTip(std::int32_t node) const {
    const GraphNode& at = layout().nodes[asSize(node)];
    const GraphNodeText& text = m_cards.textOf(node);
    QString rows;
    if (at.kind == GraphNodeKind::Operator)
        rows += row(tr("Operator"), QStringLiteral("op/%1").arg(at.index));
    if (const LoweredOperator* const op = operatorOf(node)) {
        rows += row(tr("Placement"), QString::fromStdString(text.detail));
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
    if (const std::int32_t out = m_cards.outputTensor(node); out >= 0)
        rows += row(tr("Output"), tensorName(out) + QLatin1Char(' ') + tensorText(out));
    shown = 0;
    for (const Diagnostic& diagnostic : m_document->diagnostics)
        if (diagnostic.where.operatorIndex == at.index && at.kind == GraphNodeKind::Operator &&
            shown++ < kMaxShownTensors)
            rows += row(QString::fromUtf8(codeInfo(diagnostic.code).id.data()),
                        safeText(diagnostic.message));
    return QStringLiteral("<b>%1</b><table>%2</table>").arg(nameOf(node).toHtmlEscaped(), rows);
}

QString GraphFacts::edgeTip(std::int32_t index) const {
    const GraphEdge& edge = layout().edges[asSize(index)];
    QString rows = row(tr("Tensor"), QStringLiteral("tensor/%1").arg(edge.tensor)) +
                   row(tr("Shape"), tensorText(edge.tensor)) + row(tr("From"), nameOf(edge.from)) +
                   row(tr("To"), nameOf(edge.to));
    if (edge.backward)
        rows += row(tr("Order"), tr("is read before it is made"));
    return QStringLiteral("<b>%1</b><table>%2</table>")
        .arg(tensorName(edge.tensor).toHtmlEscaped(), rows);
}

QString GraphFacts::haystack(std::int32_t node) const {
    const GraphNode& at = layout().nodes[asSize(node)];
    const GraphNodeText& text = m_cards.textOf(node);
    QStringList parts;
    for (const std::string* line : {&text.name, &text.detail, &text.record, &text.shape})
        parts << QString::fromStdString(*line);
    const auto addTensor = [&](std::int32_t index) {
        if (const Tensor* const found = m_cards.tensor(index))
            parts << safeText(found->name) << shapeOf(*found)
                  << QString::fromStdString(plumbline::shapeText(found->shape));
    };
    if (at.kind == GraphNodeKind::Operator) {
        const Operator& op = m_document->graph()->operators[asSize(at.index)];
        parts << safeText(op.name) << QStringLiteral("op/%1").arg(at.index);
        // Its weights; what it reads from others is found where it is made.
        for (std::size_t i = 0; i < std::min(op.inputs.size(), kMaxShownTensors); ++i)
            if (const Tensor* const read = m_cards.tensor(op.inputs[i]); read && read->isConstant())
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
        const std::size_t count = layout().nodes.size();
        m_haystacks.reserve(count);
        for (std::size_t i = 0; i < count; ++i)
            m_haystacks.push_back(haystack(static_cast<std::int32_t>(i)));
    }
    for (std::size_t i = 0; i < m_haystacks.size(); ++i)
        if (std::all_of(list.begin(), list.end(),
                        [&](const QString& word) { return m_haystacks[i].contains(word); }))
            found.push_back(static_cast<std::int32_t>(i));
    return found;
}

} // namespace plumbline
