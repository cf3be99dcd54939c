// SPDX-License-Identifier: GPL-3.0-or-later
// What the view shows and how it follows the selection; compare_view_parts.cpp builds its widgets.
#include "views/compare/compare_view.h"

#include <algorithm>
#include <map>

#include <QAction>
#include <QEvent>
#include <QHeaderView>
#include <QLabel>
#include <QSplitter>
#include <QStackedLayout>
#include <QTableView>
#include <QTextBrowser>
#include <QTimer>

#include "core/lowering/selection.h"
#include "views/common/empty_note.h"
#include "views/common/format.h"
#include "views/compare/change_details.h"

namespace plumbline {
namespace {

constexpr int kMeasuredRows = 64;      ///< that a column's width fits
constexpr int kBesideCharacters = 110; ///< width from which on details stand beside the table
constexpr int kTableShare = 68;        ///< of the view, in percent, beside or above details

std::int64_t cyclesOf(const Lowering& lowering) {
    std::int64_t sum = 0;
    for (const LoweredOperator& op : lowering.operators)
        sum += op.cost.estimatedCycles;
    return sum;
}

/// "peak 101,376 → 98,304 B", or one number where it stays.
QString beforeAndAfter(const QString& what, std::int64_t before, std::int64_t now,
                       const QString& unit) {
    return before == now ? QStringLiteral("%1 %2%3").arg(what, groupedNumber(now), unit)
                         : QStringLiteral("%1 %2 → %3%4")
                               .arg(what, groupedNumber(before), groupedNumber(now), unit);
}

QString counted(int count, const QString& one, const QString& many) {
    return count == 1 ? one : many.arg(groupedNumber(count));
}

} // namespace

void CompareView::showDocument() { compare(); }

void CompareView::showCompared() { compare(); }

void CompareView::compare() {
    const DocumentPtr first = session().comparedWith();
    const DocumentPtr second = session().document();
    if (!first || first->lowering->operators.empty() || second->lowering->operators.empty()) {
        m_job.cancel();
        take(nullptr);
        return;
    }
    const ComparisonPtr shown = m_model->comparison();
    if (shown && shown->first->lowering == first->lowering &&
        shown->second->lowering == second->lowering && !m_job.isBusy())
        return; // the document got further, its lowering did not change
    m_job.start(
        [first, second](const std::stop_token&) -> ComparisonPtr {
            auto made = std::make_shared<Comparison>();
            made->first = first;
            made->second = second;
            made->diff = diffLowerings(*first->lowering, *second->lowering);
            return made;
        },
        [this](ComparisonPtr made) { take(std::move(made)); });
    showPage();
}

void CompareView::take(ComparisonPtr comparison) {
    m_following = true;
    const bool isFirst = m_model->rowCount() == 0;
    m_model->setComparison(std::move(comparison));
    m_following = false;
    if (isFirst && m_model->rowCount() > 0)
        measureColumns();
    showPage();
    showSelection();
}

QString CompareView::emptyReason() const {
    if (document().title.empty() && lowering().operators.empty())
        return tr("Open a model or a package, then compare it with another one.");
    if (lowering().operators.empty())
        return plumbline::emptyReason(document(), {});
    if (!session().comparedWith())
        return tr("Nothing to compare %1 with.\n\nChoose another build with “Compare > With a "
                  "File…” or “Compare > With a Package Directory…”, or change a field as an "
                  "experiment: it is compared with what was opened.")
            .arg(safeText(document().title));
    const ComparisonPtr& shown = m_model->comparison();
    if (session().comparedWith()->lowering->operators.empty())
        return tr("%1 holds no operators to compare with.")
            .arg(safeText(session().comparedWith()->title));
    if (!shown)
        return tr("Comparing…");
    if (shown->diff.equal())
        return tr("No difference: %1 and %2 have the same records, relocations, constants, steps "
                  "and plan.")
            .arg(titleOf(*shown->first), titleOf(*shown->second));
    return {};
}

void CompareView::showPage() {
    const QString reason = emptyReason();
    m_note->setText(reason);
    m_stack->setCurrentIndex(reason.isEmpty() ? 1 : 0);
    m_summary->setText(summary());
    const ComparisonPtr& shown = m_model->comparison();
    m_titles->setText(shown ? tr("%1  →  %2").arg(titleOf(*shown->first), titleOf(*shown->second))
                            : QString());
    m_titles->setToolTip(m_titles->text());
    const std::size_t shifts = shown ? shown->diff.addressShifts() : 0;
    m_hideShifts->setEnabled(shifts > 0 || m_hideShifts->isChecked());
    showDetails();
}

QString CompareView::summary() const {
    const ComparisonPtr& shown = m_model->comparison();
    if (!shown)
        return {};
    std::map<ChangeKind, int> kinds;
    for (const LoweringChange& change : shown->diff.changes)
        ++kinds[change.kind];
    QStringList counts;
    for (const auto& [kind, count] : kinds)
        counts.append(
            QStringLiteral("%1 %2").arg(groupedNumber(count), safeText(changeKindName(kind))));
    QStringList parts{
        counted(m_model->rowCount(), tr("1 change"), tr("%1 changes")) +
        (counts.isEmpty() ? QString() : QStringLiteral(": ") + counts.join(QStringLiteral(", ")))};
    const Lowering& first = *shown->first->lowering;
    const Lowering& second = *shown->second->lowering;
    parts.append(beforeAndAfter(tr("peak"), static_cast<std::int64_t>(first.arena.peakBytes),
                                static_cast<std::int64_t>(second.arena.peakBytes), tr(" B")));
    parts.append(beforeAndAfter(tr("cycles"), cyclesOf(first), cyclesOf(second), {}));
    const CompareProxy::Hidden hidden = m_proxy->hidden();
    if (hidden.shifts > 0)
        parts.append(
            counted(hidden.shifts, tr("1 address shift hidden"), tr("%1 address shifts hidden")));
    if (hidden.byFilter > 0)
        parts.append(tr("%1 hidden by the filter").arg(groupedNumber(hidden.byFilter)));
    if (hidden.byText > 0)
        parts.append(tr("%1 without the text").arg(groupedNumber(hidden.byText)));
    if (m_job.isBusy())
        parts.append(tr("comparing…"));
    return parts.join(QStringLiteral(" · "));
}

void CompareView::showFilter() { narrow(); }

void CompareView::setShiftsHidden(bool hidden) { m_hideShifts->setChecked(hidden); }

void CompareView::narrow() {
    m_following = true;
    m_proxy->refilter();
    m_following = false;
    showPage();
    showSelection();
}

void CompareView::measureColumns() {
    constexpr int kAir = 14; // on both sides together
    const int most = fontMetrics().averageCharWidth() * 30;
    for (int column = 0; column < CompareModel::ColumnCount; ++column) {
        int widest = 0;
        for (int row = 0; row < std::min(m_proxy->rowCount(), kMeasuredRows); ++row)
            widest =
                std::max(widest, m_table->sizeHintForIndex(m_proxy->index(row, column)).width());
        // A document's name may be long: it is elided.
        const int header = m_table->horizontalHeader()->sectionSizeHint(column) - kAir;
        const bool isSide = column == CompareModel::First || column == CompareModel::Second;
        widest = std::max(widest, isSide ? std::min(header, most / 2) : header);
        m_columnWidths[static_cast<std::size_t>(column)] = std::min(widest + kAir, most);
    }
    fitColumns();
}

void CompareView::fitColumns() {
    constexpr std::array kNeeded{CompareModel::Kind, CompareModel::OperatorColumn,
                                 CompareModel::Place, CompareModel::First, CompareModel::Second};
    const int least = fontMetrics().averageCharWidth() * 9;
    auto widths = m_columnWidths;
    const auto narrower = [&widths](CompareModel::Column a, CompareModel::Column b) {
        return widths[a] < widths[b];
    };
    int over = -m_table->viewport()->width();
    for (const CompareModel::Column column : kNeeded)
        over += widths[column];
    for (; over > 0; --over) { // pixel by pixel of the widest, so that none vanishes
        int& widest = widths[*std::max_element(kNeeded.begin(), kNeeded.end(), narrower)];
        if (widest <= least)
            break;
        --widest;
    }
    for (int column = 0; column < CompareModel::ColumnCount; ++column)
        m_table->setColumnWidth(column, widths[static_cast<std::size_t>(column)]);
}

bool CompareView::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() == QEvent::Resize) // after the table has taken it in
        QTimer::singleShot(0, m_table, [this] { fitColumns(); });
    return View::eventFilter(watched, event);
}

