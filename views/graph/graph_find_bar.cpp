// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/graph/graph_find_bar.h"

#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QToolButton>

namespace plumbline {

GraphFindBar::GraphFindBar(QWidget* parent)
    : QWidget(parent)
    , m_edit(new QLineEdit(this))
    , m_count(new QLabel(this)) {
    auto* const layout = new QHBoxLayout(this);
    layout->setContentsMargins(6, 4, 6, 4);
    layout->setSpacing(4);
    m_edit->setPlaceholderText(tr("Find name, type, tensor or shape, like 25x5x64"));
    m_edit->setAccessibleName(tr("Find in the graph"));
    m_edit->setClearButtonEnabled(true);
    m_edit->installEventFilter(this);
    m_count->setMinimumWidth(m_count->fontMetrics().horizontalAdvance(QStringLiteral("9999/9999")));
    layout->addWidget(m_edit, 1);
    layout->addWidget(m_count);
    connect(addButton(Qt::UpArrow, tr("Previous (Shift+Enter)")), &QToolButton::clicked, this,
            &GraphFindBar::previousAsked);
    connect(addButton(Qt::DownArrow, tr("Next (Enter)")), &QToolButton::clicked, this,
            &GraphFindBar::nextAsked);
    auto* const close = addButton(Qt::NoArrow, tr("Close (Esc)"));
    close->setText(QString(QChar(0x00D7)));
    connect(close, &QToolButton::clicked, this, &GraphFindBar::closed);
    connect(m_edit, &QLineEdit::textChanged, this, &GraphFindBar::textChanged);
}

QToolButton* GraphFindBar::addButton(Qt::ArrowType arrow, const QString& text) {
    auto* const button = new QToolButton(this);
    button->setAutoRaise(true);
    button->setArrowType(arrow);
    button->setToolTip(text);
    button->setAccessibleName(text);
    layout()->addWidget(button);
    return button;
}

QString GraphFindBar::text() const { return m_edit->text(); }

void GraphFindBar::open() {
    show();
    m_edit->setFocus(Qt::ShortcutFocusReason);
    m_edit->selectAll();
}

void GraphFindBar::setCount(std::size_t at, std::size_t count) {
    if (m_edit->text().trimmed().isEmpty())
        m_count->clear();
    else if (count == 0)
        m_count->setText(tr("none"));
    else
        m_count->setText(tr("%1/%2").arg(at).arg(count));
}

bool GraphFindBar::eventFilter(QObject* watched, QEvent* event) {
    if (watched != m_edit || event->type() != QEvent::KeyPress)
        return QWidget::eventFilter(watched, event);
    const auto* const key = static_cast<QKeyEvent*>(event);
    switch (key->key()) {
    case Qt::Key_Return:
    case Qt::Key_Enter:
        if (key->modifiers().testFlag(Qt::ShiftModifier))
            emit previousAsked();
        else
            emit nextAsked();
        return true;
    case Qt::Key_Down:
        emit nextAsked();
        return true;
    case Qt::Key_Up:
        emit previousAsked();
        return true;
    case Qt::Key_Escape:
        emit closed();
        return true;
    default:
        return QWidget::eventFilter(watched, event);
    }
}

} // namespace plumbline
