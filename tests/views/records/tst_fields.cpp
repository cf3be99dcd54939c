// SPDX-License-Identifier: GPL-3.0-or-later
// The field tree: structure, rules, pointers, both ways of the selection, copying, pictures.
#include <QAbstractItemModelTester>
#include <QAction>
#include <QApplication>
#include <QClipboard>
#include <QDir>
#include <QLabel>
#include <QSignalSpy>
#include <QTest>
#include <QTreeView>

#include "core/lowering/target.h"
#include "tests/support/sample_package.h"
#include "views/common/palette.h"
#include "views/records/fields_view.h"

using namespace plumbline;

namespace {

DocumentPtr opened(const std::string& sample) {
    OpenRequest request;
    request.sample = sample;
    return *openDocument(request, npuP0Target());
}

const FieldTable& table() { return npuP0Target().fields(); }
std::size_t rowOf(std::string_view name) { return *findField(table(), name); }

/// A copy of `document` with a field of a record's template set.
DocumentPtr withField(const DocumentPtr& document, std::size_t record, std::string_view name,
                      std::int64_t value) {
    auto made = std::make_shared<Document>(*document);
    auto lowering = std::make_shared<Lowering>(*made->lowering);
    setField(lowering->records[record].bytes, table().fields[rowOf(name)], value);
    made->lowering = lowering;
    return made;
}

} // namespace

class TestFields : public QObject {
    Q_OBJECT

    struct Fixture {
        explicit Fixture(const DocumentPtr& document)
            : view(session) {
            session.setDocument(document, Session::Keep::Nothing);
            view.resize(900, 520);
            view.show();
        }
        FieldsModel& model() { return *qobject_cast<FieldsModel*>(view.tree()->model()); }
        QModelIndex field(std::string_view name) {
            const std::size_t row = rowOf(name);
            return model().find(table().fields[row].word, row);
        }
        QString text(const QModelIndex& row, int column) {
            return row.siblingAtColumn(column).data().toString();
        }
        void trigger(const char* action) {
            view.findChild<QAction*>(QLatin1StringView(action))->trigger();
        }
        Session session;
        FieldsView view;
    };

  private slots:
    void initTestCase() { m_document = opened("every-operator"); }

    void model_isATreeOfWordsAndFields() {
        FieldsModel model;
        QAbstractItemModelTester tester(&model);
        model.setRecord(m_document, 0);
        QCOMPARE(model.rowCount(), 32);
        std::size_t shown = 0;
        for (const FieldSpec& spec : table().fields) {
            const QModelIndex at = model.find(spec.word, rowOf(spec.name));
            QVERIFY(at.isValid());
            const auto& item = model.itemAt(at);
            shown += item.field == rowOf(spec.name) ? 1 : 0;
            QCOMPARE(at.siblingAtColumn(FieldsModel::Unit).data().toString().toStdString(),
                     std::string(spec.unit));
        }
        QCOMPARE(shown, table().fields.size());
        for (std::int64_t record = 1; record < std::ssize(m_document->lowering->records); ++record)
            model.setRecord(m_document, record);
        model.setUnusedHidden(true);
        QVERIFY(model.rowCount() < 32);
        model.setRecord(m_document, 2);
        model.setRecord(m_document, {});
        QCOMPARE(model.rowCount(), 0);
    }

    void valuesAreDecoded() {
        Fixture f(m_document);
        f.session.selectAddress(QStringLiteral("record/0"));
        const LoweredOperator& op = m_document->lowering->operators[static_cast<std::size_t>(
            m_document->lowering->records[0].operatorIndex)];
        QCOMPARE(f.text(f.field("INPUT_H"), FieldsModel::Value).toLongLong(),
                 qlonglong(op.geometry.h));
        QCOMPARE(f.text(f.field("OPCODE"), FieldsModel::Value),
                 QStringLiteral("%1 %2").arg(op.opcode).arg(QString::fromStdString(op.opcodeName)));
        QCOMPARE(f.text(f.field("INPUT0_ZERO"), FieldsModel::Value).toLongLong(),
                 qlonglong(op.quantization.inputZeroPoint));
        QCOMPARE(f.text(f.field("INPUT_H"), FieldsModel::Name), QStringLiteral("INPUT_H [15:0]"));
        QVERIFY(f.text(f.field("INPUT_H"), FieldsModel::Rule).startsWith(QChar(u'✓')));
    }

