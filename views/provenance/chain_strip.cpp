// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/provenance/chain_strip.h"

#include <algorithm>

#include <QEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>

#include "views/common/format.h"
#include "views/common/palette.h"

namespace plumbline {
namespace {

constexpr int kPadding = 7; ///< pixels left and right of a card's text, and
constexpr int kLeastPadding = kPadding - ChainLayout::kMostNarrower / 2; ///< in a narrow one
constexpr int kNarrowest = 44;

QFont nameFont(const QWidget& widget) {
    QFont font = widget.font();
    if (font.pointSizeF() > 0)
        font.setPointSizeF(font.pointSizeF() * 0.88);
    return font;
}

} // namespace

ChainLayout::ChainLayout(const std::vector<QSize>& sizes, int width) {
    lay(sizes, width, 0);
    ChainLayout close;
    close.m_arrow = kCloseArrow;
    close.lay(sizes, width, kMostNarrower);
    if (close.m_height < m_height)
        *this = std::move(close);
}

void ChainLayout::lay(const std::vector<QSize>& sizes, int width, int narrower) {
    int x = kMargin, y = kMargin;
    for (const QSize& wanted : sizes) {
        const QSize size = wanted - QSize(narrower, 0);
        if (x > kMargin && x + size.width() > width - kMargin) {
            x = kMargin;
            y += size.height() + kGap;
        }
        m_cards.emplace_back(QPoint(x, y), size);
        x += size.width() + m_arrow;
    }
    m_height = m_cards.empty() ? 0 : m_cards.back().bottom() + 1 + kMargin;
}

std::optional<std::size_t> ChainLayout::cardAt(const QPoint& pixel) const {
    for (std::size_t i = 0; i < m_cards.size(); ++i)
        if (m_cards[i].contains(pixel))
            return i;
    return std::nullopt;
}

ChainStrip::ChainStrip(QWidget* parent)
    : QWidget(parent) {
    setFocusPolicy(Qt::StrongFocus);
    setAccessibleName(tr("The arithmetic as a chain of values"));
    QSizePolicy policy(QSizePolicy::Preferred, QSizePolicy::Fixed);
    policy.setHeightForWidth(true);
    setSizePolicy(policy);
}

void ChainStrip::setChain(std::vector<ChainLink> chain) {
    m_chain = shortened(std::move(chain), kMostSlices);
    m_current.reset();
    QStringList words;
    for (const ChainLink& link : m_chain)
        words += QStringLiteral("%1 %2").arg(link.name, QString::number(link.value));
    setAccessibleDescription(words.join(QStringLiteral("; ")));
    lay();
}

void ChainStrip::setStep(std::size_t step) {
    const auto link = linkOf(m_chain, step);
    // The byte has the step of the link before it: a person who went there stays there.
    if (m_current && link && m_chain[*m_current].step == step && *link < *m_current)
        return;
    m_current = link;
    update();
}

std::vector<QSize> ChainStrip::cardSizes() const {
    const QFontMetrics names(nameFont(*this)), values(monoFont());
    std::vector<QSize> sizes;
    for (const ChainLink& link : m_chain) {
        const int text = std::max(names.horizontalAdvance(link.name),
                                  values.horizontalAdvance(groupedNumber(link.value)));
        sizes.emplace_back(std::max(kNarrowest, text + 2 * kPadding),
                           names.height() + values.height() + 4);
    }
    return sizes;
}

void ChainStrip::lay() {
    m_layout = ChainLayout(cardSizes(), width());
    updateGeometry();
    update();
}

QSize ChainStrip::sizeHint() const { return {400, heightForWidth(std::max(width(), 200))}; }
QSize ChainStrip::minimumSizeHint() const { return {120, 0}; }
int ChainStrip::heightForWidth(int width) const { return ChainLayout(cardSizes(), width).height(); }

void ChainStrip::resizeEvent(QResizeEvent* /*event*/) {
    m_layout = ChainLayout(cardSizes(), width());
}

void ChainStrip::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() == QEvent::FontChange || event->type() == QEvent::StyleChange)
        lay();
}

void ChainStrip::paintCard(QPainter& painter, std::size_t index) const {
    const ChainLink& link = m_chain[index];
    const QRect& card = m_layout.card(index);
    const bool isCurrent = m_current == index;
    const QColor edge = toneColor(isCurrent ? Tone::Accent : Tone::SurfaceEdge, palette());
    painter.setPen(QPen(edge, isCurrent ? 2 : 1));
    painter.setBrush(toneColor(isCurrent ? Tone::AccentFill : Tone::Surface, palette()));
    painter.drawRoundedRect(QRectF(card).adjusted(0.5, 0.5, -0.5, -0.5), 3, 3);
    const QRect text = card.adjusted(kLeastPadding, 2, -kLeastPadding, -2);
    painter.setFont(nameFont(*this));
    painter.setPen(isCurrent ? palette().color(QPalette::WindowText)
                             : toneColor(Tone::Muted, palette()));
    painter.drawText(text, Qt::AlignTop | Qt::AlignHCenter, link.name);
    const bool isByte = index + 1 == m_chain.size();
    QFont font = monoFont();
    font.setBold(isByte);
    painter.setFont(font);
    painter.setPen(palette().color(QPalette::WindowText));
    painter.drawText(text, Qt::AlignBottom | Qt::AlignHCenter, groupedNumber(link.value));
}

void ChainStrip::paintEvent(QPaintEvent* /*event*/) {
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    for (std::size_t i = 0; i < m_layout.count(); ++i) {
        paintCard(painter, i);
        if (i + 1 == m_layout.count())
            continue;
        const QRect& card = m_layout.card(i);
        const QPointF tip(card.right() + m_layout.arrow() - 2, card.center().y() + 0.5);
        painter.setPen(QPen(toneColor(Tone::Edge, palette()), 1.3));
        painter.drawLine(QPointF(card.right() + 3, tip.y()), tip);
        painter.drawLine(tip, tip + QPointF(-3, -3));
        painter.drawLine(tip, tip + QPointF(-3, 3));
    }
    if (hasFocus() && m_current) {
        painter.setBrush(Qt::NoBrush);
        painter.setPen(QPen(palette().color(QPalette::Highlight), 1, Qt::DotLine));
        painter.drawRect(m_layout.card(*m_current).adjusted(-2, -2, 1, 1));
    }
}

void ChainStrip::pick(std::size_t link) {
    m_current = link;
    update();
    emit stepPicked(m_chain[link].step);
}

void ChainStrip::mousePressEvent(QMouseEvent* event) {
    if (const auto link = m_layout.cardAt(event->position().toPoint()))
        pick(*link);
}

void ChainStrip::keyPressEvent(QKeyEvent* event) {
    const std::size_t last = m_chain.empty() ? 0 : m_chain.size() - 1;
    const std::size_t at = m_current.value_or(0);
    std::size_t to = at;
    switch (event->key()) {
    case Qt::Key_Left:
        to = at - (at > 0 ? 1 : 0);
        break;
    case Qt::Key_Right:
        to = std::min(at + (m_current ? 1 : 0), last);
        break;
    case Qt::Key_Home:
        to = 0;
        break;
    case Qt::Key_End:
        to = last;
        break;
    default:
        QWidget::keyPressEvent(event);
        return;
    }
    if (!m_chain.empty())
        pick(to);
}

} // namespace plumbline
