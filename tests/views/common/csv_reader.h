// SPDX-License-Identifier: GPL-3.0-or-later
// CSV read back, so that tests need not trust who wrote it.
#pragma once

#include <QByteArray>
#include <QList>
#include <QStringList>

namespace plumbline::test {

/// Lines of cells by RFC 4180; a line ends with a line feed. A quote that is not closed leaves the
/// last line out.
inline QList<QStringList> readCsv(const QByteArray& bytes) {
    QList<QStringList> lines;
    QStringList line;
    QString cell;
    bool isQuoted = false;
    const QString text = QString::fromUtf8(bytes);
    for (qsizetype at = 0; at < text.size(); ++at) {
        const QChar c = text[at];
        if (isQuoted && c == u'"' && at + 1 < text.size() && text[at + 1] == u'"') {
            cell += c;
            ++at;
        } else if (c == u'"') {
            isQuoted = !isQuoted;
        } else if (isQuoted || (c != u',' && c != u'\n')) {
            cell += c;
        } else {
            line.append(std::exchange(cell, {}));
            if (c == u'\n')
                lines.append(std::exchange(line, {}));
        }
    }
    return lines;
}

} // namespace plumbline::test
