// SPDX-License-Identifier: GPL-3.0-or-later
// Bytes as hexadecimal digits and text. Knows bytes, runs and colours, nothing of what they mean.
#pragma once

#include <memory>
#include <vector>

#include <QAbstractScrollArea>

#include "core/base/bytes.h"
#include "views/common/view.h"
#include "views/hex/byte_text.h"
#include "views/hex/hex_geometry.h"

namespace plumbline {

/// A run with a background.
struct HexFill {
    HexRun run;
    QColor color;
};

/// Opens any number of bytes at once: only visible rows are looked at.
class HexArea : public QAbstractScrollArea {
    Q_OBJECT

  public:
    explicit HexArea(QWidget* parent = nullptr);

    /// `owner` keeps `bytes` alive. The selection stays as far as there are bytes, the rest goes.
    void setBytes(ByteView bytes, std::shared_ptr<const void> owner);
    ByteView bytes() const { return m_bytes; }
    /// Backgrounds, in order and disjoint.
    void setFills(std::vector<HexFill> fills);
    /// Runs to set in bold, in order and disjoint.
    void setChanged(std::vector<HexRun> changed);
    /// A run with an outline: what the selection belongs to. 0 bytes for none.
    void setContext(const HexRun& context);

    /// Whether hexadecimal digits overwrite the selection's first byte. Bytes themselves stay:
    /// byteEdited() says what was typed.
    void setEditable(bool editable);
    bool isEditable() const { return m_isEditable; }

    /// Selects without telling, and scrolls there. 0 bytes for none.
    void setSelection(const HexRun& selection);
    HexRun selection() const;
    std::uint64_t cursor() const { return m_cursor; }
    void scrollToOffset(std::uint64_t offset);
    std::uint64_t firstRow() const;

    const HexGeometry& geometryOfBytes() const { return m_geometry; }
    QString selectedText(ByteForm form) const;
    /// As many rows as there is room for, from the first one that is seen.
    ViewPicture picture();

  signals:
    void byteSelected(quint64 offset, quint64 bytes); ///< by a person
    void byteHovered(qint64 offset);                  ///< -1: none
    void byteEdited(quint64 offset, int value);       ///< 0..255; two digits were typed
    void editingLeft();                               ///< Escape, with no digit to take back

  protected:
    bool event(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void changeEvent(QEvent* event) override;
    bool viewportEvent(QEvent* event) override;
    void scrollContentsBy(int dx, int dy) override;

  private:
    void measure();
    void updateScrollBars();
    void moveCursor(std::uint64_t offset, bool extend);
    bool takeDigit(const QKeyEvent& event);
    std::optional<std::uint64_t> keyTarget(const QKeyEvent& event) const;
    std::optional<HexHit> hitAt(const QPoint& point) const;
    int visibleRows() const;
    void paint(QPainter& painter, const QSize& size);
    void paintRow(QPainter& painter, std::uint64_t row);
    void paintByte(QPainter& painter, std::uint64_t offset, const HexRun& selected);
    void paintContext(QPainter& painter, std::uint64_t rows);
    QColor fillAt(std::uint64_t offset) const;
    bool isChanged(std::uint64_t offset) const;

    ByteView m_bytes;
    std::shared_ptr<const void> m_owner;
    HexGeometry m_geometry;
    QFont m_changedFont;
    std::vector<HexFill> m_fills;
    std::vector<HexRun> m_changed;
    HexRun m_context;
    std::uint64_t m_anchor = 0;
    std::uint64_t m_cursor = 0;
    bool m_hasSelection = false;
    bool m_isDragging = false;
    bool m_isEditable = false;
    std::optional<int> m_firstDigit; ///< typed for the byte at the cursor; the second is missing
};

} // namespace plumbline
