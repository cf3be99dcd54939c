// SPDX-License-Identifier: GPL-3.0-or-later
// Experiments, comparisons, references and mismatches, from the window's own commands.
#include <QLabel>
#include <QSignalSpy>
#include <QtTest>

#include "app/gui/comparison.h"
#include "app/gui/experiment.h"
#include "app/gui/main_window.h"
#include "app/gui/workspace.h"
#include "core/artifacts/package.h"
#include "core/artifacts/trace_io.h"
#include "core/base/file.h"
#include "core/document/open_request.h"
#include "core/samples/samples.h"
#include "views/common/experiment_bar.h"
#include "views/common/view.h"

namespace plumbline::gui::test {

class ExperimentTest : public QObject {
    Q_OBJECT

  private slots:
    void init() {
        m_folder = std::make_unique<QTemporaryDir>();
        m_settings = std::make_unique<Settings>(m_folder->filePath(QStringLiteral("settings")));
        m_window = std::make_unique<MainWindow>(*m_settings);
        m_window->show();
        OpenRequest request;
        request.sample = "ds-cnn";
        m_window->open(request);
        settle();
    }
    void cleanup() {
        m_window.reset();
        m_settings.reset();
    }

    void anEditRunsAndCanBeTakenBack() {
        const DocumentPtr original = session().document();
        breakRecord(2);
        QVERIFY(session().document()->original == original);
        QCOMPARE(session().document()->edits.size(), std::size_t{2});
        QVERIFY(bar()->isVisible());
        const auto culprit = original->lowering->records[2].operatorIndex;
        QCOMPARE(session().document()->verdicts->culprit, std::optional(culprit));
        trigger("edit.undo");
        settle();
        QVERIFY(session().document() == original);
        trigger("edit.redo");
        settle();
        QVERIFY(session().document()->original == original);
        trigger("edit.discard");
        settle();
        QVERIFY(session().document() == original);
        QVERIFY(!action("edit.undo")->isEnabled());
        QVERIFY(!action("edit.redo")->isEnabled());
    }

    void anEditThatFitsNowhereIsSaidAndForgotten() {
        const DocumentPtr original = session().document();
        session().requestEdits({ByteEdit{"weights", std::uint64_t{1} << 40, 0}});
        settle();
        QVERIFY(session().document() == original);
        QVERIFY(!m_window->noticeText().isEmpty());
        QVERIFY(!action("edit.undo")->isEnabled());
    }

    void editsOutliveAnotherInputAndAnotherModelForgetsThem() {
        breakRecord(2);
        trigger("file.reload");
        settle();
        QVERIFY(session().document()->original != nullptr);
        OpenRequest other;
        other.sample = "resnet8";
        m_window->open(other);
        settle();
        QVERIFY(session().document()->original == nullptr);
        QVERIFY(!action("edit.undo")->isEnabled());
    }

    void sessionsKeepExperiments() {
        SessionFile session;
        session.request.sample = "ds-cnn";
        session.edits = {"weights/0x40=7", "relocation/0/region=params", "relocation/0/offset=64"};
        const std::filesystem::path file =
            m_folder->filePath(QStringLiteral("s.plumbline")).toStdString();
        QVERIFY(writeSession(file, session).ok());
        QCOMPARE(readSession(file)->edits, session.edits);
        m_window->openPaths({QString::fromStdString(file.string())});
        settle();
        const Document& document = *this->session().document();
        QVERIFY(document.original != nullptr);
        QCOMPARE(document.job->weights[0x40], std::uint8_t{7});
        QCOMPARE(document.job->relocations[0].region, std::string("params"));
        QCOMPARE(document.job->relocations[0].offset, std::int64_t{64});
    }

    void theChangedPackageOpensAsWhatWasChanged() {
        breakRecord(2);
        const std::filesystem::path directory =
            m_folder->filePath(QStringLiteral("changed")).toStdString();
        QVERIFY(exportExperiment(*session().document(), directory).ok());
        const auto package = loadPackage(directory);
        QVERIFY(package.ok());
        QVERIFY(!package->damaged);
        QVERIFY(package->job.weights == session().document()->job->weights);
        QVERIFY(package->job.weights != session().document()->original->job->weights);
    }

    void aFailingDocumentOpensAtItsCulprit() {
        const std::filesystem::path trace =
            m_folder->filePath(QStringLiteral("device")).toStdString();
        Trace wrong = session().document()->execution->trace;
        wrong.layers[3].bytes[5] ^= 1;
        sealLayer(wrong.layers[3]);
        QVERIFY(writeTrace(trace, wrong).ok());
        OpenRequest request;
        request.sample = "ds-cnn";
        request.reference = trace;
        m_window->open(request);
        settle();
        QCOMPARE(session().place().operatorIndex, std::optional(wrong.layers[3].operatorIndex));
        QVERIFY(session().place().element.has_value());
    }

