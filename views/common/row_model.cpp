// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/common/row_model.h"

namespace plumbline {

RowFilter::RowFilter(const Session& session, RowModel& model, QObject* parent)
    : QSortFilterProxyModel(parent)
    , m_session(session)
    , m_model(model) {
    setSourceModel(&model);
    setSortRole(RowModel::SortRole);
}

bool RowFilter::filterAcceptsRow(int row, const QModelIndex& parent) const {
    return !parent.isValid() && m_session.passesFilter(m_model.operatorOf(row).value_or(-1));
}

} // namespace plumbline
