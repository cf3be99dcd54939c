// SPDX-License-Identifier: GPL-3.0-or-later
// Every table and every picture of every view as a file; the commands that lead there.
#include <map>
#include <set>

#include <QAction>
#include <QDockWidget>
#include <QHeaderView>
#include <QLabel>
#include <QMenu>
#include <QMenuBar>
#include <QPainter>
#include <QSvgRenderer>
#include <QTableView>
#include <QTreeView>
#include <QXmlStreamReader>
#include <QtTest>

#include "app/gui/exports.h"
#include "app/gui/main_window.h"
#include "app/gui/notice_bar.h"
#include "app/gui/workspace.h"
#include "tests/views/common/csv_reader.h"
#include "views/common/palette.h"
#include "views/common/row_model.h"
#include "views/common/table_export.h"
#include "views/common/view.h"
#include "views/layers/tensor_view.h"

namespace plumbline::gui::test {
namespace {

constexpr int kPatience = 60000; // milliseconds

/// "1,234" as "1234", other texts as they are.
QString withoutGroups(const QString& text) {
    QString digits = text;
    digits.remove(u',');
    bool isNumber = false;
    const qlonglong value = digits.toLongLong(&isNumber);
    return isNumber && QLocale(QLocale::English).toString(value) == text ? digits : text;
}

QString expectedText(const QModelIndex& cell) {
    const QVariant plain = cell.data(RowModel::PlainRole);
    const QVariant edited = cell.data(Qt::EditRole);
    return plain.isValid() ? plain.toString()
                           : withoutGroups(edited.toString().isEmpty() ? cell.data().toString()
                                                                       : edited.toString());
}

void addRows(QList<QStringList>& lines, const QAbstractItemModel& model, const QList<int>& columns,
             bool isTree, const QModelIndex& parent, int level) {
    for (int row = 0; row < model.rowCount(parent); ++row) {
        QStringList line;
        if (isTree)
            line.append(QString::number(level));
        if (model.headerData(row, Qt::Vertical).typeId() == QMetaType::QString)
            line.append(model.headerData(row, Qt::Vertical).toString());
        for (const int column : columns)
            line.append(expectedText(model.index(row, column, parent)));
        lines.append(line);
        addRows(lines, model, columns, isTree, model.index(row, 0, parent), level + 1);
    }
}

/// What the screen shows of a table, without its header line.
QList<QStringList> linesOf(const QAbstractItemView& shown) {
    const auto* const tree = qobject_cast<const QTreeView*>(&shown);
    const QHeaderView* const header =
        tree ? tree->header() : qobject_cast<const QTableView*>(&shown)->horizontalHeader();
    QList<int> columns;
    for (int place = 0; place < header->count(); ++place)
        if (!header->isSectionHidden(header->logicalIndex(place)))
            columns.append(header->logicalIndex(place));
    QList<QStringList> lines;
    addRows(lines, *shown.model(), columns, tree && shown.model()->rowCount() > 0, {}, 1);
    return lines;
}

bool isBlank(const QImage& image) {
    std::set<QRgb> colors;
    for (int y = 0; y < image.height() && colors.size() < 2; ++y)
        for (int x = 0; x < image.width(); ++x)
            colors.insert(image.pixel(x, y));
    return colors.size() < 2;
}

struct SvgFacts {
    QString error;
    QString viewBox;
    int images = 0, texts = 0;
};

SvgFacts factsOf(const QByteArray& svg) {
    QXmlStreamReader xml(svg);
    SvgFacts facts;
    while (!xml.atEnd()) {
        if (xml.readNext() != QXmlStreamReader::StartElement)
            continue;
        if (xml.name() == QStringLiteral("svg"))
            facts.viewBox = xml.attributes().value(QStringLiteral("viewBox")).toString();
        facts.images += xml.name() == QStringLiteral("image") ? 1 : 0;
        facts.texts += xml.name() == QStringLiteral("text") ? 1 : 0;
    }
    facts.error = xml.errorString();
    return facts;
}

} // namespace

class ExportsTest : public QObject {
    Q_OBJECT

