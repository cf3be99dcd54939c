// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/hex/hex_area.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <QKeyEvent>
#include <QResizeEvent>
#include <QScrollBar>

#include "views/common/palette.h"

namespace plumbline {
namespace {

/// The hexadecimal digit that a key types; nothing for other keys and with Ctrl, Alt or Meta.
std::optional<int> digitOf(const QKeyEvent& event) {
    const QString text = event.text();
    if (text.size() != 1 ||
        (event.modifiers() & (Qt::ControlModifier | Qt::AltModifier | Qt::MetaModifier)) != 0)
        return std::nullopt;
    bool ok = false;
    const int digit = text.toInt(&ok, 16);
    return ok ? std::optional(digit) : std::nullopt;
}

} // namespace

HexArea::HexArea(QWidget* parent)
    : QAbstractScrollArea(parent) {
    setObjectName(QStringLiteral("hexArea"));
    setAccessibleName(tr("Bytes of the region"));
    setFocusPolicy(Qt::StrongFocus);
    setFrameShape(QFrame::NoFrame);
    viewport()->setMouseTracking(true);
    viewport()->setCursor(Qt::IBeamCursor);
    setFont(monoFont());
    measure();
}

void HexArea::setBytes(ByteView bytes, std::shared_ptr<const void> owner) {
    m_bytes = bytes;
    m_owner = std::move(owner);
    m_fills.clear();
    m_changed.clear();
    m_context = {};
    if (m_bytes.empty() || selection().end() > m_bytes.size())
        m_hasSelection = false;
    if (m_cursor >= m_bytes.size()) {
        m_cursor = m_anchor = 0;
        m_firstDigit.reset();
    }
    measure();
}

void HexArea::setFills(std::vector<HexFill> fills) {
    m_fills = std::move(fills);
    viewport()->update();
}

void HexArea::setChanged(std::vector<HexRun> changed) {
    m_changed = std::move(changed);
    viewport()->update();
}

void HexArea::setContext(const HexRun& context) {
    m_context = context;
    viewport()->update();
}

void HexArea::setEditable(bool editable) {
    if (std::exchange(m_isEditable, editable) == editable)
        return;
    m_firstDigit.reset();
    viewport()->update();
}

void HexArea::setSelection(const HexRun& selection) {
    if (selection.bytes > 1 || (selection.bytes == 1 && selection.begin != m_cursor))
        m_firstDigit.reset();
    m_hasSelection = selection.bytes > 0 && selection.begin < m_bytes.size();
    if (m_hasSelection) {
        m_anchor = selection.begin;
        m_cursor = selection.begin +
                   std::min<std::uint64_t>(selection.bytes, m_bytes.size() - selection.begin) - 1;
        scrollToOffset(m_cursor);
        scrollToOffset(m_anchor); // the beginning matters more
    }
    viewport()->update();
}

HexRun HexArea::selection() const {
    if (!m_hasSelection)
        return {};
    const std::uint64_t begin = std::min(m_anchor, m_cursor);
    return {begin, std::max(m_anchor, m_cursor) - begin + 1};
}

std::uint64_t HexArea::firstRow() const {
    return static_cast<std::uint64_t>(verticalScrollBar()->value());
}

int HexArea::visibleRows() const { return m_geometry.rowsIn(viewport()->height()); }

void HexArea::scrollToOffset(std::uint64_t offset) {
    const std::uint64_t row = m_geometry.firstRowFor(offset, firstRow(), visibleRows());
    verticalScrollBar()->setValue(
        static_cast<int>(std::min<std::uint64_t>(row, std::numeric_limits<int>::max())));
}

QString HexArea::selectedText(ByteForm form) const {
    const HexRun run = selection();
    return bytesAs(form,
                   m_bytes.subspan(static_cast<std::size_t>(run.begin),
                                   static_cast<std::size_t>(std::min(run.bytes, kMaxCopiedBytes))));
}

void HexArea::measure() {
    const QFontMetricsF metrics(font());
    m_changedFont = font();
    m_changedFont.setBold(true);
    m_changedFont.setUnderline(true);
    m_geometry =
        HexGeometry(m_bytes.size(), static_cast<int>(std::ceil(metrics.horizontalAdvance(u'0'))),
                    static_cast<int>(std::ceil(metrics.height())) + 2);
    updateScrollBars();
    viewport()->update();
}

void HexArea::updateScrollBars() {
    const std::uint64_t rows = m_geometry.rowCount();
    const auto shown = static_cast<std::uint64_t>(visibleRows());
    const std::uint64_t hidden = rows > shown ? rows - shown : 0;
    verticalScrollBar()->setRange(
        0, static_cast<int>(std::min<std::uint64_t>(hidden, std::numeric_limits<int>::max())));
    verticalScrollBar()->setPageStep(static_cast<int>(shown));
    horizontalScrollBar()->setRange(0, std::max(0, m_geometry.width() - viewport()->width()));
    horizontalScrollBar()->setPageStep(viewport()->width());
    horizontalScrollBar()->setSingleStep(m_geometry.lineHeight());
}

/// A selection that was in sight stays there.
void HexArea::resizeEvent(QResizeEvent* event) {
    const HexRun selected = selection();
    const int rows = m_geometry.rowsIn(event->oldSize().height());
    const bool wasSeen = selected.bytes > 0 &&
                         m_geometry.firstRowFor(selected.begin, firstRow(), rows) == firstRow();
    updateScrollBars();
    if (wasSeen)
        scrollToOffset(selected.begin);
}

void HexArea::scrollContentsBy(int, int) { viewport()->update(); }

void HexArea::changeEvent(QEvent* event) {
    QAbstractScrollArea::changeEvent(event);
    if (event->type() == QEvent::FontChange || event->type() == QEvent::StyleChange)
        measure();
}

bool HexArea::viewportEvent(QEvent* event) {
    if (event->type() == QEvent::Leave)
        emit byteHovered(-1);
    return QAbstractScrollArea::viewportEvent(event);
}

std::optional<HexHit> HexArea::hitAt(const QPoint& point) const {
    return m_geometry.hit(point + QPoint(horizontalScrollBar()->value(), 0), firstRow());
}

void HexArea::mousePressEvent(QMouseEvent* event) {
    const auto hit = hitAt(event->position().toPoint());
    if (event->button() != Qt::LeftButton || !hit)
        return;
    m_isDragging = true;
    m_firstDigit.reset();
    if (!m_hasSelection || (event->modifiers() & Qt::ShiftModifier) == 0)
        m_anchor = hit->offset;
    m_cursor = hit->offset;
    m_hasSelection = true;
    viewport()->update();
}

void HexArea::mouseMoveEvent(QMouseEvent* event) {
    const QPoint at = event->position().toPoint();
    const auto hit = hitAt(at);
    emit byteHovered(hit ? static_cast<qint64>(hit->offset) : -1);
    if (!m_isDragging)
        return;
    if (at.y() < 0 || at.y() >= viewport()->height())
        verticalScrollBar()->setValue(verticalScrollBar()->value() + (at.y() < 0 ? -1 : 1));
    if (hit)
        m_cursor = hit->offset;
    viewport()->update();
}

void HexArea::mouseReleaseEvent(QMouseEvent*) {
    if (!std::exchange(m_isDragging, false))
        return;
    const HexRun run = selection();
    emit byteSelected(run.begin, run.bytes);
}

void HexArea::moveCursor(std::uint64_t offset, bool extend) {
    m_firstDigit.reset();
    m_cursor = offset;
    if (!extend || !m_hasSelection)
        m_anchor = offset;
    m_hasSelection = true;
    scrollToOffset(m_cursor);
    viewport()->update();
    const HexRun run = selection();
    emit byteSelected(run.begin, run.bytes);
}

/// Where a key moves the cursor to; nothing for other keys.
std::optional<std::uint64_t> HexArea::keyTarget(const QKeyEvent& event) const {
    const std::uint64_t last = m_bytes.size() - 1;
    const auto page = static_cast<std::uint64_t>(visibleRows()) * HexGeometry::kPerRow;
    const bool whole = (event.modifiers() & Qt::ControlModifier) != 0;
    const auto back = [this](std::uint64_t by) { return m_cursor < by ? m_cursor : m_cursor - by; };
    const auto forth = [&](std::uint64_t by) {
        return last - m_cursor < by ? m_cursor : m_cursor + by;
    };
    switch (event.key()) {
    case Qt::Key_Left:
        return back(1);
    case Qt::Key_Right:
        return forth(1);
    case Qt::Key_Up:
        return back(HexGeometry::kPerRow);
    case Qt::Key_Down:
        return forth(HexGeometry::kPerRow);
    case Qt::Key_PageUp:
        return m_cursor < page ? m_cursor % HexGeometry::kPerRow : m_cursor - page;
    case Qt::Key_PageDown:
        return last - m_cursor < page ? last : m_cursor + page;
    case Qt::Key_Home:
        return whole ? 0 : m_cursor - m_cursor % HexGeometry::kPerRow;
    case Qt::Key_End:
        return whole ? last
                     : std::min(last, m_cursor - m_cursor % HexGeometry::kPerRow +
                                          HexGeometry::kPerRow - 1);
    default:
        return std::nullopt;
    }
}

/// A digit that is typed here is no shortcut of the window, nor is Escape.
bool HexArea::event(QEvent* event) {
    if (event->type() == QEvent::ShortcutOverride && m_isEditable) {
        const auto& key = *static_cast<QKeyEvent*>(event);
        if (key.key() == Qt::Key_Escape || (m_hasSelection && digitOf(key))) {
            event->accept();
            return true;
        }
    }
    return QAbstractScrollArea::event(event);
}

/// Takes a digit for the first selected byte; false for a key that is none.
bool HexArea::takeDigit(const QKeyEvent& event) {
    const auto digit = digitOf(event);
    if (!m_isEditable || !m_hasSelection || !digit)
        return false;
    if (const HexRun run = selection(); run.bytes > 1)
        moveCursor(run.begin, false);
    if (!m_firstDigit) {
        m_firstDigit = digit;
        viewport()->update();
        return true;
    }
    const std::uint64_t offset = m_cursor;
    const int value = *m_firstDigit * 16 + *digit;
    m_firstDigit.reset();
    emit byteEdited(offset, value);
    if (offset + 1 < m_bytes.size())
        moveCursor(offset + 1, false);
    viewport()->update();
    return true;
}

void HexArea::keyPressEvent(QKeyEvent* event) {
    if (m_bytes.empty())
        return QAbstractScrollArea::keyPressEvent(event);
    if (takeDigit(*event))
        return;
    if (m_firstDigit && (event->key() == Qt::Key_Escape || event->key() == Qt::Key_Backspace)) {
        m_firstDigit.reset();
        return viewport()->update();
    }
    if (m_isEditable && event->key() == Qt::Key_Escape)
        return emit editingLeft();
    if (event->matches(QKeySequence::SelectAll)) {
        m_anchor = 0;
        return moveCursor(m_bytes.size() - 1, true);
    }
    const auto target = keyTarget(*event);
    if (!target || (event->modifiers() & Qt::AltModifier) != 0)
        return QAbstractScrollArea::keyPressEvent(event);
    moveCursor(m_hasSelection ? *target : m_cursor, (event->modifiers() & Qt::ShiftModifier) != 0);
}

} // namespace plumbline
