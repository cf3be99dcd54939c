// SPDX-License-Identifier: GPL-3.0-or-later
// The list of changes: rows against the comparison, what is hidden and counted, both ways of the
// selection, details of both sides, empty states, pictures.
#include <QAbstractItemModelTester>
#include <QAction>
#include <QApplication>
#include <QClipboard>
#include <QDir>
#include <QLabel>
#include <QLineEdit>
#include <QTableView>
#include <QTest>

#include "core/lowering/target.h"
#include "views/common/palette.h"
#include "views/compare/compare_view.h"

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

/// `document` with everything in the weights region 64 bytes further on.
DocumentPtr withShiftedWeights(const DocumentPtr& document) {
    constexpr std::int64_t kShift = 64;
    auto lowering = std::make_shared<Lowering>(*document->lowering);
    lowering->weights.insert(lowering->weights.begin(), kShift, 0);
    const FieldSpec& base = table().fields[rowOf("WEIGHT_BASE")];
    for (LoweredOperator& op : lowering->operators) {
        if (!op.weights)
            continue;
        op.weights->offset += kShift;
        Bytes& record = lowering->records[static_cast<std::size_t>(*op.record)].bytes;
        setField(record, base, fieldValue(record, base) + kShift);
    }
    for (Relocation& relocation : lowering->relocations)
        relocation.offset += relocation.region == "weights" ? kShift : 0;
    auto made = std::make_shared<Document>(*document);
    made->lowering = lowering;
    return made;
}

std::ptrdiff_t weightedOperators(const Document& document) {
    const auto& operators = document.lowering->operators;
    return std::count_if(operators.begin(), operators.end(),
                         [](const LoweredOperator& op) { return op.weights.has_value(); });
}

} // namespace

class TestCompare : public QObject {
    Q_OBJECT

    struct Fixture {
        Fixture()
            : view(session) {
            view.resize(820, 260);
            view.show();
        }
        void show(const DocumentPtr& document, const DocumentPtr& first = nullptr) {
            session.setComparedWith(first);
            session.setDocument(document, Session::Keep::Nothing);
            QTRY_VERIFY(!view.isBusy());
        }
        int rows() const { return view.table()->model()->rowCount(); }
        QString text(int row, int column) const {
            return view.table()->model()->index(row, column).data().toString();
        }
        /// The first row of a kind; -1 for none.
        int rowOfKind(const QString& kind) const {
            for (int row = 0; row < rows(); ++row)
                if (text(row, CompareModel::Kind) == kind)
                    return row;
            return -1;
        }
        void choose(int row) {
            view.table()->setCurrentIndex(view.table()->model()->index(row, 0));
        }
        template <class T> T* part(const char* name) {
            return view.findChild<T*>(QLatin1StringView(name));
        }
        Session session;
        CompareView view;
    };

  private slots:
    void initTestCase() {
        m_document = opened("resnet8");
        m_byte = static_cast<std::size_t>(m_document->lowering->operators[2].weights->offset);
        m_before = m_document->lowering->weights[m_byte];
        const auto changed = openExperiment(
            m_document, {FieldEdit{3, rowOf("OUTPUT_ZERO"), kZero},
                         ByteEdit{"weights", m_byte, static_cast<std::uint8_t>(m_before ^ 0x41U)}});
        QVERIFY(changed);
        m_changed = *changed;
    }

    void experimentIsComparedWithItsOriginal() {
        Fixture f;
        QAbstractItemModelTester tester(f.view.table()->model());
        f.show(m_changed);
        QVERIFY(f.view.emptyReason().isEmpty());
        QCOMPARE(f.rows(), 2);
        const int field = f.rowOfKind(QStringLiteral("field"));
        QVERIFY(field >= 0);
        QCOMPARE(f.text(field, CompareModel::OperatorColumn), QStringLiteral("3  ADD"));
        QCOMPARE(f.text(field, CompareModel::RecordColumn), QStringLiteral("3"));
        QCOMPARE(f.text(field, CompareModel::Place), QStringLiteral("word 22 OUTPUT_ZERO"));
        QCOMPARE(f.text(field, CompareModel::First),
                 QString::number(valueIn(*m_document, 3, "OUTPUT_ZERO")));
        QCOMPARE(f.text(field, CompareModel::Second), QString::number(kZero));
        QVERIFY(!f.text(field, CompareModel::Consequence).isEmpty());
        QVERIFY(f.rowOfKind(QStringLiteral("weights")) >= 0);
    }

