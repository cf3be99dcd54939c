// SPDX-License-Identifier: GPL-3.0-or-later
// One record as a tree: its words, their bit fields, and what stands behind an address.
#pragma once

#include <QAbstractItemModel>

#include "views/records/record_facts.h"

namespace plumbline {

class FieldsModel : public QAbstractItemModel {
    Q_OBJECT

  public:
    enum Column { Name, Raw, Value, Unit, Meaning, Rule, ColumnCount };
    enum class Kind : std::uint8_t {
        Word, ///< a word; of one that is a single field, `field` is that field
        Field,
        TemplateOffset,
        RelocationEntry,
        RegionBase,
        FinalAddress,
    };
    /// Whether the row tells what stands behind an address.
    static constexpr bool isDetail(Kind kind) { return kind != Kind::Word && kind != Kind::Field; }
    struct Item {
        Kind kind = Kind::Word;
        std::size_t word = 0;
        std::optional<std::size_t> field; ///< row of the field table
        int parent = -1;                  ///< index of the item it hangs under; -1 for a word
        int row = 0;                      ///< position under the parent
        std::vector<int> children;
        bool operator==(const Item&) const = default;
    };

    /// Of a rule; `holds` is nothing where there is none.
    struct Verdict {
        std::optional<bool> holds;
        QString text;
    };

    explicit FieldsModel(QObject* parent = nullptr);

    /// Shows `record`; nothing clears the tree. Keeps the items, and with them what is expanded,
    /// when the new record has the same ones.
    void setRecord(DocumentPtr document, std::optional<std::int64_t> record);
    void setUnusedHidden(bool hidden);
    bool unusedHidden() const { return m_unusedHidden; }
    const RecordFacts* facts() const { return m_facts ? &*m_facts : nullptr; }

    const Item& itemAt(const QModelIndex& index) const;
    /// The row of a word, or of a field in it; invalid when it is hidden.
    QModelIndex find(std::size_t word, std::optional<std::size_t> field) const;
    /// What the row points at; nothing when it belongs to no address.
    std::optional<Pointer> pointerAt(const QModelIndex& index) const;
    /// Whether the row breaks a rule, its own or one of its fields'.
    bool isViolated(const QModelIndex& index) const;

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QModelIndex index(int row, int column, const QModelIndex& parent = {}) const override;
    QModelIndex parent(const QModelIndex& child) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

  private:
    std::vector<Item> makeItems() const;
    void rebuild();
    QModelIndex indexOf(int item, int column = 0) const;

    QString text(const Item& item, int column) const;
    QString wordText(const Item& item, int column) const;
    QString fieldText(const Item& item, int column) const;
    QString detailText(const Item& item, int column) const;
    QString detailValue(const Item& item, const Pointer& pointer) const;
    Verdict detailVerdict(const Item& item, const Pointer& pointer) const;
    QString ruleText(std::size_t field) const;
    QString validatorText(std::size_t word) const;
    bool violates(const Item& item) const;
    bool isMuted(const Item& item) const;
    bool standsOut(const Item& item) const;
    QVariant foreground(const Item& item, int column) const;

    DocumentPtr m_document;
    std::optional<RecordFacts> m_facts;
    std::vector<Item> m_items;
    std::vector<int> m_roots;
    bool m_unusedHidden = false;
};

} // namespace plumbline
