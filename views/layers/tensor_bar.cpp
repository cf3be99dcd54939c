// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/layers/tensor_bar.h"

#include <algorithm>
#include <limits>

#include <QBoxLayout>
#include <QComboBox>
#include <QLabel>
#include <QSignalBlocker>
#include <QSlider>
#include <QSpinBox>
#include <QStandardItemModel>
#include <QToolButton>

namespace plumbline {
namespace {

constexpr int kOneRowWidth = 600; ///< pixels from which on all stands in one row
constexpr TensorSide kSides[] = {TensorSide::Ours, TensorSide::Theirs, TensorSide::Difference,
                                 TensorSide::Alone};

} // namespace

TensorBar::TensorBar(QWidget* parent)
    : QWidget(parent) {
    m_rows = new QBoxLayout(QBoxLayout::TopToBottom, this);
    m_rows->setContentsMargins(6, 4, 6, 4);
    m_rows->setSpacing(4);
    m_rows->addWidget(makeChoices());
    m_rows->addWidget(makeChannels(), 1);
}

QWidget* TensorBar::makeChoices() {
    auto* const row = new QWidget(this);
    auto* const layout = new QHBoxLayout(row);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(4);
    m_side = new QComboBox(row);
    m_side->setObjectName(QStringLiteral("tensorSide"));
    m_side->setAccessibleName(tr("Values shown"));
    m_side->setToolTip(
        tr("Ours as run, the reference's, their difference, or ours run alone on the "
           "reference's inputs"));
    for (const TensorSide side : kSides)
        m_side->addItem(sideName(side));
    m_mode = new QComboBox(row);
    m_mode->setObjectName(QStringLiteral("tensorMode"));
    m_mode->setAccessibleName(tr("Way of showing"));
    m_mode->addItems({tr("Slice"), tr("All channels"), tr("Table")});
    layout->addWidget(m_side);
    layout->addWidget(m_mode);
    m_zoomButtons = {addButton(QStringLiteral("−"), tr("Zoom out (-)"), &TensorBar::zoomOutAsked),
                     addButton(QStringLiteral("+"), tr("Zoom in (+)"), &TensorBar::zoomInAsked),
                     addButton(tr("Fit"), tr("Fit the whole slice (0)"), &TensorBar::fitAsked)};
    for (QWidget* const button : std::as_const(m_zoomButtons))
        layout->addWidget(button);
    layout->addStretch(1);
    connect(m_side, &QComboBox::currentIndexChanged, this, &TensorBar::chooseSide);
    connect(m_side, &QComboBox::activated, this, &TensorBar::chooseSide); // what is shown already
    connect(m_mode, &QComboBox::currentIndexChanged, this, [this] {
        updateEnabled();
        emit modeChosen();
    });
    return row;
}

QWidget* TensorBar::addButton(const QString& text, const QString& tip, void (TensorBar::*asked)()) {
    auto* const button = new QToolButton(this);
    button->setText(text);
    button->setToolTip(tip);
    button->setAccessibleName(tip);
    button->setFocusPolicy(Qt::TabFocus);
    connect(button, &QToolButton::clicked, this, asked);
    return button;
}

QWidget* TensorBar::makeChannels() {
    m_channelRow = new QWidget(this);
    auto* const layout = new QHBoxLayout(m_channelRow);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(6);
    m_channel = new QSpinBox(m_channelRow);
    m_channel->setObjectName(QStringLiteral("tensorChannel"));
    m_channel->setAccessibleName(tr("Channel"));
    m_channels = new QLabel(m_channelRow);
    m_channels->setForegroundRole(QPalette::PlaceholderText);
    m_slider = new QSlider(Qt::Horizontal, m_channelRow);
    m_slider->setObjectName(QStringLiteral("tensorChannelSlider"));
    m_slider->setAccessibleName(tr("Channel"));
    auto* const label = new QLabel(tr("C&hannel"), m_channelRow);
    label->setBuddy(m_channel);
    layout->addWidget(label);
    layout->addWidget(m_channel);
    layout->addWidget(m_channels);
    layout->addWidget(m_slider, 1);
    connect(m_channel, &QSpinBox::valueChanged, this,
            [this](int channel) { emit channelChosen(channel); });
    connect(m_slider, &QSlider::valueChanged, this,
            [this](int channel) { emit channelChosen(channel); });
    return m_channelRow;
}

void TensorBar::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    m_rows->setDirection(width() >= kOneRowWidth ? QBoxLayout::LeftToRight
                                                 : QBoxLayout::TopToBottom);
}

void TensorBar::setTensor(const TensorValues& values) {
    const QSignalBlocker quietSpin(m_channel);
    const QSignalBlocker quietSlider(m_slider);
    const QSignalBlocker quietMode(m_mode);
    auto* const items = qobject_cast<QStandardItemModel*>(m_side->model());
    for (int i = 0; i < m_side->count(); ++i) {
        items->item(i)->setEnabled(values.has(kSides[i]));
        m_side->setItemText(i, values.name(kSides[i]));
    }
    const Hwc shape = values.shape();
    m_hasChannels = shape.h > 1 || shape.w > 1;
    const auto last = m_hasChannels
                          ? std::min<std::int64_t>(shape.c - 1, std::numeric_limits<int>::max())
                          : std::int64_t{0};
    m_channel->setRange(0, static_cast<int>(last));
    m_slider->setRange(0, static_cast<int>(last));
    m_slider->setPageStep(std::max(1, static_cast<int>(last / 8)));
    m_channels->setText(tr("of %1").arg(shape.c));
    qobject_cast<QStandardItemModel*>(m_mode->model())
        ->item(static_cast<int>(TensorMode::AllChannels))
        ->setEnabled(m_hasChannels);
    if (!m_hasChannels && mode() == TensorMode::AllChannels)
        setMode(TensorMode::Slice);
    updateEnabled();
}

void TensorBar::updateEnabled() {
    m_channelRow->setVisible(m_hasChannels);
    m_channelRow->setEnabled(mode() != TensorMode::Values);
    for (QWidget* const button : std::as_const(m_zoomButtons))
        button->setEnabled(mode() == TensorMode::Slice);
}

void TensorBar::setSide(TensorSide side) {
    m_chosen = side;
    showSide(side);
}

void TensorBar::showSide(TensorSide side) {
    const QSignalBlocker quiet(m_side);
    m_side->setCurrentIndex(static_cast<int>(side));
}

void TensorBar::chooseSide(int index) {
    const auto side = static_cast<TensorSide>(index);
    if (side == m_chosen)
        return;
    m_chosen = side;
    emit sideChosen();
}

void TensorBar::setChannel(std::int64_t channel) {
    const QSignalBlocker quietSpin(m_channel);
    const QSignalBlocker quietSlider(m_slider);
    m_channel->setValue(static_cast<int>(channel));
    m_slider->setValue(static_cast<int>(channel));
}

TensorMode TensorBar::mode() const { return static_cast<TensorMode>(m_mode->currentIndex()); }

void TensorBar::setMode(TensorMode mode) { m_mode->setCurrentIndex(static_cast<int>(mode)); }

} // namespace plumbline
