// SPDX-License-Identifier: GPL-3.0-or-later
// Documents for the tests of the layer views.
#pragma once

#include <algorithm>
#include <cstdlib>
#include <memory>
#include <string>
#include <vector>

#include <QApplication>
#include <QDir>
#include <QWidget>

#include "core/document/document.h"
#include "core/lowering/target.h"
#include "views/common/palette.h"

namespace plumbline::test {

inline DocumentPtr opened(const std::string& sample) {
    OpenRequest request;
    request.sample = sample;
    return *openDocument(request, npuP0Target());
}

/// `base` with the operator's first weight byte turned upside down.
inline DocumentPtr withWrongWeight(const DocumentPtr& base, std::size_t operatorIndex) {
    const auto& weights = base->lowering->operators.at(operatorIndex).weights;
    const std::uint8_t before = base->lowering->weights.at(weights->offset);
    return *openExperiment(
        base, {ByteEdit{"weights", weights->offset, static_cast<std::uint8_t>(before ^ 0xC0)}});
}

/// What a plain loop finds between two tensors.
struct PlainDifference {
    std::int64_t mismatches = 0;
    std::int64_t first = -1; ///< element index
    int largest = 0;
};

inline PlainDifference plainDifference(const Bytes& ours, const Bytes& theirs) {
    PlainDifference found;
    for (std::size_t i = 0; i < ours.size(); ++i) {
        const int difference =
            static_cast<std::int8_t>(ours[i]) - static_cast<std::int8_t>(theirs[i]);
        if (difference == 0)
            continue;
        if (found.mismatches++ == 0)
            found.first = static_cast<std::int64_t>(i);
        found.largest = std::max(found.largest, std::abs(difference));
    }
    return found;
}

/// "h,w,c" of an element index.
inline QString placeText(std::int64_t index, const std::vector<std::int64_t>& shape) {
    return QStringLiteral("%1,%2,%3")
        .arg(index / shape[2] / shape[1])
        .arg(index / shape[2] % shape[1])
        .arg(index % shape[2]);
}

/// Saves a picture of the widget that `make` makes in both themes.
template <class Make> void savePictures(const QString& name, const QSize& size, Make make) {
    QDir().mkpath(QStringLiteral(PLUMBLINE_PICTURES));
    for (const Theme theme : {Theme::Light, Theme::Dark}) {
        applyTheme(*qApp, theme);
        const std::unique_ptr<QWidget> widget = make();
        widget->resize(size);
        widget->show();
        QApplication::processEvents(); // layouts
        const QString path = QStringLiteral(PLUMBLINE_PICTURES "/%1-%2.png")
                                 .arg(name, theme == Theme::Light ? QStringLiteral("light")
                                                                  : QStringLiteral("dark"));
        widget->grab().save(path);
    }
    applyTheme(*qApp, Theme::Light);
}

} // namespace plumbline::test
