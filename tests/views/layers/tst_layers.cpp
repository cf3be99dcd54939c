// SPDX-License-Identifier: GPL-3.0-or-later
// The table of layers: rows against plain loops, the culprit, both ways of the selection, filters,
// documents of all kinds, pictures; and the session's walk over mismatches.
#include <QAbstractItemModelTester>
#include <QAction>
#include <QClipboard>
#include <QLabel>
#include <QSignalSpy>
#include <QTableView>
#include <QTest>

#include "tests/views/layers/layer_documents.h"
#include "views/layers/layers_view.h"

using namespace plumbline;
using plumbline::test::opened;
using plumbline::test::placeText;
using plumbline::test::plainDifference;
using plumbline::test::savePictures;
using plumbline::test::withWrongWeight;

namespace {

/// A session with a view of it, in this order of life.
struct Shown : QWidget {
    explicit Shown(const DocumentPtr& document, const QString& address = {})
        : view(session, this) {
        session.setDocument(document, Session::Keep::Nothing);
        if (!address.isEmpty())
            session.selectAddress(address);
    }
    QAbstractItemModel* model() { return view.table()->model(); }
    QString text(int row, int column) { return model()->index(row, column).data().toString(); }
    QVariant raw(int row, int column, int role) { return model()->index(row, column).data(role); }
    QString summary() { return view.findChild<QLabel*>(QStringLiteral("layersSummary"))->text(); }
    void trigger(const QString& name) { view.findChild<QAction*>(name)->trigger(); }
    void resizeEvent(QResizeEvent* /*event*/) override { view.resize(size()); }

    Session session;
    LayersView view;
};

constexpr std::size_t kWrong = 4; ///< operator with the wrong weight

} // namespace

class TestLayers : public QObject {
    Q_OBJECT

  private slots:
    void initTestCase() {
        m_right = opened("ds-cnn");
        m_wrong = withWrongWeight(m_right, kWrong);
        QVERIFY(m_wrong->verdicts && !m_wrong->verdicts->equal());
    }

    void everyLayerEqualHasARow() {
        Shown f(m_right);
        f.resize(820, 260);
        f.show();
        const auto& layers = m_right->execution->trace.layers;
        QAbstractItemModelTester tester(f.model());
        QCOMPARE(f.model()->rowCount(), static_cast<int>(layers.size()));
        for (int row = 0; row < f.model()->rowCount(); ++row) {
            const TraceLayer& layer = layers[static_cast<std::size_t>(row)];
            QCOMPARE(f.text(row, LayersModel::Operator),
                     QStringLiteral("%1  %2")
                         .arg(layer.operatorIndex)
                         .arg(QString::fromStdString(layer.name)));
            QCOMPARE(f.text(row, LayersModel::Accumulated), QStringLiteral("✓ equal"));
            QCOMPARE(f.text(row, LayersModel::Isolated), QStringLiteral("✓ equal"));
            QVERIFY(f.text(row, LayersModel::Mismatches).startsWith(QStringLiteral("0 of ")));
            QCOMPARE(f.text(row, LayersModel::First), QStringLiteral("–"));
            QCOMPARE(f.raw(row, LayersModel::OursDigest, RowModel::PlainRole).toString(),
                     QString::fromStdString(layer.sha256));
            QCOMPARE(f.text(row, LayersModel::ReferenceLayer),
                     QStringLiteral("reference kernels, by index"));
            QCOMPARE(f.raw(row, LayersModel::ReferenceLayer, Qt::ToolTipRole).toString(),
                     QString::fromStdString(layer.name));
        }
        QCOMPARE(f.summary(),
                 QStringLiteral("All %1 layers equal reference kernels.").arg(layers.size()));
    }

