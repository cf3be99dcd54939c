// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/export_dialogs.h"

#include <cmath>

#include <QCheckBox>
#include <QComboBox>
#include <QDialogButtonBox>
#include <QFileDialog>
#include <QFormLayout>
#include <QLabel>
#include <QPushButton>
#include <QScreen>
#include <QSpinBox>

#include "views/common/format.h"

namespace plumbline::gui {
namespace {

constexpr QSize kPreview{340, 220};        ///< pixels
constexpr double kMostPreviewPixels = 8e6; ///< to be painted for it
constexpr int kSettled = 120;              ///< milliseconds without a change before a preview
constexpr int kLeastSide = 16;             ///< pixels of a picture

QDialogButtonBox* makeButtons(QDialog& dialog) {
    auto* const buttons = new QDialogButtonBox(QDialogButtonBox::Cancel, &dialog);
    QPushButton* const go =
        buttons->addButton(QDialog::tr("&Export…"), QDialogButtonBox::AcceptRole);
    go->setObjectName(QStringLiteral("exportGo"));
    go->setDefault(true);
    QObject::connect(buttons, &QDialogButtonBox::accepted, &dialog, &QDialog::accept);
    QObject::connect(buttons, &QDialogButtonBox::rejected, &dialog, &QDialog::reject);
    return buttons;
}

/// Tab goes through `parts` and ends at the buttons.
void orderTabs(QDialog& dialog, std::initializer_list<QWidget*> parts,
               const QDialogButtonBox& buttons) {
    QWidget* last = nullptr;
    const auto append = [&last](QWidget* next) {
        if (last != nullptr)
            QWidget::setTabOrder(last, next);
        last = next;
    };
    for (QWidget* const part : parts)
        append(part);
    append(dialog.findChild<QPushButton*>(QStringLiteral("exportGo")));
    append(buttons.button(QDialogButtonBox::Cancel));
}

/// As large as a dialog may show a picture on the screen of `dialog`.
QSize previewSize(const QDialog& dialog) {
    constexpr int kShare = 4; // of the height of the screen
    const int most = std::max(dialog.screen()->availableSize().height() / kShare, kLeastSide);
    return kPreview.boundedTo(kPreview.scaled(kPreview.width(), most, Qt::KeepAspectRatio));
}

template <class Widget> Widget* named(Widget* widget, const char* name) {
    widget->setObjectName(QString::fromLatin1(name));
    return widget;
}

} // namespace

QString askForPath(QWidget* parent, const QString& title, const QString& name,
                   const QString& filter, const QString& suffix) {
    QFileDialog dialog(parent, title, {}, filter);
    dialog.setAcceptMode(QFileDialog::AcceptSave);
    dialog.setDefaultSuffix(suffix);
    dialog.selectFile(name);
    return dialog.exec() == QDialog::Accepted ? dialog.selectedFiles().constFirst() : QString();
}

PictureDialog::PictureDialog(std::vector<Offer> offers, std::size_t first, QWidget* parent)
    : QDialog(parent)
    , m_offers(std::move(offers)) {
    setWindowTitle(tr("Export Picture"));
    m_later.setSingleShot(true);
    m_later.setInterval(kSettled);
    connect(&m_later, &QTimer::timeout, this, &PictureDialog::showPreview);
    build();
    m_which->setCurrentIndex(static_cast<int>(first));
    showPicture();
    showPreview();
}

void PictureDialog::build() {
    m_which = named(new QComboBox(this), "pictureWhich");
    for (const Offer& offer : m_offers)
        m_which->addItem(offer.view == offer.picture.title
                             ? offer.view
                             : tr("%1: %2").arg(offer.view, offer.picture.title));
    m_format = named(new QComboBox(this), "pictureFormat");
    m_format->addItems({tr("SVG: shapes and text"), tr("PNG: pixels")});
    m_scale = named(new QComboBox(this), "pictureScale");
    m_scale->addItems({tr("1×"), tr("2×"), tr("3×")});
    m_theme = named(new QComboBox(this), "pictureTheme");
    m_theme->addItems({tr("As shown"), tr("Light"), tr("Dark")});
    m_preview = named(new QLabel(this), "picturePreview");
    m_preview->setFixedSize(previewSize(*this));
    m_preview->setAlignment(Qt::AlignCenter);
    m_preview->setAccessibleName(tr("Preview"));
    m_outcome = named(new QLabel(this), "pictureOutcome");
    QDialogButtonBox* const buttons = makeButtons(*this);
    m_export = buttons->findChild<QPushButton*>(QStringLiteral("exportGo"));
    auto* const form = new QFormLayout(this);
    form->addRow(tr("&Picture:"), m_which);
    form->addRow(tr("&Format:"), m_format);
    QWidget* const size = buildSize();
    form->addRow(tr("&Size:"), size);
    form->addRow(QString(), m_proportions);
    form->addRow(tr("S&cale:"), m_scale);
    form->addRow(tr("C&olours:"), m_theme);
    form->addRow(m_preview);
    form->addRow(m_outcome);
    form->addRow(buttons);
    form->setAlignment(m_preview, Qt::AlignHCenter);
    orderTabs(*this, {m_which, m_format, m_width, m_height, m_proportions, m_scale, m_theme},
              *buttons);
    connect(m_which, &QComboBox::currentIndexChanged, this, &PictureDialog::showPicture);
    for (const QComboBox* const box : {m_format, m_scale, m_theme})
        connect(box, &QComboBox::currentIndexChanged, this, &PictureDialog::refresh);
}

QWidget* PictureDialog::buildSize() {
    auto* const row = new QWidget(this);
    m_width = named(new QSpinBox(row), "pictureWidth");
    m_height = named(new QSpinBox(row), "pictureHeight");
    for (QSpinBox* const box : {m_width, m_height}) {
        box->setRange(kLeastSide, kMostPictureSide);
        box->setSuffix(tr(" px"));
    }
    m_width->setAccessibleName(tr("Width in pixels"));
    m_height->setAccessibleName(tr("Height in pixels"));
    auto* const layout = new QHBoxLayout(row);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(m_width, 1);
    layout->addWidget(new QLabel(QStringLiteral("×"), row));
    layout->addWidget(m_height, 1);
    row->setFocusProxy(m_width);
    m_proportions = named(new QCheckBox(tr("&Keep proportions"), this), "pictureProportions");
    m_proportions->setChecked(true);
    connect(m_width, &QSpinBox::valueChanged, this, &PictureDialog::followWidth);
    connect(m_height, &QSpinBox::valueChanged, this, &PictureDialog::followHeight);
    connect(m_proportions, &QCheckBox::toggled, this, &PictureDialog::followWidth);
    return row;
}

const ViewPicture& PictureDialog::picture() const {
    return m_offers[static_cast<std::size_t>(m_which->currentIndex())].picture;
}

bool PictureDialog::isPng() const { return m_format->currentIndex() == 1; }

PictureOptions PictureDialog::options() const {
    PictureOptions options;
    options.format = isPng() ? PictureOptions::Format::Png : PictureOptions::Format::Svg;
    options.size = {m_width->value(), m_height->value()};
    options.scale = isPng() ? m_scale->currentIndex() + 1 : 1;
    if (m_theme->currentIndex() > 0)
        options.dark = m_theme->currentIndex() == 2;
    return options;
}

void PictureDialog::showPicture() {
    const QSignalBlocker quietWidth(m_width), quietHeight(m_height);
    m_width->setValue(picture().size.width());
    m_height->setValue(picture().size.height());
    refresh();
}

void PictureDialog::followWidth() {
    const QSize shown = picture().size;
    if (m_proportions->isChecked() && !shown.isEmpty()) {
        const QSignalBlocker quiet(m_height);
        m_height->setValue(qRound(m_width->value() * double{1} * shown.height() / shown.width()));
    }
    refresh();
}

void PictureDialog::followHeight() {
    const QSize shown = picture().size;
    if (m_proportions->isChecked() && !shown.isEmpty()) {
        const QSignalBlocker quiet(m_width);
        m_width->setValue(qRound(m_height->value() * double{1} * shown.width() / shown.height()));
    }
    refresh();
}

void PictureDialog::refresh() {
    const PictureOptions chosen = options();
    const QSize pixels = chosen.size * chosen.scale;
    const bool fits = isWithinLimits(chosen);
    m_scale->setEnabled(isPng());
    m_export->setEnabled(fits);
    m_outcome->setText(!fits ? tr("Too large: at most 16,384 pixels a side and 64 million in all.")
                       : isPng()
                           ? tr("The file has %1 × %2 pixels.")
                                 .arg(groupedNumber(pixels.width()), groupedNumber(pixels.height()))
                           : tr("The file keeps its sharpness at any size."));
    m_later.start();
}

void PictureDialog::showPreview() {
    const PictureOptions chosen = options();
    if (!isWithinLimits(chosen))
        return m_preview->clear();
    // Painted at its own size and scaled then, so that what is drawn in pixels is scaled as well.
    const QSize room = m_preview->contentsRect().size() * devicePixelRatioF();
    const double whole =
        std::min(1.0, std::sqrt(kMostPreviewPixels / chosen.size.width() / chosen.size.height()));
    QImage image = pictureImage(picture(), chosen.size, whole, chosen.dark);
    if (image.width() > room.width() || image.height() > room.height())
        image = image.scaled(room, Qt::KeepAspectRatio, Qt::SmoothTransformation);
    image.setDevicePixelRatio(devicePixelRatioF());
    m_preview->setPixmap(QPixmap::fromImage(image));
}

FormatName nameOf(ReportFormat format) {
    switch (format) {
    case ReportFormat::Html:
        return {QStringLiteral("html"), ReportDialog::tr("HTML page")};
    case ReportFormat::Markdown:
        return {QStringLiteral("md"), ReportDialog::tr("Markdown text")};
    case ReportFormat::Csv:
        return {QStringLiteral("csv"), ReportDialog::tr("CSV table")};
    case ReportFormat::Json:
        return {QStringLiteral("json"), ReportDialog::tr("JSON")};
    case ReportFormat::Pdf:
        return {QStringLiteral("pdf"), ReportDialog::tr("PDF")};
    }
    return {};
}

ReportDialog::ReportDialog(const Session& session, QWidget* parent)
    : QDialog(parent)
    , m_session(session) {
    setWindowTitle(tr("Export Report"));
    m_format = named(new QComboBox(this), "reportFormat");
    for (const ReportFormat format :
         {ReportFormat::Html, ReportFormat::Markdown, ReportFormat::Csv, ReportFormat::Json})
        m_format->addItem(nameOf(format).name, static_cast<int>(format));
    m_table = named(new QComboBox(this), "reportTable");
    m_filtered =
        named(new QCheckBox(tr("&Only operators that pass the filter"), this), "reportFiltered");
    QDialogButtonBox* const buttons = makeButtons(*this);
    auto* const form = new QFormLayout(this);
    form->addRow(tr("&Format:"), m_format);
    form->addRow(tr("&Table:"), m_table);
    form->addRow(QString(), m_filtered);
    form->addRow(buttons);
    connect(m_format, &QComboBox::currentIndexChanged, this, &ReportDialog::showFormat);
    connect(m_table, &QComboBox::currentIndexChanged, this, &ReportDialog::showFilter);
    showFormat();
    m_tables.start(
        [document = session.document()](const std::stop_token&) {
            std::vector<std::pair<QString, QString>> found;
            const ReportContent content = reportContent(*document);
            for (const std::string& id : content.tableIds())
                found.emplace_back(QString::fromStdString(id),
                                   QString::fromStdString(content.table(id)->title));
            return found;
        },
        [this](std::vector<std::pair<QString, QString>> found) {
            m_found = std::move(found);
            showFormat();
        });
}

ReportFormat ReportDialog::format() const {
    return static_cast<ReportFormat>(m_format->currentData().toInt());
}

void ReportDialog::showFormat() {
    const bool isTable = format() == ReportFormat::Csv;
    const bool isJson = format() == ReportFormat::Json;
    m_table->clear();
    if (isJson)
        m_table->addItem(tr("The P0 report, as in npu.json"), QString());
    if (isTable || isJson)
        for (const auto& [id, title] : m_found)
            m_table->addItem(title.isEmpty() ? id : title, id);
    if (isTable)
        m_table->setCurrentIndex(std::max(0, m_table->findData(QStringLiteral("operators"))));
    if (!isTable && !isJson)
        m_table->addItem(tr("All of the report"), QString());
    m_table->setEnabled(isTable || isJson);
    showFilter();
}

void ReportDialog::showFilter() {
    const QString filter = m_session.filterText();
    const bool isP0Report =
        format() == ReportFormat::Json && m_table->currentData().toString().isEmpty();
    m_filtered->setEnabled(!filter.isEmpty() && !isP0Report);
    m_filtered->setToolTip(filter.isEmpty() ? tr("There is no filter.")
                           : isP0Report     ? tr("The P0 report has every operator.")
                                            : filter);
}

ReportRequest ReportDialog::request() const {
    ReportRequest request =
        reportRequest(m_session, format(), m_filtered->isEnabled() && m_filtered->isChecked());
    request.table = m_table->currentData().toString().toStdString();
    return request;
}

} // namespace plumbline::gui
