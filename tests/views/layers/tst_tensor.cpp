// SPDX-License-Identifier: GPL-3.0-or-later
// The tensor view: values against the document's bytes, both ways of the selection, keys, modes,
// documents of all kinds, pictures.
#include <QAction>
#include <QClipboard>
#include <QComboBox>
#include <QLabel>
#include <QScrollBar>
#include <QSignalSpy>
#include <QSpinBox>
#include <QSplitter>
#include <QTableView>
#include <QTest>

#include "tests/views/layers/layer_documents.h"
#include "views/layers/tensor_panel.h"
#include "views/layers/tensor_view.h"

using namespace plumbline;
using plumbline::test::opened;
using plumbline::test::placeText;
using plumbline::test::plainDifference;
using plumbline::test::savePictures;
using plumbline::test::withWrongWeight;

namespace {

constexpr std::size_t kWrong = 4; ///< operator with the wrong weight

struct Shown : QWidget {
    explicit Shown(const DocumentPtr& document, const QString& address = {},
                   TensorSide side = TensorSide::Ours, TensorMode mode = TensorMode::Slice)
        : view(session, this) {
        session.setDocument(document, Session::Keep::Nothing);
        if (!address.isEmpty())
            session.selectAddress(address);
        view.bar()->setSide(side);
        view.bar()->setMode(mode);
    }
    void resizeEvent(QResizeEvent* /*event*/) override { view.resize(size()); }
    QString elementText() {
        return view.findChild<QLabel*>(QStringLiteral("tensorElement"))->text();
    }
    QString findings() { return view.findChild<QLabel*>(QStringLiteral("tensorFindings"))->text(); }
    QString note() {
        return view.findChildren<QLabel*>(QString(), Qt::FindDirectChildrenOnly).first()->text();
    }

    Session session;
    TensorView view;
};

/// A document with one layer of `shape`: ours is -7 everywhere, the reference too but for the last
/// element, which is 9.
DocumentPtr madeDocument(const Hwc& shape) {
    auto lowering = std::make_shared<Lowering>();
    lowering->model = std::make_shared<const Model>();
    LoweredOperator op;
    op.name = "CONV_2D";
    op.placement = Placement::Npu;
    op.geometry.oh = shape.h, op.geometry.ow = shape.w, op.geometry.cout = shape.c;
    op.quantization.outputScale = 0.5;
    op.quantization.outputZeroPoint = 3;
    lowering->operators.push_back(op);
    const auto size = static_cast<std::size_t>(shape.elements());
    TraceLayer theirs;
    theirs.shape = {shape.h, shape.w, shape.c};
    theirs.bytes.assign(size, static_cast<std::uint8_t>(-7));
    theirs.byteCount = size;
    LayerVerdict verdict;
    verdict.shape = shape;
    verdict.name = op.name;
    verdict.ours = theirs.bytes;
    theirs.bytes.back() = 9;
    TensorComparison compared;
    compared.equal = false;
    compared.elements = shape.elements();
    compared.mismatches = 1;
    compared.first =
        ElementDifference{shape.h - 1, shape.w - 1, shape.c - 1, shape.elements() - 1, -7, 9};
    compared.maxAbs = 16;
    compared.histogram = {{-16, 1}, {0, shape.elements() - 1}};
    verdict.accumulated = compared;
    auto reference = std::make_shared<Reference>();
    reference->name = "made up";
    reference->trace.layers.push_back(std::move(theirs));
    auto verdicts = std::make_shared<Verdicts>();
    verdicts->reference = reference->name;
    verdicts->layers.push_back(std::move(verdict));
    auto document = std::make_shared<Document>();
    document->title = "made up";
    document->lowering = lowering;
    document->reference = reference;
    document->verdicts = verdicts;
    return document;
}

} // namespace

class TestTensor : public QObject {
    Q_OBJECT

  private slots:
    void initTestCase() {
        m_right = opened("ds-cnn");
        m_wrong = withWrongWeight(m_right, kWrong);
    }

    void valuesAreTheDocumentsBytes() {
        const auto tensor = LayerTensor::of(m_wrong, kWrong);
        QVERIFY(tensor);
        const Bytes& ours = m_wrong->execution->trace.layerOf(kWrong)->bytes;
        const Bytes& theirs = m_right->execution->trace.layerOf(kWrong)->bytes;
        int low = 127, high = -128;
        for (std::size_t i = 0; i < ours.size(); ++i) {
            const auto index = static_cast<std::int64_t>(i);
            const int a = static_cast<std::int8_t>(ours[i]);
            const int b = static_cast<std::int8_t>(theirs[i]);
            QCOMPARE(tensor->at(TensorSide::Ours, index), a);
            QCOMPARE(tensor->at(TensorSide::Theirs, index), b);
            QCOMPARE(tensor->at(TensorSide::Difference, index), a - b);
            QCOMPARE(tensor->differs(TensorSide::Ours, index), a != b);
            QCOMPARE(tensor->indexOf(tensor->elementOf(index)), index);
            low = std::min({low, a, b});
            high = std::max({high, a, b});
        }
        QCOMPARE(tensor->range(), (std::pair<int, int>(low, high)));
        // Later layers are right by themselves: alone they make the reference's bytes.
        const auto later = LayerTensor::of(m_wrong, kWrong + 1);
        for (std::int64_t i = 0; i < later->shape().elements(); ++i)
            QVERIFY(!later->differs(TensorSide::Alone, i));
    }

