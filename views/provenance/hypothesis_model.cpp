// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/provenance/hypothesis_model.h"

#include <algorithm>

#include <QFont>
#include <QGuiApplication>
#include <QPainter>

#include "views/common/format.h"
#include "views/common/palette.h"
#include "views/provenance/element_map.h"

namespace plumbline {
namespace {

QString joined(const std::vector<std::string>& names) {
    QStringList list;
    for (const std::string& name : names)
        list += safeText(name);
    return list.join(QStringLiteral(", "));
}

QString shareText(std::int64_t part, std::int64_t all) {
    return HypothesisModel::tr("%1 of %2").arg(groupedNumber(part), groupedNumber(all));
}

} // namespace

QString changeText(const Hypothesis& hypothesis, std::span<const MistakeInfo> mistakes) {
    QStringList sentences;
    for (const std::size_t index : hypothesis.mistakes)
        if (index < mistakes.size())
            sentences += safeText(mistakes[index].sentence);
    return sentences.join(QLatin1Char(' '));
}

QString verdictText(const HypothesisRanking& ranking, std::span<const MistakeInfo> mistakes,
                    const QString& observed) {
    if (ranking.healthy)
        return HypothesisModel::tr(
            "The observed bytes are what the arithmetic gives; there is nothing to explain.");
    const QString wrong = groupedNumber(ranking.elements - ranking.healthyExplained);
    if (ranking.hypotheses.empty())
        return HypothesisModel::tr("No named mistake explains more of what %1 holds than the right "
                                   "arithmetic, which gives all but %2 elements. Look at the "
                                   "layer's constants, its records and the layers before it.")
            .arg(observed, wrong);
    const Hypothesis& best = ranking.hypotheses.front();
    const QString name = safeText(best.name);
    if (!best.exact)
        return HypothesisModel::tr("No mistake is exact: none explains every byte of %1. The "
                                   "best, %2, explains %3, which is %4 more than the right "
                                   "arithmetic does. It need not be the cause.")
            .arg(observed, name, shareText(best.explained, ranking.elements),
                 groupedNumber(best.explained - ranking.healthyExplained));
    if (best.equivalent.empty())
        return HypothesisModel::tr("%1 explains every byte of %2, the %3 wrong ones too: %4")
            .arg(name, observed, wrong, changeText(best, mistakes));
    return HypothesisModel::tr("%1 explains every byte of %2. On this layer it cannot be told "
                               "apart from %3: they give the same bytes.")
        .arg(name, observed, joined(best.equivalent));
}

QString unseenText(const HypothesisRanking& ranking) {
    QStringList sentences;
    if (!ranking.unchanged.empty())
        sentences +=
            HypothesisModel::tr("Change no byte of this layer: %1.").arg(joined(ranking.unchanged));
    if (!ranking.impossible.empty())
        sentences += HypothesisModel::tr("Cannot be made in this layer: %1.")
                         .arg(joined(ranking.impossible));
    return sentences.join(QLatin1Char(' '));
}

void HypothesisModel::setRanking(std::shared_ptr<const HypothesisRanking> ranking,
                                 std::span<const MistakeInfo> mistakes) {
    beginResetModel();
    m_ranking = std::move(ranking);
    m_mistakes = mistakes;
    endResetModel();
}

const Hypothesis* HypothesisModel::hypothesis(int row) const {
    return row >= 0 && row < rowCount() ? &m_ranking->hypotheses[static_cast<std::size_t>(row)]
                                        : nullptr;
}

int HypothesisModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() || !m_ranking ? 0 : static_cast<int>(m_ranking->hypotheses.size());
}

int HypothesisModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : ColumnCount;
}

QString HypothesisModel::text(const Hypothesis& hypothesis, int column) const {
    switch (column) {
    case Name:
        return safeText(hypothesis.name);
    case Explains:
        return shareText(hypothesis.explained, m_ranking->elements);
    case Exact:
        return hypothesis.exact ? tr("✓ exact") : QString();
    case Change:
        return changeText(hypothesis, m_mistakes);
    default:
        return joined(hypothesis.equivalent);
    }
}

