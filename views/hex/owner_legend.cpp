// SPDX-License-Identifier: GPL-3.0-or-later
// itemsAt() is the layout; everything else paints it or tells it.
#include "views/hex/owner_legend.h"

#include <algorithm>

#include <QEvent>
#include <QPainter>

namespace plumbline {
namespace {

constexpr int kMostCharacters = 26;     ///< of one owner
constexpr std::size_t kMostListed = 60; ///< in the tool tip: as many lines as a screen has
constexpr int kSide = 6;                ///< left and right of the lines, pixels
constexpr int kTop = 3;                 ///< above them
constexpr int kBetween = 14;            ///< two items of a line
constexpr int kSwatch = 10;             ///< side of a colour's square
constexpr int kAfterSwatch = 4;

} // namespace

OwnerLegend::OwnerLegend(QWidget* parent)
    : QWidget(parent) {
    setObjectName(QStringLiteral("bytesLegend"));
    QSizePolicy policy(QSizePolicy::Ignored, QSizePolicy::Fixed);
    policy.setHeightForWidth(true);
    setSizePolicy(policy);
    tell();
}

void OwnerLegend::setOwners(std::vector<Owner> owners, const QString& gap) {
    m_owners = std::move(owners);
    m_gap = gap;
    tell();
    updateGeometry();
    update();
}

/// The tool tip, which is also what a screen reader reads.
void OwnerLegend::tell() {
    QStringList lines;
    if (!m_gap.isEmpty())
        lines.append(tr("Not exact: %1").arg(m_gap));
    for (std::size_t i = 0; i < std::min(m_owners.size(), kMostListed); ++i)
        lines.append(m_owners[i].text);
    if (m_owners.size() > kMostListed)
        lines.append(tr("and %1 more").arg(m_owners.size() - kMostListed));
    setToolTip(lines.join(QLatin1Char('\n')));
    setAccessibleName(tr("Owners of the arena's bytes"));
    setAccessibleDescription(toolTip());
}

int OwnerLegend::lineHeight() const { return fontMetrics().height() + 2; }

int OwnerLegend::widthOf(const Item& item) const {
    const int swatch = item.owner < 0 ? 0 : kSwatch + kAfterSwatch;
    return swatch + fontMetrics().horizontalAdvance(item.text) + 1;
}

OwnerLegend::Item OwnerLegend::wordsItem() const {
    const QString changed = tr("underlined: changed by this step");
    return {{}, -1, m_gap.isEmpty() ? changed : changed + tr(" (not exact)")};
}

OwnerLegend::Item OwnerLegend::ownerItem(std::size_t owner) const {
    const int most = fontMetrics().averageCharWidth() * kMostCharacters;
    return {{},
            static_cast<int>(owner),
            fontMetrics().elidedText(m_owners[owner].text, Qt::ElideMiddle, most)};
}

OwnerLegend::Item OwnerLegend::moreItem(std::size_t left) const {
    return {{}, -1, tr("+%1 more").arg(left)};
}

/// Items stand beside each other until a line is full. On the last line an owner is placed only
/// where the count of those after it still fits as well.
std::vector<OwnerLegend::Item> OwnerLegend::itemsAt(int width) const {
    std::vector<Item> items;
    const int right = std::max(width - kSide, kSide + 1);
    int x = kSide;
    int line = 0;
    const auto end = [&](std::size_t after) { // of the line, for an owner with `after` more
        const bool reserves = line + 1 == kMostLines && after > 0;
        return reserves ? right - kBetween - widthOf(moreItem(after)) : right;
    };
    const auto place = [&](Item item, std::size_t after) {
        if (x > kSide && x + widthOf(item) > end(after)) {
            if (line + 1 == kMostLines)
                return false;
            ++line;
            x = kSide;
        }
        const int wide = std::max(std::min(widthOf(item), end(after) - x), 1);
        item.rect = QRect(x, kTop + line * lineHeight(), wide, lineHeight());
        x += wide + kBetween;
        items.push_back(std::move(item));
        return true;
    };
    place(wordsItem(), 0);
    for (std::size_t owner = 0; owner < m_owners.size(); ++owner) {
        const std::size_t after = m_owners.size() - owner - 1;
        if (place(ownerItem(owner), after))
            continue;
        place(moreItem(after + 1), 0);
        break;
    }
    return items;
}

int OwnerLegend::heightForWidth(int width) const { return itemsAt(width).back().rect.bottom() + 1; }

QSize OwnerLegend::sizeHint() const { return {0, heightForWidth(width())}; }

QSize OwnerLegend::minimumSizeHint() const { return {0, kTop + lineHeight()}; }

void OwnerLegend::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    for (const Item& item : itemsAt(width())) {
        QRect words = item.rect;
        if (item.owner >= 0) {
            const QRect swatch(item.rect.left(), item.rect.center().y() - kSwatch / 2, kSwatch,
                               kSwatch);
            painter.fillRect(swatch, m_owners[static_cast<std::size_t>(item.owner)].color);
            words.setLeft(swatch.right() + 1 + kAfterSwatch);
        }
        painter.drawText(words, Qt::AlignLeft | Qt::AlignVCenter,
                         fontMetrics().elidedText(item.text, Qt::ElideMiddle, words.width()));
    }
}

bool OwnerLegend::event(QEvent* event) {
    if (event->type() == QEvent::FontChange)
        updateGeometry();
    return QWidget::event(event);
}

} // namespace plumbline
