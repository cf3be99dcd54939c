// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/common/filter_edit.h"

#include <algorithm>

#include <QAbstractItemView>
#include <QCompleter>
#include <QHeaderView>
#include <QInputMethodEvent>
#include <QKeyEvent>
#include <QLabel>
#include <QTextCharFormat>
#include <QTreeView>

#include "views/common/completion_model.h"
#include "views/common/palette.h"

namespace plumbline {
namespace {

constexpr int kPopupRows = 12;
constexpr int kMinimumPopupWidth = 420;
constexpr int kCountMargin = 6;

std::size_t byteOf(const QString& text, qsizetype character) {
    return static_cast<std::size_t>(QStringView(text).left(character).toUtf8().size());
}

/// The character that begins at or contains byte `byte` of the UTF-8 form of `text`.
qsizetype characterOf(const QString& text, std::size_t byte) {
    return QString::fromUtf8(text.toUtf8().left(static_cast<qsizetype>(byte))).size();
}

} // namespace

FilterEdit::FilterEdit(Session& session, QWidget* parent)
    : QLineEdit(parent)
    , m_session(session)
    , m_count(new QLabel(this))
    , m_model(new CompletionModel(this))
    , m_completer(new QCompleter(this))
    , m_popup(new QTreeView) {
    setPlaceholderText(tr("Filter, such as opcode == CONV2D and cout > 32"));
    setAccessibleName(tr("Filter"));
    setMaxLength(static_cast<int>(kMaxFilterBytes));
    m_count->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
    m_count->setAttribute(Qt::WA_TransparentForMouseEvents);
    m_count->setForegroundRole(QPalette::PlaceholderText);
    makePopup();
    m_pause.setSingleShot(true);
    m_pause.setInterval(kPauseMs);
    connect(&m_pause, &QTimer::timeout, this, &FilterEdit::check);
    connect(this, &QLineEdit::textEdited, this, &FilterEdit::textWasEdited);
    connect(&m_session, &Session::documentChanged, this, &FilterEdit::documentChanged);
    connect(&m_session, &Session::filterChanged, this, &FilterEdit::followSession);
    documentChanged();
    followSession();
}

FilterEdit::~FilterEdit() { delete m_note; }

void FilterEdit::makePopup() {
    m_completer->setModel(m_model);
    m_completer->setWidget(this);
    m_completer->setPopup(m_popup);
    m_completer->setCompletionMode(QCompleter::UnfilteredPopupCompletion);
    m_completer->setMaxVisibleItems(kPopupRows);
    m_popup->setRootIsDecorated(false);
    m_popup->setUniformRowHeights(true);
    m_popup->setAllColumnsShowFocus(true);
    m_popup->header()->hide();
    m_popup->setAccessibleName(tr("Completions"));
    m_popup->installEventFilter(this);
    connect(m_completer, qOverload<const QModelIndex&>(&QCompleter::activated), this,
            [this](const QModelIndex& index) { insertCompletion(index); });
}

QWidget* FilterEdit::popup() const { return m_popup; }

QString FilterEdit::countText() const { return m_count->text(); }

void FilterEdit::documentChanged() {
    m_document = m_session.document();
    m_schema = schemaOf(m_document->lowering->fields);
    FilterContext context;
    context.diagnostics = &m_document->diagnostics;
    context.mismatches = [document = m_document.get()](std::int64_t index) {
        return document->mismatchesOf(index);
    };
    m_source = std::make_unique<FilterSource>(*m_document->lowering, std::move(context));
    check();
}

void FilterEdit::followSession() {
    if (text() != m_session.filterText())
        setText(m_session.filterText());
    check();
}

void FilterEdit::textWasEdited() {
    m_pause.start();
    offerCompletions();
}

void FilterEdit::check() {
    m_pause.stop();
    const std::string bytes = text().toStdString();
    const Result<Filter> filter = parseFilter(bytes, m_schema);
    m_problem.clear();
    if (!filter) {
        const Diagnostic& error = filter.diagnostics().front();
        m_problem = QString::fromStdString(error.message);
        const std::size_t begin = error.where.byte.value_or(0);
        const qsizetype first = characterOf(text(), begin);
        markError(first, characterOf(text(), begin + errorLength(error)) - first);
        m_count->setText(tr("invalid"));
    } else {
        markError(0, 0);
        const std::vector<bool> passes =
            filter->isEmpty() ? std::vector<bool>() : m_source->matching(*filter);
        m_count->setText(filter->isEmpty()
                             ? QString()
                             : tr("%1 of %2")
                                   .arg(std::count(passes.begin(), passes.end(), true))
                                   .arg(passes.size()));
    }
    setAccessibleDescription(m_problem.isEmpty() ? m_count->text() : m_problem);
    showProblem();
    layoutCount();
    emit checked();
}

bool FilterEdit::apply() {
    check();
    return m_problem.isEmpty() && m_session.setFilter(text());
}

void FilterEdit::clearFilter() {
    clear();
    apply();
}

// --- completion

void FilterEdit::offerCompletions() {
    const std::string bytes = text().toStdString();
    std::vector<Completion> found =
        complete(bytes, byteOf(text(), cursorPosition()), m_schema, m_source.get());
    // A word that is complete needs no popup over the rest of the window.
    const auto isTyped = [&bytes](const Completion& completion) {
        return completion.text == bytes.substr(completion.begin, completion.end - completion.begin);
    };
    if (found.empty() || (found.size() == 1 && isTyped(found.front()))) {
        m_popup->hide();
        return;
    }
    m_model->setCompletions(std::move(found));
    m_popup->resizeColumnToContents(CompletionModel::TextColumn);
    QRect place = cursorRect();
    place.setWidth(std::max(kMinimumPopupWidth, width() - place.left()));
    m_completer->complete(place);
    m_popup->setCurrentIndex({});
}

void FilterEdit::insertCompletion(const QModelIndex& index) {
    // The completer hands out its own model's index; the rows are the same.
    if (!index.isValid() || index.row() >= m_model->rowCount())
        return;
    const Completion completion = m_model->completion(index.row());
    const qsizetype begin = characterOf(text(), completion.begin);
    const qsizetype end = characterOf(text(), completion.end);
    QString inserted = QString::fromStdString(completion.text);
    if (end == text().size())
        inserted += QLatin1Char(' ');
    setSelection(static_cast<int>(begin), static_cast<int>(end - begin));
    insert(inserted); // counts as an edit, so that what may follow is offered next
}

bool FilterEdit::handlePopupKey(QKeyEvent* event) {
    if (!m_popup->isVisible())
        return false;
    const bool isChosen = m_popup->currentIndex().isValid();
    switch (event->key()) {
    case Qt::Key_Enter:
    case Qt::Key_Return:
        if (isChosen)
            break;
        m_popup->hide();
        return false;
    case Qt::Key_Escape:
        break;
    default:
        return false;
    }
    event->ignore(); // the completer takes it
    return true;
}

/// Tab does not get as far as keyPressEvent.
bool FilterEdit::focusNextPrevChild(bool next) {
    if (!next || !m_popup->isVisible())
        return QLineEdit::focusNextPrevChild(next);
    const QModelIndex chosen = m_popup->currentIndex();
    const int row = chosen.isValid() ? chosen.row() : 0;
    m_popup->hide();
    insertCompletion(m_model->index(row, CompletionModel::TextColumn));
    return true;
}

void FilterEdit::keyPressEvent(QKeyEvent* event) {
    if (handlePopupKey(event))
        return;
    const bool asks =
        (event->key() == Qt::Key_Space && event->modifiers() == Qt::ControlModifier) ||
        event->key() == Qt::Key_Down;
    if (asks) {
        offerCompletions();
    } else if (event->key() == Qt::Key_Enter || event->key() == Qt::Key_Return) {
        apply();
    } else if (event->key() == Qt::Key_Escape && text() != m_session.filterText()) {
        setText(m_session.filterText()); // takes back what was typed; the filter stays
        check();
    } else if (event->key() == Qt::Key_Escape && !text().isEmpty()) {
        clearFilter();
    } else {
        QLineEdit::keyPressEvent(event);
    }
}

// --- what is wrong

void FilterEdit::markError(qsizetype begin, qsizetype length) {
    QList<QInputMethodEvent::Attribute> marks;
    if (length > 0 || begin > 0) {
        QTextCharFormat format;
        format.setUnderlineStyle(QTextCharFormat::WaveUnderline);
        format.setUnderlineColor(toneColor(Tone::Error, palette()));
        format.setForeground(toneColor(Tone::Error, palette()));
        marks.append({QInputMethodEvent::TextFormat, static_cast<int>(begin) - cursorPosition(),
                      static_cast<int>(std::max<qsizetype>(1, length)), format});
    }
    // A line edit takes formats for its text only this way.
    QInputMethodEvent event(QString(), marks);
    m_isMarking = true;
    QLineEdit::inputMethodEvent(&event);
    m_isMarking = false;
}

void FilterEdit::showProblem() {
    // With completions open, the text is not expected to be whole yet.
    const bool isShown = !m_problem.isEmpty() && hasFocus() && isVisible() && !m_popup->isVisible();
    if (!isShown) {
        if (m_note)
            m_note->hide();
        return;
    }
    if (!m_note || m_note->parentWidget() != window()) {
        delete m_note;
        m_note = new QLabel(window());
        m_note->setTextFormat(Qt::PlainText);
        m_note->setAutoFillBackground(true);
        m_note->setFrameShape(QFrame::StyledPanel);
        m_note->setMargin(4);
        m_note->setBackgroundRole(QPalette::ToolTipBase);
        m_note->setForegroundRole(QPalette::ToolTipText);
        m_note->setWordWrap(true);
    }
    m_note->setText(QStringLiteral("\u26A0 ") + m_problem);
    m_note->setFixedWidth(std::min(width(), window()->width()));
    m_note->adjustSize();
    m_note->move(mapTo(window(), QPoint(0, height() + 2)));
    m_note->show();
    m_note->raise();
}

void FilterEdit::layoutCount() {
    const QSize size = m_count->sizeHint();
    m_count->setGeometry(width() - size.width() - kCountMargin, 0, size.width(), height());
    setTextMargins(0, 0, m_count->text().isEmpty() ? 0 : size.width() + kCountMargin, 0);
}

void FilterEdit::focusOutEvent(QFocusEvent* event) {
    QLineEdit::focusOutEvent(event);
    if (m_note)
        m_note->hide();
}

void FilterEdit::resizeEvent(QResizeEvent* event) {
    QLineEdit::resizeEvent(event);
    layoutCount();
    showProblem();
}

void FilterEdit::changeEvent(QEvent* event) {
    QLineEdit::changeEvent(event);
    if (event->type() == QEvent::PaletteChange && !m_problem.isEmpty() && !m_isMarking)
        check();
}

bool FilterEdit::eventFilter(QObject* watched, QEvent* event) {
    if (watched == m_popup && event->type() == QEvent::Hide)
        m_pause.start();
    return QLineEdit::eventFilter(watched, event);
}

void FilterEdit::hideEvent(QHideEvent* event) {
    QLineEdit::hideEvent(event);
    if (m_note)
        m_note->hide();
}

} // namespace plumbline
