// SPDX-License-Identifier: GPL-3.0-or-later
// What editing tells: hints while a value is typed, where it begins, and the marks of what an
// experiment changed.
#include <algorithm>

#include <QAbstractItemModelTester>
#include <QSignalSpy>
#include <QTableView>
#include <QTest>

#include "tests/views/records/editing_fixture.h"
#include "views/records/records_view.h"

using namespace plumbline;
using namespace plumbline::test;

class TestEditingTold : public QObject {
    Q_OBJECT

    using Fixture = EditingFixture;

  private slots:
    void initTestCase() { m_document = opened("every-operator"); }

    void brokenRuleIsSaidWhileTyping() {
        Fixture f(m_document);
        f.session.selectAddress(QStringLiteral("record/0"));
        f.beginEdit(f.field("RESERVED_26"));
        QVERIFY(!f.hint().contains(QStringLiteral("breaks")));
        QTest::keyClicks(f.line(), QStringLiteral("7"));
        QVERIFY(f.hint().contains(QStringLiteral("breaks its rule")));
        QTest::keyClick(f.line(), Qt::Key_Return);
        f.finish();
        QCOMPARE(f.edits, (std::vector<Edit>{FieldEdit{0, rowOf("RESERVED_26"), 7}}));
    }

    void hintBeginsWithWhatTheRuleAllows_data() {
        QTest::addColumn<QString>("field");
        QTest::addColumn<QString>("hint");
        QTest::newRow("narrower") << "K_SLICE"
                                  << "K_SLICE: 1..1024; the bits hold 0..4294967295; ";
        QTest::newRow("one value") << "VERSION"
                                   << "VERSION: 256; the bits hold 0..65535; ";
        QTest::newRow("reserved") << "RESERVED_26"
                                  << "RESERVED_26: 0; the bits hold 0..4294967295; ";
        QTest::newRow("all bits") << "OUTPUT_ZERO"
                                  << "OUTPUT_ZERO: -128..127; decimal";
    }
    void hintBeginsWithWhatTheRuleAllows() {
        QFETCH(QString, field);
        QFETCH(QString, hint);
        Fixture f(m_document);
        f.session.selectAddress(QStringLiteral("record/0"));
        f.beginEdit(f.field(field.toStdString()));
        QVERIFY2(f.hint().startsWith(hint), qPrintable(f.hint()));
    }

    void editingBeginsAtTheFirstFieldOfAWord() {
        Fixture f(m_document);
        f.session.selectAddress(QStringLiteral("record/0")); // no row is selected
        f.view.findChild<QAction*>(QStringLiteral("fieldsEdit"))->trigger();
        QVERIFY(f.line() != nullptr);
        QCOMPARE(f.session.address(), QStringLiteral("record/0/word/0/OPCODE"));
    }

    void whatFollowsFromOthersSaysWhatToChange() {
        Fixture f(m_document);
        QSignalSpy noticed(&f.session, &Session::noticed);
        f.session.selectAddress(QStringLiteral("record/0"));
        f.beginEdit(f.model().index(4, 0, f.field("OUTPUT_BASE")));
        QVERIFY(f.line() == nullptr);
        QCOMPARE(noticed.count(), 1);
        QVERIFY(noticed[0][0].toString().contains(QStringLiteral("relocation")));
        const auto& operators = m_document->lowering->operators;
        const auto without = std::find_if(operators.begin(), operators.end(),
                                          [](const LoweredOperator& op) { return !op.record; });
        QVERIFY(without != operators.end());
        f.session.select(selectOperator(without->index));
        f.view.findChild<QAction*>(QStringLiteral("fieldsEdit"))->trigger();
        QCOMPARE(noticed.count(), 2);
        QCOMPARE(noticed[1][0].toString(), f.view.emptyReason());
    }

    void aLongProblemLeavesTheEditedRowInSight() {
        Fixture f(m_document);
        f.view.resize(340, 220);
        f.session.selectAddress(QStringLiteral("record/0"));
        f.beginEdit(f.field("RESERVED_31"));
        QVERIFY(f.line() != nullptr);
        QApplication::processEvents(); // layouts
        const QRect before = f.line()->geometry();
        QTest::keyClicks(f.line(), QStringLiteral("no number but a long text ").repeated(8));
        QApplication::processEvents(); // layouts
        QVERIFY(f.hint().startsWith(QChar(u'✗')));
        QCOMPARE(f.line()->geometry(), before);
        QVERIFY(f.view.tree()->viewport()->rect().contains(before.center()));
        QCOMPARE(f.view.width(), 340);
    }

    void changesAreMarkedWithWhatWas() {
        const std::int64_t before = valueIn(*m_document, 2, "OUTPUT_ZERO");
        const std::int64_t after = before == 9 ? 8 : 9;
        const auto changed =
            openExperiment(m_document, {FieldEdit{2, rowOf("OUTPUT_ZERO"), after}});
        QVERIFY(changed);
        Fixture f(*changed);
        QAbstractItemModelTester tester(&f.model());
        f.session.selectAddress(QStringLiteral("record/2"));
        const QModelIndex row = f.field("OUTPUT_ZERO");
        QVERIFY(f.model().isChanged(row));
        QCOMPARE(f.text(row, FieldsModel::Value),
                 QStringLiteral("%1 (was %2)").arg(after).arg(before));
        QVERIFY(row.siblingAtColumn(FieldsModel::Value)
                    .data(Qt::ToolTipRole)
                    .toString()
                    .contains(QString::number(before)));
        QVERIFY(f.model().isChanged(row.parent()));
        QCOMPARE(f.text(row.parent(), FieldsModel::Value), QStringLiteral("changed"));
        QVERIFY(!f.model().isChanged(f.field("INPUT_H")));
        QVERIFY(!f.text(f.field("INPUT_H"), FieldsModel::Value).contains(QStringLiteral("was")));
        f.session.selectAddress(QStringLiteral("record/1"));
        for (const FieldSpec& spec : table().fields)
            QVERIFY(!f.model().isChanged(f.field(spec.name)));
    }

    void changedRecordsAreMarked() {
        const LoweredOperator* weighted = nullptr;
        for (const LoweredOperator& op : m_document->lowering->operators)
            if (op.record.value_or(0) > 2 && op.weights)
                weighted = &op;
        QVERIFY(weighted != nullptr);
        const auto byte = static_cast<std::size_t>(weighted->weights->offset);
        const std::vector<Edit> edits{
            FieldEdit{1, rowOf("RESERVED_26"), 1},
            ByteEdit{"weights", byte,
                     static_cast<std::uint8_t>(m_document->lowering->weights[byte] ^ 1U)}};
        const auto changed = openExperiment(m_document, edits);
        QVERIFY(changed);
        Session session;
        RecordsView view(session);
        session.setDocument(*changed, Session::Keep::Nothing);
        view.show();
        const QAbstractItemModel& model = *view.table()->model();
        for (int row = 0; row < model.rowCount(); ++row) {
            const QModelIndex cell = model.index(row, RecordsModel::Index);
            const bool isMarked = cell.data().toString().contains(QChar(u'✎'));
            QCOMPARE(isMarked, row == 1 || row == *weighted->record);
            QCOMPARE(cell.data(RowModel::PlainRole).toString(), QString::number(row));
        }
        QVERIFY(model.index(1, RecordsModel::Index)
                    .data(Qt::ToolTipRole)
                    .toString()
                    .contains(QStringLiteral("RESERVED_26 0 → 1")));
    }

  private:
    DocumentPtr m_document;
};

QTEST_MAIN(TestEditingTold)
#include "tst_editing_told.moc"
