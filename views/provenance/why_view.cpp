// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/provenance/why_view.h"

#include <algorithm>

#include <QAction>
#include <QHBoxLayout>
#include <QSignalBlocker>
#include <QVBoxLayout>

#include "views/common/empty_note.h"
#include "views/common/format.h"
#include "views/common/picture_export.h"

namespace plumbline {
namespace {

constexpr int kWide = 1000; ///< pixels from which steps and hypotheses lie side by side,
constexpr int kFlat = 520;  ///< in a view that is lower than this

constexpr int kHypothesesShare = 42; ///< of the view, in percent

enum Page { WorkPage, NotePage };
enum TopPage { StepsPage, OfferPage };

/// The parameters of a channel or an operator are words.
constexpr std::uint64_t kParameterBytes = 4;

} // namespace

WhyView::WhyView(Session& session, QWidget* parent)
    : View(session, QStringLiteral("why"), tr("Why"), parent) {
    m_steps = new StepsPanel(this);
    m_hypotheses = new HypothesesPanel(m_sites, this);
    m_top = new QStackedWidget(this);
    m_top->addWidget(m_steps);
    m_top->addWidget(buildOffer());
    m_splitter = new QSplitter(Qt::Vertical, this);
    m_splitter->setChildrenCollapsible(false);
    m_splitter->addWidget(m_top);
    m_splitter->addWidget(m_hypotheses);
    m_splitter->setStretchFactor(0, 1);
    m_splitter->setStretchFactor(1, 1);
    m_empty = makeEmptyNote(this);
    m_stack = new QStackedWidget(this);
    m_stack->addWidget(m_splitter);
    m_stack->addWidget(m_empty);
    auto* const layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(m_stack);
    buildActions();
    setFocusProxy(m_steps);
    connect(m_steps, &StepsPanel::followed, this, &WhyView::follow);
    connect(m_hypotheses, &HypothesesPanel::elementPicked, this, &WhyView::selectElement);
    connect(m_hypotheses, &HypothesesPanel::contentChanged, this, &WhyView::arrange);
    connect(m_splitter, &QSplitter::splitterMoved, this, &WhyView::keepShare);
}

QAction* WhyView::newAction(const QString& name, const QString& text,
                            const QKeySequence& shortcut) {
    auto* const action = new QAction(text, this);
    action->setObjectName(name);
    action->setShortcut(shortcut);
    action->setShortcutContext(Qt::WidgetWithChildrenShortcut);
    action->setToolTip(tr("%1 (%2)").arg(text, shortcut.toString(QKeySequence::NativeText)));
    addAction(action);
    return action;
}

void WhyView::buildActions() {
    QList<QAction*> bar;
    const auto add = [this, &bar](const char* name, const QString& text, const QString& icon,
                                  const QKeySequence& key, auto&& does) {
        QAction* const action = newAction(QLatin1String(name), text, key);
        action->setIconText(icon);
        connect(action, &QAction::triggered, m_steps, does);
        m_walkActions += action;
        bar += action;
        return action;
    };
    add("whyFirstStep", tr("First Step"), tr("First"), Qt::CTRL | Qt::Key_Home,
        [this] { m_steps->goToStep(0); });
    add("whyBack", tr("Step Back"), tr("Back"), Qt::Key_Comma, [this] { m_steps->moveBy(-1); });
    add("whyNext", tr("Next Step"), tr("Next"), Qt::Key_Period, [this] { m_steps->moveBy(1); });
    add("whyLastStep", tr("Last Step"), tr("Last"), Qt::CTRL | Qt::Key_End,
        [this] { m_steps->goToStep(m_steps->model()->rowCount() - 1); });
    bar += nullptr;
    m_sliceActions = {add("whyNextSlice", tr("Next Slice"), tr("Next Slice"), Qt::Key_S,
                          [this] { m_steps->moveToSlice(1); }),
                      add("whySliceBack", tr("Slice Back"), tr("Slice Back"), Qt::SHIFT | Qt::Key_S,
                          [this] { m_steps->moveToSlice(-1); })};
    bar.removeLast(); // a key suffices
    add("whyFollow", tr("Follow the Address of the Step"), tr("Follow"), Qt::Key_G,
        [this] { m_steps->followCurrent(); });
    buildInputs();
    m_steps->fillBar(bar, m_inputsBox);
    m_explainFirst = newAction(QStringLiteral("whyExplainFirst"),
                               tr("Explain the First Mismatch of the Layer"), Qt::Key_E);
    connect(m_explainFirst, &QAction::triggered, this, &WhyView::explainFirst);
    addActions(m_hypotheses->actions());
}

void WhyView::buildInputs() {
    m_inputsBox = new QComboBox(m_steps);
    m_inputsBox->setAccessibleName(tr("Which inputs the layer is run on"));
    m_inputsBox->addItem(tr("As run"), static_cast<int>(LayerInputs::AsRun));
    m_inputsBox->addItem(tr("Reference's inputs"), static_cast<int>(LayerInputs::FromReference));
    connect(m_inputsBox, &QComboBox::currentIndexChanged, this, &WhyView::explain);
    QAction* const inputs =
        newAction(QStringLiteral("whyInputs"), tr("Switch Between As Run and Alone"), Qt::Key_I);
    connect(inputs, &QAction::triggered, this, [this] {
        setInputs(this->inputs() == LayerInputs::AsRun ? LayerInputs::FromReference
                                                       : LayerInputs::AsRun);
    });
}

QWidget* WhyView::buildOffer() {
    auto* const page = new QWidget(this);
    m_offerText = makeEmptyNote(page);
    m_offer = new QPushButton(page);
    auto* const layout = new QVBoxLayout(page);
    layout->addStretch(1);
    layout->addWidget(m_offerText);
    layout->addWidget(m_offer, 0, Qt::AlignHCenter);
    layout->addStretch(1);
    connect(m_offer, &QPushButton::clicked, this, &WhyView::explainFirst);
    return page;
}

LayerInputs WhyView::inputs() const {
    return static_cast<LayerInputs>(m_inputsBox->currentData().toInt());
}

bool WhyView::setInputs(LayerInputs inputs) {
    if (inputs == LayerInputs::FromReference && !m_inputsBox->isEnabled())
        return false;
    m_inputsBox->setCurrentIndex(m_inputsBox->findData(static_cast<int>(inputs)));
    return true;
}

std::vector<ViewPicture> WhyView::pictures() {
    std::vector<ViewPicture> made;
    if (m_stack->currentIndex() == NotePage)
        return made;
    if (m_top->currentIndex() != OfferPage && !m_steps->chain()->chain().empty())
        made.push_back(widgetPicture(*m_steps->chain(), QStringLiteral("chain"),
                                     tr("The arithmetic as a chain of values")));
    if (!m_hypotheses->map()->marks().empty())
        made.push_back(widgetPicture(*m_hypotheses->map(), QStringLiteral("explained"),
                                     tr("Which elements the hypothesis explains")));
    return made;
}

QString WhyView::note() const {
    if (m_stack->currentIndex() == NotePage)
        return m_empty->text();
    return m_top->currentIndex() == OfferPage ? m_offerText->text() : QString();
}

bool WhyView::isLayer(std::int64_t operatorIndex) const {
    const LayerRunnerPtr& runner = document().runner;
    return runner && runner->stepOf(operatorIndex).has_value();
}

void WhyView::showDocument() {
    m_job.cancel();
    m_sites.clear();
    // An experiment keeps what is looked at, another document does not.
    if (session().place().operatorIndex != m_operator)
        m_element.reset();
    const bool hasInputs = referenceBytes(session().document()) != nullptr;
    const QSignalBlocker quiet(m_inputsBox);
    if (!hasInputs)
        m_inputsBox->setCurrentIndex(0);
    m_inputsBox->setEnabled(hasInputs);
    m_inputsBox->setToolTip(
        hasInputs ? tr("As run: over what the layers before it made. Reference's inputs: "
                       "over the tensors of the reference, so that only this layer counts. (I)")
                  : tr("The reference has no bytes that could be taken as inputs."));
    m_operator.reset(); // showSelection, which follows, starts anew
}

void WhyView::showSelection() {
    const Place& place = session().place();
    const bool isAnother = place.operatorIndex != m_operator;
    const std::optional<ElementIndex> before = m_element;
    if (isAnother && m_operator)
        m_element.reset();
    m_operator = place.operatorIndex;
    if (place.element)
        m_element = place.element;
    if (isAnother || !m_operator)
        showOperator();
    else if (m_element != before)
        explain();
    m_hypotheses->setElement(m_element);
}

void WhyView::showEmptyNote() {
    const Document& shown = document();
    if (shown.runner)
        m_empty->setText(
            m_operator ? tr("Operator %1 makes no bytes of its own: its output is its input.")
                             .arg(*m_operator)
                       : tr("Select an operator or one of its elements to see how its bytes are "
                            "made."));
    else if (lowering().complete && !lowering().records.empty())
        m_empty->setText(tr("The records do not pass relocation and validation, so nothing of "
                            "them runs. The diagnostics say where."));
    else
        m_empty->setText(emptyReason(
            shown, tr("Open a model or a package to see how each of its bytes is made.")));
}

std::optional<ElementIndex> WhyView::firstElement(std::int64_t operatorIndex) const {
    if (const auto mismatch = firstMismatch(document(), operatorIndex))
        return mismatch;
    return outputShape(lowering(), operatorIndex) ? std::optional(ElementIndex{}) : std::nullopt;
}

void WhyView::showOperator() {
    m_job.cancel();
    const bool isShown = m_operator && isLayer(*m_operator);
    const bool differs = isShown && firstMismatch(document(), *m_operator).has_value();
    m_explainFirst->setEnabled(differs);
    m_hypotheses->show(session().document(), isShown ? m_operator : std::nullopt);
    m_stack->setCurrentIndex(isShown ? WorkPage : NotePage);
    if (!m_hypotheses->isBusy()) // whose answer arranges anew
        arrange();
    if (!isShown)
        showEmptyNote();
    else if (m_element)
        explain();
    else
        showOffer();
    enableActions();
}

/// Walking needs steps, and going from slice to slice more than one of them.
void WhyView::enableActions() {
    const Explanation* const shown = m_steps->model()->explanation().get();
    const bool hasSteps =
        m_stack->currentIndex() == WorkPage && m_top->currentIndex() == StepsPage && shown;
    for (QAction* action : m_walkActions)
        action->setEnabled(hasSteps);
    for (QAction* action : m_sliceActions)
        action->setEnabled(hasSteps && shown->slices > 1);
}

void WhyView::showOffer() {
    const auto first = firstElement(*m_operator);
    const LayerStep& step = document().runner->steps()[*document().runner->stepOf(*m_operator)];
    m_offerText->setText(tr("Operator %1 %2: select one of its elements to see how its byte is "
                            "made.")
                             .arg(*m_operator)
                             .arg(safeText(step.name)));
    m_offer->setVisible(first.has_value());
    if (first)
        m_offer->setText((m_explainFirst->isEnabled() ? tr("Explain the first mismatch %1")
                                                      : tr("Explain element %1"))
                             .arg(elementText(*first)));
    m_offer->setMinimumWidth(m_offer->sizeHint().width() + 2 * m_offer->fontMetrics().height());
    m_top->setCurrentIndex(OfferPage);
}

void WhyView::explainFirst() {
    if (m_operator && isLayer(*m_operator))
        if (const auto first = firstElement(*m_operator))
            selectElement(*first);
}

void WhyView::explain() {
    if (!m_operator || !m_element || !isLayer(*m_operator))
        return;
    const SiteQuestion question = siteQuestion(session().document(), *m_operator, inputs());
    m_job.start(
        [question, element = *m_element,
         known = m_sites.find(question)](const std::stop_token& stop) {
            JobContext context;
            context.stop = stop;
            return explainElement(question, element, known, context);
        },
        [this, question](const ElementAnswer& answer) {
            m_sites.keep(question, answer.site);
            showAnswer(answer);
        });
}

void WhyView::showAnswer(const ElementAnswer& answer) {
    if (!answer.explanation) {
        m_steps->setExplanation(nullptr, std::nullopt, {});
        m_offerText->setText(answer.problem);
        m_offer->hide();
        m_top->setCurrentIndex(OfferPage);
        enableActions();
        return;
    }
    const LoweredOperator& op = lowering().operators[static_cast<std::size_t>(*m_operator)];
    m_steps->setExplanation(answer.explanation,
                            op.placement == Placement::Npu ? TileWalk::of(op) : std::nullopt,
                            valuesOf(*answer.explanation));
    m_top->setCurrentIndex(StepsPage);
    enableActions();
}

ValuePair WhyView::valuesOf(const Explanation& explanation) const {
    ValuePair values;
    values.ours = explanation.value;
    if (!document().reference)
        return values;
    values.theirName = safeText(document().reference->name);
    const TraceLayer* const layer = document().reference->trace.layerOf(explanation.operatorIndex);
    const auto shape = outputShape(lowering(), explanation.operatorIndex);
    const ElementIndex& e = explanation.element;
    if (!layer || !layer->hasBytes() || !shape)
        return values;
    const auto index = static_cast<std::size_t>((e.h * shape->w + e.w) * shape->c + e.c);
    if (index < layer->bytes.size())
        values.theirs = static_cast<std::int8_t>(layer->bytes[index]);
    return values;
}

void WhyView::follow(const ReplaySource& source) {
    const bool isWord = source.region == kParamsRegion;
    const auto step = source.region == kArenaRegion ? m_operator : std::nullopt;
    session().select(selectSpan(source.region, source.offset, isWord ? kParameterBytes : 1, step));
}

void WhyView::selectElement(const ElementIndex& element) {
    Selection selection = selectOperator(*m_operator);
    selection.element = element;
    session().select(selection);
}

bool WhyView::pickOperator(std::int64_t index) {
    if (!isLayer(index))
        return false;
    Selection selection = selectOperator(index);
    selection.element = firstElement(index);
    return session().select(selection);
}

void WhyView::arrange() {
    const bool isFlat = width() >= kWide && height() < kFlat;
    m_splitter->setOrientation(isFlat ? Qt::Horizontal : Qt::Vertical);
    const int room = isFlat ? width() : height();
    int hypotheses = room * m_chosenShare.value_or(kHypothesesShare) / 100;
    if (!isFlat && !m_hypotheses->hasList())
        hypotheses = std::min(hypotheses, m_hypotheses->layout()->totalHeightForWidth(width()));
    m_splitter->setSizes({room - hypotheses, hypotheses});
}

void WhyView::keepShare() {
    const QList<int> sizes = m_splitter->sizes();
    if (m_hypotheses->hasList())
        m_chosenShare = sizes[1] * 100 / std::max(1, sizes[0] + sizes[1]);
}

void WhyView::resizeEvent(QResizeEvent* event) {
    View::resizeEvent(event);
    arrange();
}

} // namespace plumbline
