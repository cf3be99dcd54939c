// SPDX-License-Identifier: GPL-3.0-or-later
// Typing over bytes as an experiment, and the marks of what an experiment changed.
#include <algorithm>

#include <QAction>

#include "views/common/format.h"
#include "views/hex/bytes_view.h"
#include "views/hex/hex_area.h"

namespace plumbline {

void BytesView::setEditing(bool editing) { m_editing->setChecked(editing); }

bool BytesView::isEditing() const { return m_editing->isChecked(); }

QString BytesView::editProblem() const {
    if (m_region != ByteRegion::Templates && m_region != ByteRegion::Weights &&
        m_region != ByteRegion::Params)
        return tr("Only weights, parameters and the records' templates can be typed over.");
    return document().job ? m_bytes.emptyReason()
                          : tr("There is no job that an experiment could change.");
}

/// The command is there where bytes can be typed over, or the templates of those that are shown.
void BytesView::allowEditing() {
    const QString problem = editProblem();
    const bool canStart =
        problem.isEmpty() || (m_region == ByteRegion::Descriptors && document().job);
    if (!canStart)
        setEditing(false);
    m_editing->setEnabled(canStart);
    m_editing->setToolTip(canStart ? tr("Type hexadecimal digits over weights, parameters and "
                                        "templates, as an experiment; Escape ends it")
                                   : problem);
    m_hex->setEditable(isEditing() && problem.isEmpty());
}

void BytesView::startEditing(bool editing) {
    if (editing && m_region == ByteRegion::Descriptors)
        setRegion(ByteRegion::Templates);
    if (editing)
        setStructured(false);
    showPage();
    showStatus({});
    if (editing)
        m_hex->setFocus();
}

void BytesView::takeByte(quint64 offset, int value) {
    const auto byte = static_cast<std::uint8_t>(value);
    if (m_bytes.bytes()[static_cast<std::size_t>(offset)] != byte)
        session().requestEdits({ByteEdit{std::string(regionName(m_region)), offset, byte}});
}

/// Marks the bytes that are others than before the experiment. The arena's marks say what the step
/// changed.
void BytesView::showChanges() {
    m_original = {};
    m_changed = 0;
    if (!document().original || m_region == ByteRegion::Arena || m_region == ByteRegion::File)
        return;
    m_original = RegionBytes(document().original, m_region, m_step);
    const ByteView before = m_original.bytes();
    const ByteView now = m_bytes.bytes();
    std::vector<HexRun> runs;
    for (std::size_t at = 0; at < std::min(before.size(), now.size()); ++at) {
        if (before[at] == now[at])
            continue;
        ++m_changed;
        if (!runs.empty() && runs.back().end() == at)
            ++runs.back().bytes;
        else
            runs.push_back({at, 1});
    }
    m_hex->setChanged(std::move(runs));
}

/// " · was 0x12" for a byte that an experiment changed; else empty.
QString BytesView::changeText(std::uint64_t offset) const {
    const auto at = static_cast<std::size_t>(offset);
    const ByteView before = m_original.bytes();
    return at < before.size() && before[at] != m_bytes.bytes()[at]
               ? tr(" · was %1").arg(hexNumber(before[at], 2))
               : QString();
}

} // namespace plumbline