    void rowsAreThoseOfTheDiff() {
        const DocumentPtr other = opened("mobilenet");
        const LoweringDiff diff = diffLowerings(*m_document->lowering, *other->lowering);
        QVERIFY(diff.changes.size() > 50);
        Fixture f;
        QAbstractItemModelTester tester(f.view.table()->model());
        f.show(other, m_document);
        QCOMPARE(f.rows(), static_cast<int>(diff.changes.size()));
        for (int row = 0; row < f.rows(); ++row) {
            const LoweringChange& change = diff.changes[static_cast<std::size_t>(row)];
            QCOMPARE(f.text(row, CompareModel::Kind).toStdString(),
                     std::string(changeKindName(change.kind)));
            QCOMPARE(f.text(row, CompareModel::First).toStdString(), change.first);
            QCOMPARE(f.text(row, CompareModel::Second).toStdString(), change.second);
            QVERIFY(f.text(row, CompareModel::Place).contains(QString::fromStdString(change.key)));
        }
        QVERIFY(f.view.summary().startsWith(QStringLiteral("%1 changes").arg(diff.changes.size())));
        // Every row can be chosen and has its details.
        for (int row = 0; row < f.rows(); ++row) {
            f.choose(row);
            QVERIFY(f.view.detailsText().contains(QStringLiteral("First")));
        }
    }

    void sortsNumbersAsNumbers() {
        Fixture f;
        f.show(opened("mobilenet"), m_document);
        f.view.table()->sortByColumn(CompareModel::OperatorColumn, Qt::DescendingOrder);
        std::int64_t last = std::numeric_limits<std::int64_t>::max();
        const auto& proxy = *qobject_cast<CompareProxy*>(f.view.table()->model());
        const auto& model = *qobject_cast<CompareModel*>(proxy.sourceModel());
        for (int row = 0; row < f.rows(); ++row) {
            const LoweringChange& change =
                model.change(proxy.mapToSource(proxy.index(row, 0)).row());
            const std::int64_t index =
                change.secondOperator.value_or(change.firstOperator.value_or(-1));
            QVERIFY(index <= last);
            last = index;
        }
    }

    void changeSelectsItsPlace() {
        Fixture f;
        f.show(m_changed);
        f.choose(f.rowOfKind(QStringLiteral("field")));
        QCOMPARE(f.session.address(), QStringLiteral("op/3/word/22/OUTPUT_ZERO"));
        QCOMPARE(f.view.shownOperator(), std::optional<std::int64_t>(3));
        f.choose(f.rowOfKind(QStringLiteral("weights")));
        const auto& span = f.session.place().span;
        QVERIFY(span);
        QCOMPARE(span->region, std::string("weights"));
        QCOMPARE(span->offset, std::uint64_t{m_byte});
    }

    void selectionChoosesItsChange() {
        Fixture f;
        f.show(m_changed);
        const int field = f.rowOfKind(QStringLiteral("field"));
        for (const char* address : {"record/3/word/22/OUTPUT_ZERO", "record/3", "op/3"}) {
            QVERIFY(f.session.selectAddress(QStringLiteral("op/7")));
            QVERIFY(!f.view.table()->currentIndex().isValid());
            QVERIFY(f.session.selectAddress(QLatin1StringView(address)));
            QCOMPARE(f.view.table()->currentIndex().row(), field);
            QCOMPARE(f.session.address(), QLatin1StringView(address)); // following does not select
        }
        QVERIFY(f.view.pickOperator(2));
        QCOMPARE(f.view.shownOperator(), std::optional<std::int64_t>(2));
        QVERIFY(!f.view.pickOperator(7));
    }

