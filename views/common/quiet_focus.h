// SPDX-License-Identifier: GPL-3.0-or-later
// Item views that take the focus without choosing anything.
#pragma once

#include <QObject>

class QAbstractItemView;

namespace plumbline {

/// Qt makes the first item current when a view without a current item gets the focus. Here choosing
/// an item changes the selection, so focus alone must not do it.
class QuietFocus : public QObject {
    Q_OBJECT

  public:
    /// Lives as long as `view`.
    static void install(QAbstractItemView* view);

  protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

  private:
    explicit QuietFocus(QAbstractItemView* view);
    bool m_isDelivering = false;
};

} // namespace plumbline
