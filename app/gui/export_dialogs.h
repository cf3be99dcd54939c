// SPDX-License-Identifier: GPL-3.0-or-later
// What people choose before something is exported.
#pragma once

#include <QDialog>
#include <QTimer>

#include "app/gui/report_export.h"
#include "views/common/picture_export.h"

class QCheckBox;
class QComboBox;
class QLabel;
class QPushButton;
class QSpinBox;

namespace plumbline::gui {

/// Asks for a path to write to; empty when there was none. `suffix`, "csv", is added to a name
/// without one.
QString askForPath(QWidget* parent, const QString& title, const QString& name,
                   const QString& filter, const QString& suffix);

/// Which picture, in which format, size and colours; with a preview.
class PictureDialog : public QDialog {
    Q_OBJECT

  public:
    struct Offer {
        QString view; ///< its title
        ViewPicture picture;
    };

    /// `offers` are not empty; `first` is chosen at first.
    PictureDialog(std::vector<Offer> offers, std::size_t first, QWidget* parent = nullptr);

    const ViewPicture& picture() const;
    PictureOptions options() const;

  private:
    void build();
    QWidget* buildSize();
    void showPicture(); ///< another one is chosen
    void followWidth();
    void followHeight();
    void refresh();
    void showPreview();
    bool isPng() const;

    std::vector<Offer> m_offers;
    QComboBox* m_which = nullptr;
    QComboBox* m_format = nullptr;
    QSpinBox* m_width = nullptr;
    QSpinBox* m_height = nullptr;
    QCheckBox* m_proportions = nullptr;
    QComboBox* m_scale = nullptr;
    QComboBox* m_theme = nullptr;
    QLabel* m_preview = nullptr;
    QLabel* m_outcome = nullptr;
    QPushButton* m_export = nullptr;
    QTimer m_later; ///< a preview is due
};

/// In which format the report is written, and what of it.
class ReportDialog : public QDialog {
    Q_OBJECT

  public:
    explicit ReportDialog(const Session& session, QWidget* parent = nullptr);

    ReportRequest request() const;

  private:
    void showFormat();
    void showFilter(); ///< whether it goes with what is chosen
    ReportFormat format() const;

    const Session& m_session;
    QComboBox* m_format = nullptr;
    QComboBox* m_table = nullptr;
    QCheckBox* m_filtered = nullptr;
    NewestJob m_tables;                               ///< finds out which tables the report has
    std::vector<std::pair<QString, QString>> m_found; ///< id and title
};

/// What a file of the format is called: suffix and name.
struct FormatName {
    QString suffix, name;
};
FormatName nameOf(ReportFormat format);

} // namespace plumbline::gui
