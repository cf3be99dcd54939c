// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/common/experiment_bar.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QPainter>
#include <QToolButton>

#include "views/common/experiment_text.h"
#include "views/common/palette.h"
#include "views/common/session.h"

namespace plumbline {

ExperimentBar::ExperimentBar(Session& session, QWidget* parent)
    : QWidget(parent)
    , m_session(session)
    , m_label(new QLabel(this)) {
    setObjectName(QStringLiteral("experimentBar"));
    setAccessibleName(tr("Experiment"));
    auto* const row = new QHBoxLayout(this);
    row->setContentsMargins(8, 2, 4, 2);
    row->setSpacing(2);
    m_label->setObjectName(QStringLiteral("experimentText"));
    m_label->setTextFormat(Qt::PlainText);
    m_label->setWordWrap(true);
    m_label->setTextInteractionFlags(Qt::TextSelectableByMouse);
    row->addWidget(m_label, 1);
    m_undo = addButton(QStringLiteral("experimentUndo"), tr("Undo"),
                       tr("Take the last change back"), &ExperimentBar::undoRequested);
    m_redo =
        addButton(QStringLiteral("experimentRedo"), tr("Redo"),
                  tr("Make the change again that was taken back"), &ExperimentBar::redoRequested);
    m_discard = addButton(QStringLiteral("experimentDiscard"), tr("Discard"),
                          tr("Back to what was opened; all changes are forgotten"),
                          &ExperimentBar::discardRequested);
    m_export =
        addButton(QStringLiteral("experimentExport"), tr("Export Package…"),
                  tr("Write the changed package to a directory"), &ExperimentBar::exportRequested);
    connect(&session, &Session::documentChanged, this, &ExperimentBar::showState);
    setHistory(false, false);
}

QToolButton* ExperimentBar::addButton(const QString& name, const QString& text, const QString& tip,
                                      void (ExperimentBar::*signal)()) {
    auto* const button = new QToolButton(this);
    button->setObjectName(name);
    button->setText(text);
    button->setToolTip(tip);
    button->setAutoRaise(true);
    button->setFocusPolicy(Qt::TabFocus);
    connect(button, &QToolButton::clicked, this, signal);
    layout()->addWidget(button);
    return button;
}

void ExperimentBar::setHistory(bool canUndo, bool canRedo) {
    m_undo->setEnabled(canUndo);
    m_redo->setEnabled(canRedo);
    showState();
}

void ExperimentBar::showState() {
    const Document& document = *m_session.document();
    const bool isExperiment = document.original != nullptr;
    m_label->setText(isExperiment ? experimentText(document)
                                  : tr("Experiment: every change is taken back"));
    m_label->setToolTip(isExperiment ? editTexts(document).join(QLatin1Char('\n')) : QString());
    m_discard->setEnabled(isExperiment || m_redo->isEnabled());
    m_export->setEnabled(isExperiment);
    setVisible(isExperiment || m_redo->isEnabled());
}

QString ExperimentBar::text() const { return m_label->text(); }

void ExperimentBar::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.fillRect(rect(), toneColor(Tone::AccentFill, palette()));
}

} // namespace plumbline
