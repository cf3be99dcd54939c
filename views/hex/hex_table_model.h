// SPDX-License-Identifier: GPL-3.0-or-later
// The bytes of a hex view as a table of sixteen per row, for screen readers.
#pragma once

#include <QAbstractTableModel>

#include "core/base/bytes.h"

namespace plumbline {

class HexTableModel : public QAbstractTableModel {
    Q_OBJECT

  public:
    enum Column { Offset, FirstByte, Text = FirstByte + 16, ColumnCount };
    using QAbstractTableModel::QAbstractTableModel;

    /// `bytes` stay until the next call.
    void setBytes(ByteView bytes);

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

  private:
    ByteView m_bytes;
};

} // namespace plumbline
