// SPDX-License-Identifier: GPL-3.0-or-later
// The layers of a document as the layer table shows them, and what is to be said of all of them.
#pragma once

#include <optional>
#include <vector>

#include <QString>

#include "core/document/document.h"

namespace plumbline {

/// One layer. Pointers point into the document that it was made from.
struct LayerRow {
    std::int64_t operatorIndex = 0;
    std::optional<std::int64_t> record;
    QString name;
    std::optional<Hwc> shape;              ///< nothing where the run did not get so far
    const LayerVerdict* verdict = nullptr; ///< null: not compared
    QString oursSha256;                    ///< empty where there is none
    QString theirsSha256;
    bool isCulprit = false;

    /// The comparison that the numbers come from: as run, else of the layer alone; null where there
    /// is neither.
    const TensorComparison* comparison() const;
};

/// The verdicts' layers; without verdicts those that ran, or those of a lone trace.
std::vector<LayerRow> layerRows(const Document& document);

/// "3 of 29 compared layers differ from device. Culprit: operator 7 DEPTHWISE_CONV_2D; …"
QString layersSummary(const Document& document);

/// `text` with a capital at its beginning.
QString capitalised(QString text);
/// `text` as a sentence: with a capital and a full stop. Empty stays empty.
QString asSentence(const QString& text);

/// What the verdict of a layer as run says: a mark, a space and words; likewise of the layer alone.
QString accumulatedText(const LayerRow& row);
QString isolatedText(const LayerRow& row);

enum class VerdictRank : std::uint8_t { Faulted, Differs, NotCompared, Equal };
VerdictRank accumulatedRank(const LayerRow& row);
VerdictRank isolatedRank(const LayerRow& row);

} // namespace plumbline
