// SPDX-License-Identifier: GPL-3.0-or-later
// The arena as a picture: vectors where the device takes them, labels above lines.
#include <QBuffer>
#include <QSvgGenerator>
#include <QSvgRenderer>
#include <QTest>

#include "core/document/document.h"
#include "core/lowering/target.h"
#include "views/arena/arena_view.h"
#include "views/arena/buffer_model.h"
#include "views/common/palette.h"

using namespace plumbline;

class TestArenaPicture : public QObject {
    Q_OBJECT

  private slots:
    void initTestCase() {
        OpenRequest request;
        request.sample = "mobilenet";
        m_document = *openDocument(request, npuP0Target());
    }

    void exportsItsPicture() {
        Session session;
        ArenaView view(session);
        view.resize(900, 500);
        view.show();
        QVERIFY(view.pictures().empty());
        session.setDocument(m_document, Session::Keep::Nothing);
        const std::vector<ViewPicture> made = view.pictures();
        QCOMPARE(made.size(), std::size_t{1});
        QCOMPARE(made[0].name, QStringLiteral("arena"));
        QCOMPARE(made[0].size, view.plot()->size());
        QByteArray file;
        QBuffer buffer(&file);
        QSvgGenerator generator;
        generator.setOutputDevice(&buffer);
        generator.setSize({640, 400});
        generator.setViewBox(QRect(0, 0, 640, 400));
        made[0].paint(generator, {640, 400});
        QVERIFY(file.contains("high water")); // text stays text
        QVERIFY(!file.contains("<image"));
        QSvgRenderer renderer(file);
        QVERIFY(renderer.isValid());
        QImage image(640, 400, QImage::Format_RGB32);
        image.fill(Qt::red);
        made[0].paint(image, {640, 400});
        QCOMPARE(image.pixelColor(639, 399),
                 view.palette().color(QPalette::Base)); // to the corners
        QCOMPARE(image.pixelColor(0, 0), view.palette().color(QPalette::Base));
        const QColor first = categoryColor(0, view.palette());
        int filled = 0;
        for (int y = 0; y < 400; ++y)
            for (int x = 0; x < 640; ++x)
                filled += image.pixelColor(x, y) == first ? 1 : 0;
        QVERIFY2(filled > 200, qPrintable(QString::number(filled)));
    }

    void linesDoNotStrikeLabels() {
        Session session;
        ArenaView view(session);
        view.resize(900, 500);
        view.show();
        session.setDocument(m_document, Session::Keep::Nothing);
        QByteArray file;
        QBuffer buffer(&file);
        QSvgGenerator generator;
        generator.setOutputDevice(&buffer);
        generator.setSize({900, 500});
        generator.setViewBox(QRect(0, 0, 900, 500));
        view.pictures().front().paint(generator, {900, 500});
        // The last dashed line stands before the first label with a buffer's name.
        const qsizetype line = file.lastIndexOf("stroke-dasharray=\"");
        qsizetype label = -1;
        for (std::size_t i = 0; i < m_document->lowering->arena.allocations.size(); ++i) {
            const QString name = bufferName(m_document->lowering->arena.allocations[i]);
            const qsizetype at = file.indexOf(QByteArray(">") + name.left(6).toUtf8());
            if (at >= 0 && (label < 0 || at < label))
                label = at;
        }
        QVERIFY(line >= 0);
        QVERIFY2(label > line, qPrintable(QStringLiteral("%1, %2").arg(label).arg(line)));
    }

  private:
    DocumentPtr m_document;
};

QTEST_MAIN(TestArenaPicture)
#include "tst_arena_picture.moc"
