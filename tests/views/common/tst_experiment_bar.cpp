// SPDX-License-Identifier: GPL-3.0-or-later
// What an experiment is said to have changed, and the strip that says it; what a session compares
// with and asks for.
#include <QApplication>
#include <QDir>
#include <QSignalSpy>
#include <QTest>
#include <QToolButton>

#include "core/lowering/target.h"
#include "views/common/experiment_bar.h"
#include "views/common/experiment_text.h"
#include "views/common/palette.h"
#include "views/common/session.h"

using namespace plumbline;

namespace {

const FieldTable& table() { return npuP0Target().fields(); }
std::size_t rowOf(std::string_view name) { return *findField(table(), name); }

} // namespace

class TestExperimentBar : public QObject {
    Q_OBJECT

    DocumentPtr changed(std::vector<Edit> edits) const {
        return *openExperiment(m_document, std::move(edits));
    }

  private slots:
    void initTestCase() {
        OpenRequest request;
        request.sample = "resnet8";
        m_document = *openDocument(request, npuP0Target());
        m_zero = fieldValue(m_document->lowering->records[3].bytes,
                            table().fields[rowOf("OUTPUT_ZERO")]);
    }

    void editsAreToldWithWhatWas() {
        QCOMPARE(editText(FieldEdit{3, rowOf("OUTPUT_ZERO"), 9}, *m_document),
                 QStringLiteral("record 3 OUTPUT_ZERO %1 → 9").arg(m_zero));
        Relocation relocation = m_document->lowering->relocations[4];
        const QString region = QString::fromStdString(relocation.region);
        relocation.region = "descriptors";
        QCOMPARE(editText(RelocationEdit{4, relocation}, *m_document),
                 QStringLiteral("relocation 4 region %1 → descriptors").arg(region));
        const QString before =
            QStringLiteral("%1")
                .arg(m_document->lowering->weights[0x20], 2, 16, QLatin1Char('0'))
                .toUpper();
        QCOMPARE(editText(ByteEdit{"weights", 0x20, 0x1E}, *m_document),
                 QStringLiteral("weights 0x00000020 0x%1 → 0x1E").arg(before));
    }

    void validExperimentTellsItsLayers() {
        // Another zero point of the last record's output changes at least its own layer.
        const auto last = std::ssize(m_document->lowering->records) - 1;
        const std::int64_t zero =
            fieldValue(m_document->lowering->records[static_cast<std::size_t>(last)].bytes,
                       table().fields[rowOf("OUTPUT_ZERO")]);
        const DocumentPtr one =
            changed({FieldEdit{last, rowOf("OUTPUT_ZERO"), zero > 0 ? zero - 5 : zero + 5}});
        QVERIFY(one->execution && !one->execution->fault);
        QVERIFY(experimentVerdict(*one).startsWith(QChar(u'✓')));
        std::int64_t differing = 0; // counted by bytes, not by digest
        for (const TraceLayer& layer : m_document->execution->trace.layers) {
            const TraceLayer* const now = one->execution->trace.layerOf(layer.operatorIndex);
            differing += now == nullptr || now->bytes != layer.bytes ? 1 : 0;
        }
        QVERIFY(differing >= 1);
        QCOMPARE(changedLayers(*one), std::optional(differing));
    }

    void brokenRuleIsNamed() {
        const DocumentPtr broken =
            changed({FieldEdit{3, rowOf("RESERVED_26"), 7}, FieldEdit{5, rowOf("RESERVED_26"), 7},
                     FieldEdit{6, rowOf("RESERVED_26"), 7}});
        const QString text = experimentText(*broken);
        QVERIFY2(text.contains(QStringLiteral("3 changes (…, record 6 RESERVED_26 0 → 7)")),
                 qPrintable(text));
        QCOMPARE(editTexts(*broken), QStringList({QStringLiteral("record 3 RESERVED_26 0 → 7"),
                                                  QStringLiteral("record 5 RESERVED_26 0 → 7"),
                                                  QStringLiteral("record 6 RESERVED_26 0 → 7")}));
        QVERIFY2(text.contains(QStringLiteral("✗ record 3 breaks a rule: ")), qPrintable(text));
        QVERIFY(text.contains(QStringLiteral("(and 2 more)")));
        QVERIFY(!text.contains(QChar(u'✓')));
        QVERIFY2(text.endsWith(QStringLiteral("record 3) before the first layer")),
                 qPrintable(text));
    }

    void faultOfARelocationIsNamed() {
        Relocation relocation = m_document->lowering->relocations[0];
        relocation.region = "nowhere";
        const DocumentPtr broken = changed({RelocationEdit{0, relocation}});
        const QString verdict = experimentVerdict(*broken);
        QVERIFY2(verdict.startsWith(QChar(u'✗')), qPrintable(verdict));
        QVERIFY2(verdict.contains(QStringLiteral("nowhere")), qPrintable(verdict));
        QCOMPARE(changedLayers(*broken), std::optional<std::int64_t>(0)); // none ran
        const QString text = experimentText(*broken);
        QVERIFY2(text.contains(QStringLiteral("the run faults (")), qPrintable(text));
        QVERIFY2(text.endsWith(QStringLiteral("relocation 0) before the first layer")),
                 qPrintable(text));
    }

