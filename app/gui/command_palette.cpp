// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/command_palette.h"

#include <algorithm>

#include <QAction>
#include <QKeyEvent>
#include <QLineEdit>
#include <QListView>
#include <QStyledItemDelegate>
#include <QVBoxLayout>

#include <QPainter>

#include "views/common/palette.h"

namespace plumbline::gui {
namespace {

constexpr int kShortcutRole = Qt::UserRole;

QString plainText(const QAction& action) {
    QString text = action.text();
    text.remove(QLatin1Char('&'));
    const QString menu = action.property("menu").toString();
    return menu.isEmpty() ? text : menu + QStringLiteral(" ▸ ") + text;
}

/// The actions that match, best first.
class ActionModel : public QAbstractListModel {
  public:
    ActionModel(const QList<QAction*>& actions, QObject* parent)
        : QAbstractListModel(parent)
        , m_all(actions) {
        filter({});
    }

    void filter(const QString& pattern) {
        beginResetModel();
        QList<std::pair<int, QAction*>> found;
        for (QAction* const action : m_all)
            if (const int score = fuzzyScore(pattern, plainText(*action)); score >= 0)
                found.append({score, action});
        std::stable_sort(found.begin(), found.end(),
                         [](const auto& a, const auto& b) { return a.first > b.first; });
        m_shown.clear();
        for (const auto& [score, action] : found)
            m_shown.append(action);
        endResetModel();
    }

    QAction* at(int row) const { return m_shown.value(row); }
    int rowCount(const QModelIndex& parent = {}) const override {
        return parent.isValid() ? 0 : static_cast<int>(m_shown.size());
    }
    QVariant data(const QModelIndex& index, int role) const override {
        const QAction& action = *m_shown.at(index.row());
        if (role == Qt::DisplayRole)
            return plainText(action);
        if (role == kShortcutRole)
            return action.shortcut().toString(QKeySequence::NativeText);
        if (role == Qt::AccessibleTextRole)
            return plainText(action) + QLatin1Char(' ') +
                   action.shortcut().toString(QKeySequence::NativeText);
        return {};
    }

  private:
    QList<QAction*> m_all;
    QList<QAction*> m_shown;
};

/// Draws the shortcut at the right edge.
class ActionDelegate : public QStyledItemDelegate {
  public:
    using QStyledItemDelegate::QStyledItemDelegate;
    void paint(QPainter* painter, const QStyleOptionViewItem& option,
               const QModelIndex& index) const override {
        QStyledItemDelegate::paint(painter, option, index);
        const bool selected = option.state.testFlag(QStyle::State_Selected);
        painter->setPen(selected ? option.palette.color(QPalette::HighlightedText)
                                 : toneColor(Tone::Muted, option.palette));
        painter->drawText(option.rect.adjusted(0, 0, -8, 0), Qt::AlignRight | Qt::AlignVCenter,
                          index.data(kShortcutRole).toString());
    }
    QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override {
        return QStyledItemDelegate::sizeHint(option, index) + QSize(160, 8);
    }
};

} // namespace

int fuzzyScore(const QString& pattern, const QString& text) {
    int score = 0;
    qsizetype at = 0;
    qsizetype previous = -2;
    for (const QChar wanted : pattern) {
        if (wanted.isSpace())
            continue;
        const qsizetype found = text.indexOf(wanted, at, Qt::CaseInsensitive);
        if (found < 0)
            return -1;
        score += 1;
        if (found == previous + 1)
            score += 4;
        if (found == 0 || !text.at(found - 1).isLetterOrNumber())
            score += 3;
        previous = found;
        at = found + 1;
    }
    return score;
}

CommandPalette::CommandPalette(const QList<QAction*>& actions, QWidget* parent)
    : QDialog(parent, Qt::Dialog | Qt::FramelessWindowHint)
    , m_edit(new QLineEdit(this))
    , m_list(new QListView(this)) {
    setWindowTitle(tr("Command Palette"));
    setAccessibleName(windowTitle());
    QList<QAction*> enabled;
    std::copy_if(actions.begin(), actions.end(), std::back_inserter(enabled),
                 [](const QAction* action) { return action->isEnabled(); });
    auto* const model = new ActionModel(enabled, this);
    m_model = model;
    m_edit->setPlaceholderText(tr("Type a command"));
    m_edit->setAccessibleName(tr("Command"));
    m_edit->installEventFilter(this);
    m_list->setModel(model);
    m_list->setItemDelegate(new ActionDelegate(m_list));
    m_list->setUniformItemSizes(true);
    m_list->setAccessibleName(tr("Commands"));
    auto* const layout = new QVBoxLayout(this);
    layout->setContentsMargins(8, 8, 8, 8);
    layout->addWidget(m_edit);
    layout->addWidget(m_list);
    resize(560, 380);
    filter({});
    connect(m_edit, &QLineEdit::textChanged, this, &CommandPalette::filter);
    connect(m_list, &QListView::activated, this, &CommandPalette::choose);
    connect(m_list, &QListView::clicked, this, &CommandPalette::choose);
}

void CommandPalette::filter(const QString& pattern) {
    static_cast<ActionModel*>(m_model)->filter(pattern);
    m_list->setCurrentIndex(m_model->index(0));
}

void CommandPalette::choose() {
    m_chosen = static_cast<ActionModel*>(m_model)->at(m_list->currentIndex().row());
    if (m_chosen != nullptr)
        accept();
}

bool CommandPalette::eventFilter(QObject* watched, QEvent* event) {
    if (watched != m_edit || event->type() != QEvent::KeyPress)
        return QDialog::eventFilter(watched, event);
    const int key = static_cast<QKeyEvent*>(event)->key();
    const int step = key == Qt::Key_Down ? 1 : key == Qt::Key_Up ? -1 : 0;
    if (step != 0) {
        const int row = std::clamp(m_list->currentIndex().row() + step, 0, m_model->rowCount() - 1);
        m_list->setCurrentIndex(m_model->index(row));
        return true;
    }
    if (key == Qt::Key_Return || key == Qt::Key_Enter) {
        choose();
        return true;
    }
    return QDialog::eventFilter(watched, event);
}

} // namespace plumbline::gui
