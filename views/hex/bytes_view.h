// SPDX-License-Identifier: GPL-3.0-or-later
// The bytes of a region, in step with the selection.
#pragma once

#include "views/common/view.h"
#include "views/hex/byte_region.h"
#include "views/hex/constants_models.h"

class QBoxLayout;
class QComboBox;
class QLabel;
class QLineEdit;
class QSpinBox;
class QStackedLayout;
class QTableView;
class QToolButton;

namespace plumbline {

class ElidedLabel;
class HexArea;
class HexTableModel;
class OwnerLegend;
enum class ByteForm : std::uint8_t;

class BytesView : public View {
    Q_OBJECT

  public:
    explicit BytesView(Session& session, QWidget* parent = nullptr);

    std::optional<std::int64_t> shownOperator() const override;
    bool pickOperator(std::int64_t index) override;
    QAbstractItemModel* accessibleTable() override;
    std::vector<ViewPicture> pictures() override;

    void setRegion(ByteRegion region);
    ByteRegion region() const { return m_region; }
    /// Weights and parameters as tables instead of bytes.
    void setStructured(bool structured);
    bool isStructured() const;
    /// Operator after which the arena is shown.
    std::int64_t step() const { return m_step; }
    /// Moves to an offset as a person types it; false when it is none of the region.
    bool goTo(const QString& text);

    HexArea* hexArea() const { return m_hex; }
    QTableView* structuredTable() const { return m_table; }
    /// Typing over bytes as an experiment; from the relocated records it goes to the templates.
    void setEditing(bool editing);
    bool isEditing() const;
    /// Why what is shown cannot be typed over; empty when it can.
    QString editProblem() const;

    /// What the view says in place of bytes; empty when it shows some.
    QString emptyReason() const;
    QString legendText() const; ///< plain text of the owners' colours

  protected:
    void showDocument() override;
    void showSelection() override;
    void changeEvent(QEvent* event) override;

  private:
    void makeBar(QBoxLayout* layout);
    void makeStack(QBoxLayout* layout);
    void makeActions();
    void addCopy(const QString& name, const QString& text, const QKeySequence& shortcut,
                 ByteForm form);
    void load();
    void showPage();
    void showMarks();
    void showArenaColors();
    void showChanges();
    void startEditing(bool editing);
    void allowEditing();
    void takeByte(quint64 offset, int value);
    QString changeText(std::uint64_t offset) const;
    void showTable(const Place& place);
    void followSpan();
    void takeBytes(quint64 offset, quint64 bytes);
    void takeCell(const QModelIndex& cell);
    void takeStep(int step);
    void showStatus(std::optional<std::uint64_t> hovered);
    QString inspect(std::uint64_t offset) const;
    void focusGoTo();
    void showMenu(const QPoint& at);
    bool tabulates() const; ///< the table is shown
    ConstantsModel* constants() const;
    const LoweredOperator* placeOperator() const;

    ByteRegion m_region = ByteRegion::Descriptors;
    std::int64_t m_step = 0;
    RegionBytes m_bytes;
    RegionBytes m_original;    ///< the same region before the experiment; empty without one
    std::size_t m_changed = 0; ///< bytes that are others there
    std::optional<std::int64_t> m_shown; ///< operator that is marked
    bool m_showsFileForWant = false;     ///< the file was turned to because there are no records
    bool m_following = false;            ///< the view is being set from the session

    QComboBox* m_regions = nullptr;
    QLabel* m_stepLabel = nullptr;
    QSpinBox* m_stepBox = nullptr;
    QLineEdit* m_goTo = nullptr;
    QAction* m_structured = nullptr;
    QToolButton* m_structuredButton = nullptr;
    QAction* m_editing = nullptr;
    QStackedLayout* m_stack = nullptr;
    QLabel* m_note = nullptr;
    HexArea* m_hex = nullptr;
    QTableView* m_table = nullptr;
    PackedWeightsModel* m_weights = nullptr;
    ParametersModel* m_params = nullptr;
    HexTableModel* m_accessible = nullptr;
    OwnerLegend* m_legend = nullptr;
    ElidedLabel* m_status = nullptr;
};

} // namespace plumbline
