// SPDX-License-Identifier: GPL-3.0-or-later
// The bytes view against the selection, on samples, damaged values and an empty document.
#include <QAbstractItemModelTester>
#include <QApplication>
#include <QDir>
#include <QLabel>
#include <QSignalSpy>
#include <QSpinBox>
#include <QTableView>
#include <QTest>

#include "core/lowering/target.h"
#include "views/common/palette.h"
#include "views/hex/bytes_view.h"
#include "views/hex/hex_area.h"
#include "views/hex/hex_table_model.h"
#include "views/hex/owner_legend.h"

using namespace plumbline;

namespace {

DocumentPtr opened(const std::string& sample, bool simulate = true) {
    OpenRequest request;
    request.sample = sample;
    request.simulate = simulate;
    return *openDocument(request, npuP0Target());
}

/// Number of the first operator with weights.
const LoweredOperator& weighted(const Document& document) {
    for (const LoweredOperator& op : document.lowering->operators)
        if (op.weights)
            return op;
    return document.lowering->operators.front();
}

} // namespace

class TestBytes : public QObject {
    Q_OBJECT

    struct Fixture {
        explicit Fixture(const DocumentPtr& document)
            : view(session) {
            session.setDocument(document, Session::Keep::Nothing);
            view.resize(760, 420);
            view.show();
        }
        Session session;
        BytesView view;
    };

  private slots:
    void initTestCase() { m_document = opened("every-operator"); }

    void aFieldMarksItsBytesAndAWordItsFour() {
        Fixture f(m_document);
        QVERIFY(f.session.selectAddress(QStringLiteral("record/1/word/6/INPUT_H")));
        QCOMPARE(f.view.region(), ByteRegion::Descriptors);
        QCOMPARE(f.view.hexArea()->selection(), (HexRun{128 + 24, 2}));
        QVERIFY(f.session.selectAddress(QStringLiteral("record/1/word/6/INPUT_W")));
        QCOMPARE(f.view.hexArea()->selection(), (HexRun{128 + 26, 2}));
        QVERIFY(f.session.selectAddress(QStringLiteral("record/1/word/6")));
        QCOMPARE(f.view.hexArea()->selection(), (HexRun{128 + 24, 4}));
    }

    void ofARefusedModelTheFileIsShown() {
        const DocumentPtr refused = opened("refused");
        Fixture f(refused);
        QCOMPARE(f.view.region(), ByteRegion::File);
        f.session.setDocument(m_document, Session::Keep::Nothing);
        QCOMPARE(f.view.region(), ByteRegion::Descriptors);
    }

    void byteSelectsItsFieldAndOperator() {
        Fixture f(m_document);
        HexArea* const hex = f.view.hexArea();
        const QPoint at = hex->geometryOfBytes().hexCell(128 + 24, hex->firstRow()).center();
        QTest::mouseClick(hex->viewport(), Qt::LeftButton, {}, at);
        QCOMPARE(f.session.address(), QStringLiteral("descriptors/0x98"));
        QCOMPARE(f.session.place().record, std::optional<std::int64_t>(1));
        QCOMPARE(f.session.place().word, std::optional<std::int64_t>(6));
        const FieldTable& table = *m_document->lowering->fields;
        QVERIFY(f.session.place().field);
        QCOMPARE(QString::fromUtf8(table.fields[*f.session.place().field].name.data()),
                 QStringLiteral("INPUT_H"));
        QVERIFY(hex->selection() == (HexRun{128 + 24, 1}));
    }

    void spansTurnToTheirRegion_data() {
        QTest::addColumn<QString>("address");
        QTest::addColumn<int>("region");
        QTest::newRow("weights") << "weights/0x8+8" << int(ByteRegion::Weights);
        QTest::newRow("params") << "params/0x10+4" << int(ByteRegion::Params);
        QTest::newRow("arena") << "arena@2/0x0+16" << int(ByteRegion::Arena);
        QTest::newRow("descriptors") << "descriptors/0x80+128" << int(ByteRegion::Descriptors);
    }
    void spansTurnToTheirRegion() {
        QFETCH(QString, address);
        QFETCH(int, region);
        Fixture f(m_document);
        f.view.setRegion(ByteRegion::File);
        QVERIFY(f.session.selectAddress(address));
        QCOMPARE(int(f.view.region()), region);
        QCOMPARE(f.view.hexArea()->selection().begin, f.session.place().span->offset);
        QCOMPARE(f.view.hexArea()->selection().bytes, f.session.place().span->bytes);
    }

