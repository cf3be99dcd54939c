// SPDX-License-Identifier: GPL-3.0-or-later
// The table of records: model, sorting, both ways of the selection, copying, filters, pictures.
#include <QAbstractItemModelTester>
#include <QAction>
#include <QApplication>
#include <QClipboard>
#include <QDir>
#include <QElapsedTimer>
#include <QHeaderView>
#include <QLabel>
#include <QSignalSpy>
#include <QTableView>
#include <QTest>

#include "core/lowering/target.h"
#include "views/common/palette.h"
#include "views/records/records_view.h"

using namespace plumbline;

namespace {

DocumentPtr opened(const std::string& sample, bool simulate = true) {
    OpenRequest request;
    request.sample = sample;
    request.simulate = simulate;
    return *openDocument(request, npuP0Target());
}

} // namespace

class TestRecords : public QObject {
    Q_OBJECT

    struct Fixture {
        explicit Fixture(const DocumentPtr& document)
            : view(session) {
            session.setDocument(document, Session::Keep::Nothing);
            view.resize(1000, 420);
            view.show();
        }
        QAbstractItemModel* model() { return view.table()->model(); }
        QString text(int row, int column) { return model()->index(row, column).data().toString(); }
        Session session;
        RecordsView view;
    };

  private slots:
    void initTestCase() { m_document = opened("every-operator"); }

    void model_holdsEveryRecord() {
        RecordsModel model;
        QAbstractItemModelTester tester(&model);
        model.setDocument(m_document);
        QCOMPARE(model.rowCount(), static_cast<int>(m_document->lowering->records.size()));
        for (int row = 0; row < model.rowCount(); ++row) {
            QCOMPARE(model.status(row), RecordStatus::Equal);
            const auto op = static_cast<std::size_t>(*model.operatorOf(row));
            QCOMPARE(model.index(row, RecordsModel::Opcode).data().toString().toStdString(),
                     m_document->lowering->operators[op].opcodeName);
        }
        model.setDocument(nullptr);
        QCOMPARE(model.rowCount(), 0);
    }

    void recordsThatDoNotRelocateAreNotChecked() {
        auto document = std::make_shared<Document>(*opened("every-operator", false));
        RecordsModel model;
        model.setDocument(document);
        QCOMPARE(model.status(0), RecordStatus::NotCompared);
        document->violations.clear(); // as a job leaves them whose relocations fail
        model.setDocument(document);
        QCOMPARE(model.status(0), RecordStatus::Unchecked);
        QCOMPARE(model.index(0, RecordsModel::Status).data().toString(),
                 QStringLiteral("– not checked"));
    }

    void sortsByRawNumbers() {
        Fixture f(opened("mobilenet", false));
        for (const int column : {RecordsModel::Macs, RecordsModel::Cycles, RecordsModel::ArenaBytes,
                                 RecordsModel::OperatorName}) {
            f.view.table()->sortByColumn(column, Qt::DescendingOrder);
            for (int row = 1; row < f.model()->rowCount(); ++row)
                QVERIFY(f.model()->index(row - 1, column).data(RowModel::SortRole).toLongLong() >=
                        f.model()->index(row, column).data(RowModel::SortRole).toLongLong());
        }
    }

    void rowSelectsItsOperator() {
        Fixture f(m_document);
        QSignalSpy spy(&f.session, &Session::selectionChanged);
        f.view.table()->setFocus();
        f.view.table()->setCurrentIndex(f.model()->index(0, 0));
        QTest::keyClick(f.view.table(), Qt::Key_Down);
        QTest::keyClick(f.view.table(), Qt::Key_Down);
        QCOMPARE(spy.count(), 3);
        QCOMPARE(f.session.place().record, std::optional<std::int64_t>(2));
        QCOMPARE(f.session.place().operatorIndex, f.view.shownOperator());
    }

    void selectionFromElsewhereMovesTheRow() {
        Fixture f(m_document);
        f.view.table()->sortByColumn(RecordsModel::Macs, Qt::DescendingOrder);
        for (const char* address : {"record/3/word/2", "op/1", "weights/0x0"}) {
            QVERIFY(f.session.selectAddress(QLatin1StringView(address)));
            QCOMPARE(f.text(f.view.table()->currentIndex().row(), RecordsModel::Index).toLongLong(),
                     qlonglong(*f.session.place().record));
            QCOMPARE(f.session.address(), QLatin1StringView(address)); // not written back
        }
        for (const LoweredOperator& op : m_document->lowering->operators) {
            QVERIFY(f.session.select(selectOperator(op.index)));
            QCOMPARE(f.view.shownOperator(), op.record ? std::optional(op.index) : std::nullopt);
            QCOMPARE(f.view.pickOperator(op.index), op.record.has_value());
        }
    }

