// SPDX-License-Identifier: GPL-3.0-or-later
// Tables as CSV files.
#pragma once

#include <functional>
#include <vector>

#include <QByteArray>
#include <QString>

class QAbstractItemModel;
class QAbstractItemView;

namespace plumbline {

class View;

/// All rows of `model` in its order, as UTF-8 by RFC 4180: a line of column titles, then a line per
/// row. Cells are RowModel::PlainRole, else Qt::EditRole, else the text that is shown, without the
/// grouping of a number. Named rows begin with their name. A tree begins with the level of a row,
/// from 1; its rows are there whether they are expanded or not.
QByteArray tableCsv(const QAbstractItemModel& model);

/// The same of a table or a tree as it is shown: sorted, filtered, with its visible columns in the
/// order on the screen.
QByteArray tableCsv(const QAbstractItemView& table);

/// A table that a view offers. Valid as long as the view's tables stay.
struct ExportTable {
    QString name;                             ///< for a file: "arena-buffers"
    QString title;                            ///< what people read: "Buffers of the arena"
    const QAbstractItemView* shown = nullptr; ///< null for what only screen readers are told
    std::function<QByteArray()> csv;
};

/// Every table and tree in `view`, and what it tells screen readers of what it paints.
std::vector<ExportTable> exportTables(View& view);

} // namespace plumbline
