// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/notice_bar.h"

#include <algorithm>

#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QStyle>
#include <QToolButton>

#include "views/common/palette.h"

namespace plumbline::gui {
namespace {

constexpr int kMargin = 6;

} // namespace

NoticeBar::NoticeBar(QWidget* parent)
    : QFrame(parent)
    , m_mark(new QLabel(QStringLiteral("✕"), this))
    , m_label(new QLabel(this))
    , m_layout(new QHBoxLayout(this)) {
    setFrameShape(QFrame::StyledPanel);
    setAutoFillBackground(true);
    setBackgroundRole(QPalette::ToolTipBase);
    m_label->setWordWrap(true);
    m_label->setTextInteractionFlags(Qt::TextSelectableByMouse);
    auto* const close = new QToolButton(this);
    close->setIcon(style()->standardIcon(QStyle::SP_TitleBarCloseButton));
    close->setAutoRaise(true);
    close->setToolTip(tr("Dismiss"));
    close->setAccessibleName(tr("Dismiss the notice"));
    connect(close, &QToolButton::clicked, this, &NoticeBar::dismiss);
    m_layout->setContentsMargins(10, 4, 4, 4);
    m_mark->setObjectName(QStringLiteral("problemMark"));
    m_mark->setAccessibleName(tr("Error"));
    m_layout->addWidget(m_mark);
    m_layout->addWidget(m_label, 1);
    m_layout->addWidget(close);
    hide();
}

void NoticeBar::showNotice(const QString& text, const QList<Choice>& choices) {
    showText(text, false, choices);
}

void NoticeBar::showProblem(const QString& text) { showText(text, true, {}); }

void NoticeBar::showText(const QString& text, bool isProblem, const QList<Choice>& choices) {
    QPalette colors = palette();
    if (isProblem)
        colors.setColor(QPalette::WindowText, toneColor(Tone::Error, colors));
    m_mark->setPalette(colors);
    m_mark->setVisible(isProblem);
    m_label->setPalette(colors);
    qDeleteAll(m_buttons);
    m_buttons.clear();
    m_label->setText(text);
    setAccessibleName(isProblem ? tr("Error: %1").arg(text) : text);
    for (const Choice& choice : choices) {
        auto* const button = new QPushButton(choice.text, this);
        connect(button, &QPushButton::clicked, this, [this, action = choice.action] {
            hide();
            if (action)
                action();
        });
        m_layout->insertWidget(m_layout->count() - 1, button);
        m_buttons.append(button);
    }
    place();
    show();
    raise();
}

void NoticeBar::layOver(QWidget& area) {
    m_area = &area;
    setParent(&area);
    area.installEventFilter(this);
    hide();
}

void NoticeBar::place() {
    if (m_area == nullptr)
        return;
    // No wider than its text, so that few titles of views lie under it.
    const QFontMetrics metrics = m_label->fontMetrics();
    int wanted = m_layout->sizeHint().width() - m_label->sizeHint().width();
    wanted += metrics.horizontalAdvance(m_label->text()) + metrics.averageCharWidth();
    const int width = std::min(m_area->width() - 2 * kMargin, wanted);
    setGeometry(m_area->width() - kMargin - width, kMargin, width, m_layout->heightForWidth(width));
}

bool NoticeBar::eventFilter(QObject* watched, QEvent* event) {
    if (watched == m_area && event->type() == QEvent::Resize)
        place();
    return QFrame::eventFilter(watched, event);
}

void NoticeBar::dismiss() { hide(); }

QString NoticeBar::text() const { return isHidden() ? QString() : m_label->text(); }

} // namespace plumbline::gui
