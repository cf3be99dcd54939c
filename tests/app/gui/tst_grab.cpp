// SPDX-License-Identifier: GPL-3.0-or-later
// The built program: pictures by command, exit codes, wrong usage.
#include <QImage>
#include <QProcess>
#include <QTemporaryDir>
#include <QtTest>

#include "core/base/file.h"
#include "core/samples/samples.h"

namespace plumbline::gui::test {
namespace {

struct Outcome {
    int exitCode = -1;
    QString err;
};

Outcome run(const QStringList& arguments) {
    QProcess process;
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    for (const char* const name : {"QT_QPA_PLATFORM", "DISPLAY", "WAYLAND_DISPLAY"})
        environment.remove(QString::fromLatin1(name)); // the program chooses by itself
    process.setProcessEnvironment(environment);
    process.start(QStringLiteral(PLUMBLINE_PROGRAM), arguments);
    process.waitForFinished(60000);
    return {process.exitStatus() == QProcess::NormalExit ? process.exitCode() : -1,
            QString::fromUtf8(process.readAllStandardError())};
}

} // namespace

class GrabTest : public QObject {
    Q_OBJECT

  private slots:
    void picturesOfEveryView_data() {
        QTest::addColumn<QString>("theme");
        QTest::addColumn<QString>("sample");
        QTest::newRow("light") << QStringLiteral("light") << QStringLiteral("resnet8");
        QTest::newRow("dark") << QStringLiteral("dark") << QStringLiteral("resnet8");
        QTest::newRow("refused, dark") << QStringLiteral("dark") << QStringLiteral("refused");
    }
    void picturesOfEveryView() {
        QFETCH(QString, theme);
        QFETCH(QString, sample);
        const QString folder = QStringLiteral(PLUMBLINE_PICTURES "/grab-%1-%2").arg(sample, theme);
        const Outcome outcome =
            run({QStringLiteral("--sample"), sample, QStringLiteral("--grab"), folder,
                 QStringLiteral("--theme"), theme, QStringLiteral("--size"),
                 QStringLiteral("1280x800"), QStringLiteral("--select"), QStringLiteral("op/2")});
        QVERIFY2(outcome.exitCode == 0, qPrintable(outcome.err));
        QCOMPARE(QImage(folder + QStringLiteral("/window.png")).size(), QSize(1280, 800));
        for (const char* const view :
             {"graph", "records", "fields", "bytes", "arena", "tiles", "costs", "diagnostics"})
            QVERIFY2(!QImage(folder + QLatin1Char('/') + QString::fromLatin1(view) +
                             QStringLiteral(".png"))
                          .isNull(),
                     view);
        const QColor corner = QImage(folder + QStringLiteral("/window.png")).pixelColor(2, 2);
        QCOMPARE(corner.lightness() < 128, theme == QStringLiteral("dark"));
    }

    void scaleDoublesThePixels() {
        QTemporaryDir folder;
        const QString pictures = folder.filePath(QStringLiteral("p"));
        QCOMPARE(run({QStringLiteral("--sample"), QStringLiteral("ds-cnn"),
                      QStringLiteral("--grab"), pictures, QStringLiteral("--size"),
                      QStringLiteral("1280x800"), QStringLiteral("--scale"), QStringLiteral("2")})
                     .exitCode,
                 0);
        QCOMPARE(QImage(pictures + QStringLiteral("/window.png")).size(), QSize(2560, 1600));
    }

    void aDamagedFileStillGivesPictures() {
        QTemporaryDir folder;
        Bytes bytes = *makeSample("ds-cnn");
        bytes.resize(1000);
        const QString model = folder.filePath(QStringLiteral("cut.tflite"));
        QVERIFY(writeFileAtomically(model.toStdString(), ByteView(bytes)).ok());
        QCOMPARE(
            run({model, QStringLiteral("--grab"), folder.filePath(QStringLiteral("p"))}).exitCode,
            0);
    }

    void nothingToOpenIsThree() {
        QTemporaryDir folder;
        QCOMPARE(run({folder.filePath(QStringLiteral("none.tflite")), QStringLiteral("--grab"),
                      folder.filePath(QStringLiteral("p"))})
                     .exitCode,
                 3);
    }

    void aForeignDirectoryIsFour() {
        QTemporaryDir folder;
        const Bytes note{'x'};
        QVERIFY(writeFileAtomically(folder.filePath(QStringLiteral("p/mine.txt")).toStdString(),
                                    ByteView(note))
                    .ok());
        QCOMPARE(run({QStringLiteral("--sample"), QStringLiteral("ds-cnn"),
                      QStringLiteral("--grab"), folder.filePath(QStringLiteral("p"))})
                     .exitCode,
                 4);
    }

    void wrongUsageIsTwo() {
        QCOMPARE(run({QStringLiteral("--size"), QStringLiteral("big")}).exitCode, 2);
        QCOMPARE(run({QStringLiteral("--theme"), QStringLiteral("pink")}).exitCode, 2);
        QCOMPARE(run({QStringLiteral("--scale"), QStringLiteral("0")}).exitCode, 2);
        QCOMPARE(run({QStringLiteral("--scale=abc")}).exitCode, 2);
        QCOMPARE(run({QStringLiteral("--seed"), QStringLiteral("x")}).exitCode, 2);
    }
};

} // namespace plumbline::gui::test

QTEST_MAIN(plumbline::gui::test::GrabTest)
#include "tst_grab.moc"
