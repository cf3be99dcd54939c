// SPDX-License-Identifier: GPL-3.0-or-later
// The values of one layer's tensor, ours against the reference's.
#pragma once

#include <memory>
#include <optional>

#include <QString>

#include "core/document/document.h"

namespace plumbline {

enum class TensorSide : std::uint8_t {
    Ours,       ///< as run
    Theirs,     ///< the reference's
    Difference, ///< ours - theirs
    Alone,      ///< ours, the layer run on the reference's own inputs
};

/// "Ours", "Reference", …
QString sideName(TensorSide side);

/// What a tensor's pictures and tables ask for. An implementation answers in constant time and
/// keeps nothing per element.
class TensorValues {
  public:
    virtual ~TensorValues() = default;
    virtual Hwc shape() const = 0; ///< extents of at least 1
    virtual bool has(TensorSide side) const = 0;
    /// The value of element `index` in [h,w,c] order, -128..127, or -255..255 of a difference;
    /// has(side) holds.
    virtual int at(TensorSide side, std::int64_t index) const = 0;
    /// What the side is called: sideName() where nothing better is known.
    virtual QString name(TensorSide side) const { return sideName(side); }

    std::int64_t indexOf(const ElementIndex& element) const;
    ElementIndex elementOf(std::int64_t index) const;
    bool contains(const ElementIndex& element) const;
    /// Whether the element is not the reference's; of Alone that of the layer alone. False where
    /// there is nothing to compare.
    bool differs(TensorSide side, std::int64_t index) const;
};

/// Over the bytes that a document holds; copies none.
class LayerTensor final : public TensorValues {
  public:
    /// The output of the operator's layer; null where the document has no byte of it.
    static std::shared_ptr<const LayerTensor> of(DocumentPtr document, std::int64_t operatorIndex);

    Hwc shape() const override { return m_shape; }
    bool has(TensorSide side) const override;
    int at(TensorSide side, std::int64_t index) const override;
    QString name(TensorSide side) const override;

    std::int64_t operatorIndex() const { return m_operatorIndex; }
    /// Of ours as run, or of the layer alone for Alone; null where it was not compared.
    const TensorComparison* comparison(TensorSide side) const;
    /// Smallest and largest value of ours and theirs together; of a tensor of more than
    /// `kMeasured` elements all that a byte can hold.
    std::pair<int, int> range() const { return m_range; }
    /// The real value of a quantized one; nothing where the quantization is not known.
    std::optional<double> real(int value) const;
    /// Why has(side) does not hold, a sentence: "Ours has no bytes: the run faulted."
    QString whyMissing(TensorSide side) const;
    /// "h 3, w 4, c 17: ours -12 (0.35), reference -11 (0.37), difference -1"
    QString describe(const ElementIndex& element) const;

    static constexpr std::size_t kMeasured = std::size_t{1} << 20;

  private:
    void takeBytes(const Document& document);
    void takeQuantization(const Document& document);
    void measure();
    QString valueText(TensorSide side, std::int64_t index) const;

    DocumentPtr m_document; ///< keeps the bytes
    std::int64_t m_operatorIndex = 0;
    const LayerVerdict* m_verdict = nullptr; ///< null: not compared
    Hwc m_shape;
    ByteView m_ours, m_theirs, m_alone; ///< empty where there are none
    std::optional<double> m_scale;
    std::int64_t m_zeroPoint = 0;
    std::pair<int, int> m_range{-128, 127};
};

/// Why there is no tensor to show for the operator (or for none), and what to do next.
QString whyNoTensor(const Document& document, std::optional<std::int64_t> operatorIndex);

} // namespace plumbline