    void addressShowsItsRelocation() {
        Fixture f(m_document);
        for (const Relocation& r : m_document->lowering->relocations) {
            f.session.select(selectRecord(r.record, r.word));
            const QModelIndex word = f.model().find(static_cast<std::size_t>(r.word), {});
            QCOMPARE(f.model().rowCount(word), 5);
            const auto value = [&](int row) {
                return f.text(f.model().index(row, 0, word), FieldsModel::Value);
            };
            QVERIFY(value(1).endsWith(QString::fromStdString(r.region)));
            const auto base = *regionBase(m_document->job->bases, r.region);
            QCOMPARE(value(0).toULongLong(nullptr, 16), qulonglong(r.offset));
            QCOMPARE(value(2).toULongLong(nullptr, 16), qulonglong(r.offset));
            QCOMPARE(value(3).toULongLong(nullptr, 16), qulonglong{base});
            QCOMPARE(value(4).toULongLong(nullptr, 16), qulonglong(base + r.offset));
            for (const int row : {1, 2, 4})
                QVERIFY(f.text(f.model().index(row, 0, word), FieldsModel::Rule)
                            .startsWith(QChar(u'✓')));
        }
    }

    void enterFollowsThePointer_data() {
        QTest::addColumn<QString>("field");
        QTest::addColumn<QString>("region");
        QTest::newRow("weights") << "WEIGHT_BASE"
                                 << "weights";
        QTest::newRow("params") << "PARAM_BASE"
                                << "params";
        QTest::newRow("input") << "INPUT0_BASE"
                               << "arena";
        QTest::newRow("output") << "OUTPUT_BASE"
                                << "arena";
    }
    void enterFollowsThePointer() {
        QFETCH(QString, field);
        QFETCH(QString, region);
        Fixture f(m_document);
        f.session.selectAddress(QStringLiteral("record/0"));
        const QModelIndex row = f.field(field.toStdString());
        f.view.tree()->setFocus();
        f.view.tree()->setCurrentIndex(row);
        QTest::keyClick(f.view.tree(), Qt::Key_Return);
        const auto& span = f.session.place().span;
        QVERIFY(span);
        QCOMPARE(QString::fromStdString(span->region), region);
        const FieldSpec& spec = table().fields[rowOf(field.toStdString())];
        const Bytes& record = m_document->lowering->records[0].bytes;
        QCOMPARE(span->offset, std::uint64_t{rawField(record, spec)});
        QCOMPARE(span->bytes,
                 std::uint64_t{rawField(record, table().fields[rowOf(spec.lengthField)])});
        QCOMPARE(f.session.place().record, std::optional<std::int64_t>(0));
    }

    void selectionGoesBothWays() {
        Fixture f(m_document);
        QVERIFY(f.session.selectAddress(QStringLiteral("record/2/word/12/KERNEL_W")));
        QCOMPARE(f.view.tree()->currentIndex().siblingAtColumn(0), f.field("KERNEL_W"));
        f.view.tree()->setCurrentIndex(f.field("TILE_W"));
        QCOMPARE(f.session.address(), QStringLiteral("record/2/word/14/TILE_W"));
        QTest::keyClick(f.view.tree(), Qt::Key_Down);
        QCOMPARE(f.session.address(), QStringLiteral("record/2/word/14/RESERVED_14"));
        QVERIFY(f.session.selectAddress(QStringLiteral("descriptors/0x98"))); // record 1, word 6
        QCOMPARE(f.view.tree()->currentIndex().siblingAtColumn(0), f.field("INPUT_H"));
        QCOMPARE(f.session.address(), QStringLiteral("descriptors/0x98"));
        QVERIFY(f.session.selectAddress(QStringLiteral("op/0")));
        QVERIFY(!f.view.tree()->selectionModel()->hasSelection());
        QCOMPARE(f.view.shownOperator(), std::optional<std::int64_t>(0));
    }

    void theKeyboardAlwaysHasARow() {
        Fixture f(m_document);
        f.session.selectAddress(QStringLiteral("record/1"));
        f.view.tree()->setFocus(Qt::ShortcutFocusReason);
        const QModelIndex first = f.model().index(0, 0);
        QCOMPARE(f.view.tree()->currentIndex(), first);
        QCOMPARE(f.session.address(), QStringLiteral("record/1")); // focus selects nothing
        QTest::mouseClick(f.view.tree()->viewport(), Qt::LeftButton, {},
                          f.view.tree()->visualRect(first).center());
        QCOMPARE(f.session.address(), QStringLiteral("record/1/word/0"));
        QTest::keyClick(f.view.tree(), Qt::Key_Down);
        QCOMPARE(f.session.place().word, std::optional<std::int64_t>(1));
        f.session.selectAddress(QStringLiteral("record/2"));
        QCOMPARE(f.view.tree()->currentIndex().row(), 1); // the same word of the next record
        QVERIFY(!f.view.tree()->selectionModel()->hasSelection());
        QCOMPARE(f.session.address(), QStringLiteral("record/2"));
    }

