// SPDX-License-Identifier: GPL-3.0-or-later
// Changing fields and relocations as an experiment, and the marks of what was changed.
#include <QAbstractItemModelTester>
#include <QAction>
#include <QApplication>
#include <QComboBox>
#include <QDir>
#include <QLabel>
#include <QLineEdit>
#include <QSignalSpy>
#include <QTableView>
#include <QTest>
#include <QTreeView>

#include "core/lowering/target.h"
#include "views/common/palette.h"
#include "views/records/fields_view.h"
#include "views/records/records_view.h"

using namespace plumbline;

namespace {

DocumentPtr opened(const std::string& sample) {
    OpenRequest request;
    request.sample = sample;
    return *openDocument(request, npuP0Target());
}

const FieldTable& table() { return npuP0Target().fields(); }
std::size_t rowOf(std::string_view name) { return *findField(table(), name); }

std::int64_t valueIn(const Document& document, std::size_t record, std::string_view name) {
    return fieldValue(document.lowering->records[record].bytes, table().fields[rowOf(name)]);
}

} // namespace

class TestEditing : public QObject {
    Q_OBJECT

    struct Fixture {
        explicit Fixture(const DocumentPtr& document)
            : view(session) {
            session.setDocument(document, Session::Keep::Nothing);
            view.resize(900, 520);
            view.show();
            connect(&session, &Session::editsRequested, &view,
                    [this](const std::vector<Edit>& made) {
                        edits.insert(edits.end(), made.begin(), made.end());
                    });
        }
        FieldsModel& model() { return *qobject_cast<FieldsModel*>(view.tree()->model()); }
        QModelIndex field(std::string_view name) {
            return model().find(table().fields[rowOf(name)].word, rowOf(name));
        }
        QString text(const QModelIndex& row, int column) {
            return row.siblingAtColumn(column).data().toString();
        }
        QString hint() {
            auto* const label = view.findChild<QLabel*>(QStringLiteral("fieldsHint"));
            return label->isVisibleTo(&view) ? label->text() : QString();
        }
        /// Opens the editor of the row by the keyboard.
        void beginEdit(const QModelIndex& row) {
            view.tree()->setCurrentIndex(row);
            view.findChild<QAction*>(QStringLiteral("fieldsEdit"))->trigger();
        }
        QLineEdit* line() {
            return view.findChild<QLineEdit*>(QStringLiteral("fieldsValueEditor"));
        }
        void finish() { // editors are committed and deleted later
            QApplication::processEvents();
            QApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
        }
        Session session;
        FieldsView view;
        std::vector<Edit> edits;
    };

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