    void everyOperatorCanBePicked() {
        Fixture f(m_document);
        int picked = 0;
        for (const LoweredOperator& op : m_document->lowering->operators) {
            QCOMPARE(f.view.pickOperator(op.index), op.record.has_value());
            if (!op.record)
                continue;
            QCOMPARE(f.view.shownOperator(), std::optional(op.index));
            ++picked;
        }
        QVERIFY(picked > 5);
    }

    void arenaFollowsTheStep() {
        Fixture f(m_document);
        f.view.setRegion(ByteRegion::Arena);
        auto* const box = f.view.findChild<QSpinBox*>(QStringLiteral("bytesStep"));
        for (const LoweredOperator& op : m_document->lowering->operators) {
            QVERIFY(f.session.select(selectOperator(op.index)));
            QCOMPARE(f.view.step(), op.index);
            QCOMPARE(box->value(), static_cast<int>(op.index));
            if (!op.record)
                continue;
            const Bytes& made = m_document->execution->trace.layerOf(op.index)->bytes;
            const ByteView shown = f.view.hexArea()->bytes().subspan(
                static_cast<std::size_t>(op.arena.output), made.size());
            QVERIFY(std::equal(made.begin(), made.end(), shown.begin()));
        }
        QVERIFY(!f.view.legendText().isEmpty());
        box->setValue(1);
        QCOMPARE(f.session.address(), QStringLiteral("op/1"));
        QVERIFY(f.session.selectAddress(QStringLiteral("arena@3/0x4")));
        box->setValue(2);
        QCOMPARE(f.session.address(), QStringLiteral("arena@2/0x4"));
    }

    void legendHasTwoLinesAtMost() {
        OwnerLegend legend;
        std::vector<OwnerLegend::Owner> owners;
        constexpr int kOwners = 40;
        for (int i = 0; i < kOwners; ++i)
            owners.push_back({Qt::red, QStringLiteral("%1 model/stage_%1/%2/Relu;BiasAdd")
                                           .arg(i)
                                           .arg(QStringLiteral("block/").repeated(i % 9))});
        legend.setOwners(owners, QStringLiteral("a reason"));
        QCOMPARE(legend.minimumSizeHint().width(), 0);
        for (const OwnerLegend::Owner& owner : owners)
            QVERIFY(legend.toolTip().contains(owner.text));
        QVERIFY(legend.toolTip().contains(QStringLiteral("a reason")));
        const int twoLines = 3 + 2 * (legend.fontMetrics().height() + 2);
        for (int width = 160; width <= 2000; width += 37) {
            const std::vector<OwnerLegend::Item> items = legend.itemsAt(width);
            QVERIFY(legend.heightForWidth(width) <= twoLines);
            int named = 0;
            for (std::size_t i = 0; i < items.size(); ++i) {
                QVERIFY(items[i].rect.left() >= 0 && items[i].rect.right() < width);
                QVERIFY(i == 0 || !items[i].rect.intersects(items[i - 1].rect));
                named += items[i].owner >= 0 ? 1 : 0;
            }
            QCOMPARE(items.back().text, QStringLiteral("+%1 more").arg(kOwners - named));
        }
        owners.resize(2);
        legend.setOwners(owners, {});
        QCOMPARE(legend.itemsAt(2000).size(), std::size_t{3}); // the words and two owners
    }

    void longNamesWidenNothingAndHideNoSelection() {
        auto document = std::make_shared<Document>(*m_document);
        auto lowering = std::make_shared<Lowering>(*document->lowering);
        for (Allocation& allocation : lowering->arena.allocations)
            allocation.name = std::string(300, 'n');
        document->lowering = lowering;
        Fixture plain(m_document);
        Fixture f(document);
        for (Fixture* const each : {&plain, &f}) {
            each->view.resize(760, 170);
            QVERIFY(each->session.selectAddress(QStringLiteral("arena@4/0x300")));
            QApplication::processEvents(); // layouts
        }
        QCOMPARE(f.view.minimumSizeHint().width(), plain.view.minimumSizeHint().width());
        const HexArea* const hex = f.view.hexArea();
        const QRect cell = hex->geometryOfBytes().hexCell(0x300, hex->firstRow());
        QVERIFY(hex->viewport()->rect().contains(cell));
    }