void CompareView::resizeEvent(QResizeEvent* event) {
    View::resizeEvent(event);
    const bool isNarrow = width() < fontMetrics().averageCharWidth() * kBesideCharacters;
    const Qt::Orientation wanted = isNarrow ? Qt::Vertical : Qt::Horizontal;
    if (wanted == m_splitter->orientation())
        return;
    m_splitter->setOrientation(wanted);
    const int room = isNarrow ? height() : width();
    m_splitter->setSizes({room * kTableShare / 100, room - room * kTableShare / 100});
}

const LoweringChange* CompareView::currentChange() const {
    const QModelIndex current = m_table->currentIndex();
    return current.isValid() ? &m_model->change(m_proxy->mapToSource(current).row()) : nullptr;
}

QModelIndex CompareView::rowOfSelection() const {
    if (session().selection().empty())
        return {};
    const std::string address = session().address().toStdString();
    const Place& place = session().place();
    QModelIndex near; // of the same word, else of the same operator
    bool isNearWord = false;
    for (int row = 0; row < m_proxy->rowCount(); ++row) {
        const QModelIndex at = m_proxy->index(row, 0);
        const LoweringChange& change = m_model->change(m_proxy->mapToSource(at).row());
        if (change.secondAddress == address)
            return at;
        const bool isSameRecord = place.record && change.secondRecord == place.record;
        const bool isWord = isSameRecord && place.word && change.word == place.word;
        const bool isOperator = place.operatorIndex && change.secondOperator == place.operatorIndex;
        if ((isWord && !isNearWord) || ((isOperator || isSameRecord) && !near.isValid())) {
            near = at;
            isNearWord = isWord;
        }
    }
    return near;
}

