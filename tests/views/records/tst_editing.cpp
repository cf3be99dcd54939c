// SPDX-License-Identifier: GPL-3.0-or-later
// Changing fields and relocations as an experiment.
#include <QApplication>
#include <QComboBox>
#include <QDir>
#include <QTableView>
#include <QTest>
#include <QTreeView>

#include "tests/views/records/editing_fixture.h"
#include "views/common/palette.h"
#include "views/records/records_view.h"

using namespace plumbline;
using namespace plumbline::test;

class TestEditing : public QObject {
    Q_OBJECT

    using Fixture = EditingFixture;

    /// Types `text` as the value of a field of record 0 and presses Enter.
    void typeValue(Fixture& f, std::string_view name, const QString& text) {
        f.session.selectAddress(QStringLiteral("record/0"));
        f.beginEdit(f.field(name));
        QVERIFY(f.line() != nullptr);
        QTest::keyClicks(f.line(), text);
        QTest::keyClick(f.line(), Qt::Key_Return);
        f.finish();
    }

  private slots:
    void initTestCase() { m_document = opened("every-operator"); }

    void typedValueBecomesTheEdit_data() {
        QTest::addColumn<QString>("field");
        QTest::addColumn<QString>("text");
        QTest::addColumn<qlonglong>("value");
        QTest::newRow("decimal") << "INPUT_H"
                                 << "31" << 31LL;
        QTest::newRow("hexadecimal") << "INPUT_H"
                                     << "0x1f" << 31LL;
        QTest::newRow("blanks") << "INPUT_H"
                                << " 31 " << 31LL;
        QTest::newRow("largest") << "INPUT_H"
                                 << "65535" << 65535LL;
        QTest::newRow("negative") << "OUTPUT_ZERO"
                                  << "-77" << -77LL;
        QTest::newRow("bits of a signed field") << "OUTPUT_ZERO"
                                                << "0xB3" << -77LL;
        QTest::newRow("opcode by number") << "OPCODE"
                                          << "5" << 5LL;
        QTest::newRow("address") << "OUTPUT_BASE"
                                 << "0xFFFFFFFF" << 0xFFFFFFFFLL;
    }
    void typedValueBecomesTheEdit() {
        QFETCH(QString, field);
        QFETCH(QString, text);
        QFETCH(qlonglong, value);
        Fixture f(m_document);
        typeValue(f, field.toStdString(), text);
        QCOMPARE(f.edits, (std::vector<Edit>{FieldEdit{0, rowOf(field.toStdString()), value}}));
        QVERIFY(f.line() == nullptr);
        QVERIFY(f.hint().isEmpty());
    }

    void opcodesHaveNames() {
        for (std::uint32_t opcode = 1; opcode < 32; ++opcode) {
            const QString name = QString::fromUtf8(table().opcodeName(opcode).data());
            if (name.isEmpty() || std::int64_t{opcode} == valueIn(*m_document, 0, "OPCODE"))
                continue;
            Fixture f(m_document);
            typeValue(f, "OPCODE", name.toLower());
            QCOMPARE(f.edits, (std::vector<Edit>{FieldEdit{0, rowOf("OPCODE"), opcode}}));
        }
    }

    void whatIsNoValueIsRefused_data() {
        QTest::addColumn<QString>("field");
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("reason");
        QTest::newRow("word") << "INPUT_H"
                              << "many"
                              << "no number";
        QTest::newRow("too large") << "INPUT_H"
                                   << "65536"
                                   << "0..65535";
        QTest::newRow("negative") << "INPUT_H"
                                  << "-1"
                                  << "0..65535";
        QTest::newRow("too small") << "OUTPUT_ZERO"
                                   << "-129"
                                   << "-128..127";
        QTest::newRow("too many bits") << "OUTPUT_ZERO"
                                       << "0x100"
                                       << "-128..127";
        QTest::newRow("no opcode") << "OPCODE"
                                   << "CONVOLVE"
                                   << "no opcode";
        QTest::newRow("two signs") << "INPUT_H"
                                   << "0x-1"
                                   << "no number";
    }
    void whatIsNoValueIsRefused() {
        QFETCH(QString, field);
        QFETCH(QString, text);
        QFETCH(QString, reason);
        Fixture f(m_document);
        typeValue(f, field.toStdString(), text);
        QVERIFY(f.edits.empty());
        QVERIFY2(f.hint().startsWith(QChar(u'✗')) && f.hint().contains(reason),
                 qPrintable(f.hint()));
        QVERIFY(f.line() != nullptr); // Enter leaves it open
        QTest::keyClick(f.line(), Qt::Key_Escape);
        f.finish();
        QVERIFY(f.line() == nullptr);
        QVERIFY(f.edits.empty());
        QVERIFY(f.hint().isEmpty());
    }