    void aSmallerViewKeepsTheSelectionInSight() {
        Fixture f(m_document);
        QVERIFY(f.session.selectAddress(QStringLiteral("weights/0x0")));
        QApplication::processEvents(); // layouts
        HexArea* const hex = f.view.hexArea();
        const int rows = hex->geometryOfBytes().rowsIn(hex->viewport()->height());
        const auto last = static_cast<std::uint64_t>(rows - 1) * HexGeometry::kPerRow;
        QVERIFY(f.session.select(selectSpan("weights", last)));
        f.view.resize(f.view.width(), f.view.height() - 100);
        QApplication::processEvents(); // layouts
        QVERIFY(hex->viewport()->rect().contains(
            hex->geometryOfBytes().hexCell(last, hex->firstRow())));
        hex->scrollToOffset(0);
        const std::uint64_t away = hex->firstRow();
        f.view.resize(f.view.width(), f.view.height() - 20);
        QApplication::processEvents();   // layouts
        QCOMPARE(hex->firstRow(), away); // a person scrolled away: nothing moves
    }

    void modelFileBytesFindTheirTensor() {
        Fixture f(m_document);
        f.view.setRegion(ByteRegion::File);
        const LoweredOperator& op = weighted(*m_document);
        const Graph& graph = *m_document->graph();
        const auto tensor = graph.operators[static_cast<std::size_t>(op.index)].inputs[1];
        Selection selection;
        selection.tensor = tensor;
        QVERIFY(f.session.select(selection));
        QCOMPARE(f.view.region(), ByteRegion::File);
        const HexRun run = f.view.hexArea()->selection();
        const ByteView data = graph.tensors[static_cast<std::size_t>(tensor)].data;
        QCOMPARE(run.bytes, std::uint64_t{data.size()});
        QVERIFY(
            std::equal(data.begin(), data.end(),
                       f.view.hexArea()->bytes().begin() + static_cast<std::ptrdiff_t>(run.begin)));
        QVERIFY(f.session.select(selectOperator(0)));
        QVERIFY(f.view.goTo(QString::number(run.begin)));
        QCOMPARE(f.session.address(), QStringLiteral("tensor/%1").arg(tensor));
    }

    void weightsAsTable() {
        Fixture f(m_document);
        const LoweredOperator& op = weighted(*m_document);
        QVERIFY(f.session.select(selectOperator(op.index)));
        f.view.setRegion(ByteRegion::Weights);
        f.view.setStructured(true);
        QAbstractItemModel* const model = f.view.structuredTable()->model();
        QAbstractItemModelTester tester(model);
        const std::uint64_t lanes = 8;
        QCOMPARE(std::uint64_t(model->rowCount()) * lanes, op.weights->bytes);
        QCOMPARE(model->headerData(2, Qt::Horizontal, Qt::DisplayRole).toString(),
                 QStringLiteral("kh"));
        const int first = model->columnCount() - 8;
        const QModelIndex cell = model->index(model->rowCount() - 1, first + 3);
        f.view.structuredTable()->setCurrentIndex(cell);
        const std::uint64_t offset = op.weights->offset + op.weights->bytes - 8 + 3;
        QCOMPARE(f.session.address(),
                 QString::fromStdString(toText(selectSpan("weights", offset))));
        QCOMPARE(cell.data().toInt(),
                 int(static_cast<std::int8_t>(
                     m_document->lowering->weights[static_cast<std::size_t>(offset)])));
        QVERIFY(f.session.select(selectSpan("weights", op.weights->offset + 1)));
        QCOMPARE(f.view.structuredTable()->currentIndex(), model->index(0, first + 1));
    }

    void parametersAsTable() {
        Fixture f(m_document);
        f.view.setRegion(ByteRegion::Params);
        f.view.setStructured(true);
        bool sawBlock = false;
        for (const LoweredOperator& op : m_document->lowering->operators) {
            QVERIFY(f.session.select(selectOperator(op.index)));
            if (!op.params) {
                QVERIFY(!f.view.emptyReason().isEmpty());
                continue;
            }
            QAbstractItemModel* const model = f.view.structuredTable()->model();
            QAbstractItemModelTester tester(model);
            const bool block = op.opcodeName == "ADD";
            sawBlock = sawBlock || block;
            QCOMPARE(model->columnCount(), block ? 8 : 4);
            QCOMPARE(model->rowCount(), block ? 1 : static_cast<int>(op.geometry.cout));
            f.view.structuredTable()->setCurrentIndex(model->index(0, 1));
            QCOMPARE(f.session.place().span->offset, op.params->offset + 4);
            QCOMPARE(f.session.place().operatorIndex, std::optional(op.index));
        }
        QVERIFY(sawBlock);
    }

