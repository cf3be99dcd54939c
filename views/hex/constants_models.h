// SPDX-License-Identifier: GPL-3.0-or-later
// A record's constants as tables: packed weights by [group][k][lane], parameters by channel.
#pragma once

#include <memory>
#include <optional>

#include <QAbstractTableModel>

#include "core/document/document.h"
#include "core/lowering/constants_layout.h"
#include "views/hex/hex_geometry.h"

namespace plumbline {

/// A table whose cells stand for bytes of a region.
class ConstantsModel : public QAbstractTableModel {
    Q_OBJECT

  public:
    using QAbstractTableModel::QAbstractTableModel;

    /// Takes the constants of `op` in `document`; none when it is null. `problem` then says why
    /// there are none.
    virtual void setOperator(DocumentPtr document, const LoweredOperator* op) = 0;
    const QString& problem() const { return m_problem; }
    /// Bytes of the region that the cell shows; nothing for a cell that names a position.
    virtual std::optional<HexRun> runOf(const QModelIndex& index) const = 0;
    /// The cell that shows the byte; invalid when none does.
    virtual QModelIndex cellOf(std::uint64_t offset) const = 0;

  protected:
    /// The record that `op` has in `document`; null, with the problem set, when there is none.
    const Bytes* recordOf(const Document& document, const LoweredOperator* op);
    DocumentPtr m_document;
    QString m_problem;
};

class PackedWeightsModel : public ConstantsModel {
    Q_OBJECT

  public:
    using ConstantsModel::ConstantsModel;
    void setOperator(DocumentPtr document, const LoweredOperator* op) override;
    std::optional<HexRun> runOf(const QModelIndex& index) const override;
    QModelIndex cellOf(std::uint64_t offset) const override;
    /// Columns before the lanes: group, k, and one per axis.
    int positionColumns() const;

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

  private:
    std::size_t position(std::size_t row, int column) const;
    QString toolTip(std::size_t row, int column) const;

    std::optional<PackedWeights> m_weights;
};

class ParametersModel : public ConstantsModel {
    Q_OBJECT

  public:
    using ConstantsModel::ConstantsModel;
    void setOperator(DocumentPtr document, const LoweredOperator* op) override;
    std::optional<HexRun> runOf(const QModelIndex& index) const override;
    QModelIndex cellOf(std::uint64_t offset) const override;

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

  private:
    std::optional<ParameterRecords> m_params;
};

} // namespace plumbline
