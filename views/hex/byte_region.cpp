// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/hex/byte_region.h"

#include <algorithm>
#include <functional>

#include <QStringList>

#include "core/lowering/constants_layout.h"
#include "views/common/empty_note.h"
#include "views/common/format.h"

namespace plumbline {
namespace {

constexpr std::uint64_t kWordBytes = 4;
QString between() { return QStringLiteral(" · "); }

bool isDescriptors(ByteRegion region) {
    return region == ByteRegion::Descriptors || region == ByteRegion::Templates;
}

} // namespace

std::string_view regionName(ByteRegion region) {
    switch (region) {
    case ByteRegion::Descriptors:
    case ByteRegion::Templates:
        return kDescriptorsRegion;
    case ByteRegion::Weights:
        return kWeightsRegion;
    case ByteRegion::Params:
        return kParamsRegion;
    case ByteRegion::Arena:
        return kArenaRegion;
    case ByteRegion::File:
        return {};
    }
    return {};
}

RegionBytes::RegionBytes(DocumentPtr document, ByteRegion region, std::int64_t step)
    : m_document(std::move(document))
    , m_region(region)
    , m_step(step)
    , m_owner(m_document) {
    const Lowering& lowering = *m_document->lowering;
    switch (region) {
    case ByteRegion::Descriptors:
        m_bytes = m_document->relocatedRecords;
        break;
    case ByteRegion::Templates: {
        auto bytes = std::make_shared<const Bytes>(lowering.descriptorBytes());
        m_bytes = *bytes;
        m_owner = std::move(bytes);
        break;
    }
    case ByteRegion::Weights:
        m_bytes = lowering.weights;
        break;
    case ByteRegion::Params:
        m_bytes = lowering.params;
        break;
    case ByteRegion::Arena:
        takeArena(step);
        break;
    case ByteRegion::File:
        if (m_document->file)
            m_bytes = *m_document->file;
        break;
    }
}

void RegionBytes::takeArena(std::int64_t step) {
    if (!m_document->execution)
        return;
    auto image =
        arenaAfter(*m_document->lowering, m_document->input, m_document->execution->trace, step);
    if (!image)
        return;
    m_arena = std::make_shared<const ArenaImage>(*std::move(image));
    m_bytes = m_arena->bytes;
    m_owner = m_arena;
}

QString RegionBytes::emptyReason() const {
    if (!m_bytes.empty())
        return {};
    if (m_document == nullptr ||
        (m_document->title.empty() && m_document->lowering->records.empty()))
        return tr("Open a model or a package to see its bytes.");
    if (m_region == ByteRegion::File)
        return tr("This document has no file of its own.");
    if (m_document->lowering->records.empty())
        return plumbline::emptyReason(*m_document, {});
    if (m_region == ByteRegion::Arena)
        return m_document->execution
                   ? tr("The arena is too large to be put together.")
                   : tr("The arena holds bytes once the model has run. Simulate it to see them.");
    if (m_region == ByteRegion::Descriptors)
        return tr("The records are not relocated yet. The templates can be looked at.");
    return tr("This region is empty: no record uses it.");
}

const LoweredOperator* RegionBytes::operatorAt(std::optional<std::int64_t> index) const {
    const auto& operators = m_document->lowering->operators;
    if (!index || *index < 0 || static_cast<std::size_t>(*index) >= operators.size())
        return nullptr;
    return &operators[static_cast<std::size_t>(*index)];
}

std::optional<HexRun> RegionBytes::clipped(const HexRun& run) const {
    if (run.bytes == 0 || run.begin >= m_bytes.size())
        return std::nullopt;
    return HexRun{run.begin, std::min<std::uint64_t>(run.bytes, m_bytes.size() - run.begin)};
}

std::optional<HexRun> RegionBytes::markOf(const Place& place) const {
    if (m_document == nullptr)
        return std::nullopt;
    if (place.span && m_region != ByteRegion::File && place.span->region == regionName(m_region))
        return clipped({place.span->offset, place.span->bytes});
    if (m_region == ByteRegion::File && place.tensor)
        return tensorRun(*place.tensor);
    return std::nullopt;
}

std::optional<HexRun> RegionBytes::contextOf(const Place& place) const {
    if (m_document == nullptr)
        return std::nullopt;
    if (isDescriptors(m_region)) {
        const FieldTable* const table = m_document->lowering->fields;
        if (!place.record || *place.record < 0 || table == nullptr)
            return std::nullopt;
        return clipped(
            {static_cast<std::uint64_t>(*place.record) * table->recordBytes, table->recordBytes});
    }
    if (m_region == ByteRegion::File)
        return fileContext(place);
    const LoweredOperator* const op = operatorAt(place.operatorIndex);
    if (op == nullptr)
        return std::nullopt;
    if (m_region == ByteRegion::Arena)
        return op->record ? clipped({op->arena.output, op->arena.outputBytes}) : std::nullopt;
    return constantsOf(*op);
}

std::optional<HexRun> RegionBytes::constantsOf(const LoweredOperator& op) const {
    const auto& slice = m_region == ByteRegion::Weights ? op.weights : op.params;
    return slice ? clipped({slice->offset, slice->bytes}) : std::nullopt;
}

/// Where the constant data of `tensor` lies in the model file.
std::optional<HexRun> RegionBytes::tensorRun(std::int64_t tensor) const {
    const Graph* const graph = m_document->graph();
    const auto& file = m_document->lowering->model->file;
    if (graph == nullptr || file == nullptr || tensor < 0 ||
        static_cast<std::size_t>(tensor) >= graph->tensors.size())
        return std::nullopt;
    const ByteView data = graph->tensors[static_cast<std::size_t>(tensor)].data;
    const std::less<const std::uint8_t*> before;
    if (data.empty() || before(data.data(), file->data()) ||
        before(file->data() + file->size(), data.data() + data.size()))
        return std::nullopt;
    return clipped({static_cast<std::uint64_t>(data.data() - file->data()), data.size()});
}

/// The first constant that the operator reads.
std::optional<HexRun> RegionBytes::fileContext(const Place& place) const {
    const Graph* const graph = m_document->graph();
    if (graph == nullptr || !place.operatorIndex || *place.operatorIndex < 0 ||
        static_cast<std::size_t>(*place.operatorIndex) >= graph->operators.size())
        return std::nullopt;
    for (const std::int32_t input :
         graph->operators[static_cast<std::size_t>(*place.operatorIndex)].inputs)
        if (const auto run = tensorRun(input))
            return run;
    return std::nullopt;
}

std::optional<std::int64_t> RegionBytes::tensorAt(std::uint64_t offset) const {
    const Graph* const graph = m_document->graph();
    const std::int64_t count = graph == nullptr ? 0 : std::ssize(graph->tensors);
    for (std::int64_t tensor = 0; tensor < count; ++tensor)
        if (const auto run = tensorRun(tensor); run && run->contains(offset))
            return tensor;
    return std::nullopt;
}

std::optional<Selection> RegionBytes::selectionOf(const HexRun& run) const {
    if (m_document == nullptr || !clipped(run))
        return std::nullopt;
    if (m_region != ByteRegion::File)
        return selectSpan(regionName(m_region), run.begin, run.bytes,
                          m_region == ByteRegion::Arena ? std::optional(m_step) : std::nullopt);
    const auto tensor = tensorAt(run.begin);
    if (!tensor)
        return std::nullopt;
    Selection selection;
    selection.tensor = tensor;
    return selection;
}

QString RegionBytes::operatorTitle(const LoweredOperator& op) const {
    return tr("operator %1 %2").arg(op.index).arg(safeText(op.name));
}

QString RegionBytes::describe(std::uint64_t offset) const {
    if (m_document == nullptr || offset >= m_bytes.size())
        return {};
    switch (m_region) {
    case ByteRegion::Descriptors:
    case ByteRegion::Templates:
        return describeRecord(offset);
    case ByteRegion::Weights:
        return describeWeight(offset);
    case ByteRegion::Params:
        return describeParameter(offset);
    case ByteRegion::Arena:
        return describeArena(offset);
    case ByteRegion::File:
        return describeFile(offset);
    }
    return {};
}

QString RegionBytes::describeRecord(std::uint64_t offset) const {
    const FieldTable* const table = m_document->lowering->fields;
    if (table == nullptr)
        return {};
    const std::uint64_t inRecord = offset % table->recordBytes;
    const std::uint64_t lsb = inRecord % kWordBytes * 8;
    QString word;
    QStringList names;
    for (const FieldSpec& field : table->fields) {
        if (field.word != inRecord / kWordBytes)
            continue;
        word = safeText(field.wordName);
        if (field.lsb < lsb + 8 && lsb < std::uint64_t{field.lsb} + field.width)
            names.append(safeText(field.name));
    }
    return tr("record %1 · word %2 %3")
               .arg(offset / table->recordBytes)
               .arg(inRecord / kWordBytes)
               .arg(word) +
           between() + names.join(QStringLiteral(", "));
}

const LoweredOperator* RegionBytes::ownerOf(std::uint64_t offset) const {
    for (const LoweredOperator& op : m_document->lowering->operators)
        if (const auto run = constantsOf(op); run && run->contains(offset))
            return &op;
    return nullptr;
}

QString RegionBytes::describeWeight(std::uint64_t offset) const {
    const LoweredOperator* const op = ownerOf(offset);
    if (op == nullptr)
        return tr("padding between the records' weights");
    QString text = operatorTitle(*op);
    const Lowering& lowering = *m_document->lowering;
    const auto record = static_cast<std::size_t>(op->record.value_or(-1));
    if (record >= lowering.records.size())
        return text;
    const auto weights =
        packedWeights(lowering.records[record].bytes, *lowering.fields, lowering.weights);
    if (!weights || offset < weights->offset || offset - weights->offset >= weights->bytes.size())
        return text;
    const auto at = static_cast<std::size_t>(offset - weights->offset);
    const std::size_t lane = at % weights->lanes;
    const std::size_t k = at / weights->lanes % weights->depth;
    const std::size_t group = at / weights->lanes / weights->depth;
    text += between() + tr("group %1, k %2").arg(group).arg(k);
    for (std::size_t axis = 0; axis < weights->axes.size(); ++axis)
        text += QStringLiteral(", %1 %2")
                    .arg(safeText(weights->axes[axis].name))
                    .arg(weights->axisIndex(k, axis));
    const std::size_t channel = group * weights->lanes + lane;
    return text + tr(", lane %1").arg(lane) + between() +
           (channel < weights->channels ? tr("channel %1").arg(channel) : tr("no channel: is 0"));
}

QString RegionBytes::describeParameter(std::uint64_t offset) const {
    const LoweredOperator* const op = ownerOf(offset);
    if (op == nullptr)
        return tr("padding between the records' parameters");
    const Lowering& lowering = *m_document->lowering;
    const auto record = static_cast<std::size_t>(op->record.value_or(-1));
    QString text = operatorTitle(*op);
    if (record >= lowering.records.size())
        return text;
    const auto params =
        parameterRecords(lowering.records[record].bytes, *lowering.fields, lowering.params);
    if (!params || offset < params->offset || offset - params->offset >= params->bytes.size())
        return text;
    const auto at = static_cast<std::size_t>(offset - params->offset);
    const std::size_t size = params->layout->recordBytes();
    if (params->layout->perChannel)
        text += between() + tr("channel %1").arg(at / size);
    return text + between() + safeText(params->layout->fields[at % size / kWordBytes].name);
}

QString RegionBytes::describeArena(std::uint64_t offset) const {
    const auto& allocations = m_document->lowering->arena.allocations;
    for (const OwnerRun& owner : m_arena->owners) {
        if (offset < owner.run.offset || offset >= owner.run.end())
            continue;
        const Allocation& allocation = allocations[static_cast<std::size_t>(owner.allocation)];
        const QString name = allocation.name.empty() ? tr("tensor %1").arg(allocation.tensor)
                                                     : safeText(allocation.name);
        return tr("buffer %1 %2 · byte %3")
            .arg(owner.allocation)
            .arg(name)
            .arg(offset - allocation.offset);
    }
    return tr("owned by nothing at this step");
}

QString RegionBytes::describeFile(std::uint64_t offset) const {
    const auto tensor = tensorAt(offset);
    if (!tensor)
        return {};
    const Tensor& found = m_document->graph()->tensors[static_cast<std::size_t>(*tensor)];
    return tr("tensor %1 %2 · byte %3")
        .arg(*tensor)
        .arg(safeText(found.name))
        .arg(offset - tensorRun(*tensor)->begin);
}

} // namespace plumbline
