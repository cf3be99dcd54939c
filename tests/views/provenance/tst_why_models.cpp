// SPDX-License-Identifier: GPL-3.0-or-later
// Steps as a table and as a chain of values.
#include <QAbstractItemModelTester>
#include <QTest>

#include "tests/views/provenance/why_documents.h"
#include "views/provenance/chain_strip.h"
#include "views/provenance/layer_question.h"
#include "views/provenance/step_model.h"

using namespace plumbline;
using namespace plumbline::test;

namespace {

ReplayStep step(ReplayKind kind, std::int64_t before, std::int64_t result) {
    ReplayStep made;
    made.kind = kind;
    made.before = before;
    made.result = result;
    return made;
}

/// Bias 5, then `slices` slices of two products that add 1 and 2, then a multiply and a clamp.
std::shared_ptr<Explanation> counting(std::int64_t slices) {
    auto made = std::make_shared<Explanation>();
    made->slices = slices;
    std::int64_t value = 5;
    made->steps.push_back(step(ReplayKind::Start, 0, value));
    made->steps.back().parameterFrom = ReplaySource{"params", 16};
    for (std::int64_t k = 0; k < slices * 2; ++k) {
        ReplayStep product = step(ReplayKind::Product, value, value + k % 2 + 1);
        product.k = k;
        product.slice = k / 2;
        product.input = k % 2 + 1;
        product.weight = 1;
        product.inputFrom = ReplaySource{"arena", static_cast<std::uint64_t>(k)};
        product.weightFrom = ReplaySource{"weights", static_cast<std::uint64_t>(8 * k)};
        value = product.result;
        made->steps.push_back(product);
        if (k % 2 == 0)
            continue;
        ReplayStep end = step(ReplayKind::SliceEnd, value, value);
        end.k = k;
        end.slice = k / 2;
        made->steps.push_back(end);
    }
    made->steps.push_back(step(ReplayKind::HighMultiply, value, value / 2));
    made->steps.push_back(step(ReplayKind::Clamp, value / 2, 7));
    made->value = 7;
    made->output = {"arena", 99};
    return made;
}

QStringList names(const std::vector<ChainLink>& chain) {
    QStringList list;
    for (const ChainLink& link : chain)
        list += link.name;
    return list;
}

/// The chain of an element of the operator's first output position.
std::vector<ChainLink> chainOfOperator(const DocumentPtr& document, std::int64_t index) {
    const ElementAnswer answer = explainElement(siteQuestion(document, index, LayerInputs::AsRun),
                                                {}, nullptr, JobContext{});
    return answer.explanation ? chainOf(*answer.explanation) : std::vector<ChainLink>{};
}

} // namespace

class TestWhyModels : public QObject {
    Q_OBJECT

  private slots:
    void rowsAreTheSteps();
    void addsLeadFromBiasToAccumulator();
    void cellsNameTheirBytes();
    void columnsWithoutContentAreKnown();
    void manyStepsAreNotCopied();
    void chainEndsEachSlice();
    void manySlicesShareALink();
    void chainOfEveryOperator_data();
    void chainOfEveryOperator();
    void linksStandForSteps();
    void cardsWrapAndAreFound();
    void sitesAreRemembered();
};

void TestWhyModels::rowsAreTheSteps() {
    StepModel model;
    QAbstractItemModelTester tester(&model);
    QCOMPARE(model.rowCount(), 0);
    const auto made = counting(2);
    model.setExplanation(made, std::nullopt);
    QCOMPARE(model.rowCount(), 9); // start, 2 x (2 products, end), multiply, clamp
    const auto text = [&model](int row, StepModel::Column column) {
        return model.index(row, column).data().toString();
    };
    QCOMPARE(text(0, StepModel::Number), QStringLiteral("1"));
    QCOMPARE(text(0, StepModel::What), QStringLiteral("start"));
    QCOMPARE(text(0, StepModel::Value), QStringLiteral("5"));
    QCOMPARE(text(0, StepModel::K), QString());
    QCOMPARE(text(2, StepModel::What), QStringLiteral("product"));
    QCOMPARE(text(2, StepModel::K), QStringLiteral("1"));
    QCOMPARE(text(2, StepModel::Adds), QStringLiteral("2"));
    QCOMPARE(text(2, StepModel::Value), QStringLiteral("8"));
    QCOMPARE(text(5, StepModel::Slice), QStringLiteral("1"));
    QCOMPARE(text(8, StepModel::Parameter), QStringLiteral("0..0"));
    model.setExplanation(nullptr, std::nullopt);
    QCOMPARE(model.rowCount(), 0);
    QVERIFY(model.step(0) == nullptr);
}

