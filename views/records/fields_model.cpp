// SPDX-License-Identifier: GPL-3.0-or-later
// Items lie in one vector; the internal id of an index is the item's position in it.
#include "views/records/fields_model.h"

#include <array>

#include <QFont>
#include <QGuiApplication>

#include "views/common/format.h"
#include "views/common/palette.h"

namespace plumbline {
namespace {

QString bitsText(const FieldSpec& field) {
    return field.width == 1
               ? QStringLiteral("[%1]").arg(field.lsb)
               : QStringLiteral("[%1:%2]").arg(field.lsb + field.width - 1).arg(field.lsb);
}

QString joined(const QString& a, const QString& b) {
    return a.isEmpty() || b.isEmpty() ? a + b : a + QStringLiteral("; ") + b;
}

} // namespace

FieldsModel::FieldsModel(QObject* parent)
    : QAbstractItemModel(parent) {}

void FieldsModel::setRecord(DocumentPtr document, std::optional<std::int64_t> record) {
    const bool shown = record && document && RecordFacts::exists(*document, *record);
    m_facts.reset();
    m_original.reset();
    m_document = std::move(document);
    if (shown)
        m_facts.emplace(*m_document, *record);
    if (shown && m_document->original && RecordFacts::exists(*m_document->original, *record))
        m_original.emplace(*m_document->original, *record);
    rebuild();
}

void FieldsModel::setUnusedHidden(bool hidden) {
    if (hidden == m_unusedHidden)
        return;
    m_unusedHidden = hidden;
    rebuild();
}

void FieldsModel::rebuild() {
    std::vector<Item> items = makeItems();
    if (items == m_items) {
        for (const int root : m_roots) {
            const QModelIndex word = indexOf(root);
            emit dataChanged(word, word.siblingAtColumn(ColumnCount - 1));
            if (const int children = rowCount(word); children > 0)
                emit dataChanged(index(0, 0, word), index(children - 1, ColumnCount - 1, word));
        }
        return;
    }
    beginResetModel();
    m_items = std::move(items);
    m_roots.clear();
    for (std::size_t i = 0; i < m_items.size(); ++i)
        if (m_items[i].parent < 0)
            m_roots.push_back(static_cast<int>(i));
    endResetModel();
}

std::vector<FieldsModel::Item> FieldsModel::makeItems() const {
    std::vector<Item> items;
    int words = 0;
    const auto addChild = [&items](int parent, Kind kind, std::size_t field) {
        const auto at = static_cast<int>(items.size());
        Item& owner = items[static_cast<std::size_t>(parent)];
        const Item child{kind, owner.word, field, parent, static_cast<int>(owner.children.size()),
                         {}};
        owner.children.push_back(at);
        items.push_back(child);
    };
    const auto fields = m_facts ? m_facts->table().fields : std::span<const FieldSpec>{};
    for (std::size_t first = 0; first < fields.size();) {
        std::size_t end = first;
        bool isUsed = false;
        for (; end < fields.size() && fields[end].word == fields[first].word; ++end)
            isUsed = isUsed ||
                     (m_facts->uses(fields[end]) && fields[end].kind != FieldKind::Reserved) ||
                     rawField(m_facts->bytes(), fields[end]) != 0;
        const std::size_t begin = std::exchange(first, end);
        if (m_unusedHidden && !isUsed)
            continue;
        const auto word = static_cast<int>(items.size());
        items.push_back({Kind::Word, fields[begin].word, {}, -1, words++, {}});
        if (end - begin == 1)
            items.back().field = begin;
        for (std::size_t f = begin; end - begin > 1 && f < end; ++f)
            if (!m_unusedHidden || m_facts->uses(fields[f]))
                addChild(word, Kind::Field, f);
        if (fields[begin].kind == FieldKind::Address)
            for (const Kind kind : {Kind::TemplateOffset, Kind::RelocationEntry,
                                    Kind::RelocationOffset, Kind::RegionBase, Kind::FinalAddress})
                addChild(word, kind, begin);
    }
    return items;
}

const FieldsModel::Item& FieldsModel::itemAt(const QModelIndex& index) const {
    return m_items[static_cast<std::size_t>(index.internalId())];
}

QModelIndex FieldsModel::indexOf(int item, int column) const {
    return createIndex(m_items[static_cast<std::size_t>(item)].row, column,
                       static_cast<quintptr>(item));
}

QModelIndex FieldsModel::find(std::size_t word, std::optional<std::size_t> field) const {
    for (const int root : m_roots) {
        const Item& item = m_items[static_cast<std::size_t>(root)];
        if (item.word != word)
            continue;
        if (!field || item.field == field)
            return indexOf(root);
        for (const int child : item.children)
            if (m_items[static_cast<std::size_t>(child)].field == field)
                return indexOf(child);
        return indexOf(root);
    }
    return {};
}

std::optional<Pointer> FieldsModel::pointerAt(const QModelIndex& index) const {
    if (!index.isValid() || !m_facts)
        return std::nullopt;
    const Item& item = itemAt(index);
    return item.field ? m_facts->pointer(*item.field) : std::nullopt;
}

bool FieldsModel::isViolated(const QModelIndex& index) const {
    return index.isValid() && violates(itemAt(index));
}

int FieldsModel::rowCount(const QModelIndex& parent) const {
    if (!parent.isValid())
        return static_cast<int>(m_roots.size());
    return parent.column() > 0 ? 0 : static_cast<int>(itemAt(parent).children.size());
}

int FieldsModel::columnCount(const QModelIndex&) const { return ColumnCount; }

QModelIndex FieldsModel::index(int row, int column, const QModelIndex& parent) const {
    if (!hasIndex(row, column, parent))
        return {};
    const auto at = static_cast<std::size_t>(row);
    return indexOf(parent.isValid() ? itemAt(parent).children[at] : m_roots[at], column);
}

QModelIndex FieldsModel::parent(const QModelIndex& child) const {
    if (!child.isValid() || itemAt(child).parent < 0)
        return {};
    return indexOf(itemAt(child).parent);
}

QVariant FieldsModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole || section < 0 ||
        section >= ColumnCount)
        return QAbstractItemModel::headerData(section, orientation, role);
    const std::array<QString, ColumnCount> titles{tr("Field"), tr("Raw"),     tr("Value"),
                                                  tr("Unit"),  tr("Meaning"), tr("Rule")};
    return titles.at(static_cast<std::size_t>(section));
}

