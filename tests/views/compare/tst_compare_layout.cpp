// SPDX-License-Identifier: GPL-3.0-or-later
// What the comparison shows of its columns, names and titles in the room that it has.
#include <QApplication>
#include <QHeaderView>
#include <QLabel>
#include <QTableView>
#include <QTest>

#include "core/lowering/target.h"
#include "views/compare/compare_view.h"

using namespace plumbline;

namespace {

DocumentPtr opened(const std::string& sample) {
    OpenRequest request;
    request.sample = sample;
    return *openDocument(request, npuP0Target());
}

} // namespace

class TestCompareLayout : public QObject {
    Q_OBJECT

    struct Fixture {
        explicit Fixture(const TestCompareLayout& test)
            : view(session) {
            view.resize(820, 260);
            view.show();
            session.setComparedWith(test.m_first);
            session.setDocument(test.m_second, Session::Keep::Nothing);
            isReady = QTest::qWaitFor([this] { return !view.isBusy(); }, 60'000);
        }
        Session session;
        CompareView view;
        bool isReady = false;
    };

  private slots:
    void initTestCase() {
        m_first = opened("resnet8");
        m_second = opened("mobilenet");
    }

    void narrowDocksShowWhatDiffers() {
        Fixture f(*this);
        QVERIFY(f.isReady);
        QHeaderView& header = *f.view.table()->horizontalHeader();
        const auto endOf = [&header](int column) {
            return header.sectionViewportPosition(column) + header.sectionSize(column);
        };
        for (const int width : {900, 530, 400, 1280}) {
            f.view.resize(width, 300);
            QApplication::processEvents(); // layouts
            const int room = f.view.table()->viewport()->width();
            QVERIFY(room > width / 2);
            for (const int column :
                 {CompareModel::Kind, CompareModel::OperatorColumn, CompareModel::Place,
                  CompareModel::First, CompareModel::Second}) {
                QTRY_VERIFY2(endOf(column) <= room,
                             qPrintable(QStringLiteral("%1 at %2").arg(column).arg(width)));
                QVERIFY(header.sectionSize(column) > 30);
            }
            QVERIFY(endOf(CompareModel::RecordColumn) > endOf(CompareModel::Second));
        }
    }

    void headersAndTitleNameBothDocuments() {
        Fixture f(*this);
        QVERIFY(f.isReady);
        const QAbstractItemModel& model = *f.view.table()->model();
        QCOMPARE(model.headerData(CompareModel::First, Qt::Horizontal).toString(),
                 QStringLiteral("First: resnet8"));
        QCOMPARE(model.headerData(CompareModel::Second, Qt::Horizontal).toString(),
                 QStringLiteral("Second: mobilenet"));
        const QLabel& titles = *f.view.findChild<QLabel*>(QStringLiteral("compareTitles"));
        QCOMPARE(titles.text(), QStringLiteral("resnet8  →  mobilenet"));
        QCOMPARE(titles.toolTip(), titles.text());
    }

  private:
    DocumentPtr m_first, m_second;
};

QTEST_MAIN(TestCompareLayout)
#include "tst_compare_layout.moc"