    void doubleClickOpensTheEditorAndLeavingTakesWhatIsValid() {
        Fixture f(m_document);
        QVERIFY(QTest::qWaitForWindowActive(&f.view)); // or nothing has the focus to lose
        f.session.selectAddress(QStringLiteral("record/0"));
        f.view.tree()->expandAll();
        const QModelIndex value = f.field("INPUT_W").siblingAtColumn(FieldsModel::Value);
        f.view.tree()->scrollTo(value);
        const QPoint at = f.view.tree()->visualRect(value).center();
        QTest::mouseClick(f.view.tree()->viewport(), Qt::LeftButton, {}, at);
        QTest::mouseDClick(f.view.tree()->viewport(), Qt::LeftButton, {}, at);
        QVERIFY(f.line() != nullptr);
        QTest::keyClicks(f.line(), QStringLiteral("17"));
        f.view.tree()->setFocus(); // as a click elsewhere
        f.finish();
        QCOMPARE(f.edits, (std::vector<Edit>{FieldEdit{0, rowOf("INPUT_W"), 17}}));
    }

    void escapeAndTheSameValueChangeNothing() {
        Fixture f(m_document);
        typeValue(f, "INPUT_H", QString::number(valueIn(*m_document, 0, "INPUT_H")));
        QVERIFY(f.edits.empty());
        f.beginEdit(f.field("INPUT_H"));
        QTest::keyClicks(f.line(), QStringLiteral("9"));
        QTest::keyClick(f.line(), Qt::Key_Escape);
        f.finish();
        QVERIFY(f.edits.empty());
        QVERIFY(f.line() == nullptr);
    }

    void relocationRegionIsChosen() {
        Fixture f(m_document);
        f.session.selectAddress(QStringLiteral("record/0/word/4/OUTPUT_BASE"));
        const auto& relocations = m_document->lowering->relocations;
        const auto found =
            std::find_if(relocations.begin(), relocations.end(),
                         [](const Relocation& r) { return r.record == 0 && r.word == 4; });
        QVERIFY(found != relocations.end());
        const QModelIndex word = f.field("OUTPUT_BASE");
        f.beginEdit(f.model().index(1, 0, word));
        auto* const list = f.view.findChild<QComboBox*>(QStringLiteral("fieldsRegionEditor"));
        QVERIFY(list != nullptr);
        QCOMPARE(list->currentText(), QStringLiteral("arena"));
        list->setCurrentIndex(list->findText(QStringLiteral("weights")));
        QTest::keyClick(list, Qt::Key_Return);
        f.finish();
        Relocation wanted = *found;
        wanted.region = "weights";
        const std::int64_t index = found - relocations.begin();
        QCOMPARE(f.edits, (std::vector<Edit>{RelocationEdit{index, wanted}}));
    }

