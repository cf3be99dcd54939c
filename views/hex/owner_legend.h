// SPDX-License-Identifier: GPL-3.0-or-later
// The colours of the arena's owners, on two lines at most.
#pragma once

#include <vector>

#include <QColor>
#include <QWidget>

namespace plumbline {

/// Names are elided in the middle; what finds no place is counted ("+12 more"). The tool tip has
/// everything. Any width will do: the legend asks for none.
class OwnerLegend : public QWidget {
    Q_OBJECT

  public:
    static constexpr int kMostLines = 2;

    struct Owner {
        QColor color;
        QString text; ///< "3 conv2d/Relu"
    };

    explicit OwnerLegend(QWidget* parent = nullptr);

    /// `gap` says why the picture is not exact; empty when it is.
    void setOwners(std::vector<Owner> owners, const QString& gap);

    /// What can be read at a width.
    struct Item {
        QRect rect;
        int owner = -1; ///< -1: words alone
        QString text;   ///< elided
        bool operator==(const Item&) const = default;
    };
    std::vector<Item> itemsAt(int width) const;

    bool hasHeightForWidth() const override { return true; }
    int heightForWidth(int width) const override;
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

  protected:
    void paintEvent(QPaintEvent* event) override;
    bool event(QEvent* event) override;

  private:
    int lineHeight() const;
    int widthOf(const Item& item) const;
    Item wordsItem() const;
    Item ownerItem(std::size_t owner) const;
    Item moreItem(std::size_t left) const;
    void tell();

    std::vector<Owner> m_owners;
    QString m_gap;
};

} // namespace plumbline
