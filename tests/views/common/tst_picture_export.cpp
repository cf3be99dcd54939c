// SPDX-License-Identifier: GPL-3.0-or-later
// Pictures as files: format, size, scale, colours, and that the screen stays as it is.
#include <QDockWidget>
#include <QMainWindow>
#include <QPainter>
#include <QTableView>
#include <QXmlStreamReader>
#include <QtTest>

#include "views/common/palette.h"
#include "views/common/picture_export.h"

namespace plumbline::test {
namespace {

/// A frame, a text in the middle and the size that it was laid out for.
class Painted : public QWidget {
  public:
    using QWidget::QWidget;
    QList<QSize> laidOut;

  protected:
    void paintEvent(QPaintEvent* /*event*/) override {
        QPainter painter(this);
        painter.fillRect(rect(), palette().color(QPalette::Base));
        painter.setPen(palette().color(QPalette::Text));
        painter.drawRect(rect().adjusted(0, 0, -1, -1));
        painter.drawText(rect(), Qt::AlignCenter, QStringLiteral("middle"));
        laidOut.append(size());
    }
};

QByteArray file(const ViewPicture& picture, const PictureOptions& options) {
    const Result<QByteArray> made = pictureFile(picture, options);
    return made ? *made : QByteArray();
}

PictureOptions png(QSize size, int scale = 1) {
    return {PictureOptions::Format::Png, size, scale, {}};
}

} // namespace

class PictureExportTest : public QObject {
    Q_OBJECT

  private slots:
    void initTestCase() { applyTheme(*qApp, Theme::Light); }
    void init() {
        m_widget = std::make_unique<Painted>();
        m_widget->resize(200, 100);
        m_picture = widgetPicture(*m_widget, QStringLiteral("p"), QStringLiteral("A <picture>"));
    }

    void sizes_data() {
        QTest::addColumn<QSize>("size");
        QTest::addColumn<int>("scale");
        QTest::newRow("as shown") << QSize(200, 100) << 1;
        QTest::newRow("larger") << QSize(400, 300) << 1;
        QTest::newRow("sharper") << QSize(50, 30) << 3;
    }
    void sizes() {
        QFETCH(QSize, size);
        QFETCH(int, scale);
        const QImage image = QImage::fromData(file(m_picture, png(size, scale)), "PNG");
        QCOMPARE(image.size(), size * scale);
        QCOMPARE(m_widget->laidOut.last(), size);
        // The frame runs along all four edges, so nothing was cut off or left out.
        const QColor ink = m_widget->palette().color(QPalette::Text);
        QCOMPARE(image.pixelColor(1, 0), ink);
        QCOMPARE(image.pixelColor(0, 1), ink);
        QCOMPARE(image.pixelColor(image.width() - 1 - scale / 2, image.height() / 3), ink);
        QCOMPARE(image.pixelColor(image.width() / 3, image.height() - 1 - scale / 2), ink);
    }

    /// Below the least size nothing is cut off: all of it is laid out with that and made smaller.
    void smallerThanTheLeast() {
        m_picture.least = {160, 80};
        const QImage image = QImage::fromData(file(m_picture, png({80, 20}, 2)), "PNG");
        QCOMPARE(image.size(), QSize(160, 40));
        QCOMPARE(m_widget->laidOut.last(), QSize(320, 80));
        const QByteArray svg = file(m_picture, {PictureOptions::Format::Svg, QSize(80, 20), 1, {}});
        QVERIFY(svg.contains("viewBox=\"0 0 320 80\""));
        QCOMPARE(m_widget->laidOut.last(), QSize(320, 80));
    }

    void svgHasShapesAndText() {
        const QByteArray svg = file(m_picture, {PictureOptions::Format::Svg, {300, 150}, 1, {}});
        QXmlStreamReader xml(svg);
        QStringList names, texts;
        QString viewBox;
        while (!xml.atEnd())
            if (xml.readNext() == QXmlStreamReader::StartElement) {
                names.append(xml.name().toString());
                if (xml.name() == QStringLiteral("svg"))
                    viewBox = xml.attributes().value(QStringLiteral("viewBox")).toString();
            } else if (xml.isCharacters() && !xml.isWhitespace()) {
                texts.append(xml.text().toString());
            }
        QVERIFY2(!xml.hasError(), qPrintable(xml.errorString()));
        QCOMPARE(viewBox, QStringLiteral("0 0 300 150"));
        QVERIFY(!names.contains(QStringLiteral("image")));
        QVERIFY(names.contains(QStringLiteral("text")));
        QVERIFY(texts.contains(QStringLiteral("middle")));
        QVERIFY(texts.contains(QStringLiteral("A <picture>")));
    }

