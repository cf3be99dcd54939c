// SPDX-License-Identifier: GPL-3.0-or-later
#include <QAbstractItemModelTester>
#include <QComboBox>
#include <QLineEdit>
#include <QTableView>
#include <QtTest>

#include "core/lowering/target.h"
#include "views/diagnostics/diagnostics_view.h"

namespace plumbline::test {
namespace {

DocumentPtr refused() {
    OpenRequest request;
    request.sample = "refused";
    return *openDocument(request, npuP0Target());
}

} // namespace

class DiagnosticsViewTest : public QObject {
    Q_OBJECT

  private slots:
    void theModelIsSound() {
        DiagnosticsModel model;
        QAbstractItemModelTester tester(&model,
                                        QAbstractItemModelTester::FailureReportingMode::QtTest);
        model.setDocument(refused());
        QVERIFY(model.rowCount() > 1);
        model.setDocument(nullptr);
        QCOMPARE(model.rowCount(), 0);
    }

    void aRowSelectsItsPlace() {
        Session session;
        DiagnosticsView view(session);
        view.resize(900, 300);
        view.show();
        session.setDocument(refused(), Session::Keep::Nothing);
        const Diagnostics& all = session.document()->diagnostics;
        for (std::size_t row = 0; row < all.size(); ++row) {
            if (!all[row].where.operatorIndex)
                continue;
            auto& table = const_cast<QTableView&>(view.table());
            table.setCurrentIndex(table.model()->index(static_cast<int>(row), 0));
            QCOMPARE(session.address(), QStringLiteral("diagnostic/%1").arg(row));
            QCOMPARE(session.place().operatorIndex, all[row].where.operatorIndex);
        }
    }

    void theRowFollowsTheSelection() {
        Session session;
        DiagnosticsView view(session);
        view.show();
        session.setDocument(refused(), Session::Keep::Nothing);
        for (const LoweredOperator& op : session.lowering().operators) {
            if (op.placement != Placement::Refused)
                continue;
            session.select(selectOperator(op.index));
            QCOMPARE(view.shownOperator(), std::optional(op.index));
            QCOMPARE(session.address(), QStringLiteral("op/%1").arg(op.index));
        }
    }

    void searchAndSeverityNarrow() {
        Session session;
        DiagnosticsView view(session);
        view.show();
        session.setDocument(refused(), Session::Keep::Nothing);
        const int all = view.table().model()->rowCount();
        auto* const search = view.findChild<QLineEdit*>();
        search->setText(QStringLiteral("P0-"));
        QVERIFY(view.table().model()->rowCount() > 0);
        search->setText(QStringLiteral("no such words anywhere"));
        QCOMPARE(view.table().model()->rowCount(), 0);
        search->clear();
        view.findChild<QComboBox*>()->setCurrentIndex(2);
        QVERIFY(view.table().model()->rowCount() <= all);
        QVERIFY(view.table().model()->rowCount() > 0);
    }
};

} // namespace plumbline::test

QTEST_MAIN(plumbline::test::DiagnosticsViewTest)
#include "tst_diagnostics_view.moc"
