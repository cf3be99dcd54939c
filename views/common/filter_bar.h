// SPDX-License-Identifier: GPL-3.0-or-later
// The filter line with its saved filters.
#pragma once

#include <QStringList>
#include <QWidget>

class QMenu;
class QToolButton;

namespace plumbline {

class FilterEdit;
class Session;

/// Saved filters are kept in QSettings under kSavedFiltersKey, the latest first.
class FilterBar : public QWidget {
    Q_OBJECT

  public:
    static constexpr const char* kSavedFiltersKey = "filters/saved";
    static constexpr int kMaxSaved = 50;

    explicit FilterBar(Session& session, QWidget* parent = nullptr);

    FilterEdit* edit() const { return m_edit; }
    QToolButton* star() const { return m_star; }

    static QStringList savedFilters();
    void save();
    void remove(const QString& filter);

  private:
    void fillMenu();
    void updateStar();
    void use(const QString& filter);

    FilterEdit* m_edit;
    QToolButton* m_star;
    QMenu* m_menu;
};

} // namespace plumbline
