// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/provenance/steps_panel.h"

#include <algorithm>

#include <QAction>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QKeyEvent>
#include <QTimer>
#include <QToolButton>
#include <QVBoxLayout>

#include "views/common/format.h"
#include "views/common/palette.h"

namespace plumbline {
namespace {

constexpr int kCellPadding = 13;
constexpr int kLeastWords = 56;  ///< pixels that the names of steps keep in a narrow table
constexpr int kSampledRows = 40; ///< at either end, whose texts decide how wide a column is

QLabel* plainLabel(QWidget* parent) {
    auto* const label = new QLabel(parent);
    label->setTextFormat(Qt::PlainText);
    label->setTextInteractionFlags(Qt::TextSelectableByMouse);
    return label;
}

void setTone(QLabel& label, Tone tone) {
    QPalette colors = label.palette();
    colors.setColor(QPalette::WindowText, toneColor(tone, QGuiApplication::palette()));
    label.setPalette(colors);
}

} // namespace

StepsPanel::StepsPanel(QWidget* parent)
    : QWidget(parent) {
    m_heading = plainLabel(this);
    m_heading->setWordWrap(true);
    m_heading->setAccessibleName(tr("Where the element is made"));
    m_ours = plainLabel(this);
    m_theirs = plainLabel(this);
    m_verdict = plainLabel(this);
    QFont bold = font();
    bold.setBold(true);
    m_ours->setFont(bold);
    m_verdict->setFont(bold);
    auto* const top = new QHBoxLayout;
    top->setContentsMargins(8, 5, 8, 0);
    top->setSpacing(12);
    top->addWidget(m_heading, 1);
    for (QLabel* label : {m_ours, m_theirs, m_verdict})
        top->addWidget(label);
    m_chain = new ChainStrip(this);
    auto* const barWidget = new QWidget(this);
    m_bar = new QHBoxLayout(barWidget);
    m_bar->setContentsMargins(4, 0, 8, 3);
    m_bar->setSpacing(2);
    m_counter = plainLabel(barWidget);
    m_counter->setForegroundRole(QPalette::PlaceholderText);
    m_counter->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
    m_counter->setMinimumWidth(0);
    m_counter->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    buildTable();
    m_sentence = plainLabel(this);
    m_sentence->setWordWrap(true);
    m_sentence->setMargin(6);
    m_sentence->setAccessibleName(tr("The step in words"));
    auto* const layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addLayout(top);
    layout->addWidget(m_chain);
    layout->addWidget(barWidget);
    layout->addWidget(m_table, 1);
    layout->addWidget(m_sentence);
    setFocusProxy(m_table);
    connect(m_chain, &ChainStrip::stepPicked, this,
            [this](qulonglong step) { goToStep(static_cast<std::int64_t>(step)); });
}

void StepsPanel::buildTable() {
    m_model = new StepModel(this);
    m_table = new QTableView(this);
    m_table->setModel(m_model);
    m_table->setAccessibleName(tr("Steps of the element"));
    m_table->setSelectionBehavior(QAbstractItemView::SelectRows);
    m_table->setSelectionMode(QAbstractItemView::SingleSelection);
    m_table->setEditTriggers(QAbstractItemView::NoEditTriggers);
    m_table->setShowGrid(false);
    m_table->setWordWrap(false);
    m_table->setTabKeyNavigation(false);
    m_table->setHorizontalScrollMode(QAbstractItemView::ScrollPerPixel);
    m_table->setMinimumHeight(60);
    m_table->verticalHeader()->hide();
    m_table->verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
    m_table->verticalHeader()->setDefaultSectionSize(fontMetrics().height() + 5);
    m_table->horizontalHeader()->setHighlightSections(false);
    m_table->horizontalHeader()->setStretchLastSection(true);
    m_table->installEventFilter(this);
    m_table->viewport()->installEventFilter(this);
    connect(m_table->selectionModel(), &QItemSelectionModel::currentChanged, this,
            &StepsPanel::showStep);
    connect(m_table, &QTableView::activated, this, &StepsPanel::follow);
}

void StepsPanel::dropColumns() {
    const int room = m_table->viewport()->width();
    const Widths* widths = &m_columnWidths;
    std::array<bool, StepModel::ColumnCount> isShown{};
    for (std::size_t column = 0; column < isShown.size(); ++column)
        isShown[column] = m_model->hasColumn(static_cast<StepModel::Column>(column));
    const auto needed = [&isShown, &widths] {
        int sum = 0;
        for (std::size_t column = 0; column < isShown.size(); ++column)
            sum += isShown[column] ? (*widths)[column] : 0;
        return sum;
    };
    const auto drop = [&](std::initializer_list<StepModel::Column> columns) {
        for (const StepModel::Column column : columns)
            isShown[column] = isShown[column] && needed() <= room;
    };
    drop({StepModel::Place, StepModel::Element, StepModel::K, StepModel::Adds});
    const bool hasAddresses = needed() <= room;
    if (!hasAddresses)
        widths = &m_bareWidths;
    drop({StepModel::Parameter, StepModel::Slice, StepModel::Number});
    const int words = (*widths)[StepModel::What];
    const int left = std::clamp(words - (needed() - room), std::min(kLeastWords, words), words);
    m_model->setAddressesShown(hasAddresses);
    for (int column = 0; column < StepModel::ColumnCount; ++column) {
        const auto at = static_cast<std::size_t>(column);
        m_table->setColumnHidden(column, !isShown[at]);
        m_table->setColumnWidth(column, column == StepModel::What ? left : (*widths)[at]);
    }
}

void StepsPanel::showCurrentRow() {
    if (m_table->currentIndex().isValid())
        m_table->scrollTo(m_table->currentIndex().siblingAtColumn(StepModel::Number));
}

bool StepsPanel::handleKey(const QKeyEvent& event) {
    if ((event.modifiers() & ~Qt::KeypadModifier) != Qt::NoModifier)
        return false;
    switch (event.key()) {
    case Qt::Key_Home:
        goToStep(0);
        return true;
    case Qt::Key_End:
        goToStep(m_model->rowCount() - 1);
        return true;
    case Qt::Key_Return:
    case Qt::Key_Enter:
        followCurrent();
        return true;
    default:
        return false;
    }
}

bool StepsPanel::eventFilter(QObject* watched, QEvent* event) {
    if (watched == m_table)
        return event->type() == QEvent::KeyPress && handleKey(*static_cast<QKeyEvent*>(event));
    if (event->type() == QEvent::Resize) // after the table has taken it in
        QTimer::singleShot(0, m_table, [this] {
            dropColumns();
            showCurrentRow();
        });
    return QWidget::eventFilter(watched, event);
}

void StepsPanel::fillBar(const QList<QAction*>& actions, QWidget* last) {
    for (QAction* action : actions) {
        if (action == nullptr) {
            m_bar->addSpacing(8);
            continue;
        }
        auto* const button = new QToolButton(this);
        button->setDefaultAction(action);
        button->setAutoRaise(true);
        m_bar->addWidget(button);
    }
    m_bar->addSpacing(8);
    m_bar->addWidget(last);
    m_bar->addWidget(m_counter, 1);
}

void StepsPanel::setExplanation(std::shared_ptr<const Explanation> explanation,
                                const std::optional<TileWalk>& walk, const ValuePair& values) {
    const Explanation* const before = m_model->explanation().get();
    const bool isSameLayer = before && explanation &&
                             before->operatorIndex == explanation->operatorIndex &&
                             before->steps.size() == explanation->steps.size();
    const auto step = isSameLayer ? currentStep() : std::nullopt;
    m_heading->setText(explanation ? placeText(*explanation) : QString());
    m_chain->setChain(explanation ? chainOf(*explanation) : std::vector<ChainLink>{});
    const std::size_t count = explanation ? explanation->steps.size() : 0;
    m_model->setExplanation(std::move(explanation), walk);
    showValues(values);
    fitColumns();
    // From element to element of a layer the same step stays in sight.
    goToStep(static_cast<std::int64_t>(step.value_or(count == 0 ? 0 : count - 1)));
}

std::vector<int> StepsPanel::widestRows() const {
    // The first and the last rows have every kind of step and nearly the longest addresses.
    std::vector<int> rows;
    const int count = m_model->rowCount();
    for (int row = 0; row < count; ++row)
        if (row < kSampledRows || row >= count - kSampledRows)
            rows.push_back(row);
    if (count == 0)
        return rows;
    const auto& steps = m_model->explanation()->steps;
    const auto byResult = std::minmax_element(
        steps.begin(), steps.end(),
        [](const ReplayStep& a, const ReplayStep& b) { return a.result < b.result; });
    const auto byAdded = std::minmax_element(
        steps.begin(), steps.end(), [](const ReplayStep& a, const ReplayStep& b) {
            return addedBy(a).value_or(0) < addedBy(b).value_or(0);
        });
    for (const auto& widest : {byResult.first, byResult.second, byAdded.first, byAdded.second})
        rows.push_back(static_cast<int>(widest - steps.begin()));
    return rows;
}

StepsPanel::Widths StepsPanel::measured(const std::vector<int>& rows) const {
    const QFontMetrics mono(monoFont()), words(font());
    Widths widths{};
    for (int column = 0; column < StepModel::ColumnCount; ++column) {
        const QFontMetrics& metrics = column == StepModel::What ? words : mono;
        int width = words.horizontalAdvance(m_model->headerData(column, Qt::Horizontal).toString());
        for (const int row : rows)
            width = std::max(
                width, metrics.horizontalAdvance(m_model->index(row, column).data().toString()));
        widths[static_cast<std::size_t>(column)] = width + kCellPadding;
    }
    return widths;
}

void StepsPanel::fitColumns() {
    const std::vector<int> rows = widestRows();
    m_model->setAddressesShown(false);
    m_bareWidths = measured(rows);
    m_model->setAddressesShown(true);
    m_columnWidths = measured(rows);
    dropColumns();
}

void StepsPanel::showValues(const ValuePair& values) {
    const bool isThere = m_model->explanation() != nullptr;
    for (QLabel* label : {m_ours, m_theirs, m_verdict})
        label->setVisible(isThere);
    m_ours->setText(tr("ours %1").arg(values.ours));
    m_theirs->setText(values.theirs
                          ? QStringLiteral("%1 %2").arg(values.theirName).arg(*values.theirs)
                          : values.theirName);
    m_theirs->setVisible(isThere && !values.theirName.isEmpty());
    if (!values.theirs) {
        m_verdict->setText(values.theirName.isEmpty() ? tr("no reference") : tr("no bytes of it"));
        setTone(*m_verdict, Tone::Muted);
    } else if (*values.theirs == values.ours) {
        m_verdict->setText(tr("✓ equal"));
        setTone(*m_verdict, Tone::Ok);
    } else {
        const std::int64_t difference = values.ours - *values.theirs;
        m_verdict->setText(tr("✗ differs by %1")
                               .arg((difference > 0 ? QStringLiteral("+") : QString()) +
                                    QString::number(difference)));
        setTone(*m_verdict, Tone::Error);
    }
}

QString StepsPanel::valuesText() const {
    QStringList parts{m_ours->text()};
    if (!m_theirs->text().isEmpty())
        parts += m_theirs->text();
    parts += m_verdict->text();
    return parts.join(QStringLiteral(" · "));
}

std::optional<std::size_t> StepsPanel::currentStep() const {
    const QModelIndex current = m_table->currentIndex();
    return current.isValid() ? std::optional(static_cast<std::size_t>(current.row()))
                             : std::nullopt;
}

void StepsPanel::goToStep(std::int64_t step) {
    if (m_model->rowCount() == 0) {
        showStep();
        return;
    }
    const auto row =
        static_cast<int>(std::clamp<std::int64_t>(step, 0, std::int64_t{m_model->rowCount()} - 1));
    const QModelIndex current = m_table->currentIndex();
    const QModelIndex to =
        m_model->index(row, current.isValid() ? current.column() : StepModel::What);
    m_table->setCurrentIndex(to);
    showCurrentRow();
    showStep();
}

void StepsPanel::moveBy(std::int64_t steps) {
    if (const auto at = currentStep())
        goToStep(static_cast<std::int64_t>(*at) + steps);
}

void StepsPanel::moveToSlice(int direction) {
    const auto at = currentStep();
    if (!at)
        return;
    const auto& steps = m_model->explanation()->steps;
    const auto size = static_cast<std::int64_t>(steps.size());
    const auto sliceAt = [&steps](std::int64_t i) {
        return steps[static_cast<std::size_t>(i)].slice;
    };
    const auto from = static_cast<std::int64_t>(*at);
    std::int64_t to = from;
    if (direction > 0) {
        while (to < size && sliceAt(to) == sliceAt(from))
            ++to;
        goToStep(to);
        return;
    }
    while (to > 0 && sliceAt(to) == sliceAt(from))
        --to;
    while (to > 0 && sliceAt(to - 1) == sliceAt(to))
        --to;
    goToStep(to);
}

void StepsPanel::showStep() {
    const auto at = currentStep();
    const ReplayStep* const step = at ? m_model->step(static_cast<int>(*at)) : nullptr;
    m_sentence->setText(step ? safeText(replayText(*step)) : QString());
    m_counter->setText(step ? tr("step %1 / %2")
                                  .arg(groupedNumber(static_cast<std::int64_t>(*at) + 1),
                                       groupedNumber(m_model->rowCount()))
                            : QString());
    if (step)
        m_chain->setStep(*at);
}

bool StepsPanel::follow(const QModelIndex& cell) {
    const auto source = m_model->sourceAt(cell.row(), cell.column());
    if (source)
        emit followed(*source);
    return source.has_value();
}

void StepsPanel::followCurrent() {
    const QModelIndex current = m_table->currentIndex();
    if (!current.isValid() || follow(current))
        return;
    for (const int column :
         {StepModel::Input, StepModel::Weight, StepModel::Parameter, StepModel::Value})
        if (follow(current.siblingAtColumn(column)))
            return;
}

} // namespace plumbline
