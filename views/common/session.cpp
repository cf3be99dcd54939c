// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/common/session.h"

#include <algorithm>

#include "core/compare/mismatch_walk.h"

namespace plumbline {
namespace {

constexpr std::size_t kMaxHistory = 200;

DocumentPtr emptyDocument() {
    auto made = std::make_shared<Document>();
    auto lowering = std::make_shared<Lowering>();
    lowering->model = std::make_shared<const Model>();
    made->lowering = std::move(lowering);
    return made;
}

} // namespace

std::int64_t heatValue(const Document& document, const LoweredOperator& op, Heat heat) {
    switch (heat) {
    case Heat::None:
        return 0;
    case Heat::Cycles:
        return op.cost.estimatedCycles;
    case Heat::Macs:
        return op.cost.usefulMacs;
    case Heat::DmaBytes:
        return op.cost.readBytes() + op.cost.writeBytes;
    case Heat::ArenaBytes:
        return static_cast<std::int64_t>(op.arena.outputBytes);
    case Heat::Mismatches:
        return document.mismatchesOf(op.index).value_or(0);
    }
    return 0;
}

Session::Session(QObject* parent)
    : QObject(parent)
    , m_document(emptyDocument()) {}

Session::~Session() = default;

void Session::setDocument(DocumentPtr document, Keep keep) {
    m_document = document ? std::move(document) : emptyDocument();
    const Selection wanted = keep == Keep::Selection ? m_selection : Selection{};
    if (keep == Keep::Nothing) {
        m_history.clear();
        m_current = 0;
    }
    m_selection = {};
    m_place = {};
    if (const auto place = resolveSelection(wanted, lowering(), m_document->diagnostics)) {
        m_selection = wanted;
        m_place = *place;
    }
    applyFilter();
    emit documentChanged();
    emit selectionChanged();
    emit historyChanged();
}

void Session::setComparedWith(DocumentPtr document) {
    if (document == m_compared)
        return;
    m_compared = std::move(document);
    emit comparedChanged();
}

void Session::requestEdits(std::vector<Edit> edits) {
    if (!edits.empty())
        emit editsRequested(edits);
}

bool Session::apply(const Selection& selection) {
    const Result<Place> place = resolveSelection(selection, lowering(), m_document->diagnostics);
    if (!place) {
        emit refused(QString::fromStdString(place.diagnostics().front().message));
        return false;
    }
    if (selection == m_selection)
        return true;
    m_selection = selection;
    m_place = *place;
    emit selectionChanged();
    return true;
}

bool Session::select(const Selection& selection) {
    const bool changes = !(selection == m_selection);
    if (!apply(selection))
        return false;
    if (!changes)
        return true;
    if (!m_history.empty())
        m_history.resize(m_current + 1);
    m_history.push_back(selection);
    if (m_history.size() > kMaxHistory)
        m_history.erase(m_history.begin());
    m_current = m_history.size() - 1;
    emit historyChanged();
    return true;
}

bool Session::selectAddress(const QString& address) {
    const std::string text = address.trimmed().toStdString();
    const Result<Selection> parsed = parseSelection(text);
    if (!parsed) {
        emit refused(QString::fromStdString(parsed.diagnostics().front().message));
        return false;
    }
    return select(*parsed);
}

QString Session::address() const { return QString::fromStdString(toText(m_selection)); }

void Session::goBack() {
    if (!canGoBack())
        return;
    apply(m_history[--m_current]);
    emit historyChanged();
}

void Session::goForward() {
    if (!canGoForward())
        return;
    apply(m_history[++m_current]);
    emit historyChanged();
}

void Session::stepRecord(int delta) {
    const auto count = static_cast<std::int64_t>(lowering().records.size());
    if (count == 0)
        return;
    std::int64_t from = delta > 0 ? -1 : count;
    if (m_place.record) {
        from = *m_place.record;
    } else if (m_place.operatorIndex) {
        // Between two records: the last one before the operator, or the first one after it.
        for (const LoweredOperator& op : lowering().operators)
            if (op.record && (delta > 0 ? op.index < *m_place.operatorIndex
                                        : op.index > *m_place.operatorIndex && from == count))
                from = *op.record;
    }
    select(selectRecord(std::clamp<std::int64_t>(from + delta, 0, count - 1)));
}

void Session::stepMismatch(int direction) {
    if (!m_document->verdicts || !m_document->reference) {
        emit noticed(tr("Nothing was compared, so no mismatch is known."));
        return;
    }
    const auto next = plumbline::stepMismatch(*m_document->verdicts, *m_document->reference,
                                              m_place.operatorIndex, m_place.element, direction);
    if (!next) {
        emit noticed(tr("There is no mismatch: every layer that was compared is equal."));
        return;
    }
    Selection selection = selectOperator(next->operatorIndex);
    selection.element = next->element;
    if (!select(selection))
        return;
    if (next->wrapped)
        emit noticed(direction > 0 ? tr("Past the last mismatch: this is the first one.")
                                   : tr("Before the first mismatch: this is the last one."));
}

void Session::selectCulprit() {
    const auto& verdicts = m_document->verdicts;
    if (!verdicts || !verdicts->culprit) {
        emit noticed(verdicts ? tr("No layer is known to be wrong by itself.")
                              : tr("Nothing was compared, so no culprit is known."));
        return;
    }
    Selection selection = selectOperator(*verdicts->culprit);
    const LayerVerdict& layer = *verdicts->of(*verdicts->culprit);
    const auto& telling = layer.isolated ? layer.isolated : layer.accumulated;
    if (telling && telling->first)
        selection.element = ElementIndex{telling->first->h, telling->first->w, telling->first->c};
    select(selection);
}

bool Session::passesFilter(std::int64_t operatorIndex) const {
    return m_passes.empty() ||
           (operatorIndex >= 0 && static_cast<std::size_t>(operatorIndex) < m_passes.size() &&
            m_passes[static_cast<std::size_t>(operatorIndex)]);
}

std::size_t Session::passingCount() const {
    if (m_passes.empty())
        return lowering().operators.size();
    return static_cast<std::size_t>(std::count(m_passes.begin(), m_passes.end(), true));
}

void Session::setHeat(Heat heat) {
    if (heat == m_heat)
        return;
    m_heat = heat;
    emit heatChanged();
}

} // namespace plumbline
