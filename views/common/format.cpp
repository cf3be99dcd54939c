// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/common/format.h"

#include <array>

#include <QLocale>
#include <QRegularExpression>

namespace plumbline {
namespace {

QString scaled(double value, double unit, const QStringList& names) {
    qsizetype name = 0;
    while (value >= unit && name + 1 < names.size()) {
        value /= unit;
        ++name;
    }
    const int decimals = name > 0 && value < 10 ? 1 : 0;
    QString text = QLocale::c().toString(value, 'f', decimals);
    return names[name].isEmpty() ? text : text + QLatin1Char(' ') + names[name];
}

/// The C locale with its group separators, which it leaves out unless asked.
const QLocale& groupingLocale() {
    static const QLocale locale = [] {
        QLocale made = QLocale::c();
        made.setNumberOptions(QLocale::DefaultNumberOptions);
        return made;
    }();
    return locale;
}

} // namespace

QString groupedNumber(std::int64_t value) { return groupingLocale().toString(qlonglong{value}); }

QString signedNumber(std::int64_t value) {
    return value > 0 ? QLatin1Char('+') + QString::number(value) : QString::number(value);
}

QString shortBytes(std::uint64_t bytes) {
    static const QStringList names{QStringLiteral("B"), QStringLiteral("KiB"),
                                   QStringLiteral("MiB"), QStringLiteral("GiB"),
                                   QStringLiteral("TiB")};
    return scaled(static_cast<double>(bytes), 1024, names);
}

QString exactBytes(std::uint64_t bytes) {
    return QObject::tr("%1 bytes").arg(groupingLocale().toString(qulonglong{bytes}));
}

QString shortCount(std::int64_t value) {
    static const QStringList names{QString(), QStringLiteral("k"), QStringLiteral("M"),
                                   QStringLiteral("G"), QStringLiteral("T")};
    return value < 0 ? groupedNumber(value) : scaled(static_cast<double>(value), 1000, names);
}

QString hexNumber(std::uint64_t value, int digits) {
    return QStringLiteral("0x") +
           QStringLiteral("%1").arg(qulonglong{value}, digits, 16, QLatin1Char('0')).toUpper();
}

QString shapeText(const Hwc& shape) {
    return QStringLiteral("%1×%2×%3").arg(shape.h).arg(shape.w).arg(shape.c);
}

QString safeText(std::string_view text) {
    QString made = QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size()));
    for (QChar& c : made)
        if (!c.isPrint())
            c = QChar::ReplacementCharacter;
    return made;
}

QString csvLine(const QStringList& cells) {
    static const QRegularExpression special(QStringLiteral("[,\"\r\n]"));
    QStringList written;
    for (QString cell : cells)
        written.append(cell.contains(special)
                           ? QLatin1Char('"') +
                                 cell.replace(QLatin1Char('"'), QLatin1StringView("\"\"")) +
                                 QLatin1Char('"')
                           : cell);
    return written.join(QLatin1Char(',')) + QLatin1Char('\n');
}

QString filterString(QString text) {
    text.replace(QLatin1Char('\\'), QLatin1StringView("\\\\"));
    text.replace(QLatin1Char('"'), QLatin1StringView("\\\""));
    return QLatin1Char('"') + text + QLatin1Char('"');
}

} // namespace plumbline