    void elementsAreDescribed() {
        const auto tensor = LayerTensor::of(madeDocument({2, 3, 4}), 0);
        QCOMPARE(tensor->describe({0, 1, 2}),
                 QStringLiteral("h 0, w 1, c 2: ours -7 (-5), reference -7 (-5), equal"));
        QCOMPARE(tensor->describe({1, 2, 3}),
                 QStringLiteral("h 1, w 2, c 3: ours -7 (-5), reference 9 (3), ≠ difference -16"));
    }

    void clickingSelectsTheElement() {
        Shown f(m_wrong, QStringLiteral("op/4"));
        f.resize(400, 500);
        f.show();
        TensorCanvas& canvas = *f.view.canvas();
        for (const GridCell cell : {GridCell{0, 0}, GridCell{2, 3}}) {
            const QPointF middle = canvas.sliceGeometry().rectOf(cell).center();
            QTest::mouseClick(canvas.viewport(), Qt::LeftButton, {}, middle.toPoint());
            QCOMPARE(f.session.address(), QStringLiteral("op/4/element/%1,%2,%3")
                                              .arg(cell.row)
                                              .arg(cell.column)
                                              .arg(canvas.channel()));
            QCOMPARE(f.elementText(),
                     LayerTensor::of(m_wrong, kWrong)->describe(*f.session.place().element));
        }
        QCOMPARE(canvas.accessibleDescription(), f.elementText());
        QTest::mouseClick(canvas.viewport(), Qt::LeftButton, {}, QPoint(1, 1)); // the ruler
        QVERIFY(f.session.address().startsWith(QStringLiteral("op/4/element/2,3")));
    }

    void theSelectionIsMarkedAndScrolledTo() {
        Shown f(m_wrong, QStringLiteral("op/4"));
        f.resize(400, 500);
        f.show();
        TensorCanvas& canvas = *f.view.canvas();
        for (int i = 0; i < 6; ++i)
            canvas.zoomBy(2);
        const Hwc shape = LayerTensor::of(m_wrong, kWrong)->shape();
        for (const ElementIndex at :
             {ElementIndex{shape.h - 1, shape.w - 1, shape.c - 1}, ElementIndex{0, 0, 1}}) {
            Selection selection = selectOperator(kWrong);
            selection.element = at;
            QVERIFY(f.session.select(selection));
            QCOMPARE(canvas.current(), std::optional(at));
            QCOMPARE(canvas.channel(), at.c);
            QCOMPARE(f.view.findChild<QSpinBox*>(QStringLiteral("tensorChannel"))->value(),
                     static_cast<int>(at.c));
            QVERIFY(QRectF(canvas.viewport()->rect())
                        .contains(canvas.sliceGeometry().rectOf(GridCell{at.h, at.w}).center()));
            QCOMPARE(f.view.model()->elementAt(f.view.table()->currentIndex()), std::optional(at));
        }
        QVERIFY(f.session.select(selectOperator(kWrong)));
        QVERIFY(!canvas.current());
    }

    void keysWalkElementsAndChannels() {
        Shown f(m_wrong, QStringLiteral("op/4/element/1,1,2"));
        f.resize(400, 500);
        f.show();
        TensorCanvas* const canvas = f.view.canvas();
        const std::vector<std::pair<Qt::Key, QString>> walk{
            {Qt::Key_Right, QStringLiteral("1,2,2")},    {Qt::Key_Down, QStringLiteral("2,2,2")},
            {Qt::Key_Left, QStringLiteral("2,1,2")},     {Qt::Key_Up, QStringLiteral("1,1,2")},
            {Qt::Key_PageDown, QStringLiteral("1,1,3")}, {Qt::Key_PageUp, QStringLiteral("1,1,2")},
            {Qt::Key_Home, QStringLiteral("0,0,2")},     {Qt::Key_Left, QStringLiteral("0,0,2")}};
        for (const auto& [key, expected] : walk) {
            QTest::keyClick(canvas, key);
            QCOMPARE(f.session.address(), QStringLiteral("op/4/element/") + expected);
        }
        const double fitted = canvas->sliceGeometry().zoom;
        QTest::keyClick(canvas, Qt::Key_Plus);
        QVERIFY(canvas->sliceGeometry().zoom > fitted);
        QTest::keyClick(canvas, Qt::Key_0);
        QCOMPARE(canvas->sliceGeometry().zoom, fitted);
        QTest::keyClick(canvas, Qt::Key_Minus);
        QVERIFY(canvas->sliceGeometry().zoom < fitted);
        f.session.select(selectOperator(kWrong));
        QTest::keyClick(canvas, Qt::Key_PageDown); // without an element the channel alone
        QCOMPARE(f.session.address(), QStringLiteral("op/4"));
        QCOMPARE(canvas->channel(), std::int64_t{3});
    }

