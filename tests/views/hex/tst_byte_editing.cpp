// SPDX-License-Identifier: GPL-3.0-or-later
// Typing over bytes as an experiment, and the marks of bytes that were changed.
#include <QAction>
#include <QApplication>
#include <QDir>
#include <QLabel>
#include <QTest>

#include "core/lowering/target.h"
#include "views/common/palette.h"
#include "views/hex/bytes_view.h"
#include "views/hex/hex_area.h"

using namespace plumbline;

namespace {

DocumentPtr opened(const std::string& sample) {
    OpenRequest request;
    request.sample = sample;
    return *openDocument(request, npuP0Target());
}

} // namespace

class TestByteEditing : public QObject {
    Q_OBJECT

    struct Fixture {
        explicit Fixture(const DocumentPtr& document)
            : view(session) {
            session.setDocument(document, Session::Keep::Nothing);
            view.resize(760, 300);
            view.show();
            connect(&session, &Session::editsRequested, &view,
                    [this](const std::vector<Edit>& made) {
                        edits.insert(edits.end(), made.begin(), made.end());
                    });
        }
        QString status() const {
            return view.findChild<QLabel*>(QStringLiteral("bytesStatus"))->text();
        }
        void toggle() { view.findChild<QAction*>(QStringLiteral("bytesEdit"))->trigger(); }
        Session session;
        BytesView view;
        std::vector<Edit> edits;
    };

  private slots:
    void initTestCase() { m_document = opened("every-operator"); }

    void typedBytesBecomeEdits_data() {
        QTest::addColumn<QString>("region");
        QTest::newRow("weights") << "weights";
        QTest::newRow("params") << "params";
        QTest::newRow("descriptors") << "descriptors";
    }
    void typedBytesBecomeEdits() {
        QFETCH(QString, region);
        Fixture f(m_document);
        QVERIFY(f.session.selectAddress(region + QStringLiteral("/0x11")));
        f.toggle();
        QVERIFY(f.view.isEditing());
        const Bytes& bytes = region == QLatin1StringView("weights")  ? m_document->job->weights
                             : region == QLatin1StringView("params") ? m_document->job->params
                                                                     : m_document->job->descriptors;
        const auto other = static_cast<std::uint8_t>(bytes[0x11] ^ 0xFFU);
        const QString digits = QStringLiteral("%1").arg(other, 2, 16, QLatin1Char('0'));
        const QString same = QStringLiteral("%1").arg(bytes[0x12], 2, 16, QLatin1Char('0'));
        QTest::keyClicks(f.view.hexArea(), digits + same);
        QCOMPARE(f.edits, (std::vector<Edit>{ByteEdit{region.toStdString(), 0x11, other}}));
        QCOMPARE(f.view.hexArea()->selection(), (HexRun{0x13, 1}));
        QCOMPARE(f.session.address(), region + QStringLiteral("/0x13"));
    }

    void relocatedRecordsAreEditedAsTemplates() {
        Fixture f(m_document);
        QCOMPARE(f.view.region(), ByteRegion::Descriptors);
        f.toggle();
        QCOMPARE(f.view.region(), ByteRegion::Templates);
        QVERIFY(f.view.editProblem().isEmpty());
    }

    void elsewhereItSaysWhy() {
        Fixture f(m_document);
        const auto* const command = f.view.findChild<QAction*>(QStringLiteral("bytesEdit"));
        QVERIFY(command->isEnabled());
        f.toggle();
        f.view.setRegion(ByteRegion::Arena);
        QVERIFY(f.session.selectAddress(QStringLiteral("arena/0x10")));
        QVERIFY(!command->isEnabled());
        QVERIFY(!f.view.isEditing());
        QVERIFY(command->toolTip().contains(QStringLiteral("Only weights")));
        QTest::keyClicks(f.view.hexArea(), QStringLiteral("12"));
        QVERIFY(f.edits.empty());
        f.view.setRegion(ByteRegion::File);
        QVERIFY(!command->isEnabled());
        f.view.setRegion(ByteRegion::Weights);
        QVERIFY(command->isEnabled());
        QVERIFY(f.session.selectAddress(QStringLiteral("weights/0x10")));
        QTest::keyClicks(f.view.hexArea(), QStringLiteral("12"));
        QVERIFY(f.edits.empty()); // not editing any more
        auto without = std::make_shared<Document>(*m_document);
        without->job.reset();
        f.session.setDocument(without, Session::Keep::Nothing);
        QVERIFY(!command->isEnabled());
        QVERIFY(command->toolTip().contains(QStringLiteral("no job")));
        f.session.setDocument(opened("refused"), Session::Keep::Nothing);
        QVERIFY(!command->isEnabled());
    }