QVariant FieldsModel::data(const QModelIndex& index, int role) const {
    if (!m_facts || !checkIndex(index, CheckIndexOption::IndexIsValid))
        return {};
    const Item& item = itemAt(index);
    const int column = index.column();
    switch (role) {
    case Qt::DisplayRole:
        return text(item, column);
    case Qt::ToolTipRole:
        return toolTip(item, column);
    case Qt::EditRole:
        return column == Value && isEditable(index) ? editText(item) : QString();
    case Qt::TextAlignmentRole:
        return QVariant(Qt::AlignVCenter | (column == Raw ? Qt::AlignRight : Qt::AlignLeft));
    case Qt::FontRole: {
        QFont font = column == Raw || column == Value ? monoFont() : QFont();
        font.setBold(standsOut(item));
        font.setUnderline(item.kind == Kind::FinalAddress && column == Value &&
                          m_facts->pointer(*item.field)->finalAddress.has_value());
        return font;
    }
    case Qt::ForegroundRole:
        return foreground(item, column);
    default:
        return {};
    }
}

QVariant FieldsModel::foreground(const Item& item, int column) const {
    const QPalette palette = QGuiApplication::palette();
    if (violates(item) && (column == Rule || standsOut(item) || column == Name))
        return toneColor(Tone::Error, palette);
    if (isMuted(item))
        return toneColor(Tone::Muted, palette);
    if (item.kind == Kind::FinalAddress && column == Value)
        return palette.color(QPalette::Link);
    if (column == Value && changed(item))
        return toneColor(Tone::Accent, palette);
    if (column == Rule)
        return toneColor(Tone::Ok, palette);
    if (column == Meaning || column == Unit)
        return toneColor(Tone::Muted, palette);
    return {};
}

bool FieldsModel::violates(const Item& item) const {
    if (isDetail(item.kind)) {
        const auto pointer = m_facts->pointer(*item.field);
        return pointer && detailVerdict(item, *pointer).holds == false;
    }
    const auto& table = m_facts->table();
    if (item.field && !m_facts->violationText(table.fields[*item.field]).isEmpty())
        return true;
    if (item.kind == Kind::Field)
        return false;
    const auto& violation = m_facts->violation();
    if (violation && violation->word == static_cast<std::int64_t>(item.word))
        return true;
    return std::any_of(item.children.begin(), item.children.end(), [this](int child) {
        return violates(m_items[static_cast<std::size_t>(child)]);
    });
}