    void numbersAreThoseOfAPlainLoop() {
        Shown f(m_wrong);
        f.show();
        int differing = 0;
        for (int row = 0; row < f.model()->rowCount(); ++row) {
            const TraceLayer& ours =
                m_wrong->execution->trace.layers[static_cast<std::size_t>(row)];
            const TraceLayer& theirs = *m_right->execution->trace.layerOf(ours.operatorIndex);
            const auto plain = plainDifference(ours.bytes, theirs.bytes);
            QCOMPARE(f.raw(row, LayersModel::Mismatches, RowModel::SortRole).toLongLong(),
                     qlonglong{plain.mismatches});
            QCOMPARE(f.text(row, LayersModel::Accumulated), plain.mismatches > 0
                                                                ? QStringLiteral("≠ differs")
                                                                : QStringLiteral("✓ equal"));
            QCOMPARE(f.text(row, LayersModel::Largest), QString::number(plain.largest));
            QCOMPARE(f.text(row, LayersModel::First), plain.mismatches > 0
                                                          ? placeText(plain.first, ours.shape)
                                                          : QStringLiteral("–"));
            differing += plain.mismatches > 0 ? 1 : 0;
        }
        QVERIFY(differing > 1);
        QCOMPARE(f.summary(),
                 QStringLiteral(
                     "%1 of %2 compared layers differ from reference kernels. Culprit: operator "
                     "%3 %4; later differences follow from it.")
                     .arg(differing)
                     .arg(f.model()->rowCount())
                     .arg(kWrong)
                     .arg(QString::fromStdString(m_wrong->lowering->operators[kWrong].name)));
    }

    void theCulpritStandsOut() {
        Shown f(m_wrong);
        f.show();
        for (int row = 0; row < f.model()->rowCount(); ++row) {
            const bool isCulprit =
                m_wrong->execution->trace.layers[static_cast<std::size_t>(row)].operatorIndex ==
                kWrong;
            QCOMPARE(f.text(row, LayersModel::Isolated).contains(QStringLiteral("◆ culprit")),
                     isCulprit);
            QCOMPARE(f.raw(row, LayersModel::Operator, Qt::FontRole).value<QFont>().bold(),
                     isCulprit);
            if (!isCulprit) // its inputs are the reference's, so it is right by itself
                QCOMPARE(f.text(row, LayersModel::Isolated), QStringLiteral("✓ equal"));
        }
        f.view.table()->sortByColumn(LayersModel::Isolated, Qt::AscendingOrder);
        QVERIFY(f.text(0, LayersModel::Isolated).contains(QStringLiteral("◆ culprit")));
        f.trigger(QStringLiteral("layersCulprit"));
        QCOMPARE(f.session.place().operatorIndex, std::optional<std::int64_t>(kWrong));
        QVERIFY(f.session.place().element.has_value());
    }

    void rowsSelectOperatorsAndActivationTheMismatch() {
        Shown f(m_wrong);
        f.show();
        QSignalSpy spy(&f.session, &Session::selectionChanged);
        f.view.table()->setFocus();
        f.view.table()->setCurrentIndex(f.model()->index(0, 0));
        QTest::keyClick(f.view.table(), Qt::Key_Down);
        QCOMPARE(spy.count(), 2);
        QVERIFY(!f.session.place().element);
        QCOMPARE(f.session.place().operatorIndex, f.view.shownOperator());
        QVERIFY(f.view.pickOperator(kWrong));
        const TraceLayer& ours = *m_wrong->execution->trace.layerOf(kWrong);
        const auto plain =
            plainDifference(ours.bytes, m_right->execution->trace.layerOf(kWrong)->bytes);
        QCOMPARE(
            f.session.address(),
            QStringLiteral("op/%1/element/%2").arg(kWrong).arg(placeText(plain.first, ours.shape)));
        QVERIFY(f.view.pickOperator(0)); // equal: the operator alone
        QCOMPARE(f.session.address(), QStringLiteral("op/0"));
        f.session.select(selectOperator(kWrong));
        QTest::keyClick(f.view.table(), Qt::Key_Return);
        QVERIFY(f.session.place().element.has_value());
    }

    void selectionFromElsewhereMovesTheRow() {
        Shown f(m_wrong);
        f.show();
        f.view.table()->sortByColumn(LayersModel::Mismatches, Qt::DescendingOrder);
        for (const LayerVerdict& layer : m_wrong->verdicts->layers) {
            QVERIFY(f.session.select(selectOperator(layer.operatorIndex)));
            QCOMPARE(f.view.shownOperator(), std::optional(layer.operatorIndex));
        }
        QVERIFY(f.session.selectAddress(QStringLiteral("record/2/word/3")));
        QCOMPARE(f.session.address(), QStringLiteral("record/2/word/3")); // not written back
        QCOMPARE(f.view.shownOperator(), f.session.place().operatorIndex);
    }