    void sheetAndTableChooseToo() {
        Shown f(m_wrong, QStringLiteral("op/4"), TensorSide::Ours, TensorMode::AllChannels);
        f.resize(400, 500);
        f.show();
        TensorCanvas& canvas = *f.view.canvas();
        const QPointF fifth = canvas.sheetGeometry().pictureOf(5).center() -
                              QPointF(0, canvas.verticalScrollBar()->value());
        QTest::mouseClick(canvas.viewport(), Qt::LeftButton, {}, fifth.toPoint());
        QCOMPARE(canvas.channel(), std::int64_t{5});
        f.view.bar()->setMode(TensorMode::Values);
        QVERIFY(f.view.table()->isVisible());
        f.view.table()->setCurrentIndex(f.view.model()->indexOf({1, 2, 3}));
        QCOMPARE(f.session.address(), QStringLiteral("op/4/element/1,2,3"));
        QCOMPARE(f.view.accessibleTable(), f.view.model());
        QCOMPARE(canvas.channel(), std::int64_t{3});
        // A channel that was chosen stays while the element is in another one.
        f.view.findChild<QSpinBox*>(QStringLiteral("tensorChannel"))->setValue(6);
        f.view.bar()->setMode(TensorMode::Slice);
        emit f.view.bar()->sideChosen();
        QCOMPARE(canvas.channel(), std::int64_t{6});
        QCOMPARE(f.session.address(), QStringLiteral("op/4/element/1,2,3"));
    }

    void findingsLeadToTheFirstMismatch() {
        Shown f(m_wrong, QStringLiteral("op/4"));
        f.show();
        const TraceLayer& ours = *m_wrong->execution->trace.layerOf(kWrong);
        const auto plain =
            plainDifference(ours.bytes, m_right->execution->trace.layerOf(kWrong)->bytes);
        QVERIFY(f.findings().contains(QStringLiteral("%1 of").arg(plain.mismatches)));
        emit f.view.findChild<QLabel*>(QStringLiteral("tensorFindings"))
            ->linkActivated(QStringLiteral("first"));
        QCOMPARE(f.session.address(),
                 QStringLiteral("op/4/element/") + placeText(plain.first, ours.shape));
        f.session.selectAddress(QStringLiteral("op/0"));
        QVERIFY(f.findings().contains(QStringLiteral("equal the reference")));
        QVERIFY(!f.findings().contains(QStringLiteral("href")));
        QVERIFY(f.view.pickOperator(kWrong));
        QVERIFY(f.session.place().element.has_value());
        f.view.findChild<QAction*>(QStringLiteral("tensorCopyElement"))->trigger();
        QCOMPARE(QGuiApplication::clipboard()->text(), f.elementText());
    }

    void missingSidesCannotBeChosen() {
        auto document = std::make_shared<Document>(*m_right);
        document->verdicts = nullptr;
        document->reference = nullptr;
        Shown f(document, QStringLiteral("op/4"), TensorSide::Difference);
        f.show();
        QCOMPARE(f.view.side(), TensorSide::Ours);
        QVERIFY(f.findings().contains(QStringLiteral("Not compared")));
        auto* const sides = f.view.findChild<QComboBox*>(QStringLiteral("tensorSide"));
        for (int i = 0; i < sides->count(); ++i)
            QCOMPARE(bool(sides->model()->flags(sides->model()->index(i, 0)) & Qt::ItemIsEnabled),
                     i == static_cast<int>(TensorSide::Ours));
    }

    void whatHasNoTensorSaysWhy() {
        Shown f(nullptr);
        f.show();
        QVERIFY(f.note().startsWith(QStringLiteral("Open a model")));
        f.session.setDocument(m_right, Session::Keep::Nothing);
        QVERIFY(f.note().startsWith(QStringLiteral("Select an operator")));
        bool anyAlias = false;
        for (const LoweredOperator& op : m_right->lowering->operators) {
            f.session.select(selectOperator(op.index));
            const bool isAlias = op.placement == Placement::Alias;
            anyAlias = anyAlias || isAlias;
            QCOMPARE(f.view.shownOperator().has_value(), !isAlias);
            QCOMPARE(f.view.pickOperator(op.index), !isAlias);
        }
        QVERIFY(anyAlias);
        f.session.setDocument(opened("refused"), Session::Keep::Nothing);
        f.session.select(selectOperator(0));
        QVERIFY(!f.view.shownOperator());
        QVERIFY(!f.view.pickOperator(0));
    }