  private slots:
    void initTestCase() {
        applyTheme(*qApp, Theme::Dark); // as the program does, with its style sheet
        m_window = std::make_unique<MainWindow>(m_settings);
        m_window->show();
        for (QAction* const action : fileActions()) { // nothing is open yet
            QVERIFY2(!action->isEnabled(), qPrintable(action->objectName()));
            QVERIFY(action->statusTip().contains(QStringLiteral("first")));
        }
        OpenRequest request;
        request.sample = "every-operator";
        QSignalSpy shown(m_window.get(), &MainWindow::documentShown);
        m_window->open(request);
        QVERIFY(shown.wait(kPatience));
        m_window->session().selectAddress(QStringLiteral("op/1"));
        Selection selection = selectOperator(1);
        selection.element = ElementIndex{0, 0, 1};
        QVERIFY(m_window->session().select(selection));
        for (View* const view : views()) {
            view->bringUpToDate();
            QVERIFY(QTest::qWaitFor([view] { return !view->isBusy(); }, kPatience));
        }
    }

    void commandsAreThere() {
        for (const QAction* const action : fileActions()) {
            QVERIFY2(action->isEnabled(), qPrintable(action->objectName()));
            QVERIFY(action->text().contains(u'&'));
            QVERIFY(!action->statusTip().isEmpty());
        }
        for (const View* const view : views())
            QVERIFY2(view->findChild<QAction*>(view->id() + QStringLiteral(".exportTable")),
                     qPrintable(view->id()));
    }

    void noShortcutTwice() {
        QMap<QString, QStringList> users;
        for (const QAction* const action : m_window->allActions())
            for (const QKeySequence& keys : action->shortcuts())
                if (action->shortcutContext() == Qt::WindowShortcut)
                    users[keys.toString()].append(action->objectName());
        for (const QAction* const action : m_window->allActions())
            for (const QKeySequence& keys : action->shortcuts())
                if (users.value(keys.toString()).size() > 1 ||
                    (action->shortcutContext() != Qt::WindowShortcut &&
                     users.contains(keys.toString())))
                    QFAIL(qPrintable(keys.toString() + u' ' + action->objectName()));
    }

    void everyTable_data() {
        QTest::addColumn<QString>("id");
        Session session;
        const Workspace workspace(session);
        for (const View* const view : workspace.views())
            QTest::newRow(qPrintable(view->id())) << view->id();
    }
    void everyTable() {
        QFETCH(QString, id);
        View& view = *m_window->workspace().view(id);
        const std::vector<ExportTable> tables = exportTables(view);
        QVERIFY(!tables.empty());
        for (const ExportTable& table : tables) {
            QVERIFY(!table.title.isEmpty());
            QList<QStringList> lines = plumbline::test::readCsv(table.csv());
            QVERIFY2(!lines.isEmpty(), qPrintable(table.name));
            const qsizetype width = lines.takeFirst().size();
            for (const QStringList& line : lines)
                QCOMPARE(line.size(), width);
            if (table.shown && view.wholeTable(*table.shown) == nullptr)
                QCOMPARE(lines, linesOf(*table.shown));
            else if (!table.shown)
                QCOMPARE(lines.size(), view.accessibleTable()->rowCount());
        }
    }

    void aPagedTableIsWhole() {
        auto& view =
            *qobject_cast<TensorView*>(m_window->workspace().view(QStringLiteral("tensor")));
        const std::vector<ExportTable> tables = exportTables(view);
        QCOMPARE(tables.size(), std::size_t{1});
        const std::vector<std::int64_t>& dims = m_window->session().document()->layerOf(1)->shape;
        const Hwc shape{dims.at(0), dims.at(1), dims.at(2)};
        const QList<QStringList> lines = plumbline::test::readCsv(tables[0].csv());
        QCOMPARE(lines.size(), 1 + shape.h * shape.w);
        QCOMPARE(lines[0].size(), 1 + shape.c);
        const Bytes& bytes = m_window->session().document()->layerOf(1)->bytes;
        for (const std::int64_t at : {std::int64_t{0}, shape.h * shape.w - 1}) // [h,w,c] order
            for (std::int64_t c = 0; c < shape.c; ++c)
                QCOMPARE(
                    lines[at + 1][c + 1].toInt(),
                    static_cast<std::int8_t>(bytes[static_cast<std::size_t>(at * shape.c + c)]));
    }

