// SPDX-License-Identifier: GPL-3.0-or-later
// Tables as CSV: what is in a cell, which columns and rows, in which order.
#include <QComboBox>
#include <QHeaderView>
#include <QSortFilterProxyModel>
#include <QStandardItemModel>
#include <QTableView>
#include <QTreeView>
#include <QtTest>

#include "tests/views/common/csv_reader.h"
#include "views/common/row_model.h"
#include "views/common/table_export.h"
#include "views/common/view.h"

namespace plumbline::test {
namespace {

/// Shown and edited texts are apart, as in models of our own.
class TwoTextsModel : public QAbstractTableModel {
  public:
    int rowCount(const QModelIndex& parent = {}) const override { return parent.isValid() ? 0 : 2; }
    int columnCount(const QModelIndex& parent = {}) const override {
        return parent.isValid() ? 0 : 3;
    }
    QVariant data(const QModelIndex& index, int role) const override {
        if (role == Qt::DisplayRole)
            return QStringLiteral("shown");
        if (role == Qt::EditRole)
            return index.column() == 1 ? QStringLiteral("edited") : QString();
        if (role == RowModel::PlainRole && index.column() == 2)
            return index.row() == 0 ? QVariant(qlonglong{-101376}) : QVariant(QString());
        return {};
    }
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override {
        if (role != Qt::DisplayRole || orientation == Qt::Horizontal)
            return QAbstractTableModel::headerData(section, orientation, role);
        return QStringLiteral("h %1").arg(section);
    }
};

class OneTableView : public View {
  public:
    explicit OneTableView(Session& session)
        : View(session, QStringLiteral("one"), QStringLiteral("One"), nullptr) {}
    std::optional<std::int64_t> shownOperator() const override { return std::nullopt; }
    bool pickOperator(std::int64_t /*index*/) override { return false; }
    QAbstractItemModel* accessibleTable() override { return told; }
    QAbstractItemModel* told = nullptr;

  protected:
    void showDocument() override {}
    void showSelection() override {}
};

} // namespace

class TableExportTest : public QObject {
    Q_OBJECT

  private slots:
    void cells_data() {
        QTest::addColumn<QString>("shown");
        QTest::addColumn<QString>("written");
        QTest::newRow("text") << QStringLiteral("conv") << QStringLiteral("conv");
        QTest::newRow("grouped") << QStringLiteral("1,101,376") << QStringLiteral("1101376");
        QTest::newRow("negative") << QStringLiteral("-1,024") << QStringLiteral("-1024");
        QTest::newRow("shape") << QStringLiteral("1,2,3") << QStringLiteral("\"1,2,3\"");
        QTest::newRow("words") << QStringLiteral("2,048 bytes")
                               << QStringLiteral("\"2,048 bytes\"");
        QTest::newRow("quotes") << QStringLiteral("say \"x\"")
                                << QStringLiteral("\"say \"\"x\"\"\"");
        QTest::newRow("lines") << QStringLiteral("a\nb") << QStringLiteral("\"a\nb\"");
        QTest::newRow("not ASCII") << QStringLiteral("5×5 µ") << QStringLiteral("5×5 µ");
    }
    void cells() {
        QFETCH(QString, shown);
        QFETCH(QString, written);
        QStandardItemModel model;
        model.setHorizontalHeaderLabels({QStringLiteral("Cell")});
        model.appendRow(new QStandardItem(shown));
        QCOMPARE(QString::fromUtf8(tableCsv(model)), QStringLiteral("Cell\n%1\n").arg(written));
    }

    void plainTextsGoBeforeEditedAndShownOnes() {
        const TwoTextsModel model;
        const QByteArray expected = "Row,1,2,3\n"
                                    "h 0,shown,edited,-101376\n"
                                    "h 1,shown,edited,\n";
        QCOMPARE(tableCsv(model), expected);
    }

