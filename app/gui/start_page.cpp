// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/start_page.h"

#include <QDir>
#include <QFileInfo>
#include <QLabel>
#include <QListWidget>
#include <QPushButton>
#include <QVBoxLayout>

#include "core/samples/samples.h"
#include "views/common/format.h"
#include "views/common/palette.h"

namespace plumbline::gui {
namespace {

constexpr int kDataRole = Qt::UserRole;

void addItem(QListWidget& list, const QString& title, const QString& detail, const QString& data) {
    auto* const item = new QListWidgetItem(title + QLatin1Char('\n') + detail, &list);
    item->setData(kDataRole, data);
    item->setToolTip(detail);
}

} // namespace

StartPage::StartPage(QWidget* parent)
    : QWidget(parent) {
    setAccessibleName(tr("Start page"));
    auto* const title = new QLabel(tr("Plumbline"), this);
    QFont large = font();
    large.setPointSizeF(large.pointSizeF() * 2.2);
    large.setWeight(QFont::DemiBold);
    title->setFont(large);
    auto* const subtitle = new QLabel(
        tr("See how a model becomes NPU records, run them bit-exactly, and question every byte."),
        this);
    subtitle->setWordWrap(true);
    auto* const open = new QPushButton(tr("&Open a model, package or trace…"), this);
    open->setDefault(true);
    connect(open, &QPushButton::clicked, this, &StartPage::openRequested);
    auto* const hint = new QLabel(tr("or drop files here: a .tflite model, a package directory, a "
                                     "trace, with or without an input"),
                                  this);
    hint->setForegroundRole(QPalette::PlaceholderText);

    auto* const columns = new QHBoxLayout;
    columns->setSpacing(24);
    columns->addWidget(makeColumn(tr("Recent"), m_recent));
    columns->addWidget(makeColumn(tr("Built-in samples"), m_samples));
    connect(m_recent, &QListWidget::itemActivated, this, [this](const QListWidgetItem* item) {
        emit fileChosen(item->data(kDataRole).toString());
    });
    connect(m_samples, &QListWidget::itemActivated, this, [this](const QListWidgetItem* item) {
        emit sampleChosen(item->data(kDataRole).toString());
    });
    for (const SampleInfo& sample : allSamples()) {
        // The last sample takes its size as a suffix; 10,000 operators show what the workbench
        // bears.
        const QString name = safeText(sample.name);
        const bool sized = sample.name == "branches";
        addItem(*m_samples, sized ? tr("%1, 10,000 operators").arg(name) : name,
                safeText(sample.description), sized ? name + QStringLiteral("-10000") : name);
    }

    auto* const buttonRow = new QHBoxLayout;
    buttonRow->addWidget(open);
    buttonRow->addWidget(hint, 1);
    auto* const content = new QVBoxLayout;
    content->addWidget(title);
    content->addWidget(subtitle);
    content->addSpacing(12);
    content->addLayout(buttonRow);
    content->addSpacing(12);
    content->addLayout(columns, 1);
    auto* const outer = new QHBoxLayout(this);
    outer->setContentsMargins(32, 32, 32, 32);
    outer->addStretch(1);
    outer->addLayout(content, 8);
    outer->addStretch(1);
}

QWidget* StartPage::makeColumn(const QString& title, QListWidget*& list) {
    auto* const column = new QWidget(this);
    auto* const heading = new QLabel(title, column);
    QFont bold = heading->font();
    bold.setWeight(QFont::DemiBold);
    heading->setFont(bold);
    list = new QListWidget(column);
    list->setAccessibleName(title);
    list->setAlternatingRowColors(true);
    list->setWordWrap(true);
    list->setSpacing(3);
    heading->setBuddy(list);
    connect(list, &QListWidget::itemClicked, list, &QListWidget::itemActivated);
    auto* const layout = new QVBoxLayout(column);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(heading);
    layout->addWidget(list);
    return column;
}

void StartPage::setRecentFiles(const QStringList& paths) {
    m_recent->clear();
    for (const QString& path : paths) {
        const QFileInfo info(path);
        addItem(*m_recent, info.fileName(), QDir::toNativeSeparators(info.absolutePath()), path);
    }
    if (paths.isEmpty()) {
        auto* const item =
            new QListWidgetItem(tr("Files that you open will be listed here."), m_recent);
        item->setFlags(Qt::NoItemFlags);
    }
}

} // namespace plumbline::gui
