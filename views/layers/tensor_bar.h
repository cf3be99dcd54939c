// SPDX-License-Identifier: GPL-3.0-or-later
// What of a tensor is shown: side, mode, channel, zoom.
#pragma once

#include <QWidget>

#include "views/layers/tensor_values.h"

class QBoxLayout;
class QComboBox;
class QLabel;
class QSlider;
class QSpinBox;

namespace plumbline {

enum class TensorMode : std::uint8_t { Slice, AllChannels, Values };

class TensorBar : public QWidget {
    Q_OBJECT

  public:
    explicit TensorBar(QWidget* parent = nullptr);

    /// Without a signal. Sides that `values` lacks cannot be chosen; a [1,1,C] tensor has no choice
    /// of channels.
    void setTensor(const TensorValues& values);
    void setSide(TensorSide side); ///< as if it were chosen
    /// The box shows `side` in place of the chosen one, which a tensor may lack.
    void showSide(TensorSide side);
    void setChannel(std::int64_t channel);

    TensorSide side() const { return m_chosen; } ///< the chosen one
    TensorMode mode() const;
    void setMode(TensorMode mode);

  signals:
    void sideChosen();
    void modeChosen();
    void channelChosen(qint64 channel);
    void zoomInAsked();
    void zoomOutAsked();
    void fitAsked();

  protected:
    void resizeEvent(QResizeEvent* event) override;

  private:
    QWidget* makeChoices();
    QWidget* makeChannels();
    QWidget* addButton(const QString& text, const QString& tip, void (TensorBar::*asked)());
    void updateEnabled();
    void chooseSide(int index);

    QBoxLayout* m_rows = nullptr; ///< one row where it fits, else two
    QComboBox* m_side = nullptr;
    QComboBox* m_mode = nullptr;
    QSpinBox* m_channel = nullptr;
    QSlider* m_slider = nullptr;
    QLabel* m_channels = nullptr;
    QWidget* m_channelRow = nullptr;
    QList<QWidget*> m_zoomButtons;
    bool m_hasChannels = false;
    TensorSide m_chosen = TensorSide::Ours;
};

} // namespace plumbline
