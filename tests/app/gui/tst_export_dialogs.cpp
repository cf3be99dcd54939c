// SPDX-License-Identifier: GPL-3.0-or-later
// The dialog that asks how a picture is to be written.
#include <QCheckBox>
#include <QComboBox>
#include <QLabel>
#include <QPainter>
#include <QPushButton>
#include <QSpinBox>
#include <QtTest>

#include "app/gui/export_dialogs.h"

namespace plumbline::gui::test {

class ExportDialogsTest : public QObject {
    Q_OBJECT

  private slots:
    void theDialogOfPictures() {
        const auto paint = [](QPaintDevice&, QSize) {};
        PictureDialog dialog(
            {{QStringLiteral("a"), {QStringLiteral("bytes"), {}, {400, 200}, paint}},
             {QStringLiteral("b"), {QStringLiteral("tensor"), {}, {90, 90}, paint}}},
            1);
        QCOMPARE(dialog.picture().name, QStringLiteral("tensor"));
        part<QComboBox>(dialog, "pictureWhich")->setCurrentIndex(0);
        QCOMPARE(dialog.options().size, QSize(400, 200));
        part<QSpinBox>(dialog, "pictureWidth")->setValue(1000);
        QCOMPARE(dialog.options().size, QSize(1000, 500));
        part<QSpinBox>(dialog, "pictureHeight")->setValue(100);
        QCOMPARE(dialog.options().size, QSize(200, 100));
        part<QCheckBox>(dialog, "pictureProportions")->setChecked(false);
        part<QSpinBox>(dialog, "pictureHeight")->setValue(16000);
        QCOMPARE(dialog.options().size, QSize(200, 16000));
        QVERIFY(!part<QComboBox>(dialog, "pictureScale")->isEnabled());
        QVERIFY(part<QPushButton>(dialog, "exportGo")->isEnabled());
        part<QComboBox>(dialog, "pictureFormat")->setCurrentIndex(1);
        part<QComboBox>(dialog, "pictureScale")->setCurrentIndex(2);
        QVERIFY(!part<QPushButton>(dialog, "exportGo")->isEnabled()); // 48,000 pixels high
        part<QComboBox>(dialog, "pictureTheme")->setCurrentIndex(2);
        QCOMPARE(dialog.options().dark, std::optional(true));
        QCOMPARE(dialog.options().scale, 3);
    }

    /// A picture that is larger than its preview is seen to its far corner.
    void thePreviewIsWhole() {
        const auto paint = [](QPaintDevice& device, QSize size) {
            QPainter painter(&device);
            painter.fillRect(QRect(QPoint(), size), Qt::white);
            painter.fillRect(
                QRect(size.width() / 2, size.height() / 2, size.width() / 2, size.height() / 2),
                Qt::red);
        };
        const PictureDialog dialog({{QStringLiteral("v"), {{}, {}, {2000, 1000}, paint}}}, 0);
        const QImage shown = part<QLabel>(dialog, "picturePreview")->pixmap().toImage();
        QVERIFY(shown.width() > 100 && std::abs(shown.width() - 2 * shown.height()) <= 2);
        QCOMPARE(shown.pixelColor(shown.width() / 4, shown.height() / 4), QColor(Qt::white));
        QCOMPARE(shown.pixelColor(shown.width() - 3, shown.height() - 3), QColor(Qt::red));
    }

    void tabsOfTheDialogOfPictures() {
        const auto paint = [](QPaintDevice&, QSize) {};
        PictureDialog dialog({{QStringLiteral("v"), {{}, {}, {200, 100}, paint}}}, 0);
        QStringList order;
        const QStringList wanted{
            QStringLiteral("pictureWhich"),       QStringLiteral("pictureFormat"),
            QStringLiteral("pictureWidth"),       QStringLiteral("pictureHeight"),
            QStringLiteral("pictureProportions"), QStringLiteral("pictureScale"),
            QStringLiteral("pictureTheme"),       QStringLiteral("exportGo")};
        const QWidget* const first = part<QComboBox>(dialog, "pictureWhich");
        const QWidget* at = first;
        do {
            if (wanted.contains(at->objectName()))
                order.append(at->objectName());
            at = at->nextInFocusChain();
        } while (at != first);
        QCOMPARE(order, wanted);
    }

  private:
    template <class Widget> static Widget* part(const QDialog& dialog, const char* name) {
        return dialog.findChild<Widget*>(QString::fromLatin1(name));
    }
};

} // namespace plumbline::gui::test

QTEST_MAIN(plumbline::gui::test::ExportDialogsTest)
#include "tst_export_dialogs.moc"