    void copiesVisibleColumnsAsCsv() {
        Fixture f(m_document);
        f.view.table()->setColumnHidden(RecordsModel::Status, true);
        f.view.table()->selectAll();
        f.view.findChild<QAction*>(QStringLiteral("recordsCopyCsv"))->trigger();
        const QStringList lines =
            QGuiApplication::clipboard()->text().split(QLatin1Char('\n'), Qt::SkipEmptyParts);
        QCOMPARE(lines.size(), f.model()->rowCount() + 1);
        QVERIFY(lines[0].startsWith(QStringLiteral("Record,Operator,Opcode,IFM,OFM")));
        QVERIFY(!lines[0].contains(QStringLiteral("Status")));
        QCOMPARE(lines[1].count(QLatin1Char(',')), lines[0].count(QLatin1Char(',')));
        f.session.selectAddress(QStringLiteral("record/4"));
        f.view.findChild<QAction*>(QStringLiteral("recordsCopyAddress"))->trigger();
        QCOMPARE(QGuiApplication::clipboard()->text(), QStringLiteral("record/4"));
    }

    void conditionsAreFilters() {
        Fixture f(m_document);
        f.view.pickOperator(0);
        for (int column = 0; column < RecordsModel::ColumnCount; ++column) {
            f.view.table()->setCurrentIndex(f.model()->index(0, column));
            const QString condition = f.view.table()->currentCondition();
            if (condition.isEmpty())
                continue;
            f.view.findChild<QAction*>(QStringLiteral("recordsFilterBy"))->trigger();
            QCOMPARE(f.session.filterText(), condition);
            QVERIFY2(f.session.passesFilter(0), qPrintable(condition));
            QVERIFY(f.model()->rowCount() >= 1);
            QVERIFY(f.session.setFilter({}));
        }
        f.view.table()->setCurrentIndex(f.model()->index(0, RecordsModel::Opcode));
        f.view.findChild<QAction*>(QStringLiteral("recordsFilterBy"))->trigger();
        const int before = f.model()->rowCount();
        QVERIFY(before < static_cast<int>(m_document->lowering->records.size()));
        f.view.table()->setCurrentIndex(f.model()->index(0, RecordsModel::Index));
        f.view.findChild<QAction*>(QStringLiteral("recordsNarrowBy"))->trigger();
        QCOMPARE(f.model()->rowCount(), 1);
        QVERIFY(f.session.selectAddress(QStringLiteral("record/3")));
        QVERIFY(!f.view.table()->currentIndex().isValid());
        QVERIFY(f.view.findChild<QLabel*>(QStringLiteral("recordsSummary"))
                    ->text()
                    .contains(QStringLiteral("record 3 does not")));
        QVERIFY(f.session.setFilter({}));
        QCOMPARE(f.text(f.view.table()->currentIndex().row(), RecordsModel::Index),
                 QStringLiteral("3"));
    }

    void namesWithQuotesAreFilters() {
        auto document = std::make_shared<Document>(*m_document);
        auto lowering = std::make_shared<Lowering>(*document->lowering);
        const auto owner = static_cast<std::size_t>(lowering->records[0].operatorIndex);
        lowering->operators[owner].name = "a \"b\\c\" d";
        document->lowering = lowering;
        Fixture f(document);
        f.view.table()->setCurrentIndex(f.model()->index(0, RecordsModel::OperatorName));
        f.view.findChild<QAction*>(QStringLiteral("recordsFilterBy"))->trigger();
        QCOMPARE(f.session.filterText(), QStringLiteral("name == \"a \\\"b\\\\c\\\" d\""));
        QCOMPARE(f.model()->rowCount(), 1);
        QCOMPARE(f.session.passingCount(), std::size_t{1});
    }

