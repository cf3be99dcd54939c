// SPDX-License-Identifier: GPL-3.0-or-later
// What the cards of the operator graph say, mark and show, and where: the graph view paints these
// shapes at full detail, and graphDrawing() is made of them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/chart/drawing.h"
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

/// The lines on a card.
struct GraphNodeText {
    std::string name;   ///< "CONV_2D"; "input", "output" of the graph
    std::string number; ///< the operator's index, as in op/29; empty for inputs and outputs
    std::string record; ///< "#12"; may be empty
    std::string shape;  ///< "25×5×64"
    std::string detail; ///< "NPU #12 · CONV2D"
};

/// Every label on and below a card has this size.
inline constexpr int kCardTextSize = 12;

/// An operator's share of a measure: the fill of its card.
struct GraphHeat {
    double fraction = 0; ///< of the largest value, 0..1
    std::string number;  ///< "1.2 M"
};

/// "NPU", "alias", "CPU softmax", "refused".
std::string_view placementText(Placement placement);

/// Whether `document` has a graph and the layout that belongs to it.
bool hasGraphCards(const Document& document);

/// Nodes are indices in GraphLayout::nodes and have to be in range. Texts are made when first asked
/// for, so one object belongs to one thread.
class GraphCards {
  public:
    /// `document` has cards and lives longer; so does `layout`, another one of the same graph.
    explicit GraphCards(const Document& document)
        : GraphCards(document, *document.layout) {}
    GraphCards(const Document& document, const GraphLayout& layout);

    const Document& document() const { return *m_document; }
    const GraphLayout& layout() const { return *m_layout; }
    /// Null for inputs, outputs and operators that the lowering does not know.
    const LoweredOperator* operatorOf(std::int32_t node) const;
    /// As operatorOf(), and null for a trace's layers: it does not say where they ran.
    const LoweredOperator* placedOperator(std::int32_t node) const;
    /// Null where the graph has no such tensor.
    const Tensor* tensor(std::int32_t index) const;
    std::int32_t outputTensor(std::int32_t node) const; ///< -1: none
    const GraphMarks& marksOf(std::int32_t node) const;
    const GraphNodeText& textOf(std::int32_t node) const;

    /// "7 elements differ"; empty where nothing was compared.
    std::string verdictText(std::int32_t node) const;
    /// "25×5×64"; "scalar".
    static std::string shapeLine(const Tensor& tensor);
    /// Nothing where the shape or the type says no size.
    static std::optional<std::uint64_t> bytesOf(const Tensor& tensor);
    /// "25×5×64 · 7.8 KiB", for an edge; empty where there is no such tensor.
    std::string edgeLabel(std::int32_t tensor) const;
    /// Operator, shape, placement, diagnostics and verdict in words.
    std::string title(std::int32_t node) const;

    /// Placement as a colour: the stripe of the card.
    Ink stripeOf(std::int32_t node) const;
    /// The card in the order of painting; the first shape is its box, as large as the node's.
    std::vector<Shape> card(std::int32_t node,
                            const std::optional<GraphHeat>& heat = std::nullopt) const;
    /// What the node's edges carry, below it: a box that hides the edges, then the label. Empty
    /// where the node has no edge or there is no room.
    std::vector<Shape> edgeLabelOf(std::int32_t node) const;

  private:
    GraphNodeText makeText(std::int32_t node) const;
    void addDiagnosticMarks();
    void addComparisonMarks();

    const Document* m_document;
    const GraphLayout* m_layout;
    std::vector<GraphMarks> m_marks;
    mutable std::vector<std::optional<GraphNodeText>> m_texts;
};

} // namespace plumbline