void TestWhyModels::addsLeadFromBiasToAccumulator() {
    const DocumentPtr document = sample("ds-cnn");
    const std::int64_t index = firstOf(document, "CONV2D");
    const ElementAnswer answer = explainElement(siteQuestion(document, index, LayerInputs::AsRun),
                                                {1, 2, 3}, nullptr, JobContext{});
    QVERIFY2(answer.explanation, qPrintable(answer.problem));
    StepModel model;
    model.setExplanation(answer.explanation, std::nullopt);
    std::int64_t sum = 0;
    int products = 0;
    for (int row = 0; row < model.rowCount(); ++row) {
        const ReplayStep& at = *model.step(row);
        if (at.kind == ReplayKind::Start)
            sum = model.index(row, StepModel::Value).data(StepModel::PlainRole).toLongLong();
        if (at.kind == ReplayKind::Product) {
            const auto input =
                model.index(row, StepModel::Input).data(StepModel::PlainRole).toLongLong();
            const auto weight =
                model.index(row, StepModel::Weight).data(StepModel::PlainRole).toLongLong();
            sum += (input - at.parameter) * weight;
            ++products;
        }
        if (at.kind == ReplayKind::SliceEnd)
            QCOMPARE(model.index(row, StepModel::Value).data(StepModel::PlainRole).toLongLong(),
                     sum);
    }
    const OperatorGeometry& g =
        document->lowering->operators[static_cast<std::size_t>(index)].geometry;
    QCOMPARE(std::int64_t{products}, g.kh * g.kw * g.cin);
    QCOMPARE(model.index(model.rowCount() - 1, StepModel::Value).data(StepModel::PlainRole).toInt(),
             executedValue(document, index, {1, 2, 3}));
}

void TestWhyModels::cellsNameTheirBytes() {
    StepModel model;
    model.setExplanation(counting(2), std::nullopt);
    const auto address = [&model](int row, StepModel::Column column) {
        return model.index(row, column).data(StepModel::AddressRole).toString();
    };
    QCOMPARE(address(0, StepModel::Value), QStringLiteral("params/0x10"));
    QCOMPARE(address(2, StepModel::Input), QStringLiteral("arena/0x1"));
    QCOMPARE(address(2, StepModel::Weight), QStringLiteral("weights/0x8"));
    QCOMPARE(address(2, StepModel::Value), QString());
    QCOMPARE(address(2, StepModel::Element), QString());
    QCOMPARE(address(8, StepModel::Value), QStringLiteral("arena/0x63"));
    QVERIFY(!model.sourceAt(2, StepModel::What));
    QVERIFY(!model.sourceAt(99, StepModel::Input));
}

void TestWhyModels::columnsWithoutContentAreKnown() {
    StepModel model;
    model.setExplanation(counting(1), std::nullopt);
    QVERIFY(model.hasColumn(StepModel::Weight));
    QVERIFY(!model.hasColumn(StepModel::Slice)); // there is one only
    QVERIFY(!model.hasColumn(StepModel::Place)); // without a walk k has no place
    auto bare = std::make_shared<Explanation>();
    bare->steps = {step(ReplayKind::Start, 0, 4), step(ReplayKind::Clamp, 4, 4)};
    model.setExplanation(bare, std::nullopt);
    QVERIFY(!model.hasColumn(StepModel::Weight));
    QVERIFY(!model.hasColumn(StepModel::K));
    QVERIFY(model.hasColumn(StepModel::Parameter));
}