    void aNarrowDockShowsTitleAndValues() {
        Fixture f(m_document);
        f.session.selectAddress(QStringLiteral("record/1"));
        f.view.resize(340, 520);
        QApplication::processEvents(); // layouts
        QCOMPARE(f.view.width(), 340);
        auto* const title = f.view.findChild<QLabel*>(QStringLiteral("fieldsTitle"));
        QVERIFY(title->width() > 320); // the buttons are below
        QCOMPARE(title->toolTip(), title->text());
        f.view.tree()->expandAll();
        for (const FieldSpec& spec : table().fields) {
            const QModelIndex value = f.field(spec.name).siblingAtColumn(FieldsModel::Value);
            f.view.tree()->scrollTo(value.siblingAtColumn(0));
            const QRect cell = f.view.tree()->visualRect(value);
            QVERIFY2(f.view.tree()->viewport()->rect().contains(cell), spec.name.data());
        }
        f.view.resize(1200, 520);
        QApplication::processEvents();  // layouts
        QVERIFY(title->width() < 1000); // the buttons are beside it
    }

    void detailRowsStayCurrent() {
        Fixture f(m_document);
        f.session.selectAddress(QStringLiteral("record/0"));
        const QModelIndex word = f.field("OUTPUT_BASE");
        const QModelIndex last = f.model().index(4, 0, word);
        f.view.tree()->setCurrentIndex(last);
        QCOMPARE(f.view.tree()->currentIndex(), last);
        QCOMPARE(f.session.address(), QStringLiteral("record/0/word/4/OUTPUT_BASE"));
    }

    void brokenRulesStandOut() {
        Fixture f(withField(m_document, 0, "RESERVED_26", 7));
        f.session.selectAddress(QStringLiteral("record/0"));
        const QModelIndex row = f.field("RESERVED_26");
        QVERIFY(f.model().isViolated(row));
        QVERIFY(f.text(row, FieldsModel::Rule).startsWith(QChar(u'✗')));
        QVERIFY(row.data(Qt::FontRole).value<QFont>().bold());
        QVERIFY(!f.model().isViolated(f.field("RESERVED_27")));
        f.trigger("fieldsHideUnused");
        QVERIFY(f.field("RESERVED_26").isValid()); // not zero: stays
        QVERIFY(!f.field("RESERVED_27").isValid());
    }

    void validatorMarksItsWord() {
        auto document = std::make_shared<Document>(*m_document);
        document->violations[0] = RecordViolation{FaultCode::Descriptor, 12, "stride is odd"};
        Fixture f(document);
        f.session.selectAddress(QStringLiteral("record/0"));
        const QModelIndex word = f.model().find(12, {});
        QVERIFY(f.model().isViolated(word));
        QVERIFY(f.text(word, FieldsModel::Rule).contains(QStringLiteral("stride is odd")));
        QVERIFY(f.view.findChild<QLabel*>(QStringLiteral("fieldsTitle"))
                    ->text()
                    .contains(QStringLiteral("stride is odd")));
    }

    void relocationThatDoesNotFitIsSaid() {
        Fixture f(withField(m_document, 0, "OUTPUT_BASE", 0x12345));
        f.session.selectAddress(QStringLiteral("record/0"));
        QVERIFY(f.model().isViolated(f.field("OUTPUT_BASE")));
        QVERIFY(f.model().isViolated(f.model().index(2, 0, f.field("OUTPUT_BASE"))));
    }

