// SPDX-License-Identifier: GPL-3.0-or-later
// The session: selection, history, records, heat; and the base of all views.
#include <QSignalSpy>
#include <QtTest>

#include "core/lowering/target.h"
#include "views/common/view.h"

namespace plumbline::test {
namespace {

DocumentPtr sample(const char* name, bool simulate = false) {
    OpenRequest request;
    request.sample = name;
    request.simulate = simulate;
    return *openDocument(request, npuP0Target());
}

/// Counts what it was asked to show.
class CountingView : public View {
  public:
    explicit CountingView(Session& session)
        : View(session, QStringLiteral("count"), QStringLiteral("Count")) {}
    std::optional<std::int64_t> shownOperator() const override {
        return session().place().operatorIndex;
    }
    bool pickOperator(std::int64_t index) override {
        return session().select(selectOperator(index));
    }
    int documents = 0, selections = 0, filters = 0, heats = 0;

  protected:
    void showDocument() override { ++documents; }
    void showSelection() override { ++selections; }
    void showFilter() override { ++filters; }
    void showHeat() override { ++heats; }
};

} // namespace

class SessionTest : public QObject {
    Q_OBJECT

  private slots:
    void anEmptySessionIsSafe() {
        Session session;
        QVERIFY(session.document() != nullptr);
        QVERIFY(!session.selectAddress(QStringLiteral("op/0")));
        session.stepRecord(1);
        session.goBack();
        QVERIFY(session.selection().empty());
    }

    void oneSignalPerChange() {
        Session session;
        session.setDocument(sample("ds-cnn"), Session::Keep::Nothing);
        QSignalSpy changed(&session, &Session::selectionChanged);
        QVERIFY(session.select(selectOperator(3)));
        QVERIFY(session.select(selectOperator(3)));
        QCOMPARE(changed.count(), 1);
        QSignalSpy refused(&session, &Session::refused);
        QVERIFY(!session.selectAddress(QStringLiteral("op/999")));
        QVERIFY(!session.selectAddress(QStringLiteral("nonsense")));
        QCOMPARE(refused.count(), 2);
        QCOMPARE(session.address(), QStringLiteral("op/3"));
    }

    void historyWalksBothWaysAndBranches() {
        Session session;
        session.setDocument(sample("ds-cnn"), Session::Keep::Nothing);
        for (const int index : {1, 2, 3})
            session.select(selectOperator(index));
        session.goBack();
        session.goBack();
        QCOMPARE(session.address(), QStringLiteral("op/1"));
        QVERIFY(!session.canGoBack());
        session.goForward();
        QCOMPARE(session.address(), QStringLiteral("op/2"));
        session.select(selectOperator(5));
        QVERIFY(!session.canGoForward());
        session.goBack();
        QCOMPARE(session.address(), QStringLiteral("op/2"));
    }

    void recordsAreSteppedThrough() {
        Session session;
        session.setDocument(sample("ds-cnn"), Session::Keep::Nothing);
        const auto last = static_cast<std::int64_t>(session.lowering().records.size()) - 1;
        session.stepRecord(1);
        QCOMPARE(session.place().record, std::optional<std::int64_t>(0));
        session.stepRecord(1);
        QCOMPARE(session.place().record, std::optional<std::int64_t>(1));
        session.stepRecord(-1);
        session.stepRecord(-1);
        QCOMPARE(session.place().record, std::optional<std::int64_t>(0));
        for (const LoweredOperator& op : session.lowering().operators) {
            if (op.record)
                continue;
            session.select(selectOperator(op.index));
            session.stepRecord(-1);
            QVERIFY(session.place().operatorIndex < op.index);
        }
        session.select(selectRecord(last));
        session.stepRecord(1);
        QCOMPARE(session.place().record, std::optional<std::int64_t>(last));
    }

    void aReloadKeepsTheSelectionThatStillExists() {
        Session session;
        session.setDocument(sample("mobilenet"), Session::Keep::Nothing);
        session.select(selectOperator(25));
        session.setDocument(sample("mobilenet"), Session::Keep::Selection);
        QCOMPARE(session.address(), QStringLiteral("op/25"));
        session.setDocument(sample("autoencoder"), Session::Keep::Selection);
        QVERIFY(session.selection().empty());
    }

    void filtersPassAndFail() {
        Session session;
        session.setDocument(sample("ds-cnn"), Session::Keep::Nothing);
        const std::size_t all = session.passingCount();
        QSignalSpy changed(&session, &Session::filterChanged);
        QVERIFY(session.setFilter(QStringLiteral("opcode == CONV2D")));
        QVERIFY(session.passingCount() < all);
        QVERIFY(session.passingCount() > 0);
        QString problem;
        QVERIFY(!session.setFilter(QStringLiteral("opcode ==="), &problem));
        QVERIFY(!problem.isEmpty());
        QCOMPARE(session.filterText(), QStringLiteral("opcode == CONV2D"));
        QCOMPARE(changed.count(), 1);
        session.setDocument(sample("resnet8"), Session::Keep::Selection);
        QVERIFY(session.passingCount() < session.lowering().operators.size());
        QVERIFY(session.setFilter(QString()));
        QCOMPARE(session.passingCount(), session.lowering().operators.size());
    }

    void aHiddenViewCatchesUpOnce() {
        Session session;
        CountingView view(session);
        session.setDocument(sample("ds-cnn"), Session::Keep::Nothing);
        session.select(selectOperator(1));
        session.select(selectOperator(2));
        session.setHeat(Heat::Cycles);
        QCOMPARE(view.documents + view.selections + view.heats, 0);
        view.show();
        QCOMPARE(view.documents, 1);
        QCOMPARE(view.selections, 1);
        QCOMPARE(view.heats, 1);
        session.select(selectOperator(3));
        QCOMPARE(view.selections, 2);
        QCOMPARE(view.documents, 1);
    }
};

} // namespace plumbline::test

QTEST_MAIN(plumbline::test::SessionTest)
#include "tst_session.moc"
