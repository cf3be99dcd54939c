// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/graph/graph_table.h"

namespace plumbline {

void GraphTable::setFacts(std::shared_ptr<const GraphFacts> facts) {
    beginResetModel();
    m_facts = std::move(facts);
    endResetModel();
}

int GraphTable::rowCount(const QModelIndex& parent) const {
    return parent.isValid() || !m_facts ? 0 : static_cast<int>(m_facts->layout().nodes.size());
}

int GraphTable::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(ColumnCount);
}

QVariant GraphTable::data(const QModelIndex& index, int role) const {
    if (!checkIndex(index, CheckIndexOption::IndexIsValid))
        return {};
    if (role == SortRole && index.column() == Address)
        return index.row();
    if (role == Qt::DisplayRole || role == SortRole || role == Qt::AccessibleTextRole)
        return text(index.row(), index.column());
    return {};
}

QString GraphTable::text(std::int32_t node, int column) const {
    const GraphNode& at = m_facts->layout().nodes[static_cast<std::size_t>(node)];
    const GraphNodeText& line = m_facts->cards().textOf(node);
    switch (column) {
    case Name:
        return QString::fromStdString(line.name);
    case Address:
        return at.kind == GraphNodeKind::Operator ? QStringLiteral("op/%1").arg(at.index)
                                                  : QStringLiteral("tensor/%1").arg(at.index);
    case Shape:
        return QString::fromStdString(line.shape);
    case Placed:
        return QString::fromStdString(line.detail);
    case Record:
        return QString::fromStdString(line.record);
    case Inputs:
        return m_facts->neighbours(node, true);
    case Outputs:
        return m_facts->neighbours(node, false);
    case State:
        return state(node);
    default:
        return {};
    }
}

QString GraphTable::state(std::int32_t node) const {
    const GraphMarks& marks = m_facts->marksOf(node);
    QStringList parts;
    if (marks.refused)
        parts << tr("refused");
    if (marks.diagnostic)
        parts << (*marks.diagnostic == Severity::Error ? tr("error") : tr("warning"));
    if (const QString verdict = m_facts->verdictText(node); !verdict.isEmpty())
        parts << verdict;
    return parts.join(QStringLiteral(", "));
}

QVariant GraphTable::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole)
        return {};
    switch (section) {
    case Name:
        return tr("Operator");
    case Address:
        return tr("Address");
    case Shape:
        return tr("Output shape");
    case Placed:
        return tr("Placement");
    case Record:
        return tr("Record");
    case Inputs:
        return tr("Reads from");
    case Outputs:
        return tr("Read by");
    case State:
        return tr("State");
    default:
        return {};
    }
}

} // namespace plumbline
