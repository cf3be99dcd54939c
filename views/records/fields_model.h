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
        RelocationOffset,
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

    /// What a text means as the value of a row.
    struct Typed {
        std::optional<Edit> edit; ///< nothing for a text that is no value
        bool changes = false;     ///< the value is another one
        QString problem;          ///< why it is no value
        QString warning;          ///< which rule a value breaks; may be empty
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

    /// Whether the row's value can be changed: there is a job to change it in.
    bool isEditable(const QModelIndex& index) const;
    /// Numbers are decimal, negative or 0x hexadecimal, an opcode may be its name, and 0x bits of a
    /// signed field are read as its bits. The row is editable.
    Typed typed(const QModelIndex& index, const QString& text) const;
    QStringList choices(const QModelIndex& index) const; ///< names that are values
    QString valueHint(const QModelIndex& index) const;   ///< which values there are
    /// Whether an experiment changed the row or, of a word, one of its fields.
    bool isChanged(const QModelIndex& index) const;

    Qt::ItemFlags flags(const QModelIndex& index) const override;
    /// Of a value: says editMade() where the text is another value. The model itself stays.
    bool setData(const QModelIndex& index, const QVariant& value, int role) override;
    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QModelIndex index(int row, int column, const QModelIndex& parent = {}) const override;
    QModelIndex parent(const QModelIndex& child) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

  signals:
    void editMade(const plumbline::Edit& edit);

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
    QVariant toolTip(const Item& item, int column) const;
    QString editText(const Item& item) const;
    QString allowedText(const FieldSpec& spec) const;
    QString originalText(const Item& item, int column) const;
    bool changed(const Item& item) const;
    Typed typedField(const FieldSpec& spec, std::size_t field, const QString& text) const;
    Typed typedRelocation(const Item& item, const QString& text) const;
    static QString offsetText(std::int64_t offset);
    const Relocation* relocationOf(const Item& item) const;
    const Relocation* originalRelocationOf(const Item& item) const;

    DocumentPtr m_document;
    std::optional<RecordFacts> m_facts;
    std::optional<RecordFacts> m_original; ///< the record before the experiment
    std::vector<Item> m_items;
    std::vector<int> m_roots;
    bool m_unusedHidden = false;
};

} // namespace plumbline