    void theScreenStaysAsItIs() {
        m_widget->show();
        QVERIFY(QTest::qWaitForWindowExposed(m_widget.get()));
        const QSize size = m_widget->size();
        const QPalette palette = QApplication::palette();
        const QImage before = m_widget->grab().toImage();
        file(m_picture, {PictureOptions::Format::Svg, {900, 700}, 1, true});
        QCOMPARE(m_widget->size(), size);
        QCOMPARE(QApplication::palette(), palette);
        QCOMPARE(m_widget->grab().toImage(), before);
    }

    void coloursOfEitherTheme() {
        PictureOptions options = png({80, 40});
        options.dark = true;
        const QImage dark = QImage::fromData(file(m_picture, options));
        options.dark = false;
        const QImage light = QImage::fromData(file(m_picture, options));
        options.dark.reset();
        QCOMPARE(dark.pixelColor(2, 2), themePalette(true).color(QPalette::Base));
        QCOMPARE(light.pixelColor(2, 2), themePalette(false).color(QPalette::Base));
        QCOMPARE(QImage::fromData(file(m_picture, options)), light); // as shown
    }

    /// With the application's style sheet, in a dock of a dock as the views are.
    void coloursOfAPartOfAWindow() {
        applyTheme(*qApp, Theme::Dark);
        QMainWindow window;
        auto* const inner = new QMainWindow(&window);
        inner->setWindowFlags(Qt::Widget);
        window.setCentralWidget(inner);
        auto* const dock = new QDockWidget(inner);
        inner->addDockWidget(Qt::LeftDockWidgetArea, dock);
        auto* const holder = new QTableView(dock);
        dock->setWidget(holder);
        auto* const painted = new Painted(holder);
        painted->resize(100, 50);
        window.show();
        const ViewPicture picture = widgetPicture(*painted, {}, {});
        for (const bool isDark : {false, true}) {
            PictureOptions options = png({80, 40});
            options.dark = isDark;
            const QImage image = QImage::fromData(file(picture, options));
            QCOMPARE(image.pixelColor(2, 2), themePalette(isDark).color(QPalette::Base));
            QCOMPARE(painted->palette().color(QPalette::Base),
                     themePalette(true).color(QPalette::Base));
        }
        applyTheme(*qApp, Theme::Light); // what follows the application still does
        QCOMPARE(painted->palette().color(QPalette::Base),
                 themePalette(false).color(QPalette::Base));
    }

    void limits_data() {
        QTest::addColumn<QSize>("size");
        QTest::addColumn<bool>("isSvg");
        QTest::addColumn<int>("scale");
        QTest::addColumn<bool>("fits");
        QTest::newRow("empty") << QSize(0, 10) << false << 1 << false;
        QTest::newRow("negative") << QSize(-5, 10) << true << 1 << false;
        QTest::newRow("longest side") << QSize(16384, 2) << false << 1 << true;
        QTest::newRow("too long") << QSize(16385, 2) << false << 1 << false;
        QTest::newRow("too long by its scale") << QSize(8193, 2) << false << 2 << false;
        QTest::newRow("64 million") << QSize(8000, 8000) << false << 1 << true;
        QTest::newRow("more") << QSize(8000, 8001) << false << 1 << false;
        QTest::newRow("more as shapes") << QSize(16384, 16384) << true << 1 << true;
    }
    void limits() {
        QFETCH(QSize, size);
        QFETCH(bool, isSvg);
        QFETCH(int, scale);
        QFETCH(bool, fits);
        const PictureOptions options{
            isSvg ? PictureOptions::Format::Svg : PictureOptions::Format::Png, size, scale, {}};
        QCOMPARE(isWithinLimits(options), fits);
        if (!fits)
            QVERIFY(!pictureFile(m_picture, options).ok());
    }

  private:
    std::unique_ptr<Painted> m_widget;
    ViewPicture m_picture;
};

} // namespace plumbline::test

QTEST_MAIN(plumbline::test::PictureExportTest)
#include "tst_picture_export.moc"
