// SPDX-License-Identifier: GPL-3.0-or-later
// What the graph view says about operators and tensors, as text and marks; made when first asked
// for.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include <QCoreApplication>
#include <QString>

#include "core/document/document.h"
#include "core/graph/layout.h"

namespace plumbline {

enum class GraphVerdict : std::uint8_t { NotCompared, Equal, Differs };

/// What is wrong or proven about an operator.
struct GraphMarks {
    bool refused = false;
    std::optional<Severity> diagnostic; ///< the worst one; nothing below a warning
    GraphVerdict verdict = GraphVerdict::NotCompared;
    std::optional<std::int64_t> mismatches; ///< where they could be counted
    bool culprit = false;                   ///< the first layer that is wrong by itself
    bool alarming() const {
        return refused || diagnostic == Severity::Error || verdict == GraphVerdict::Differs;
    }
};

/// The lines on a node.
struct GraphNodeText {
    QString name;   ///< "CONV_2D"; "input", "output" of the graph
    QString record; ///< "#12"; may be empty
    QString shape;  ///< "25×5×64"
    QString detail; ///< "NPU · CONV2D"
};

class GraphFacts {
    Q_DECLARE_TR_FUNCTIONS(plumbline::GraphFacts)

  public:
    explicit GraphFacts(DocumentPtr document);

    const Document& document() const { return *m_document; }
    const GraphLayout& layout() const { return *m_document->layout; }
    /// Null for inputs, outputs and operators that the lowering does not know.
    const LoweredOperator* operatorOf(std::int32_t node) const;
    const GraphMarks& marksOf(std::int32_t node) const;
    const GraphNodeText& textOf(std::int32_t node) const;
    QString verdictText(std::int32_t node) const; ///< empty where nothing was compared
    /// "[1,25,5,64] INT8 · 8,000 bytes"
    QString tensorText(std::int32_t tensor) const;
    QString tensorName(std::int32_t tensor) const;
    /// "25×5×64 · 7.8 KiB", for an edge.
    QString edgeLabel(std::int32_t tensor) const;
    QString nodeTip(std::int32_t node) const; ///< rich text
    QString edgeTip(std::int32_t edge) const; ///< rich text
    /// Names of what comes in or goes out, for a table cell.
    QString neighbours(std::int32_t node, bool inputs) const;

    /// Nodes whose name, kind, custom code, opcode, placement, tensors or shapes contain every
    /// word of `words`, letters of either case; ascending.
    std::vector<std::int32_t> find(const QString& words) const;

  private:
    const Tensor* tensor(std::int32_t index) const;
    std::int32_t outputTensor(std::int32_t node) const; ///< -1: none
    GraphNodeText makeText(std::int32_t node) const;
    QString haystack(std::int32_t node) const;
    void addDiagnosticMarks();
    void addComparisonMarks();

    DocumentPtr m_document;
    std::vector<GraphMarks> m_marks;
    mutable std::vector<std::optional<GraphNodeText>> m_texts;
    mutable std::vector<QString> m_haystacks; ///< filled by the first find()
};

/// "NPU", "alias", "CPU softmax", "refused".
QString placementText(Placement placement);

} // namespace plumbline