    void escapeEndsIt() {
        Fixture f(m_document);
        QVERIFY(f.session.selectAddress(QStringLiteral("weights/0x10")));
        f.toggle();
        QTest::keyClicks(f.view.hexArea(), QStringLiteral("1"));
        QTest::keyClick(f.view.hexArea(), Qt::Key_Escape); // takes the digit back
        QVERIFY(f.view.isEditing());
        QTest::keyClick(f.view.hexArea(), Qt::Key_Escape);
        QVERIFY(!f.view.isEditing());
        QTest::keyClicks(f.view.hexArea(), QStringLiteral("12"));
        QVERIFY(f.edits.empty());
    }

    void aSelectedRecordIsShownToBeTypedOver() {
        Fixture f(m_document);
        f.view.setRegion(ByteRegion::Weights);
        f.toggle();
        QVERIFY(f.session.selectAddress(QStringLiteral("record/1/word/6/INPUT_H")));
        QCOMPARE(f.view.region(), ByteRegion::Templates);
        QVERIFY(f.view.isEditing());
    }

    void changedBytesAreMarked() {
        const std::uint8_t before = m_document->lowering->weights[0x20];
        const auto changed = openExperiment(
            m_document, {ByteEdit{"weights", 0x20, static_cast<std::uint8_t>(before ^ 1U)}});
        QVERIFY(changed);
        Fixture f(*changed);
        QVERIFY(f.session.selectAddress(QStringLiteral("weights/0x20")));
        const QString was =
            QStringLiteral("was 0x%1")
                .arg(QStringLiteral("%1").arg(before, 2, 16, QLatin1Char('0')).toUpper());
        QVERIFY2(f.status().contains(was), qPrintable(f.status()));
        QVERIFY(f.session.selectAddress(QStringLiteral("weights/0x21")));
        QVERIFY(!f.status().contains(QStringLiteral("was")));
        QVERIFY(f.session.selectAddress(QStringLiteral("weights/0x20+4")));
        QVERIFY(f.status().contains(QStringLiteral("changed by the experiment: 1")));
    }

    void anExperimentThatArrivesKeepsTheCursor() {
        Fixture f(m_document);
        QVERIFY(f.session.selectAddress(QStringLiteral("weights/0x30")));
        f.toggle();
        const auto other = static_cast<unsigned>(m_document->lowering->weights[0x30] ^ 0xFFU);
        QTest::keyClicks(f.view.hexArea(),
                         QStringLiteral("%1").arg(other, 2, 16, QLatin1Char('0')));
        QTest::keyClicks(f.view.hexArea(), QStringLiteral("e")); // half of the next byte
        const auto changed = openExperiment(m_document, f.edits);
        QVERIFY(changed);
        f.session.setDocument(*changed, Session::Keep::Selection);
        QCOMPARE(f.view.hexArea()->selection(), (HexRun{0x31, 1}));
        QTest::keyClicks(f.view.hexArea(), QStringLiteral("d"));
        QCOMPARE(f.edits.size(), std::size_t{2});
        QCOMPARE(std::get<ByteEdit>(f.edits[1]), (ByteEdit{"weights", 0x31, 0xED}));
    }

    void pictures() {
        QDir().mkpath(QStringLiteral(PLUMBLINE_PICTURES));
        const auto byte = static_cast<std::uint8_t>(m_document->lowering->weights[0x23] ^ 0x55U);
        const auto changed = openExperiment(
            m_document, {ByteEdit{"weights", 0x23, byte}, ByteEdit{"weights", 0x24, 0}});
        QVERIFY(changed);
        for (const Theme theme : {Theme::Light, Theme::Dark}) {
            applyTheme(*qApp, theme);
            Fixture f(*changed);
            f.session.selectAddress(QStringLiteral("weights/0x23"));
            f.toggle();
            QTest::keyClicks(f.view.hexArea(), QStringLiteral("e"));
            QApplication::processEvents(); // layouts
            f.view.grab().save(theme == Theme::Light
                                   ? QStringLiteral(PLUMBLINE_PICTURES "/bytes-editing-light.png")
                                   : QStringLiteral(PLUMBLINE_PICTURES "/bytes-editing-dark.png"));
        }
        applyTheme(*qApp, Theme::Light);
    }

  private:
    DocumentPtr m_document;
};

QTEST_MAIN(TestByteEditing)
#include "tst_byte_editing.moc"
