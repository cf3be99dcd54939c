// SPDX-License-Identifier: GPL-3.0-or-later
// What the view shows and how it follows the selection; bytes_view_parts.cpp builds its widgets.
#include "views/hex/bytes_view.h"

#include <algorithm>

#include <QAction>
#include <QComboBox>
#include <QEvent>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QSpinBox>
#include <QStackedLayout>
#include <QTableView>
#include <QToolButton>
#include <QVBoxLayout>

#include "views/common/elided_label.h"
#include "views/common/format.h"
#include "views/common/palette.h"
#include "views/hex/hex_area.h"
#include "views/hex/hex_table_model.h"
#include "views/hex/owner_legend.h"

namespace plumbline {
namespace {

enum Page { NotePage, HexPage, TablePage };

bool hasTable(ByteRegion region) {
    return region == ByteRegion::Weights || region == ByteRegion::Params;
}

/// The region whose addresses are called `name`; the relocated records for "descriptors".
std::optional<ByteRegion> regionCalled(std::string_view name) {
    for (int i = 0; i < kByteRegions; ++i)
        if (!name.empty() && regionName(static_cast<ByteRegion>(i)) == name)
            return static_cast<ByteRegion>(i);
    return std::nullopt;
}

QString ownerName(const Allocation& allocation) {
    return allocation.name.empty() ? QObject::tr("tensor %1").arg(allocation.tensor)
                                   : safeText(allocation.name);
}

} // namespace

BytesView::BytesView(Session& session, QWidget* parent)
    : View(session, QStringLiteral("bytes"), tr("Bytes"), parent)
    , m_weights(new PackedWeightsModel(this))
    , m_params(new ParametersModel(this))
    , m_accessible(new HexTableModel(this)) {
    makeActions();
    auto* const layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    makeBar(layout);
    makeStack(layout);
    setFocusProxy(m_hex);
    showPage();
}

std::optional<std::int64_t> BytesView::shownOperator() const { return m_shown; }

bool BytesView::pickOperator(std::int64_t index) {
    Place place;
    place.operatorIndex = index;
    for (const LoweredOperator& op : lowering().operators)
        if (op.index == index)
            place.record = op.record;
    const auto run = m_bytes.contextOf(place);
    if (!run || m_stack->currentIndex() != HexPage || m_region == ByteRegion::File)
        return false;
    if (m_region == ByteRegion::Arena) // other operators may own the same bytes
        return index == m_step && session().select(selectSpan(kArenaRegion, run->begin, 1, index));
    m_hex->setSelection({run->begin, 1});
    takeBytes(run->begin, 1);
    return true;
}

QAbstractItemModel* BytesView::accessibleTable() { return m_accessible; }

std::vector<ViewPicture> BytesView::pictures() {
    if (m_stack->currentIndex() != HexPage)
        return {};
    return {m_hex->picture()};
}

bool BytesView::isStructured() const { return m_structured->isChecked(); }

void BytesView::setStructured(bool structured) { m_structured->setChecked(structured); }

bool BytesView::tabulates() const { return hasTable(m_region) && isStructured(); }

ConstantsModel* BytesView::constants() const {
    return m_region == ByteRegion::Weights ? static_cast<ConstantsModel*>(m_weights) : m_params;
}

const LoweredOperator* BytesView::placeOperator() const {
    const auto& index = session().place().operatorIndex;
    const auto& operators = lowering().operators;
    if (!index || *index < 0 || static_cast<std::size_t>(*index) >= operators.size())
        return nullptr;
    return &operators[static_cast<std::size_t>(*index)];
}

void BytesView::setRegion(ByteRegion region) {
    if (region == m_region)
        return;
    m_region = region;
    m_regions->setCurrentIndex(static_cast<int>(region));
    load();
    showMarks();
}

void BytesView::showDocument() {
    const auto last = std::max<std::int64_t>(std::ssize(lowering().operators) - 1, 0);
    m_following = true;
    m_stepBox->setMaximum(static_cast<int>(std::min<std::int64_t>(last, 0x7FFFFFFF)));
    m_step = std::clamp<std::int64_t>(m_step, 0, last);
    m_stepBox->setValue(static_cast<int>(m_step));
    const bool onlyFile = lowering().records.empty() && document().file != nullptr;
    if (onlyFile != m_showsFileForWant) { // of what was not lowered the file is left
        m_showsFileForWant = onlyFile;
        m_region = onlyFile ? ByteRegion::File : ByteRegion::Descriptors;
        m_regions->setCurrentIndex(static_cast<int>(m_region));
    }
    m_following = false;
    m_hex->setSelection({});
    load();
}

void BytesView::showSelection() {
    m_following = true;
    followSpan();
    const auto& place = session().place();
    if (place.step && *place.step != m_step) {
        m_step = *place.step;
        m_stepBox->setValue(static_cast<int>(m_step));
        if (m_region == ByteRegion::Arena)
            load();
    }
    showMarks();
    m_following = false;
}

/// Turns to the region of the selected bytes.
void BytesView::followSpan() {
    const auto& span = session().place().span;
    if (!span || span->region == regionName(m_region))
        return;
    if (m_region == ByteRegion::File && session().selection().tensor)
        return; // a tensor's constants are in the file as well
    if (const auto region = regionCalled(span->region)) {
        // Records are typed over as templates.
        m_region =
            isEditing() && *region == ByteRegion::Descriptors ? ByteRegion::Templates : *region;
        m_regions->setCurrentIndex(static_cast<int>(m_region));
        load();
    }
}

void BytesView::load() {
    if (m_bytes.region() != m_region)
        m_hex->setEditable(false); // drops a digit that was typed for the other region
    m_bytes = RegionBytes(session().document(), m_region, m_step);
    m_hex->setBytes(m_bytes.bytes(), m_bytes.owner());
    m_accessible->setBytes(m_bytes.bytes());
    showArenaColors();
    showChanges();
    showPage();
}

void BytesView::showMarks() {
    const Place& place = session().place();
    m_shown = place.operatorIndex;
    const auto mark = m_bytes.markOf(place);
    const auto context = m_bytes.contextOf(place);
    m_hex->setContext(context.value_or(HexRun{}));
    if (mark && *mark != m_hex->selection())
        m_hex->setSelection(*mark);
    else if (!mark && m_region != ByteRegion::File)
        m_hex->setSelection({});
    if (!mark && context)
        m_hex->scrollToOffset(context->begin);
    showTable(place);
    showPage();
    showStatus({});
}

void BytesView::showTable(const Place& place) {
    if (!tabulates())
        return;
    ConstantsModel* const model = constants();
    const bool before = std::exchange(m_following, true);
    model->setOperator(session().document(), placeOperator());
    if (m_table->model() != model) {
        QItemSelectionModel* const old = m_table->selectionModel();
        m_table->setModel(model);
        delete old;
        // The model is new, and with it the selection model.
        connect(m_table->selectionModel(), &QItemSelectionModel::currentChanged, this,
                &BytesView::takeCell);
    }
    m_table->verticalHeader()->setVisible(tabulates());
    m_table->resizeColumnsToContents();
    QModelIndex cell;
    if (place.span && place.span->region == regionName(m_region))
        cell = model->cellOf(place.span->offset);
    m_table->setCurrentIndex(cell);
    if (cell.isValid())
        m_table->scrollTo(cell);
    m_following = before;
}

QString BytesView::emptyReason() const {
    const QString none = m_bytes.emptyReason();
    if (!none.isEmpty() || !tabulates())
        return none;
    return constants()->rowCount() == 0 ? constants()->problem() : QString();
}

void BytesView::showPage() {
    const QString reason = emptyReason();
    m_note->setText(reason);
    const bool isArena = m_region == ByteRegion::Arena;
    m_stepLabel->setVisible(isArena);
    m_stepBox->setVisible(isArena);
    m_structured->setEnabled(hasTable(m_region));
    m_structuredButton->setVisible(hasTable(m_region)); // the arena's step needs the room
    m_legend->setVisible(isArena && reason.isEmpty());
    m_goTo->setEnabled(!m_bytes.bytes().empty());
    allowEditing();
    if (!reason.isEmpty())
        m_stack->setCurrentIndex(NotePage);
    else
        m_stack->setCurrentIndex(tabulates() ? TablePage : HexPage);
}

void BytesView::showArenaColors() {
    const ArenaImage* const image = m_bytes.arena();
    if (image == nullptr)
        return;
    std::vector<HexFill> fills;
    for (const OwnerRun& owner : image->owners)
        fills.push_back({{owner.run.offset, owner.run.bytes},
                         categoryColor(static_cast<std::size_t>(owner.allocation), palette())});
    std::vector<HexRun> changed;
    for (const ByteRun& run : image->changed)
        changed.push_back({run.offset, run.bytes});
    m_hex->setFills(std::move(fills));
    m_hex->setChanged(std::move(changed));
    std::vector<OwnerLegend::Owner> owners;
    for (const OwnerRun& owner : image->owners) {
        const auto index = static_cast<std::size_t>(owner.allocation);
        owners.push_back(
            {categoryColor(index, palette()), QStringLiteral("%1 %2").arg(index).arg(
                                                  ownerName(lowering().arena.allocations[index]))});
    }
    m_legend->setOwners(std::move(owners), safeText(image->gap));
}

QString BytesView::legendText() const {
    QString text;
    if (m_bytes.arena() != nullptr)
        for (const OwnerRun& owner : m_bytes.arena()->owners)
            text += ownerName(
                        lowering().arena.allocations[static_cast<std::size_t>(owner.allocation)]) +
                    QLatin1Char('\n');
    return text;
}

void BytesView::takeBytes(quint64 offset, quint64 bytes) {
    if (m_following)
        return;
    if (const auto selection = m_bytes.selectionOf({offset, bytes}))
        session().select(*selection);
    showStatus({});
}

void BytesView::takeCell(const QModelIndex& cell) {
    if (m_following)
        return;
    const auto run = constants()->runOf(cell);
    if (!run)
        return;
    if (const auto selection = m_bytes.selectionOf(*run))
        session().select(*selection);
}

/// The same bytes at another step, or the operator of that step.
void BytesView::takeStep(int step) {
    if (m_following || step == m_step)
        return;
    const auto& span = session().place().span;
    if (span && span->region == kArenaRegion)
        session().select(selectSpan(kArenaRegion, span->offset, span->bytes, step));
    else
        session().select(selectOperator(step));
}

bool BytesView::goTo(const QString& text) {
    const auto offset = parseOffset(text);
    if (!offset || *offset >= m_bytes.bytes().size()) {
        m_status->setText(offset ? tr("The region has %1.").arg(exactBytes(m_bytes.bytes().size()))
                                 : tr("An offset is decimal, 0x hexadecimal or ends in h."));
        return false;
    }
    setStructured(false);
    m_hex->setSelection({*offset, 1});
    m_hex->setFocus();
    takeBytes(*offset, 1);
    return true;
}

QString BytesView::inspect(std::uint64_t offset) const {
    const ByteView bytes = m_bytes.bytes();
    const auto at = static_cast<std::size_t>(offset);
    QString text = QStringLiteral("%1 = %2 (%3)")
                       .arg(hexNumber(offset))
                       .arg(static_cast<int>(static_cast<std::int8_t>(bytes[at])))
                       .arg(hexNumber(bytes[at], 2));
    if (offset % 4 == 0 && bytes.size() - at >= 4)
        text += tr(" · word %1 = %2").arg(hexNumber(loadU32(bytes, at))).arg(loadI32(bytes, at));
    text += changeText(offset);
    const QString what = m_bytes.describe(offset);
    return what.isEmpty() ? text : text + QStringLiteral(" · ") + what;
}

void BytesView::showStatus(std::optional<std::uint64_t> hovered) {
    const HexRun selected = m_hex->selection();
    const std::uint64_t size = m_bytes.bytes().size();
    QString text;
    if (hovered && *hovered < size)
        text = inspect(*hovered);
    else if (selected.bytes == 1)
        text = inspect(selected.begin);
    else if (selected.bytes > 1)
        text = tr("%1 at %2 · %3")
                   .arg(exactBytes(selected.bytes), hexNumber(selected.begin),
                        m_bytes.describe(selected.begin));
    else if (size > 0)
        text = exactBytes(size);
    if (m_changed > 0 && !hovered && selected.bytes != 1)
        text += tr(" · changed by the experiment: %1").arg(m_changed);
    if (const QString problem = isEditing() ? editProblem() : QString(); !problem.isEmpty())
        text = problem;
    m_status->setText(text);
}

void BytesView::changeEvent(QEvent* event) {
    View::changeEvent(event);
    if (event->type() == QEvent::PaletteChange && m_hex != nullptr)
        showArenaColors();
}

} // namespace plumbline