    void copies() {
        Fixture f(m_document);
        f.session.selectAddress(QStringLiteral("record/0/word/23/ACTIVATION_MIN"));
        const auto copied = [&f](const char* action) {
            f.trigger(action);
            return QGuiApplication::clipboard()->text();
        };
        const Bytes& record = m_document->lowering->records[0].bytes;
        const FieldSpec& spec = table().fields[rowOf("ACTIVATION_MIN")];
        const QString hex = QStringLiteral("0x%1").arg(
            QStringLiteral("%1").arg(rawField(record, spec), 2, 16, QLatin1Char('0')).toUpper());
        QCOMPARE(copied("fieldsCopyDecimal"), QString::number(fieldValue(record, spec)));
        QCOMPARE(copied("fieldsCopyHex"), hex);
        QCOMPARE(copied("fieldsCopyC"), QStringLiteral(".ACTIVATION_MIN = %1u").arg(hex));
        const QString csv = copied("fieldsCopyCsv");
        QCOMPARE(csv.count(QLatin1Char('\n')), static_cast<int>(table().fields.size()) + 1);
        const QString array = copied("fieldsCopyArray");
        QVERIFY(array.startsWith(QStringLiteral("static const uint32_t record_0[32]")));
        QVERIFY(array.contains(
            QStringLiteral("[ 6] = 0x%1u").arg(loadU32(record, 24), 8, 16, QLatin1Char('0'))));
        QCOMPARE(array.count(QStringLiteral("] = 0x")), 32);
        QCOMPARE(copied("fieldsCopyAddress"), QStringLiteral("record/0/word/23/ACTIVATION_MIN"));
    }

    void withoutARecordItSaysWhy() {
        Session session;
        FieldsView view(session);
        view.show();
        QVERIFY(view.emptyReason().contains(QStringLiteral("Open")));
        const DocumentPtr document = opened("ds-cnn");
        session.setDocument(document, Session::Keep::Nothing);
        QVERIFY(view.emptyReason().contains(QStringLiteral("Select")));
        for (const LoweredOperator& op : document->lowering->operators) {
            session.select(selectOperator(op.index));
            QCOMPARE(view.emptyReason().isEmpty(), op.record.has_value());
            if (op.placement == Placement::Alias)
                QVERIFY(view.emptyReason().contains(QStringLiteral("storage")));
            if (op.placement == Placement::CpuSoftmax)
                QVERIFY(view.emptyReason().contains(QStringLiteral("CPU")));
        }
        const DocumentPtr refused = opened("refused");
        session.setDocument(refused, Session::Keep::Nothing);
        int explained = 0;
        for (const LoweredOperator& op : refused->lowering->operators) {
            session.select(selectOperator(op.index));
            QVERIFY(!view.emptyReason().isEmpty());
            explained += view.emptyReason().contains(QStringLiteral("P0-")) ? 1 : 0;
        }
        QVERIFY(explained >= 1);
    }

    void damagedPackage() {
        const test::SamplePackage package;
        for (std::size_t at = 0; at < 256; at += 3)
            package.flip("descriptors.bin", at);
        OpenRequest request;
        request.path = package.path();
        Fixture f(*openDocument(request, npuP0Target()));
        QAbstractItemModelTester tester(&f.model());
        for (std::int64_t record = 0; record < std::ssize(f.session.lowering().records); ++record) {
            QVERIFY(f.session.select(selectRecord(record)));
            f.view.tree()->expandAll();
            f.view.grab();
            for (int row = 0; row < f.model().rowCount(); ++row) {
                f.view.tree()->setCurrentIndex(f.model().index(row, 0));
                f.trigger("fieldsFollow");
                f.session.select(selectRecord(record));
            }
        }
        QVERIFY(f.session.select(selectRecord(0)));
        QVERIFY(f.model().isViolated(f.model().find(0, {})));
    }

    void pictures() {
        QDir().mkpath(QStringLiteral(PLUMBLINE_PICTURES));
        const DocumentPtr document = opened("mobilenet");
        for (const Theme theme : {Theme::Light, Theme::Dark}) {
            applyTheme(*qApp, theme);
            Fixture f(withField(document, 3, "RESERVED_26", 0xBEEF));
            f.session.selectAddress(QStringLiteral("record/3"));
            f.view.tree()->expandToDepth(0);
            f.session.selectAddress(QStringLiteral("record/3/word/6/INPUT_W"));
            QApplication::processEvents(); // layouts
            f.view.grab().save(theme == Theme::Light
                                   ? QStringLiteral(PLUMBLINE_PICTURES "/fields-light.png")
                                   : QStringLiteral(PLUMBLINE_PICTURES "/fields-dark.png"));
        }
        applyTheme(*qApp, Theme::Light);
    }

  private:
    DocumentPtr m_document;
};

QTEST_MAIN(TestFields)
#include "tst_fields.moc"