    void operatorOfTheFirstAloneStaysUntilSomethingElseIsSelected() {
        Fixture f;
        f.show(opened("mobilenet"), m_document);
        QVERIFY(f.session.selectAddress(QStringLiteral("op/5")));
        const int lonely = f.rowOfKind(QStringLiteral("only in first"));
        QVERIFY(lonely >= 0);
        f.choose(lonely);
        QCOMPARE(f.session.address(), QStringLiteral("op/5")); // it has no place in the second
        QCOMPARE(f.view.table()->currentIndex().row(), lonely);
        QCOMPARE(f.view.shownOperator(), std::optional<std::int64_t>());
        QVERIFY(f.view.detailsText().contains(QStringLiteral("(missing)")));
        QVERIFY(f.session.selectAddress(QStringLiteral("op/0")));
        QCOMPARE(f.view.shownOperator(), std::optional<std::int64_t>(0));
    }

    void refusedModelsAreComparedAsFarAsTheyGo() {
        const DocumentPtr refused = opened("refused");
        const LoweringDiff diff = diffLowerings(*m_document->lowering, *refused->lowering);
        QVERIFY(!diff.equal());
        Fixture f;
        f.show(refused, m_document);
        QCOMPARE(f.rows(), static_cast<int>(diff.changes.size()));
        for (int row = 0; row < f.rows(); ++row)
            f.choose(row);
        f.show(m_document, refused);
        QVERIFY(f.view.emptyReason().isEmpty());
        for (int row = 0; row < f.rows(); ++row)
            f.choose(row);
        QVERIFY(!f.view.detailsText().isEmpty());
    }

    void keyboardWalksTheChanges() {
        Fixture f;
        f.show(m_changed);
        f.choose(0);
        const QString before = f.session.address();
        QTest::keyClick(f.view.table(), Qt::Key_Down);
        QCOMPARE(f.view.table()->currentIndex().row(), 1);
        QVERIFY(f.session.address() != before);
    }

    void detailsAreOfTheChosenChange() {
        Fixture f;
        f.show(m_changed);
        f.choose(f.rowOfKind(QStringLiteral("field")));
        QVERIFY(f.view.detailsText().contains(QStringLiteral("OUTPUT_ZERO")));
        f.choose(f.rowOfKind(QStringLiteral("weights")));
        QVERIFY(!f.view.detailsText().contains(QStringLiteral("OUTPUT_ZERO")));
        QVERIFY(f.view.detailsText().contains(QStringLiteral("[lane ")));
    }

    void addressShiftsCanBeHidden() {
        Fixture f;
        const auto shifted = weightedOperators(*m_document);
        f.show(withShiftedWeights(m_document), m_document);
        const int all = f.rows();
        QVERIFY(all > shifted);
        f.view.setShiftsHidden(true);
        QCOMPARE(f.rows(), all - static_cast<int>(shifted));
        QVERIFY2(f.view.summary().contains(QStringLiteral("%1 address shifts hidden").arg(shifted)),
                 qPrintable(f.view.summary()));
        f.view.setShiftsHidden(false);
        QCOMPARE(f.rows(), all);
        QVERIFY(!f.view.summary().contains(QStringLiteral("hidden")));
    }

    void filterAndSearchHideAndCount() {
        Fixture f;
        f.show(m_changed);
        QVERIFY(f.session.setFilter(QStringLiteral("opcode == CONV2D")));
        QCOMPARE(f.rows(), 1);
        QCOMPARE(f.text(0, CompareModel::Kind), QStringLiteral("weights"));
        QVERIFY(f.view.summary().contains(QStringLiteral("1 hidden by the filter")));
        QVERIFY(f.session.setFilter({}));
        f.part<QLineEdit>("compareSearch")->setText(QStringLiteral("output_zero"));
        QCOMPARE(f.rows(), 1);
        QCOMPARE(f.text(0, CompareModel::Kind), QStringLiteral("field"));
        QVERIFY(f.view.summary().contains(QStringLiteral("1 without the text")));
    }

    void summaryTellsPeakAndCycles() {
        const DocumentPtr other = opened("mobilenet");
        Fixture f;
        f.show(other, m_document);
        const auto grouped = [](qulonglong value) {
            QString text = QString::number(value);
            for (qsizetype at = text.size() - 3; at > 0; at -= 3)
                text.insert(at, QLatin1Char(','));
            return text;
        };
        QVERIFY(f.view.summary().contains(QStringLiteral("peak %1 → %2 B")
                                              .arg(grouped(m_document->lowering->arena.peakBytes),
                                                   grouped(other->lowering->arena.peakBytes))));
        QVERIFY(f.view.summary().contains(QStringLiteral("cycles ")));
    }