    void digestsAloneShowOursOnly() {
        auto document = std::make_shared<Document>(*madeDocument({2, 3, 4}));
        auto reference = std::make_shared<Reference>(*document->reference);
        reference->trace.layers[0].bytes.clear();
        document->reference = reference;
        auto verdicts = std::make_shared<Verdicts>(*document->verdicts);
        verdicts->layers[0].accumulated = TensorComparison{};
        verdicts->layers[0].accumulated->equal = false;
        verdicts->layers[0].accumulated->note = "the reference holds a digest only";
        document->verdicts = verdicts;
        Shown f(document, QStringLiteral("op/0"));
        f.show();
        QCOMPARE(f.view.shownOperator(), std::optional<std::int64_t>(0));
        QVERIFY(f.findings().contains(QStringLiteral("The reference holds a digest only, so")));
        QVERIFY(f.elementText().startsWith(QStringLiteral("Point at")));
    }

    void sixtySevenMillionElementsAreWalked() {
        Shown f(madeDocument({4096, 4096, 4}), QStringLiteral("op/0"));
        f.resize(820, 260);
        f.show();
        f.view.grab();
        QCOMPARE(f.view.canvas()->channel(), std::int64_t{3}); // of the only mismatch
        f.session.stepMismatch(1);
        QCOMPARE(f.session.address(), QStringLiteral("op/0/element/4095,4095,3"));
        QCOMPARE(f.view.model()->page(), f.view.model()->pages() - 1);
        QCOMPARE(f.view.table()->currentIndex().data().toString(), QStringLiteral("≠ -7"));
        f.view.bar()->setMode(TensorMode::Values);
        f.view.grab();
    }

    void everythingHasAnAccessibleName() {
        Shown f(m_wrong, QStringLiteral("op/4"));
        f.show();
        for (const QWidget* const widget : f.view.findChildren<QWidget*>())
            if (widget->isVisible() && (widget->focusPolicy() & Qt::TabFocus) != 0 &&
                widget->focusProxy() == nullptr &&
                qobject_cast<const QSplitter*>(widget) == nullptr)
                QVERIFY2(!widget->accessibleName().isEmpty(), widget->metaObject()->className());
    }

    void pictures_data() {
        QTest::addColumn<QString>("address");
        QTest::addColumn<int>("side");
        QTest::addColumn<int>("mode");
        const auto row = [](const char* name, const char* address, TensorSide side,
                            TensorMode mode) {
            QTest::newRow(name) << QString::fromLatin1(address) << int(side) << int(mode);
        };
        row("slice", "op/4/element/3,2,0", TensorSide::Ours, TensorMode::Slice);
        row("difference", "op/5", TensorSide::Difference, TensorMode::Slice);
        row("sheet", "op/5", TensorSide::Difference, TensorMode::AllChannels);
        row("table", "op/4/element/3,2,0", TensorSide::Ours, TensorMode::Values);
        row("vector", "op/11/element/0,0,3", TensorSide::Ours, TensorMode::Slice);
    }

    void pictures() {
        QFETCH(const QString, address);
        QFETCH(const int, side);
        QFETCH(const int, mode);
        const QString name = QStringLiteral("tensor-") + QLatin1StringView(QTest::currentDataTag());
        const auto make = [&] {
            return std::make_unique<Shown>(m_wrong, address, static_cast<TensorSide>(side),
                                           static_cast<TensorMode>(mode));
        };
        savePictures(name + QStringLiteral("-tall"), {400, 500}, make);
        savePictures(name + QStringLiteral("-wide"), {820, 260}, make);
    }

    void picturesOfOtherModels() {
        const DocumentPtr resnet = opened("resnet8");
        const DocumentPtr wrong = withWrongWeight(resnet, 0);
        savePictures(QStringLiteral("tensor-resnet8"), {400, 500},
                     [wrong] { return std::make_unique<Shown>(wrong, QStringLiteral("op/0")); });
        const DocumentPtr mobilenet = opened("mobilenet");
        savePictures(QStringLiteral("tensor-mobilenet"), {820, 260}, [mobilenet] {
            return std::make_unique<Shown>(mobilenet, QStringLiteral("op/3"), TensorSide::Ours,
                                           TensorMode::AllChannels);
        });
        savePictures(QStringLiteral("tensor-empty"), {400, 500},
                     [mobilenet] { return std::make_unique<Shown>(mobilenet); });
    }

  private:
    DocumentPtr m_right, m_wrong;
};

QTEST_MAIN(TestTensor)
#include "tst_tensor.moc"