    void rowsAndColumnsAreAsShown() {
        QStandardItemModel model;
        model.setHorizontalHeaderLabels(
            {QStringLiteral("A"), QStringLiteral("B"), QStringLiteral("C")});
        for (const char* const name : {"one", "two", "three"})
            model.appendRow({new QStandardItem(QString::fromLatin1(name)),
                             new QStandardItem(QStringLiteral("hidden")),
                             new QStandardItem(QString::fromLatin1(name).left(1))});
        QSortFilterProxyModel proxy;
        proxy.setSourceModel(&model);
        QTableView table;
        table.setModel(&proxy);
        table.horizontalHeader()->moveSection(2, 0);
        table.setColumnHidden(1, true);
        proxy.sort(0, Qt::DescendingOrder);
        proxy.setFilterRegularExpression(QStringLiteral("^t"));
        QCOMPARE(tableCsv(table), QByteArray("C,A\nt,two\nt,three\n"));
        QCOMPARE(tableCsv(*table.model()), QByteArray("A,B,C\ntwo,hidden,t\nthree,hidden,t\n"));
    }

    void aTreeHasItsLevels() {
        QStandardItemModel model;
        model.setHorizontalHeaderLabels({QStringLiteral("Name"), QStringLiteral("Value")});
        auto* const word = new QStandardItem(QStringLiteral("word"));
        auto* const field = new QStandardItem(QStringLiteral("field"));
        field->appendRow(
            {new QStandardItem(QStringLiteral("detail")), new QStandardItem(QStringLiteral("3"))});
        word->appendRow({field, new QStandardItem(QStringLiteral("2"))});
        model.appendRow({word, new QStandardItem(QStringLiteral("1"))});
        model.appendRow(
            {new QStandardItem(QStringLiteral("last")), new QStandardItem(QStringLiteral("4"))});
        QTreeView tree; // nothing is expanded
        tree.setModel(&model);
        QCOMPARE(tableCsv(tree),
                 QByteArray("Level,Name,Value\n1,word,1\n2,field,2\n3,detail,3\n1,last,4\n"));
    }

    void nothingIsAHeaderLine() {
        QStandardItemModel model(0, 2);
        QCOMPARE(tableCsv(model), QByteArray("1,2\n"));
        const QTableView bare;
        QCOMPARE(tableCsv(bare), QByteArray());
    }

    void everyCellComesBack() {
        QStandardItemModel model(7, 3);
        const QStringList pieces{QStringLiteral("\""), QStringLiteral(","), QStringLiteral("\n"),
                                 QStringLiteral("x"),  QStringLiteral("é"), QStringLiteral(" "),
                                 QStringLiteral("\r")};
        for (int row = 0; row < model.rowCount(); ++row)
            for (int column = 0; column < model.columnCount(); ++column)
                model.setItem(row, column,
                              new QStandardItem(pieces[row] + pieces[(row + column) % 7] +
                                                pieces[(3 * row + column) % 7]));
        const QList<QStringList> lines = readCsv(tableCsv(model));
        QCOMPARE(lines.size(), 8);
        for (int row = 0; row < model.rowCount(); ++row)
            for (int column = 0; column < model.columnCount(); ++column)
                QCOMPARE(lines[row + 1][column], model.item(row, column)->text());
    }

    void aViewOffersItsTablesAndWhatItTells() {
        Session session;
        OneTableView view(session);
        QStandardItemModel model(1, 1), other(1, 1);
        auto* const table = new QTableView(&view);
        table->setAccessibleName(QStringLiteral("Rows of the one"));
        QSortFilterProxyModel proxy;
        proxy.setSourceModel(&model);
        table->setModel(&proxy);
        auto* const box = new QComboBox(&view); // its list is no table
        box->addItem(QStringLiteral("choice"));
        box->view();
        view.told = &model; // shown already
        QCOMPARE(exportTables(view).size(), std::size_t{1});
        QCOMPARE(exportTables(view)[0].title, QStringLiteral("Rows of the one"));
        QCOMPARE(exportTables(view)[0].name, QStringLiteral("one-rows-of-the-one"));
        view.told = &other;
        const std::vector<ExportTable> both = exportTables(view);
        QCOMPARE(both.size(), std::size_t{2});
        QVERIFY(both[1].shown == nullptr);
        QCOMPARE(both[1].csv(), tableCsv(other));
    }
};

} // namespace plumbline::test

QTEST_MAIN(plumbline::test::TableExportTest)
#include "tst_table_export.moc"
