// SPDX-License-Identifier: GPL-3.0-or-later
// Both sides of a change as text: bits, bytes, allocations, values, with marks where they differ.
#include <QTest>

#include "core/lowering/target.h"
#include "views/compare/change_details.h"

using namespace plumbline;

namespace {

DocumentPtr opened(const std::string& sample) {
    OpenRequest request;
    request.sample = sample;
    return *openDocument(request, npuP0Target());
}

Comparison compared(DocumentPtr first, DocumentPtr second) {
    LoweringDiff diff = diffLowerings(*first->lowering, *second->lowering);
    return {std::move(first), std::move(second), std::move(diff)};
}

/// The first change with this key; null for none.
const LoweringChange* changeOf(const Comparison& comparison, std::string_view key) {
    for (const LoweringChange& change : comparison.diff.changes)
        if (change.key == key)
            return &change;
    return nullptr;
}

QString hexOf(std::uint64_t value, int digits) {
    return QStringLiteral("%1").arg(value, digits, 16, QLatin1Char('0')).toUpper();
}

QString mark(const QString& text) { return QStringLiteral("<b><u>%1</u></b>").arg(text); }

} // namespace

class TestChangeDetails : public QObject {
    Q_OBJECT

    QString details(const Comparison& comparison, const LoweringChange& change) const {
        return changeDetails(comparison, change, QPalette());
    }

  private slots:
    void initTestCase() { m_document = opened("resnet8"); }

    void bitsThatDifferAreMarked() {
        QCOMPARE(markedBits(0x5, 0x1),
                 QStringLiteral("0000 0000 0000 0000 0000 0000 0000 0<b><u>1</u></b>01"));
        QCOMPARE(markedBits(0xFFFFFFFF, 0xFFFFFFFF),
                 QStringLiteral("1111 1111 1111 1111 1111 1111 1111 1111"));
        QCOMPARE(markedBits(0, 0xFFFFFFFF).count(mark(QStringLiteral("0"))), 32);
        QVERIFY(markedBits(0x80000000, 0).startsWith(mark(QStringLiteral("1"))));
    }

    void fieldShowsBothWords() {
        const std::size_t field = *findField(npuP0Target().fields(), "OUTPUT_ZERO");
        const auto changed = openExperiment(m_document, {FieldEdit{3, field, 9}});
        QVERIFY(changed);
        const Comparison comparison = compared(m_document, *changed);
        QCOMPARE(comparison.diff.changes.size(), std::size_t{1});
        const QString html = details(comparison, comparison.diff.changes[0]);
        const std::uint32_t before = loadU32(m_document->lowering->records[3].bytes, 22 * 4);
        const std::uint32_t now = (before & 0xFFFFFF00U) | 9U; // the field is the lowest byte
        QVERIFY(html.contains(hexOf(before, 8)));
        QVERIFY(html.contains(hexOf(now, 8)));
        QVERIFY(html.contains(markedBits(before, now)));
        QVERIFY(html.contains(markedBits(now, before)));
        QVERIFY(html.contains(QStringLiteral("op/3/word/22/OUTPUT_ZERO")));
        QVERIFY(html.contains(
            QString::fromStdString(comparison.diff.changes[0].consequence).toHtmlEscaped()));
    }

    void bytesShowTheirRows_data() {
        QTest::addColumn<QString>("region");
        QTest::newRow("weights") << "weights";
        QTest::newRow("params") << "params";
    }
    void bytesShowTheirRows() {
        QFETCH(QString, region);
        const bool isWeights = region == QLatin1StringView("weights");
        const Bytes& bytes =
            isWeights ? m_document->lowering->weights : m_document->lowering->params;
        const std::uint64_t at = 21; // not the first of its row
        const std::uint8_t before = bytes[at];
        const auto now = static_cast<std::uint8_t>(before ^ 0x41U);
        const auto changed = openExperiment(m_document, {ByteEdit{region.toStdString(), at, now}});
        QVERIFY(changed);
        const Comparison comparison = compared(m_document, *changed);
        QCOMPARE(comparison.diff.changes.size(), std::size_t{1});
        const QString html = details(comparison, comparison.diff.changes[0]);
        QVERIFY(html.contains(mark(hexOf(before, 2))));
        QVERIFY(html.contains(mark(hexOf(now, 2))));
        QCOMPARE(html.count(QStringLiteral("<u>")), 2); // no other byte differs
        QString row = QStringLiteral("0x00000010 ");
        for (std::size_t i = 16; i < 24; ++i)
            row += QLatin1Char(' ') + (i == at ? mark(hexOf(bytes[i], 2)) : hexOf(bytes[i], 2));
        QVERIFY2(html.contains(row), qPrintable(html));
    }

    void allocationsShowBothPlaces() {
        const Comparison comparison = compared(m_document, opened("mobilenet"));
        const LoweringChange* const change = changeOf(comparison, "output offset");
        QVERIFY(change != nullptr);
        const QString html = details(comparison, *change);
        for (const Lowering* lowering :
             {comparison.first->lowering.get(), comparison.second->lowering.get()}) {
            const bool isFirst = lowering == comparison.first->lowering.get();
            const auto index = isFirst ? change->firstOperator : change->secondOperator;
            const OperandOffsets& arena =
                lowering->operators[static_cast<std::size_t>(*index)].arena;
            QVERIFY(html.contains(QStringLiteral("0x") + hexOf(arena.output, 8)));
        }
        QVERIFY(html.contains(QStringLiteral("live over operators")));
    }

    void everyChangeHasBothSides() {
        const DocumentPtr other = opened("every-operator");
        for (const Comparison& comparison :
             {compared(m_document, other), compared(other, m_document)}) {
            QVERIFY(comparison.diff.changes.size() > 50);
            for (const LoweringChange& change : comparison.diff.changes) {
                const QString html = details(comparison, change);
                QVERIFY(html.contains(QStringLiteral("First")));
                QVERIFY(html.contains(QStringLiteral("Second")));
                QVERIFY(html.contains(QString::fromStdString(change.key).toHtmlEscaped()));
            }
        }
    }

    void namesAreNoMarkup() {
        Comparison comparison = compared(m_document, m_document);
        LoweringChange change;
        change.key = "<i>key</i>";
        change.first = "<b>a";
        change.consequence = "a < b";
        const QString html = details(comparison, change);
        QVERIFY(!html.contains(QStringLiteral("<i>")));
        QVERIFY(!html.contains(QStringLiteral("<b>a")));
        QVERIFY(html.contains(QStringLiteral("a &lt; b")));
        QVERIFY(html.contains(QStringLiteral("(missing)")));
    }

  private:
    DocumentPtr m_document;
};

QTEST_MAIN(TestChangeDetails)
#include "tst_change_details.moc"