void TestWhyModels::manyStepsAreNotCopied() {
    const auto made = counting(20'000);
    StepModel model;
    model.setExplanation(made, std::nullopt);
    QCOMPARE(model.rowCount(), 60'003);
    QCOMPARE(model.step(50'000), &made->steps[50'000]);
}

void TestWhyModels::chainEndsEachSlice() {
    const auto chain = chainOf(*counting(3));
    QCOMPARE(names(chain), (QStringList{QStringLiteral("bias"), QStringLiteral("slice 0"),
                                        QStringLiteral("slice 1"), QStringLiteral("accumulator"),
                                        QStringLiteral("high multiply"), QStringLiteral("clamp"),
                                        QStringLiteral("byte")}));
    QCOMPARE(chain[1].value, std::int64_t{8}); // 5 + 1 + 2
    QCOMPARE(chain[2].value, std::int64_t{11});
    QCOMPARE(chain[3].value, std::int64_t{14});
    QCOMPARE(chain[1].step, std::size_t{3});
    QCOMPARE(chain.back().value, std::int64_t{7});
    QCOMPARE(names(chainOf(*counting(1)))[1], QStringLiteral("accumulator"));
    QVERIFY(chainOf(Explanation{}).empty());
}

void TestWhyModels::manySlicesShareALink() {
    const auto chain = shortened(chainOf(*counting(20)), 6);
    QCOMPARE(names(chain).mid(1, 7),
             (QStringList{QStringLiteral("slice 0"), QStringLiteral("slice 1"),
                          QStringLiteral("slice 2"), QStringLiteral("slices 3..15"),
                          QStringLiteral("slice 16"), QStringLiteral("slice 17"),
                          QStringLiteral("slice 18")}));
    QCOMPARE(chain[4].value, std::int64_t{5 + 16 * 3});
    QCOMPARE(shortened(chainOf(*counting(7)), 6), chainOf(*counting(7)));
}

void TestWhyModels::chainOfEveryOperator_data() {
    QTest::addColumn<QString>("opcode");
    QTest::addColumn<QString>("first");
    QTest::addColumn<QString>("within");
    const auto row = [](const char* opcode, const char* first, const char* within) {
        QTest::newRow(opcode) << QString::fromLatin1(opcode) << QString::fromLatin1(first)
                              << QString::fromLatin1(within);
    };
    row("CONV2D", "bias", "accumulator");
    row("DEPTHWISE3X3", "bias", "accumulator");
    row("FULLY_CONNECTED", "bias", "accumulator");
    row("ADD", "centre, input 0", "sum, sum");
    row("MAX_POOL", "start", "maximum of ");
    row("AVERAGE_POOL", "start", "divide");
    row("GLOBAL_AVERAGE_POOL", "start", "divide");
    row("CLAMP", "input", "clamp");
}

void TestWhyModels::chainOfEveryOperator() {
    QFETCH(QString, opcode);
    QFETCH(QString, first);
    QFETCH(QString, within);
    const DocumentPtr document = sample("every-operator");
    const std::int64_t index = firstOf(document, opcode.toStdString());
    QVERIFY(index >= 0);
    const auto chain = chainOfOperator(document, index);
    QVERIFY(!chain.empty());
    QCOMPARE(chain.front().name, first);
    QVERIFY2(names(chain).join(QLatin1Char('|')).contains(within),
             qPrintable(names(chain).join(QLatin1Char('|'))));
    QCOMPARE(chain.back().name, QStringLiteral("byte"));
    QCOMPARE(chain.back().value, std::int64_t{executedValue(document, index, {})});
}

void TestWhyModels::linksStandForSteps() {
    const auto made = counting(2);
    const auto chain = chainOf(*made);
    QCOMPARE(linkOf(chain, 0), std::optional<std::size_t>(0)); // bias
    QCOMPARE(linkOf(chain, 1), std::optional<std::size_t>(1)); // first product of slice 0
    QCOMPARE(linkOf(chain, 3), std::optional<std::size_t>(1)); // its end
    QCOMPARE(linkOf(chain, 4), std::optional<std::size_t>(2));
    QCOMPARE(linkOf(chain, 8), std::optional<std::size_t>(4)); // the clamp, not the byte
    QVERIFY(!linkOf({}, 0));
}

void TestWhyModels::cardsWrapAndAreFound() {
    const ChainLayout layout({{100, 30}, {100, 30}, {100, 30}}, 260);
    QCOMPARE(layout.card(0).top(), layout.card(1).top());
    QVERIFY(layout.card(1).left() > layout.card(0).right());
    QVERIFY(layout.card(2).top() > layout.card(0).bottom());
    QCOMPARE(layout.card(2).left(), layout.card(0).left());
    for (std::size_t i = 0; i < 3; ++i)
        QCOMPARE(layout.cardAt(layout.card(i).center()), std::optional(i));
    QVERIFY(!layout.cardAt({layout.card(0).right() + 5, layout.card(0).center().y()}));
    // Three close cards are 3 * 92 wide with two arrows of 9, and have a margin at both ends.
    const ChainLayout close({{100, 30}, {100, 30}, {100, 30}}, 3 * 92 + 2 * 9 + 2 * 6);
    QCOMPARE(close.card(2).top(), close.card(0).top());
    QCOMPARE(close.card(2).right() + 1 + ChainLayout::kMargin, 3 * 92 + 2 * 9 + 2 * 6);
    const ChainLayout wide({{100, 30}, {100, 30}, {100, 30}}, 340); // has room for whole cards
    QCOMPARE(wide.card(2).width(), 100);
    QCOMPARE(wide.arrow(), ChainLayout::kArrow);
    QCOMPARE(ChainLayout({{300, 30}, {300, 30}}, 100).height(),
             2 * 30 + ChainLayout::kGap + 2 * ChainLayout::kMargin);
    QCOMPARE(ChainLayout({}, 100).height(), 0);
}

void TestWhyModels::sitesAreRemembered() {
    const DocumentPtr document = sample("ds-cnn");
    SiteStore store;
    const SiteQuestion asRun = siteQuestion(document, 1, LayerInputs::AsRun);
    const SiteQuestion alone = siteQuestion(document, 1, LayerInputs::FromReference);
    QVERIFY(!store.find(asRun));
    const auto site = std::make_shared<const LayerSite>();
    store.keep(asRun, site);
    QCOMPARE(store.find(asRun), site);
    QVERIFY(!store.find(alone));
    for (std::int64_t i = 2; i < 2 + static_cast<std::int64_t>(SiteStore::kMost); ++i)
        store.keep(siteQuestion(document, i, LayerInputs::AsRun), site);
    QVERIFY(!store.find(asRun)); // the oldest went
    store.clear();
    QVERIFY(!store.find(siteQuestion(document, 3, LayerInputs::AsRun)));
}

QTEST_MAIN(TestWhyModels)
#include "tst_why_models.moc"