void CompareView::showSelection() {
    const LoweringChange* const current = currentChange();
    // Several changes may be of one place, and an operator of the first alone has no place here:
    // its row stays until something else is selected.
    const bool stays =
        current != nullptr &&
        session().address() ==
            (current->secondAddress.empty() ? m_addressBeside : safeText(current->secondAddress));
    m_following = true;
    if (!stays) {
        const QModelIndex row = rowOfSelection();
        if (row.isValid())
            m_table->setCurrentIndex(row);
        else
            m_table->selectionModel()->clear();
    }
    if (m_table->currentIndex().isValid())
        m_table->scrollTo(m_table->currentIndex());
    m_following = false;
    showDetails();
}

void CompareView::takeCurrent(const QModelIndex& current) {
    showDetails();
    if (m_following || !current.isValid())
        return;
    const LoweringChange& change = m_model->change(m_proxy->mapToSource(current).row());
    if (change.secondAddress.empty())
        m_addressBeside = session().address();
    else
        session().selectAddress(safeText(change.secondAddress));
}

void CompareView::showDetails() {
    const LoweringChange* const change = currentChange();
    m_copyFirst->setEnabled(change != nullptr && !change->firstAddress.empty());
    m_details->setHtml(change == nullptr
                           ? tr("Select a change to see both its sides.").toHtmlEscaped()
                           : changeDetails(*m_model->comparison(), *change, palette()));
}

QString CompareView::detailsText() const { return m_details->toPlainText(); }

std::optional<std::int64_t> CompareView::shownOperator() const {
    const LoweringChange* const change = currentChange();
    return change == nullptr ? std::nullopt : change->secondOperator;
}

bool CompareView::pickOperator(std::int64_t index) {
    for (int row = 0; row < m_proxy->rowCount(); ++row) {
        const QModelIndex at = m_proxy->index(row, 0);
        if (m_model->change(m_proxy->mapToSource(at).row()).secondOperator != index)
            continue;
        m_table->setCurrentIndex(at);
        return true;
    }
    return false;
}

QString CompareView::csv(bool selectedOnly) const {
    const auto line = [](const auto& cell) {
        QStringList cells;
        for (int column = 0; column < CompareModel::ColumnCount; ++column)
            cells.append(cell(column));
        return csvLine(cells);
    };
    QString text =
        line([this](int column) { return m_proxy->headerData(column, Qt::Horizontal).toString(); });
    for (int row = 0; row < m_proxy->rowCount(); ++row)
        if (!selectedOnly || m_table->selectionModel()->isRowSelected(row))
            text += line([&](int column) { return m_proxy->index(row, column).data().toString(); });
    return text;
}

void CompareView::changeEvent(QEvent* event) {
    View::changeEvent(event);
    if (event->type() == QEvent::PaletteChange && m_details != nullptr)
        showDetails();
}

} // namespace plumbline