bool FieldsModel::isMuted(const Item& item) const {
    const auto& fields = m_facts->table().fields;
    const auto muted = [this](const FieldSpec& spec) {
        return !m_facts->uses(spec) || spec.kind == FieldKind::Reserved;
    };
    if (item.field)
        return muted(fields[*item.field]);
    return std::all_of(item.children.begin(), item.children.end(), [&](int child) {
        return muted(fields[*m_items[static_cast<std::size_t>(child)].field]);
    });
}

/// Bits that should be 0 and are not.
bool FieldsModel::standsOut(const Item& item) const {
    if (!item.field || isDetail(item.kind))
        return false;
    const FieldSpec& spec = m_facts->table().fields[*item.field];
    return rawField(m_facts->bytes(), spec) != 0 &&
           (spec.kind == FieldKind::Reserved || !m_facts->uses(spec));
}

QString FieldsModel::text(const Item& item, int column) const {
    if (column == Value && changed(item)) {
        const QString before = originalText(item, column);
        if (item.field && !before.isEmpty())
            return tr("%1 (was %2)")
                .arg(isDetail(item.kind) ? detailText(item, column) : fieldText(item, column),
                     before);
        if (!item.field)
            return tr("changed");
    }
    if (isDetail(item.kind))
        return detailText(item, column);
    if (item.kind == Kind::Word && (!item.field || column == Name || column == Rule))
        return wordText(item, column);
    return fieldText(item, column);
}

QVariant FieldsModel::toolTip(const Item& item, int column) const {
    if (column == Meaning || column == Rule)
        return text(item, column);
    const QString before = changed(item) ? originalText(item, column) : QString();
    return before.isEmpty() ? QString() : tr("Changed by the experiment; was %1").arg(before);
}

QString FieldsModel::wordText(const Item& item, int column) const {
    const FieldSpec* spec = nullptr;
    for (const FieldSpec& field : m_facts->table().fields)
        if (field.word == item.word && spec == nullptr)
            spec = &field;
    switch (column) {
    case Name:
        return QStringLiteral("%1  %2").arg(item.word, 2).arg(safeText(spec->wordName));
    case Raw:
        return hexNumber(m_facts->word(item.word));
    case Rule: {
        QString broken;
        for (const FieldSpec& field : m_facts->table().fields)
            if (!item.field && field.word == item.word && !m_facts->violationText(field).isEmpty())
                broken = joined(broken, safeText(field.name));
        const QString validator = validatorText(item.word);
        if (item.field && (validator.isEmpty() || !m_facts->violationText(*spec).isEmpty()))
            return ruleText(*item.field);
        if (!validator.isEmpty())
            return QStringLiteral("✗ ") + validator;
        return broken.isEmpty() ? QStringLiteral("✓") : QStringLiteral("✗ ") + broken;
    }
    default:
        return {};
    }
}

QString FieldsModel::validatorText(std::size_t word) const {
    const auto& violation = m_facts->violation();
    if (!violation || violation->word != static_cast<std::int64_t>(word))
        return {};
    return tr("%1 (validator, %2)")
        .arg(safeText(violation->message), safeText(faultName(violation->code)));
}

QString FieldsModel::fieldText(const Item& item, int column) const {
    const FieldSpec& spec = m_facts->table().fields[*item.field];
    switch (column) {
    case Name:
        return QStringLiteral("%1 %2").arg(safeText(spec.name), bitsText(spec));
    case Raw:
        return m_facts->rawText(spec);
    case Value:
        return m_facts->valueText(spec);
    case Unit:
        return safeText(spec.unit);
    case Meaning:
        return safeText(spec.meaning);
    case Rule:
        return ruleText(*item.field);
    default:
        return {};
    }
}

QString FieldsModel::ruleText(std::size_t field) const {
    const FieldSpec& spec = m_facts->table().fields[field];
    if (const QString violation = m_facts->violationText(spec); !violation.isEmpty())
        return QStringLiteral("✗ ") + violation;
    if (!m_facts->uses(spec))
        return tr("– is 0: %1 does not use it").arg(m_facts->opcodeName());
    QString rule = safeText(spec.rule);
    if (rule.isEmpty())
        rule = tr("is within %1..%2").arg(spec.minimum).arg(spec.maximum);
    return QStringLiteral("✓ ") + rule;
}

} // namespace plumbline