    void relocationOffsetIsTyped() {
        Fixture f(m_document);
        f.session.selectAddress(QStringLiteral("record/0/word/4/OUTPUT_BASE"));
        f.beginEdit(f.model().index(2, 0, f.field("OUTPUT_BASE")));
        QTest::keyClicks(f.line(), QStringLiteral("0x12340"));
        QTest::keyClick(f.line(), Qt::Key_Return);
        f.finish();
        QCOMPARE(f.edits.size(), std::size_t{1});
        const auto* const edit = std::get_if<RelocationEdit>(&f.edits[0]);
        QVERIFY(edit != nullptr);
        QCOMPARE(edit->relocation.offset, std::int64_t{0x12340});
        QCOMPARE(edit->relocation.word, std::int64_t{4});
        QCOMPARE(edit->relocation.region, std::string("arena"));
    }

    void onlyValuesOfAJobCanBeEdited() {
        Fixture f(m_document);
        f.session.selectAddress(QStringLiteral("record/0"));
        for (const FieldSpec& spec : table().fields) {
            const QModelIndex row = f.field(spec.name);
            for (int column = 0; column < FieldsModel::ColumnCount; ++column)
                QCOMPARE((f.model().flags(row.siblingAtColumn(column)) & Qt::ItemIsEditable) != 0,
                         column == FieldsModel::Value);
        }
        auto without = std::make_shared<Document>(*m_document);
        without->job.reset();
        f.session.setDocument(without, Session::Keep::Selection);
        QVERIFY(!f.model().isEditable(f.field("INPUT_H")));
        f.view.tree()->setCurrentIndex(f.field("INPUT_H"));
        QVERIFY(!f.view.findChild<QAction*>(QStringLiteral("fieldsEdit"))->isEnabled());
    }

    void pictures() {
        QDir().mkpath(QStringLiteral(PLUMBLINE_PICTURES));
        const auto changed =
            openExperiment(opened("resnet8"), {FieldEdit{3, rowOf("OUTPUT_ZERO"), 9},
                                               FieldEdit{3, rowOf("OUTPUT_BASE"), 0x1240}});
        QVERIFY(changed);
        for (const Theme theme : {Theme::Light, Theme::Dark}) {
            applyTheme(*qApp, theme);
            const QString name =
                theme == Theme::Light ? QStringLiteral("light") : QStringLiteral("dark");
            Fixture f(*changed);
            f.session.selectAddress(QStringLiteral("record/3/word/4/OUTPUT_BASE"));
            f.view.tree()->expandToDepth(0);
            f.view.tree()->scrollTo(f.field("OUTPUT_BASE"), QAbstractItemView::PositionAtTop);
            f.beginEdit(f.model().index(2, 0, f.field("OUTPUT_BASE")));
            QTest::keyClicks(f.line(), QStringLiteral("0x12zz"));
            f.view.grab().save(
                QStringLiteral(PLUMBLINE_PICTURES "/fields-editing-%1.png").arg(name));
            f.view.resize(340, 520);
            QApplication::processEvents(); // layouts
            f.view.grab().save(
                QStringLiteral(PLUMBLINE_PICTURES "/fields-editing-narrow-%1.png").arg(name));
            QTest::keyClick(f.line(), Qt::Key_Escape);
            f.finish();
            f.session.selectAddress(QStringLiteral("record/4"));
            f.view.tree()->setFocus(Qt::ShortcutFocusReason);
            QApplication::processEvents();
            f.view.grab().save(
                QStringLiteral(PLUMBLINE_PICTURES "/fields-narrow-%1.png").arg(name));
            f.view.resize(900, 520);
            f.session.selectAddress(QStringLiteral("record/3/word/22/OUTPUT_ZERO"));
            QApplication::processEvents();
            f.view.grab().save(
                QStringLiteral(PLUMBLINE_PICTURES "/fields-changed-%1.png").arg(name));
            Session session;
            RecordsView records(session);
            session.setDocument(*changed, Session::Keep::Nothing);
            records.resize(1000, 260);
            records.show();
            QApplication::processEvents(); // layouts
            records.grab().save(
                QStringLiteral(PLUMBLINE_PICTURES "/records-changed-%1.png").arg(name));
        }
        applyTheme(*qApp, Theme::Light);
    }

  private:
    DocumentPtr m_document;
};

QTEST_MAIN(TestEditing)
#include "tst_editing.moc"
