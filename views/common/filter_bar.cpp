// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/common/filter_bar.h"

#include <QHBoxLayout>
#include <QMenu>
#include <QSettings>
#include <QToolButton>

#include "views/common/filter_edit.h"

namespace plumbline {
namespace {

constexpr int kMenuTextLength = 60;

void store(const QStringList& filters) {
    QSettings().setValue(QLatin1StringView(FilterBar::kSavedFiltersKey), filters);
}

/// The text as a menu's entry: short, and with its & shown.
QString entryText(QString filter) {
    filter = filter.simplified();
    if (filter.size() > kMenuTextLength)
        filter = filter.left(kMenuTextLength - 1) + QChar(0x2026);
    return filter.replace(QLatin1Char('&'), QLatin1StringView("&&"));
}

} // namespace

FilterBar::FilterBar(Session& session, QWidget* parent)
    : QWidget(parent)
    , m_edit(new FilterEdit(session, this))
    , m_star(new QToolButton(this))
    , m_menu(new QMenu(this)) {
    auto* const row = new QHBoxLayout(this);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(2);
    row->addWidget(m_edit, 1);
    row->addWidget(m_star);
    m_star->setPopupMode(QToolButton::InstantPopup);
    m_star->setAutoRaise(true);
    m_star->setMenu(m_menu);
    m_star->setFocusPolicy(Qt::TabFocus);
    m_star->setAccessibleName(tr("Saved filters"));
    setFocusProxy(m_edit);
    connect(m_menu, &QMenu::aboutToShow, this, &FilterBar::fillMenu);
    connect(m_edit, &FilterEdit::checked, this, &FilterBar::updateStar);
    updateStar();
}

QStringList FilterBar::savedFilters() {
    return QSettings().value(QLatin1StringView(kSavedFiltersKey)).toStringList();
}

void FilterBar::save() {
    const QString filter = m_edit->text().trimmed();
    m_edit->check();
    if (filter.isEmpty() || !m_edit->problem().isEmpty())
        return;
    QStringList filters = savedFilters();
    filters.removeAll(filter);
    filters.prepend(filter);
    store(filters.mid(0, kMaxSaved));
    updateStar();
}

void FilterBar::remove(const QString& filter) {
    QStringList filters = savedFilters();
    filters.removeAll(filter);
    store(filters);
    updateStar();
}

void FilterBar::use(const QString& filter) {
    m_edit->setText(filter);
    m_edit->apply();
    m_edit->setFocus();
}

void FilterBar::updateStar() {
    const bool isSaved = savedFilters().contains(m_edit->text().trimmed());
    m_star->setText(isSaved ? QStringLiteral("\u2605") : QStringLiteral("\u2606"));
    m_star->setToolTip(isSaved ? tr("Saved filters; this one is saved") : tr("Saved filters"));
}

void FilterBar::fillMenu() {
    m_menu->clear();
    const QStringList filters = savedFilters();
    const QString current = m_edit->text().trimmed();
    QAction* const saving = m_menu->addAction(tr("&Save This Filter"), this, &FilterBar::save);
    saving->setEnabled(!current.isEmpty() && m_edit->problem().isEmpty() &&
                       !filters.contains(current));
    m_menu->addSeparator();
    if (filters.isEmpty())
        m_menu->addAction(tr("No filter is saved yet"))->setEnabled(false);
    for (const QString& filter : filters)
        m_menu->addAction(entryText(filter), this, [this, filter] { use(filter); })
            ->setToolTip(filter);
    if (filters.isEmpty())
        return;
    m_menu->addSeparator();
    QMenu* const removal = m_menu->addMenu(tr("&Remove"));
    for (const QString& filter : filters)
        removal->addAction(entryText(filter), this, [this, filter] { remove(filter); });
}

} // namespace plumbline