    void filtersLeaveRowsOut() {
        Shown f(m_wrong);
        f.show();
        const int all = f.model()->rowCount();
        QVERIFY(f.session.setFilter(QStringLiteral("mismatches > 0")));
        QVERIFY(f.model()->rowCount() > 0 && f.model()->rowCount() < all);
        for (int row = 0; row < f.model()->rowCount(); ++row)
            QVERIFY(f.raw(row, LayersModel::Mismatches, RowModel::SortRole).toInt() > 0);
        QVERIFY(f.summary().contains(QStringLiteral("pass the filter")));
        QVERIFY(f.session.setFilter({}));
        QVERIFY(f.view.pickOperator(kWrong));
        for (int column = 0; column < LayersModel::ColumnCount; ++column) {
            const int row = f.view.table()->currentIndex().row();
            f.view.table()->setCurrentIndex(f.model()->index(row, column));
            const QString condition = f.view.table()->currentCondition();
            if (condition.isEmpty())
                continue;
            f.trigger(QStringLiteral("layersFilterBy"));
            QCOMPARE(f.session.filterText(), condition);
            QVERIFY2(f.session.passesFilter(kWrong), qPrintable(condition));
            QVERIFY(f.session.setFilter({}));
        }
    }

    void copiesAsCsv() {
        Shown f(m_wrong);
        f.show();
        f.view.table()->setColumnHidden(LayersModel::Cosine, true);
        f.view.table()->selectAll();
        f.trigger(QStringLiteral("layersCopyCsv"));
        const QStringList lines =
            QGuiApplication::clipboard()->text().split(QLatin1Char('\n'), Qt::SkipEmptyParts);
        QCOMPARE(lines.size(), f.model()->rowCount() + 1);
        QVERIFY(lines[0].startsWith(QStringLiteral("Operator,As run,Alone,Mismatches,First")));
        QVERIFY(!lines[0].contains(QStringLiteral("Cosine")));
        QVERIFY(lines[1].contains(QStringLiteral("\"reference kernels, by index\"")));
    }

    void documentsWithoutVerdicts() {
        Shown f(nullptr);
        f.show();
        auto* const note =
            f.view.findChildren<QLabel*>(QString(), Qt::FindDirectChildrenOnly).first();
        QVERIFY(!f.view.table()->isVisible());
        QVERIFY(note->text().startsWith(QStringLiteral("Open a model")));
        f.session.setDocument(opened("refused"), Session::Keep::Nothing);
        QVERIFY(!f.view.table()->isVisible());
        QVERIFY(!f.view.pickOperator(0));
        auto notCompared = std::make_shared<Document>(*m_right);
        notCompared->verdicts = nullptr;
        notCompared->reference = nullptr;
        f.session.setDocument(notCompared, Session::Keep::Nothing);
        QVERIFY(f.view.table()->isVisible());
        QCOMPARE(f.text(0, LayersModel::Accumulated), QStringLiteral("– not compared"));
        QVERIFY(f.summary().contains(QStringLiteral("Choose a reference")));
        notCompared = std::make_shared<Document>(*notCompared);
        notCompared->execution.reset();
        f.session.setDocument(notCompared, Session::Keep::Nothing);
        QVERIFY(!f.view.table()->isVisible());
        QVERIFY(note->text().contains(QStringLiteral("Choose an input")));
    }

    void aLoneTraceListsItsLayers() {
        auto trace = std::make_shared<Document>();
        trace->kind = DocumentKind::Trace;
        trace->lowering = m_right->lowering;
        auto reference = std::make_shared<Reference>();
        reference->trace = m_right->execution->trace;
        trace->reference = reference;
        Shown f(trace);
        f.show();
        QCOMPARE(f.model()->rowCount(), static_cast<int>(reference->trace.layers.size()));
        QCOMPARE(f.text(0, LayersModel::Isolated), QStringLiteral("– not compared"));
        QCOMPARE(f.raw(0, LayersModel::TheirsDigest, RowModel::PlainRole).toString(),
                 QString::fromStdString(reference->trace.layers[0].sha256));
        QVERIFY(f.text(0, LayersModel::OursDigest) == QStringLiteral("–"));
    }