    void aRefusedReferenceIsSaidAndNotReplaced() {
        Trace other = session().document()->execution->trace;
        other.modelSha256 = std::string(64, '0');
        const std::filesystem::path trace =
            m_folder->filePath(QStringLiteral("foreign")).toStdString();
        QVERIFY(writeTrace(trace, other).ok());
        OpenRequest request;
        request.sample = "ds-cnn";
        request.reference = trace;
        m_window->open(request);
        settle();
        QVERIFY(session().document()->verdicts == nullptr);
        QVERIFY(m_window->noticeText().contains(QStringLiteral("made from the model")));
    }

    void mismatchKeysWalkFromTheCulpritOn() {
        breakRecord(2);
        session().select(selectOperator(0));
        QTest::keyClick(m_window.get(), Qt::Key_N);
        const auto culprit = session().document()->verdicts->culprit;
        QCOMPARE(session().place().operatorIndex, culprit);
        QVERIFY(session().place().element.has_value());
        const auto first = session().selection();
        QTest::keyClick(m_window.get(), Qt::Key_N);
        QVERIFY(!(session().selection() == first));
        QTest::keyClick(m_window.get(), Qt::Key_N, Qt::ShiftModifier);
        QVERIFY(session().selection() == first);
        session().select(selectOperator(0));
        trigger("go.culprit");
        QCOMPARE(session().place().operatorIndex, culprit);
    }

    void anotherFileIsComparedWith() {
        const std::filesystem::path file =
            m_folder->filePath(QStringLiteral("other.tflite")).toStdString();
        QVERIFY(writeFileAtomically(file, ByteView(*makeSample("resnet8"))).ok());
        auto* const comparison = m_window->findChild<Comparison*>();
        comparison->compareWith(file);
        settle();
        QVERIFY(session().comparedWith() != nullptr);
        QCOMPARE(session().comparedWith()->title, std::string("other.tflite"));
        const View* const view = m_window->workspace().view(QStringLiteral("compare"));
        QVERIFY(view->isVisible());
        trigger("compare.stop");
        QVERIFY(session().comparedWith() == nullptr);
        comparison->compareWith(m_folder->filePath(QStringLiteral("missing")).toStdString());
        settle();
        QVERIFY(session().comparedWith() == nullptr);
        QVERIFY(!m_window->noticeText().isEmpty());
    }

    void aReloadedFileIsOfferedForComparison() {
        const std::filesystem::path file =
            m_folder->filePath(QStringLiteral("model.tflite")).toStdString();
        QVERIFY(writeFileAtomically(file, ByteView(*makeSample("ds-cnn"))).ok());
        OpenRequest request;
        request.path = file;
        m_window->open(request);
        settle();
        const DocumentPtr before = session().document();
        QVERIFY(writeFileAtomically(file, ByteView(*makeSample("ds-cnn", 9))).ok());
        trigger("file.reload");
        settle();
        QVERIFY(m_window->noticeText().contains(QStringLiteral("another one")));
        trigger("compare.before");
        QVERIFY(session().comparedWith() == before);
    }

    void layoutsShowTheDebuggingViews() {
        m_window->resize(1280, 800);
        breakRecord(2);
        trigger("layout.debugging");
        settle();
        QCOMPARE(m_window->size(), QSize(1280, 800));
        for (const char* const id : {"graph", "layers", "tensor", "why"}) {
            View* const view = m_window->workspace().view(QString::fromLatin1(id));
            QVERIFY2(!view->visibleRegion().isEmpty(), id);
        }
    }

  private:
    Session& session() { return m_window->session(); }
    ExperimentBar* bar() { return m_window->findChild<ExperimentBar*>(); }
    QAction* action(const char* id) {
        return m_window->findChild<QAction*>(QString::fromLatin1(id));
    }
    void trigger(const char* id) { action(id)->trigger(); }
    /// Waits until nothing runs in the background.
    void settle() {
        constexpr int kPatience = 20000; // milliseconds
        QCoreApplication::processEvents();
        QTRY_VERIFY_WITH_TIMEOUT(m_window->isIdle(), kPatience);
        QCoreApplication::processEvents();
    }
    /// Changes two weights of a record; the layer then has other bytes.
    void breakRecord(std::size_t record) {
        const auto& document = *session().document();
        const auto op = static_cast<std::size_t>(document.lowering->records[record].operatorIndex);
        const RegionSlice& weights = *document.lowering->operators[op].weights;
        std::vector<Edit> edits;
        for (std::uint64_t i = 0; i < 2; ++i)
            edits.push_back(ByteEdit{
                "weights", weights.offset + i,
                static_cast<std::uint8_t>(document.lowering->weights[weights.offset + i] ^ 0x60)});
        session().requestEdits(edits);
        settle();
    }

    std::unique_ptr<QTemporaryDir> m_folder;
    std::unique_ptr<Settings> m_settings;
    std::unique_ptr<MainWindow> m_window;
};

} // namespace plumbline::gui::test

QTEST_MAIN(plumbline::gui::test::ExperimentTest)
#include "tst_experiment.moc"
