// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/common/table_export.h"

#include <algorithm>
#include <memory>

#include <QAbstractProxyModel>
#include <QHeaderView>
#include <QRegularExpression>
#include <QTableView>
#include <QTreeView>

#include "core/base/text.h"
#include "views/common/row_model.h"
#include "views/common/view.h"

namespace plumbline {
namespace {

QString tr(const char* text) { return QCoreApplication::translate("plumbline::TableExport", text); }

/// "101,376" as "101376"; anything that is not one grouped number stays.
QString ungrouped(QString text) {
    static const QRegularExpression kGrouped(QStringLiteral("^[+-]?\\d{1,3}(,\\d{3})+$"));
    return kGrouped.match(text).hasMatch() ? text.remove(QLatin1Char(',')) : text;
}

QString plainText(const QModelIndex& cell) {
    if (const QVariant plain = cell.data(RowModel::PlainRole); plain.isValid())
        return plain.toString();
    const QString edited = cell.data(Qt::EditRole).toString();
    return ungrouped(edited.isEmpty() ? cell.data(Qt::DisplayRole).toString() : edited);
}

class CsvWriter {
  public:
    CsvWriter(const QAbstractItemModel& model, std::vector<int> columns)
        : m_model(model)
        , m_columns(std::move(columns))
        , m_hasNames(model.headerData(0, Qt::Vertical).typeId() == QMetaType::QString) {
        for (int row = 0; row < model.rowCount() && !m_isTree; ++row)
            m_isTree = model.hasChildren(model.index(row, 0));
    }

    QByteArray write() {
        std::vector<std::string> titles;
        if (m_isTree)
            titles.push_back(tr("Level").toStdString());
        if (m_hasNames)
            titles.push_back(tr("Row").toStdString());
        for (const int column : m_columns)
            titles.push_back(m_model.headerData(column, Qt::Horizontal).toString().toStdString());
        add(titles);
        writeRows({}, 1);
        return m_csv;
    }

  private:
    void writeRows(const QModelIndex& parent, int level) {
        for (int row = 0; row < m_model.rowCount(parent); ++row) {
            std::vector<std::string> cells;
            if (m_isTree)
                cells.push_back(std::to_string(level));
            if (m_hasNames)
                cells.push_back(m_model.headerData(row, Qt::Vertical).toString().toStdString());
            for (const int column : m_columns)
                cells.push_back(plainText(m_model.index(row, column, parent)).toStdString());
            add(cells);
            if (m_isTree)
                writeRows(m_model.index(row, 0, parent), level + 1);
        }
    }

    void add(const std::vector<std::string>& cells) { m_csv += csvRow(cells).c_str(); }

    const QAbstractItemModel& m_model;
    std::vector<int> m_columns;
    bool m_hasNames;
    bool m_isTree = false;
    QByteArray m_csv;
};

const QHeaderView* headerOf(const QAbstractItemView& shown) {
    if (const auto* const table = qobject_cast<const QTableView*>(&shown))
        return table->horizontalHeader();
    const auto* const tree = qobject_cast<const QTreeView*>(&shown);
    return tree ? tree->header() : nullptr;
}

const QAbstractItemModel* sourceOf(const QAbstractItemModel* model) {
    while (const auto* const proxy = qobject_cast<const QAbstractProxyModel*>(model))
        model = proxy->sourceModel();
    return model;
}

QString fileName(const QString& text) {
    static const QRegularExpression kOthers(QStringLiteral("[^a-z0-9]+"));
    return text.toLower().replace(kOthers, QStringLiteral("-"));
}

ExportTable offer(View& view, const QAbstractItemView& shown) {
    const QString title = shown.accessibleName().isEmpty() ? view.title() : shown.accessibleName();
    return {fileName(view.id() + QLatin1Char(' ') + title), title, &shown, [&view, &shown] {
                const auto whole = view.wholeTable(shown);
                return whole ? tableCsv(*whole) : tableCsv(shown);
            }};
}

} // namespace

QByteArray tableCsv(const QAbstractItemModel& model) {
    std::vector<int> columns;
    for (int column = 0; column < model.columnCount(); ++column)
        columns.push_back(column);
    return CsvWriter(model, std::move(columns)).write();
}

QByteArray tableCsv(const QAbstractItemView& table) {
    const QHeaderView* const header = headerOf(table);
    std::vector<int> columns;
    for (int place = 0; header && place < header->count(); ++place)
        if (const int column = header->logicalIndex(place); !header->isSectionHidden(column))
            columns.push_back(column);
    return table.model() ? CsvWriter(*table.model(), std::move(columns)).write() : QByteArray();
}

std::vector<ExportTable> exportTables(View& view) {
    std::vector<ExportTable> offered;
    std::vector<const QAbstractItemModel*> shown;
    for (const auto* const table : view.findChildren<QAbstractItemView*>())
        if (headerOf(*table) && table->model()) {
            offered.push_back(offer(view, *table));
            shown.push_back(sourceOf(table->model()));
        }
    QAbstractItemModel* const told = view.accessibleTable();
    if (told && std::find(shown.begin(), shown.end(), sourceOf(told)) == shown.end())
        offered.push_back({view.id(), view.title(), nullptr, [told] { return tableCsv(*told); }});
    return offered;
}

} // namespace plumbline
