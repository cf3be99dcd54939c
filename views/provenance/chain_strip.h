// SPDX-License-Identifier: GPL-3.0-or-later
// The arithmetic of an element as a painted chain of values, one card per link.
#pragma once

#include <optional>
#include <vector>

#include <QRect>
#include <QSize>
#include <QWidget>

#include "views/provenance/step_text.h"

namespace plumbline {

/// Where the cards lie: from left to right, in as many rows as they need. Where closer and narrower
/// cards need fewer rows, they are so.
class ChainLayout {
  public:
    static constexpr int kArrow = 14;       ///< pixels between two cards
    static constexpr int kCloseArrow = 9;   ///< pixels between two close cards
    static constexpr int kMostNarrower = 8; ///< pixels that a card may give up
    static constexpr int kGap = 3;          ///< pixels between two rows
    static constexpr int kMargin = 6;       ///< pixels around all of it

    ChainLayout() = default;
    /// `sizes` of the cards in pixels, all of one height; a card wider than `width` has a row of
    /// its own.
    ChainLayout(const std::vector<QSize>& sizes, int width);

    std::size_t count() const { return m_cards.size(); }
    const QRect& card(std::size_t index) const { return m_cards[index]; }
    int arrow() const { return m_arrow; } ///< pixels between two cards
    int height() const { return m_height; }
    std::optional<std::size_t> cardAt(const QPoint& pixel) const;

  private:
    void lay(const std::vector<QSize>& sizes, int width, int narrower);

    std::vector<QRect> m_cards;
    int m_arrow = kArrow;
    int m_height = 0;
};

/// A click on a card, or Left, Right, Home and End, go to a link. Of many slices only the first and
/// the last ones have cards.
class ChainStrip : public QWidget {
    Q_OBJECT

  public:
    /// So many slices have a card each; of more, the ones in the middle share one.
    static constexpr std::size_t kMostSlices = 6;

    explicit ChainStrip(QWidget* parent = nullptr);

    void setChain(std::vector<ChainLink> chain);
    const std::vector<ChainLink>& chain() const { return m_chain; }
    /// Marks the link that stands for the step.
    void setStep(std::size_t step);
    std::optional<std::size_t> current() const { return m_current; }
    const ChainLayout& chainLayout() const { return m_layout; }

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;
    bool hasHeightForWidth() const override { return true; }
    int heightForWidth(int width) const override;

  signals:
    void stepPicked(qulonglong step); ///< index in Explanation::steps

  protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

  private:
    std::vector<QSize> cardSizes() const;
    void lay();
    void pick(std::size_t link);
    void paintCard(QPainter& painter, std::size_t index) const;

    std::vector<ChainLink> m_chain;
    ChainLayout m_layout;
    std::optional<std::size_t> m_current;
};

} // namespace plumbline