QVariant HypothesisModel::data(const QModelIndex& index, int role) const {
    if (!checkIndex(index, CheckIndexOption::IndexIsValid | CheckIndexOption::ParentIsInvalid))
        return {};
    const Hypothesis& at = *hypothesis(index.row());
    switch (role) {
    case Qt::DisplayRole:
        return text(at, index.column());
    case Qt::ToolTipRole:
        return QStringLiteral("<p>%1</p>").arg(text(at, index.column()).toHtmlEscaped());
    case Qt::FontRole:
        return index.column() == Name ? QVariant(monoFont()) : QVariant();
    case Qt::TextAlignmentRole:
        return (Qt::AlignVCenter | (index.column() == Explains ? Qt::AlignRight : Qt::AlignLeft))
            .toInt();
    case Qt::ForegroundRole:
        return index.column() == Exact ? QVariant(toneColor(Tone::Ok, QGuiApplication::palette()))
                                       : QVariant();
    case ShareRole:
        return m_ranking->elements > 0
                   ? static_cast<double>(at.explained) / static_cast<double>(m_ranking->elements)
                   : 0.0;
    default:
        return {};
    }
}

QVariant HypothesisModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal || section < 0 || section >= ColumnCount)
        return {};
    if (role == Qt::TextAlignmentRole)
        return (Qt::AlignVCenter | (section == Explains ? Qt::AlignRight : Qt::AlignLeft)).toInt();
    if (role != Qt::DisplayRole)
        return {};
    switch (section) {
    case Name:
        return tr("Mistake");
    case Explains:
        return tr("Explains");
    case Exact:
        return tr("All");
    case Change:
        return tr("What it changes");
    default:
        return tr("Same bytes here");
    }
}

void ShareDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option,
                          const QModelIndex& index) const {
    QStyledItemDelegate::paint(painter, option, index);
    const double share = std::clamp(index.data(HypothesisModel::ShareRole).toDouble(), 0.0, 1.0);
    const QRectF track(option.rect.left() + 4, option.rect.bottom() - 3, option.rect.width() - 8,
                       3);
    painter->save();
    painter->setPen(Qt::NoPen);
    painter->fillRect(track, toneColor(Tone::Grid, option.palette));
    const bool isSelected = (option.state & QStyle::State_Selected) != 0;
    painter->fillRect(QRectF(track.topLeft(), QSizeF(track.width() * share, track.height())),
                      isSelected ? option.palette.color(QPalette::HighlightedText)
                                 : toneColor(Tone::Accent, option.palette));
    painter->restore();
}

void MarkTableModel::setMarks(const ElementMarks& marks, ByteView healthy, ByteView observed,
                              ByteView hypothesis) {
    beginResetModel();
    m_healthy = healthy;
    m_observed = observed;
    m_hypothesis = hypothesis;
    m_items.clear();
    const Hwc& shape = marks.shape();
    for (std::size_t i = 0; !marks.empty() && i < observed.size(); ++i) {
        const auto index = static_cast<std::int64_t>(i);
        const std::int64_t position = index / shape.c;
        const ElementIndex element{position / shape.w, position % shape.w, index % shape.c};
        if (const ElementMark mark = marks.at(element); mark != ElementMark::Right)
            m_items.push_back({element, i, mark});
    }
    endResetModel();
}

int MarkTableModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(m_items.size());
}

int MarkTableModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : ColumnCount;
}

QVariant MarkTableModel::data(const QModelIndex& index, int role) const {
    if (role != Qt::DisplayRole ||
        !checkIndex(index, CheckIndexOption::IndexIsValid | CheckIndexOption::ParentIsInvalid))
        return {};
    const Item& item = m_items[static_cast<std::size_t>(index.row())];
    const auto valueOf = [&item](ByteView bytes) {
        return static_cast<int>(static_cast<std::int8_t>(bytes[item.index]));
    };
    switch (index.column()) {
    case Row:
        return qlonglong{item.element.h};
    case ColumnOf:
        return qlonglong{item.element.w};
    case Channel:
        return qlonglong{item.element.c};
    case Observed:
        return valueOf(m_observed);
    case RightValue:
        return valueOf(m_healthy);
    case Mistaken:
        return valueOf(m_hypothesis);
    default:
        return markText(item.mark);
    }
}

QVariant MarkTableModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole)
        return {};
    switch (section) {
    case Row:
        return tr("Row");
    case ColumnOf:
        return tr("Column");
    case Channel:
        return tr("Channel");
    case Observed:
        return tr("Observed");
    case RightValue:
        return tr("Right");
    case Mistaken:
        return tr("With the mistake");
    case Mark:
        return tr("What it says");
    default:
        return {};
    }
}

} // namespace plumbline
