// SPDX-License-Identifier: GPL-3.0-or-later
// What the graph view says about operators and tensors beyond their cards: tips, cells of its
// table, and what can be found.
#pragma once

#include <cstdint>
#include <vector>

#include <QCoreApplication>
#include <QString>

#include "core/chart/graph_cards.h"

namespace plumbline {

class GraphFacts {
    Q_DECLARE_TR_FUNCTIONS(plumbline::GraphFacts)

  public:
    explicit GraphFacts(DocumentPtr document);

    const Document& document() const { return *m_document; }
    const GraphLayout& layout() const { return *m_document->layout; }
    const GraphCards& cards() const { return m_cards; }
    const LoweredOperator* operatorOf(std::int32_t node) const { return m_cards.operatorOf(node); }
    const GraphMarks& marksOf(std::int32_t node) const { return m_cards.marksOf(node); }
    QString nameOf(std::int32_t node) const;      ///< GraphNodeText::name
    QString verdictText(std::int32_t node) const; ///< empty where nothing was compared
    /// "[1,25,5,64] INT8 · 8,000 bytes"
    QString tensorText(std::int32_t tensor) const;
    QString tensorName(std::int32_t tensor) const;
    QString nodeTip(std::int32_t node) const; ///< rich text
    QString edgeTip(std::int32_t edge) const; ///< rich text
    /// Names of what comes in or goes out, for a table cell.
    QString neighbours(std::int32_t node, bool inputs) const;

    /// Nodes whose name, kind, custom code, opcode, placement, tensors or shapes contain every
    /// word of `words`, letters of either case; ascending.
    std::vector<std::int32_t> find(const QString& words) const;

  private:
    QString haystack(std::int32_t node) const;

    DocumentPtr m_document;
    GraphCards m_cards;
    mutable std::vector<QString> m_haystacks; ///< filled by the first find()
};

} // namespace plumbline