    void accessibleTableHasTheBytes() {
        Fixture f(m_document);
        f.view.setRegion(ByteRegion::Params);
        QAbstractItemModel* const table = f.view.accessibleTable();
        QAbstractItemModelTester tester(table);
        const Bytes& params = m_document->lowering->params;
        QCOMPARE(table->rowCount(), static_cast<int>((params.size() + 15) / 16));
        QCOMPARE(table->index(1, HexTableModel::FirstByte + 2).data().toString().toInt(nullptr, 16),
                 int(params[18]));
        QCOMPARE(table->index(1, 0).data().toString(), QStringLiteral("0x00000010"));
    }

    void goToRefusesWhatIsNotThere() {
        Fixture f(m_document);
        QVERIFY(!f.view.goTo(QStringLiteral("0xFFFFFFFF")));
        QVERIFY(!f.view.goTo(QStringLiteral("somewhere")));
        QVERIFY(f.view.goTo(QStringLiteral("0x80")));
        QCOMPARE(f.session.place().record, std::optional<std::int64_t>(1));
    }

    void emptyAndRefusedDocumentsSayWhy() {
        Session session;
        BytesView view(session);
        view.show();
        QVERIFY(view.emptyReason().contains(QStringLiteral("Open")));
        session.setDocument(opened("refused"), Session::Keep::Nothing);
        for (int region = 0; region < kByteRegions - 1; ++region) {
            view.setRegion(static_cast<ByteRegion>(region));
            QVERIFY(!view.emptyReason().isEmpty());
        }
        session.setDocument(opened("resnet8", false), Session::Keep::Nothing);
        view.setRegion(ByteRegion::Arena);
        QVERIFY(view.emptyReason().contains(QStringLiteral("Simulate")));
        view.setRegion(ByteRegion::File);
        QCOMPARE(view.emptyReason(), QString());
    }

    void hostileValuesDoNotCrash() {
        auto document = std::make_shared<Document>(*m_document);
        auto lowering = std::make_shared<Lowering>(*document->lowering);
        for (LoweredOperator& op : lowering->operators) {
            op.weights = RegionSlice{~std::uint64_t{0}, ~std::uint64_t{0}};
            op.params = RegionSlice{1, ~std::uint64_t{0}};
            op.arena.output = ~std::uint64_t{0} - 3;
            op.arena.outputBytes = ~std::uint64_t{0};
        }
        lowering->operators[0].record = std::int64_t{1} << 50;
        lowering->operators[1].record = -7;
        lowering->records[2].bytes.assign(lowering->fields->recordBytes, 0xFF);
        document->relocatedRecords.resize(100);
        document->lowering = lowering;
        Fixture f(document);
        for (int region = 0; region < kByteRegions; ++region) {
            f.view.setRegion(static_cast<ByteRegion>(region));
            for (const bool structured : {false, true}) {
                f.view.setStructured(structured);
                for (std::int64_t op = 0; op < std::ssize(lowering->operators); ++op) {
                    f.session.select(selectOperator(op));
                    f.view.pickOperator(op);
                }
                f.view.goTo(QStringLiteral("1"));
                f.view.grab();
            }
        }
    }

    void pictures() {
        QDir().mkpath(QStringLiteral(PLUMBLINE_PICTURES));
        const DocumentPtr document = opened("mobilenet");
        for (const Theme theme : {Theme::Light, Theme::Dark}) {
            applyTheme(*qApp, theme);
            Fixture f(document);
            const QString name =
                theme == Theme::Light ? QStringLiteral("light") : QStringLiteral("dark");
            const auto save = [&](const QString& what) {
                QApplication::processEvents(); // layouts
                f.view.grab().save(
                    QStringLiteral(PLUMBLINE_PICTURES "/bytes-%1-%2.png").arg(what, name));
            };
            f.session.selectAddress(QStringLiteral("record/3/word/7/OUTPUT_C"));
            save(QStringLiteral("descriptors"));
            f.session.selectAddress(QStringLiteral("op/3"));
            f.view.setRegion(ByteRegion::Arena);
            f.view.hexArea()->scrollToOffset(document->lowering->operators[3].arena.output + 64);
            save(QStringLiteral("arena"));
            f.view.setRegion(ByteRegion::Weights);
            f.view.setStructured(true);
            f.session.select(
                selectSpan("weights", document->lowering->operators[3].weights
                                          ? document->lowering->operators[3].weights->offset + 10
                                          : 10));
            save(QStringLiteral("weights"));
            f.view.setRegion(ByteRegion::Params);
            save(QStringLiteral("params"));
        }
        applyTheme(*qApp, Theme::Light);
    }

  private:
    DocumentPtr m_document;
};

QTEST_MAIN(TestBytes)
#include "tst_bytes.moc"