    void violationsAndMismatchesAreNamed() {
        auto document = std::make_shared<Document>(*m_document);
        document->violations[1] = RecordViolation{FaultCode::Descriptor, 9, "too small"};
        auto verdicts = std::make_shared<Verdicts>(*document->verdicts);
        verdicts->layers[2].accumulated->equal = false;
        verdicts->layers[2].accumulated->mismatches = 1234;
        document->verdicts = verdicts;
        Fixture f(document);
        QCOMPARE(f.text(1, RecordsModel::Status), QStringLiteral("✗ violation in word 9"));
        QCOMPARE(f.text(2, RecordsModel::Status), QStringLiteral("≠ 1,234 mismatches"));
        QCOMPARE(f.text(0, RecordsModel::Status), QStringLiteral("✓ equal"));
        f.view.table()->sortByColumn(RecordsModel::Status, Qt::AscendingOrder);
        QCOMPARE(f.text(0, RecordsModel::Index), QStringLiteral("1"));
        QCOMPARE(f.text(1, RecordsModel::Index), QStringLiteral("2"));
    }

    void damagedPackageIsShownAsFarAsItGoes() {
        auto document = std::make_shared<Document>(*m_document);
        auto lowering = std::make_shared<Lowering>(*document->lowering);
        lowering->records[0].operatorIndex = -1;
        lowering->records[1].operatorIndex = std::int64_t{1} << 40;
        lowering->records[2].bytes.assign(3, 0xFF);
        lowering->records[3].bytes.assign(lowering->records[3].bytes.size(), 0xFF);
        for (LoweredOperator& op : lowering->operators) {
            op.geometry.h = op.geometry.w = op.geometry.cin = std::int64_t{1} << 40;
            op.tiles.kSlice = 0;
            op.cost.usefulMacs = -1;
            op.name = "a \"quoted\", name";
        }
        document->lowering = lowering;
        document->violations.clear();
        Fixture f(document);
        for (int row = 0; row < f.model()->rowCount(); ++row)
            for (int column = 0; column < f.model()->columnCount(); ++column)
                for (const int role :
                     {int(Qt::DisplayRole), int(Qt::ToolTipRole), int(RowModel::SortRole),
                      int(RowModel::PlainRole), int(RecordsModel::ConditionRole)})
                    f.model()->index(row, column).data(role);
        f.view.table()->setCurrentIndex(f.model()->index(0, 0));
        QCOMPARE(f.session.address(), QStringLiteral("record/0"));
        f.view.table()->selectAll();
        QVERIFY(f.view.table()->selectedCsv().contains(QStringLiteral("\"\"quoted\"\"")));
    }

    void emptyAndRefusedDocuments() {
        Session session;
        RecordsView view(session);
        view.resize(600, 300);
        view.show();
        QVERIFY(!view.table()->isVisible());
        session.setDocument(opened("refused"), Session::Keep::Nothing);
        QVERIFY(!view.table()->isVisible());
        QVERIFY(!view.pickOperator(0));
        session.setDocument(m_document, Session::Keep::Nothing);
        QVERIFY(view.table()->isVisible());
    }

    void tenThousandRecordsAreShown() {
        const DocumentPtr document = opened("branches-10000", false);
        QElapsedTimer timer;
        timer.start();
        Fixture f(document);
        f.view.grab();
        QVERIFY(f.model()->rowCount() > 5000);
        f.view.table()->sortByColumn(RecordsModel::Cycles, Qt::DescendingOrder);
        f.session.select(selectRecord(f.model()->rowCount() - 1));
        f.view.grab();
        qInfo("shown, sorted and moved in %lld ms", timer.elapsed());
        QCOMPARE(f.session.place().record, std::optional<std::int64_t>(f.model()->rowCount() - 1));
    }

    void pictures() {
        QDir().mkpath(QStringLiteral(PLUMBLINE_PICTURES));
        const DocumentPtr document = opened("mobilenet");
        for (const Theme theme : {Theme::Light, Theme::Dark}) {
            applyTheme(*qApp, theme);
            Fixture f(document);
            f.session.selectAddress(QStringLiteral("record/5"));
            QApplication::processEvents(); // layouts
            f.view.grab().save(theme == Theme::Light
                                   ? QStringLiteral(PLUMBLINE_PICTURES "/records-light.png")
                                   : QStringLiteral(PLUMBLINE_PICTURES "/records-dark.png"));
        }
        applyTheme(*qApp, Theme::Light);
    }

  private:
    DocumentPtr m_document;
};

QTEST_MAIN(TestRecords)
#include "tst_records.moc"