    void copies() {
        Fixture f;
        f.show(m_changed);
        f.choose(f.rowOfKind(QStringLiteral("field")));
        f.part<QAction>("compareCopyCsv")->trigger();
        QString csv = QGuiApplication::clipboard()->text();
        QCOMPARE(csv.count(QLatin1Char('\n')), 2);
        QVERIFY(csv.startsWith(QStringLiteral(
            "Kind,Operator,Record,Place,First: resnet8,Second: resnet8 with 2 edits,")));
        QVERIFY(csv.contains(QStringLiteral("field,3  ADD,3,word 22 OUTPUT_ZERO,")));
        f.part<QAction>("compareCopyAllCsv")->trigger();
        csv = QGuiApplication::clipboard()->text();
        QCOMPARE(csv.count(QLatin1Char('\n')), 3);
        f.part<QAction>("compareCopyFirst")->trigger();
        QCOMPARE(QGuiApplication::clipboard()->text(), QStringLiteral("op/3/word/22/OUTPUT_ZERO"));
    }

    void emptyStatesSayWhatToDo() {
        Fixture f;
        QVERIFY(f.view.emptyReason().contains(QStringLiteral("Open")));
        f.show(m_document);
        QVERIFY(f.view.emptyReason().contains(QStringLiteral("Compare > With a File…")));
        f.session.setComparedWith(m_document);
        QTRY_VERIFY(!f.view.isBusy());
        QVERIFY(f.view.emptyReason().startsWith(QStringLiteral("No difference")));
        f.session.setComparedWith(opened("mobilenet"));
        QTRY_VERIFY(!f.view.isBusy());
        QVERIFY(f.view.emptyReason().isEmpty());
        f.session.setComparedWith(nullptr);
        QVERIFY(f.view.emptyReason().contains(QStringLiteral("Compare > With a File…")));
        QCOMPARE(f.rows(), 0);
    }

    void newestComparisonWins() {
        Fixture f;
        const DocumentPtr other = opened("mobilenet");
        f.session.setDocument(other, Session::Keep::Nothing);
        f.session.setComparedWith(m_document);
        f.session.setComparedWith(other);
        QTRY_VERIFY(!f.view.isBusy());
        QVERIFY(f.view.emptyReason().startsWith(QStringLiteral("No difference")));
        QTest::qWait(50); // a late result of the first would come now
        QVERIFY(f.view.emptyReason().startsWith(QStringLiteral("No difference")));
    }

    void pictures_data() {
        QTest::addColumn<bool>("dark");
        QTest::newRow("light") << false;
        QTest::newRow("dark") << true;
    }
    void pictures() {
        QFETCH(bool, dark);
        applyTheme(*qApp, dark ? Theme::Dark : Theme::Light);
        QDir().mkpath(QStringLiteral(PLUMBLINE_PICTURES));
        const auto save = [&](Fixture& f, const char* name) {
            QApplication::processEvents(); // layouts
            f.view.grab().save(
                QStringLiteral(PLUMBLINE_PICTURES "/compare-%1-%2.png")
                    .arg(QLatin1StringView(name), QLatin1StringView(QTest::currentDataTag())));
        };
        Fixture f;
        f.show(m_document);
        save(f, "empty");
        f.session.setComparedWith(m_document);
        QTRY_VERIFY(!f.view.isBusy());
        save(f, "equal");
        f.show(m_changed);
        f.choose(f.rowOfKind(QStringLiteral("field")));
        save(f, "field");
        f.choose(f.rowOfKind(QStringLiteral("weights")));
        save(f, "weights");
        Fixture large;
        large.view.resize(1280, 500);
        large.show(opened("mobilenet"), m_document);
        large.choose(large.rowOfKind(QStringLiteral("allocation")));
        save(large, "samples");
        applyTheme(*qApp, Theme::Light);
    }

  private:
    static constexpr std::int64_t kZero = 9;
    DocumentPtr m_document;
    DocumentPtr m_changed; ///< one field and one byte of weights are others
    std::size_t m_byte = 0;
    std::uint8_t m_before = 0;
};

QTEST_MAIN(TestCompare)
#include "tst_compare.moc"