    void everyPicture_data() { everyTable_data(); }
    void everyPicture() {
        QFETCH(QString, id);
        View& view = *m_window->workspace().view(id);
        const std::set<QString> painted{QStringLiteral("graph"), QStringLiteral("bytes"),
                                        QStringLiteral("arena"), QStringLiteral("tiles"),
                                        QStringLiteral("costs"), QStringLiteral("tensor"),
                                        QStringLiteral("why")};
        const std::vector<ViewPicture> pictures = view.pictures();
        QCOMPARE(!pictures.empty(), painted.count(id) == 1);
        for (const ViewPicture& picture : pictures)
            for (const QSize size : {QSize(640, 400), QSize(901, 333)})
                check(picture, size);
    }

    void problemsNameThePath() {
        Exports& exports = *m_window->findChild<Exports*>();
        QSignalSpy problem(&exports, &Exports::problem);
        const std::vector<ExportTable> tables =
            exportTables(*m_window->workspace().view(QStringLiteral("records")));
        exports.writeTable(tables.front(), QStringLiteral("/proc/no/table.csv"));
        QCOMPARE(problem.size(), 1);
        QVERIFY2(problem[0][0].toString().contains(QStringLiteral("/proc/no")),
                 qPrintable(problem[0][0].toString()));
        QCOMPARE(m_window->noticeText(), problem[0][0].toString());
        QVERIFY(!m_window->noticeText().contains(QChar(QChar::ReplacementCharacter)));
        QVERIFY(!m_window->noticeText().startsWith(QStringLiteral("error")));
        const NoticeBar& bar = *m_window->findChild<NoticeBar*>();
        QVERIFY(bar.findChild<QLabel*>(QStringLiteral("problemMark"))->isVisibleTo(&bar));
        QVERIFY(bar.accessibleName().startsWith(QStringLiteral("Error")));
    }

    void namesOfFiles() {
        const Exports& exports = *m_window->findChild<Exports*>();
        QVERIFY(!exports.fileName(QStringLiteral("report"), QStringLiteral("html"))
                     .contains(QStringLiteral(".tflite")));
        QCOMPARE(exports.fileName(QStringLiteral("report"), QStringLiteral("pdf")),
                 exports.fileName(QStringLiteral("report"), {}) + QStringLiteral(".pdf"));
    }

    /// A letter of an open menu is the menu's, though it is a shortcut of the focused view.
    void lettersOfAMenu() {
        View& arena = *m_window->workspace().view(QStringLiteral("arena"));
        m_window->activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(m_window.get()));
        m_window->workspace().reveal(arena);
        QAction& hex = *arena.findChild<QAction*>(QStringLiteral("arenaHex"));
        const bool before = hex.isChecked();
        QTest::keyClick(m_window->focusWidget(), Qt::Key_X);
        QCOMPARE(hex.isChecked(), !before);
        QMenu& file = *m_window->menuBar()->actions().constFirst()->menu();
        file.popup(m_window->mapToGlobal(QPoint(10, 30)));
        QVERIFY(QTest::qWaitForWindowExposed(&file));
        QTest::keyClick(&file, Qt::Key_X);
        QCOMPARE(hex.isChecked(), !before);
        file.close();
        hex.setChecked(before);
    }

    void mnemonicsAreUnique() {
        QList<const QMenu*> menus;
        for (const QMenu* const menu : m_window->menuBar()->findChildren<QMenu*>())
            menus.append(menu);
        QVERIFY(menus.size() > 7);
        for (const QMenu* const menu : menus) {
            std::set<QString> seen;
            for (const QAction* const action : menu->actions()) {
                const QKeySequence keys = QKeySequence::mnemonic(action->text());
                if (!keys.isEmpty())
                    QVERIFY2(seen.insert(keys.toString()).second,
                             qPrintable(menu->title() + u' ' + action->text()));
            }
        }
    }

    void whatIsWrittenIsOffered() {
        Exports& exports = *m_window->findChild<Exports*>();
        const std::vector<ExportTable> tables =
            exportTables(*m_window->workspace().view(QStringLiteral("records")));
        const QString path = m_folder.filePath(QStringLiteral("records.csv"));
        exports.writeTable(tables.front(), path);
        QFile file(path);
        QVERIFY(file.open(QIODevice::ReadOnly));
        QCOMPARE(file.readAll(), tables.front().csv());
        QVERIFY(m_window->noticeText().contains(path));
        const ViewPicture picture =
            m_window->workspace().view(QStringLiteral("bytes"))->pictures().front();
        const QString image = m_folder.filePath(QStringLiteral("bytes.png"));
        exports.writePicture(picture, {PictureOptions::Format::Png, {300, 200}, 2, true}, image);
        QCOMPARE(QImage(image).size(), QSize(600, 400));
    }

