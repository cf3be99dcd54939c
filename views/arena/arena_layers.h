// SPDX-License-Identifier: GPL-3.0-or-later
// The painted layers of the arena chart. Each paints the visible part of one scene and nothing
// else, so that thousands of buffers cost what is seen of them.
#pragma once

#include "views/arena/plot_library.h"

#include <functional>

#include "views/arena/address_ticker.h"
#include "views/arena/arena_scene.h"

namespace plumbline {

/// What the layers have in common: the scene, coordinates, no selecting of their own.
class ArenaLayer : public QCPAbstractPlottable {
  public:
    ArenaLayer(QCPAxis* steps, QCPAxis* addresses, const ArenaScene& scene)
        : QCPAbstractPlottable(steps, addresses)
        , m_scene(scene) {
        setSelectable(QCP::stNone);
    }

    double selectTest(const QPointF& /*pos*/, bool /*onlySelectable*/,
                      QVariant* /*details*/ = nullptr) const override {
        return -1;
    }
    QCPRange getKeyRange(bool& found, QCP::SignDomain /*domain*/ = QCP::sdBoth) const override {
        found = true;
        return {m_scene.geometry.left(), m_scene.geometry.right()};
    }
    QCPRange getValueRange(bool& found, QCP::SignDomain /*domain*/ = QCP::sdBoth,
                           const QCPRange& /*keys*/ = QCPRange()) const override {
        found = true;
        return {0, m_scene.geometry.top()};
    }

  protected:
    void drawLegendIcon(QCPPainter* /*painter*/, const QRectF& /*rect*/) const override {}

    const ArenaScene& scene() const { return m_scene; }
    double x(double step) const { return mKeyAxis->coordToPixel(step); }
    double y(double address) const { return mValueAxis->coordToPixel(address); }
    /// The pixels of a rectangle in steps and bytes, cut near the visible part: coordinates stay
    /// small however far the zoom goes.
    QRectF pixels(double left, double right, double bottom, double top) const;
    /// Where a block is painted: at least a pixel, with a gap beside a wide one.
    QRectF blockPixels(const ArenaBlock& block) const;
    /// Calls `visit(block, allocation)` for what is seen of the blocks.
    void forEachBlock(const std::function<void(const ArenaBlock&, const Allocation&)>& visit) const;

  private:
    const ArenaScene& m_scene;
};

/// Buffers with their padding.
class ArenaBlocksLayer : public ArenaLayer {
  public:
    using ArenaLayer::ArenaLayer;

  protected:
    void draw(QCPPainter* painter) override;

  private:
    void drawBlock(QCPPainter* painter, const ArenaBlock& block,
                   const Allocation& allocation) const;
};

/// Declared spans as outlines, really touched bytes as fills.
class ArenaAccessLayer : public ArenaLayer {
  public:
    using ArenaLayer::ArenaLayer;

  protected:
    void draw(QCPPainter* painter) override;

  private:
    void drawAccess(QCPPainter* painter, const OperandAccess& access, double columnPixels) const;
};

/// Cursor, selected buffer and the lines of peak, high-water mark and minimum.
class ArenaLinesLayer : public ArenaLayer {
  public:
    using ArenaLayer::ArenaLayer;

  protected:
    void draw(QCPPainter* painter) override;

  private:
    void drawCursor(QCPPainter* painter) const;
    void drawLevel(QCPPainter* painter, double bytes, const QPen& pen) const;
};

/// Names and sizes in the blocks, on their fill, so that no line strikes through them.
class ArenaLabelsLayer : public ArenaLayer {
  public:
    using ArenaLayer::ArenaLayer;

  protected:
    void draw(QCPPainter* painter) override;

  private:
    void drawLabel(QCPPainter* painter, const QRectF& rect, const Allocation& allocation,
                   const QColor& fill) const;
};

/// The findings, and what the lines are.
class ArenaMarksLayer : public ArenaLayer {
  public:
    using ArenaLayer::ArenaLayer;
    void setBase(AddressBase base) { m_base = base; }

  protected:
    void draw(QCPPainter* painter) override;

  private:
    void drawPeak(QCPPainter* painter) const;
    void drawMinimum(QCPPainter* painter) const;
    void drawFindings(QCPPainter* painter) const;
    void drawText(QCPPainter* painter, const QPointF& at, const std::string& text,
                  const QColor& color) const;

    AddressBase m_base = AddressBase::Hexadecimal;
};

} // namespace plumbline
