// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/common/completion_model.h"

#include "views/common/format.h"

namespace plumbline {
namespace {

QString kindText(CompletionKind kind) {
    switch (kind) {
    case CompletionKind::Field:
        return CompletionModel::tr("field");
    case CompletionKind::Operator:
        return CompletionModel::tr("comparison");
    case CompletionKind::Keyword:
        return CompletionModel::tr("keyword");
    case CompletionKind::Value:
        return CompletionModel::tr("value");
    }
    return {};
}

} // namespace

void CompletionModel::setCompletions(std::vector<Completion> completions) {
    beginResetModel();
    m_completions = std::move(completions);
    endResetModel();
}

int CompletionModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(m_completions.size());
}

int CompletionModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : ColumnCount;
}

QVariant CompletionModel::data(const QModelIndex& index, int role) const {
    if (!checkIndex(index, CheckIndexOption::IndexIsValid))
        return {};
    const Completion& row = completion(index.row());
    const QString detail =
        row.detail.empty() ? kindText(row.kind) : QString::fromStdString(row.detail);
    if (role == Qt::AccessibleTextRole)
        return tr("%1, %2").arg(safeText(row.text), detail);
    if (role != Qt::DisplayRole && role != Qt::EditRole)
        return {};
    return index.column() == TextColumn ? safeText(row.text) : detail;
}

} // namespace plumbline