    /// Last: it changes what is open.
    void picturesOfAFailingLayer() {
        const Document& document = *m_window->session().document();
        const auto first = static_cast<std::uint8_t>(document.job->weights.at(0) ^ 0x7F);
        m_window->session().requestEdits({ByteEdit{"weights", 0, first}});
        QVERIFY(QTest::qWaitFor(
            [this] { return m_window->isIdle() && !m_window->session().document()->edits.empty(); },
            kPatience));
        m_window->session().selectCulprit();
        View& tensor = *m_window->workspace().view(QStringLiteral("tensor"));
        View& why = *m_window->workspace().view(QStringLiteral("why"));
        for (View* const view : {&tensor, &why})
            view->bringUpToDate();
        QVERIFY(QTest::qWaitFor([&why] { return !why.isBusy(); }, kPatience));
        std::map<QString, ViewPicture> found;
        for (View* const view : {&tensor, &why})
            for (ViewPicture& picture : view->pictures())
                found[picture.name] = picture;
        for (const char* const name : {"tensor", "differences", "chain"}) {
            QVERIFY2(found.count(QString::fromLatin1(name)) == 1, name);
            check(found[QString::fromLatin1(name)], {480, 320});
        }
    }

  private:
    QList<QAction*> fileActions() const {
        QList<QAction*> actions;
        for (const char* const id :
             {"file.export-table", "file.export-picture", "file.export-report", "file.export-pdf",
              "file.print", "file.print-preview", "file.save-session", "file.reload"})
            actions.append(m_window->findChild<QAction*>(QString::fromLatin1(id)));
        return actions;
    }

    const QList<View*>& views() const { return m_window->workspace().views(); }

    static void check(const ViewPicture& picture, QSize size) {
        for (const bool isDark : {false, true}) {
            const auto png = pictureFile(picture, {PictureOptions::Format::Png, size, 2, isDark});
            QVERIFY2(png.ok(), qPrintable(picture.name));
            const QImage image = QImage::fromData(*png, "PNG");
            QCOMPARE(image.size(), size * 2);
            QVERIFY2(!isBlank(image), qPrintable(picture.name));
            const bool looksDark =
                image.scaled(1, 1, Qt::IgnoreAspectRatio, Qt::SmoothTransformation)
                    .pixelColor(0, 0)
                    .lightness() < 128;
            QVERIFY2(looksDark == isDark, qPrintable(picture.name));
            const QColor background = image.pixelColor(2, 2);
            QVERIFY2((background.lightness() < 128) == isDark, qPrintable(picture.name));
            const auto svg = pictureFile(picture, {PictureOptions::Format::Svg, size, 1, isDark});
            QVERIFY(svg.ok());
            const SvgFacts facts = factsOf(*svg);
            QVERIFY2(facts.error.isEmpty(), qPrintable(picture.name + facts.error));
            const QStringList box = facts.viewBox.split(u' '); // at least as large, as wide by high
            QCOMPARE(box.size(), 4);
            QVERIFY(box[2].toDouble() >= size.width() && box[3].toDouble() >= size.height());
            QVERIFY(std::abs(box[2].toDouble() / box[3].toDouble() * size.height() - size.width()) <
                    2);
            QVERIFY2(facts.texts > 0, qPrintable(picture.name));
            // The heat map of a tensor is made of pixels.
            if (picture.name != QStringLiteral("tensor"))
                QVERIFY2(facts.images == 0, qPrintable(picture.name));
            QImage drawn(size, QImage::Format_RGB32);
            drawn.fill(Qt::white);
            QPainter painter(&drawn);
            QSvgRenderer(*svg).render(&painter);
            QVERIFY2(!isBlank(drawn), qPrintable(picture.name));
        }
    }

    QTemporaryDir m_folder;
    Settings m_settings{m_folder.filePath(QStringLiteral("settings"))};
    std::unique_ptr<MainWindow> m_window;
};

} // namespace plumbline::gui::test

QTEST_MAIN(plumbline::gui::test::ExportsTest)
#include "tst_exports.moc"