    void faultsAndDigestsAreSaid() {
        auto document = std::make_shared<Document>(*m_wrong);
        auto verdicts = std::make_shared<Verdicts>(*m_wrong->verdicts);
        Fault fault;
        fault.reason = "a made-up fault";
        LayerVerdict& last = verdicts->layers.back();
        last.fault = verdicts->fault = fault;
        last.accumulated.reset();
        last.ours.clear();
        LayerVerdict& digest = verdicts->layers[0];
        digest.accumulated = TensorComparison{};
        digest.accumulated->equal = false;
        digest.accumulated->note = "the reference holds a digest only";
        digest.isolated = digest.accumulated;
        document->verdicts = verdicts;
        Shown f(document);
        f.show();
        const int row = f.model()->rowCount() - 1;
        QCOMPARE(f.text(row, LayersModel::Accumulated), QStringLiteral("✗ faulted"));
        QCOMPARE(f.raw(row, LayersModel::Accumulated, Qt::ToolTipRole).toString(),
                 QStringLiteral("A made-up fault."));
        QVERIFY(f.summary().startsWith(QStringLiteral("The run ended at operator")));
        QVERIFY(f.summary().contains(QStringLiteral(". A made-up fault. ")));
        QVERIFY(f.summary().endsWith(QStringLiteral("1 more layer is wrong by itself.")));
        QCOMPARE(f.text(0, LayersModel::Accumulated), QStringLiteral("≠ differs"));
        QCOMPARE(f.text(0, LayersModel::Mismatches), QStringLiteral("–"));
        QCOMPARE(f.raw(0, LayersModel::Accumulated, Qt::ToolTipRole).toString(),
                 QStringLiteral("The reference holds a digest only."));
        QVERIFY(f.view.pickOperator(digest.operatorIndex));
        QVERIFY(!f.session.place().element);
        f.view.table()->sortByColumn(LayersModel::Isolated, Qt::AscendingOrder);
        QVERIFY(f.text(0, LayersModel::Isolated).contains(QStringLiteral("◆ culprit")));
    }

    void everythingHasAnAccessibleName() {
        Shown f(m_wrong);
        QVERIFY(!f.view.table()->accessibleName().isEmpty());
        for (int column = 0; column < LayersModel::ColumnCount; ++column)
            QVERIFY(!f.model()->headerData(column, Qt::Horizontal).toString().isEmpty());
    }

    void theSessionStepsThroughMismatches() {
        Session session;
        QSignalSpy noticed(&session, &Session::noticed);
        session.stepMismatch(1);
        QCOMPARE(noticed.count(), 1);
        session.setDocument(m_right, Session::Keep::Nothing);
        session.stepMismatch(1);
        QCOMPARE(noticed.count(), 2);
        QVERIFY(session.selection().empty());
        session.setDocument(m_wrong, Session::Keep::Nothing);
        const TraceLayer& ours = *m_wrong->execution->trace.layerOf(kWrong);
        const Bytes& theirs = m_right->execution->trace.layerOf(kWrong)->bytes;
        for (std::size_t i = 0; i < theirs.size(); ++i) {
            if (ours.bytes[i] == theirs[i])
                continue;
            session.stepMismatch(1);
            QCOMPARE(session.address(),
                     QStringLiteral("op/%1/element/%2")
                         .arg(kWrong)
                         .arg(placeText(static_cast<std::int64_t>(i), ours.shape)));
        }
        session.stepMismatch(1);
        QVERIFY(session.place().operatorIndex > static_cast<std::int64_t>(kWrong));
        session.stepMismatch(-1);
        QCOMPARE(session.place().operatorIndex, std::optional<std::int64_t>(kWrong));
        QCOMPARE(noticed.count(), 2);
        session.selectAddress(QStringLiteral("op/0"));
        session.stepMismatch(-1);
        QCOMPARE(noticed.count(), 3); // went round
    }

    void heatCountsMismatches() {
        for (const LoweredOperator& op : m_wrong->lowering->operators)
            QCOMPARE(heatValue(*m_wrong, op, Heat::Mismatches),
                     m_wrong->mismatchesOf(op.index).value_or(0));
    }

    void pictures() {
        const DocumentPtr wrong = m_wrong;
        savePictures(QStringLiteral("layers"), {820, 260},
                     [wrong] { return std::make_unique<Shown>(wrong, QStringLiteral("op/5")); });
        savePictures(QStringLiteral("layers-narrow"), {400, 500},
                     [wrong] { return std::make_unique<Shown>(wrong); });
        const DocumentPtr mobilenet = opened("mobilenet");
        savePictures(QStringLiteral("layers-equal"), {820, 260},
                     [mobilenet] { return std::make_unique<Shown>(mobilenet); });
        savePictures(QStringLiteral("layers-empty"), {820, 260},
                     [] { return std::make_unique<Shown>(nullptr); });
    }

  private:
    DocumentPtr m_right, m_wrong;
};

QTEST_MAIN(TestLayers)
#include "tst_layers.moc"