    void faultInARunTellsHowFarItCame() {
        auto stopped = std::make_shared<Document>(*changed({ByteEdit{"weights", 0, 1}}));
        Execution& run = *stopped->execution;
        run.fault = Fault{};
        run.fault->stage = "execution";
        run.fault->reason = "a made-up fault";
        run.fault->record = 3;
        run.trace = m_document->execution->trace;
        run.trace.layers.resize(3);
        run.trace.layers[1].sha256 = "another";
        QVERIFY2(experimentText(*stopped).endsWith(QStringLiteral(
                     " · ✗ a made-up fault · the run faults (execution, record 3) after 3 layers, "
                     "of which 1 changed")),
                 qPrintable(experimentText(*stopped)));
    }

    void noExperimentHasNoText() {
        QVERIFY(experimentText(*m_document).isEmpty());
        QVERIFY(!changedLayers(*m_document));
        auto idle = std::make_shared<Document>(*changed({ByteEdit{"weights", 0, 1}}));
        idle->execution.reset();
        QVERIFY(!changedLayers(*idle));
        QVERIFY(!experimentText(*idle).contains(QStringLiteral("layer")));
    }

    void stripIsThereOnlyDuringAnExperiment() {
        Session session;
        QWidget window;
        ExperimentBar bar(session, &window);
        QVERIFY(bar.isHidden());
        session.setDocument(m_document, Session::Keep::Nothing);
        QVERIFY(bar.isHidden());
        session.setDocument(changed({FieldEdit{3, rowOf("OUTPUT_ZERO"), 9}}),
                            Session::Keep::Selection);
        QVERIFY(!bar.isHidden());
        QVERIFY(bar.text().startsWith(QStringLiteral("Experiment: 1 change (record 3 ")));
        bar.setHistory(false, true);
        session.setDocument(m_document, Session::Keep::Selection);
        QVERIFY(!bar.isHidden()); // to be redone
        bar.setHistory(false, false);
        QVERIFY(bar.isHidden());
    }

    void buttonsAsk() {
        Session session;
        ExperimentBar bar(session);
        session.setDocument(changed({FieldEdit{3, rowOf("OUTPUT_ZERO"), 9}}),
                            Session::Keep::Nothing);
        const auto asks = [&bar](const char* name, void (ExperimentBar::*signal)()) {
            QSignalSpy spy(&bar, signal);
            bar.findChild<QToolButton*>(QLatin1StringView(name))->click();
            return static_cast<int>(spy.count());
        };
        QCOMPARE(asks("experimentUndo", &ExperimentBar::undoRequested), 0);
        bar.setHistory(true, true);
        QCOMPARE(asks("experimentUndo", &ExperimentBar::undoRequested), 1);
        QCOMPARE(asks("experimentRedo", &ExperimentBar::redoRequested), 1);
        QCOMPARE(asks("experimentDiscard", &ExperimentBar::discardRequested), 1);
        QCOMPARE(asks("experimentExport", &ExperimentBar::exportRequested), 1);
    }

    void sessionComparesAnExperimentWithItsOriginal() {
        Session session;
        QVERIFY(!session.comparedWith());
        session.setDocument(changed({ByteEdit{"weights", 0, 1}}), Session::Keep::Nothing);
        QCOMPARE(session.comparedWith(), m_document);
        QSignalSpy compared(&session, &Session::comparedChanged);
        const auto other = std::make_shared<const Document>(*m_document);
        session.setComparedWith(other);
        session.setComparedWith(other);
        QCOMPARE(compared.count(), 1);
        QCOMPARE(session.comparedWith(), DocumentPtr(other));
        session.setComparedWith(nullptr);
        QCOMPARE(compared.count(), 2);
        QCOMPARE(session.comparedWith(), m_document);
    }

    void sessionPassesEditsOn() {
        Session session;
        std::vector<Edit> asked;
        int times = 0;
        connect(&session, &Session::editsRequested, this, [&](const std::vector<Edit>& edits) {
            asked = edits;
            ++times;
        });
        const std::vector<Edit> edits{ByteEdit{"weights", 0, 1}, FieldEdit{0, 1, 2}};
        session.requestEdits(edits);
        session.requestEdits({});
        QCOMPARE(times, 1);
        QCOMPARE(asked, edits);
    }

    void pictures() {
        QDir().mkpath(QStringLiteral(PLUMBLINE_PICTURES));
        for (const Theme theme : {Theme::Light, Theme::Dark}) {
            applyTheme(*qApp, theme);
            Session session;
            ExperimentBar bar(session);
            session.setDocument(
                changed({FieldEdit{3, rowOf("OUTPUT_ZERO"), 9},
                         FieldEdit{3, rowOf("RESERVED_26"), 7}, ByteEdit{"weights", 0x20, 0x1E}}),
                Session::Keep::Nothing);
            bar.setHistory(true, false);
            for (const int width : {820, 1280}) {
                bar.resize(width, bar.heightForWidth(width));
                bar.show();
                QApplication::processEvents(); // layouts
                bar.grab().save(
                    QStringLiteral(PLUMBLINE_PICTURES "/experiment-bar-%1-%2.png")
                        .arg(width)
                        .arg(QLatin1StringView(theme == Theme::Light ? "light" : "dark")));
            }
        }
        applyTheme(*qApp, Theme::Light);
    }

  private:
    DocumentPtr m_document;
    std::int64_t m_zero = 0;
};

QTEST_MAIN(TestExperimentBar)
#include "tst_experiment_bar.moc"
