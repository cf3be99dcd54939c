// SPDX-License-Identifier: GPL-3.0-or-later
// From verified flatbuffer tables to a Model. The entry points are importTflite and operatorName.
#include "core/tflite/importer.h"

#include <algorithm>

#include <fmt/format.h>

#include "core/base/sha256.h"
#include "core/tflite/damage.h"
#include "core/tflite/flatbuffer_values.h"
#include "core/tflite/options_reader.h"
#include "core/tflite/tflite_generated.h"

namespace plumbline {
namespace {

namespace schema = tflite_schema;

/// Length of a vector field that may be absent.
template <class Vector> std::size_t sizeOf(const Vector* stored) {
    return stored ? stored->size() : 0;
}

/// Reads one verified file. Every function returns false after the first error, which is then in
/// m_failure.
class Reader {
  public:
    explicit Reader(std::shared_ptr<const Bytes> file);
    bool readModel();
    Model takeModel() { return std::move(m_model); }
    Diagnostic takeFailure() { return *std::move(m_failure); }

  private:
    bool readGraph(const schema::SubGraph& stored, std::size_t index);
    bool readTensors(const schema::SubGraph& stored, Graph& graph);
    bool readTensor(const schema::Tensor& stored, Tensor& tensor);
    bool readShape(const schema::Tensor& stored, Tensor& tensor);
    bool readQuantization(const schema::QuantizationParameters* stored, Quantization& read);
    bool readOperators(const schema::SubGraph& stored, Graph& graph);
    bool readOperator(const schema::Operator& stored, Operator& read, std::size_t tensors);
    bool readCode(const schema::Operator& stored, Operator& read);
    bool readCustomOptions(const schema::Operator& stored, Operator& read);
    bool readMetadata();
    bool readIndices(const flatbuffers::Vector<std::int32_t>* stored, const char* field,
                     std::int32_t lowest, std::size_t tensors, std::vector<std::int32_t>& read);
    bool readBuffer(std::uint64_t index, const void* at, ByteView& data);
    bool readBehind(std::uint64_t offset, std::uint64_t bytes, const void* at, ByteView& data);
    bool readString(const flatbuffers::String* stored, std::string& read);
    void noteVersionAndSubgraphs();
    void noteExternalData(const schema::Tensor& stored);

    bool count(std::size_t items, std::size_t limit, const char* what);
    bool spend(std::size_t items, std::size_t itemBytes);
    bool fail(Code code, const std::string& what, const void* at = nullptr);
    std::string part() const;
    Location place(const void* at) const;
    bool inMainGraph() const { return m_graphIndex == 0; }

    ByteView m_file;
    const schema::Model* m_stored;
    Model m_model;
    std::optional<Diagnostic> m_failure;
    std::uint64_t m_spent = 0; ///< bytes of copies, see ImportLimits::kExpansionBase
    // Where the reader is; indices of -1 are not inside such a part.
    std::int64_t m_graphIndex = -1;
    std::int64_t m_tensorIndex = -1;
    std::int64_t m_operatorIndex = -1;
    std::int64_t m_metadataIndex = -1;
};

Reader::Reader(std::shared_ptr<const Bytes> file)
    : m_file(*file)
    , m_stored(schema::GetModel(file->data())) {
    m_model.file = std::move(file);
}

std::string Reader::part() const {
    if (m_metadataIndex >= 0)
        return fmt::format("metadata[{}]", m_metadataIndex);
    if (m_graphIndex < 0)
        return "model";
    std::string text = fmt::format("subgraphs[{}]", m_graphIndex);
    if (m_tensorIndex >= 0)
        text += fmt::format(".tensors[{}]", m_tensorIndex);
    if (m_operatorIndex >= 0)
        text += fmt::format(".operators[{}]", m_operatorIndex);
    return text;
}

Location Reader::place(const void* at) const {
    Location where;
    where.part = part();
    if (at)
        where.byte =
            static_cast<std::uint64_t>(static_cast<const std::uint8_t*>(at) - m_file.data());
    if (inMainGraph() && m_operatorIndex >= 0)
        where.operatorIndex = m_operatorIndex;
    if (inMainGraph() && m_tensorIndex >= 0)
        where.tensor = m_tensorIndex;
    return where;
}

bool Reader::fail(Code code, const std::string& what, const void* at) {
    m_failure = makeError(code, fmt::format("{}: {}", part(), what), place(at));
    return false;
}

bool Reader::count(std::size_t items, std::size_t limit, const char* what) {
    return items <= limit ||
           fail(Code::ModelTooLarge,
                fmt::format("{} {} are more than the limit of {}", items, what, limit));
}

/// Accounts for a copy of `items` times `itemBytes` bytes before it is made.
bool Reader::spend(std::size_t items, std::size_t itemBytes) {
    const std::uint64_t limit =
        ImportLimits::kExpansionBase + ImportLimits::kExpansionFactor * m_file.size();
    m_spent += std::uint64_t{items} * itemBytes;
    return m_spent <= limit ||
           fail(Code::ModelTooLarge, fmt::format("a file of {} bytes expands to more than {} bytes",
                                                 m_file.size(), limit));
}

bool Reader::readString(const flatbuffers::String* stored, std::string& read) {
    if (!spend(sizeOf(stored), 1))
        return false;
    read = copyString(stored);
    return true;
}

bool Reader::readModel() {
    m_model.sha256 = sha256Hex(m_file);
    m_model.schemaVersion = static_cast<int>(m_stored->version());
    const std::size_t graphs = sizeOf(m_stored->subgraphs());
    if (!readString(m_stored->description(), m_model.description) ||
        !count(graphs, ImportLimits::kMaxSubgraphs, "subgraphs"))
        return false;
    m_model.graphs.resize(graphs);
    for (std::size_t i = 0; i < graphs; ++i) {
        if (!readGraph(*m_stored->subgraphs()->Get(static_cast<flatbuffers::uoffset_t>(i)), i))
            return false;
    }
    m_graphIndex = -1;
    noteVersionAndSubgraphs();
    return readMetadata();
}

void Reader::noteVersionAndSubgraphs() {
    if (m_stored->version() != 3)
        m_model.diagnostics.push_back(
            makeWarning(Code::SchemaVersion,
                        fmt::format("The file states schema version {}; it is read as version 3.",
                                    m_stored->version()),
                        place(nullptr)));
    if (m_model.graphs.size() > 1)
        m_model.diagnostics.push_back(
            makeNote(Code::ExtraSubgraphs,
                     fmt::format("The model has {} subgraphs; only the first is lowered.",
                                 m_model.graphs.size()),
                     place(nullptr)));
}

bool Reader::readGraph(const schema::SubGraph& stored, std::size_t index) {
    m_graphIndex = static_cast<std::int64_t>(index);
    Graph& graph = m_model.graphs[index];
    const std::size_t tensors = sizeOf(stored.tensors());
    return readString(stored.name(), graph.name) && readTensors(stored, graph) &&
           readOperators(stored, graph) &&
           readIndices(stored.inputs(), "graph input", 0, tensors, graph.inputs) &&
           readIndices(stored.outputs(), "graph output", 0, tensors, graph.outputs);
}

bool Reader::readTensors(const schema::SubGraph& stored, Graph& graph) {
    const std::size_t tensors = sizeOf(stored.tensors());
    if (!count(tensors, ImportLimits::kMaxTensors, "tensors") || !spend(tensors, sizeof(Tensor)))
        return false;
    graph.tensors.resize(tensors);
    for (std::size_t i = 0; i < tensors; ++i) {
        m_tensorIndex = static_cast<std::int64_t>(i);
        if (!readTensor(*stored.tensors()->Get(static_cast<flatbuffers::uoffset_t>(i)),
                        graph.tensors[i]))
            return false;
    }
    m_tensorIndex = -1;
    return true;
}

bool Reader::readTensor(const schema::Tensor& stored, Tensor& tensor) {
    tensor.type = static_cast<ElementType>(stored.type());
    tensor.isVariable = stored.is_variable();
    tensor.buffer = stored.buffer();
    if (stored.external_buffer() != 0)
        noteExternalData(stored);
    return readString(stored.name(), tensor.name) && readShape(stored, tensor) &&
           readQuantization(stored.quantization(), tensor.quantization) &&
           readBuffer(stored.buffer(), &stored, tensor.data);
}

/// One warning for the whole model: thousands of tensors may lie in the same other file.
void Reader::noteExternalData(const schema::Tensor& stored) {
    const bool noted = std::ranges::any_of(
        m_model.diagnostics, [](const Diagnostic& one) { return one.code == Code::ExternalData; });
    if (noted)
        return;
    m_model.diagnostics.push_back(makeWarning(
        Code::ExternalData,
        fmt::format(
            "{}: the data lies in another file (external buffer {}), which is not read; the "
            "tensor counts as one without data.",
            part(), stored.external_buffer()),
        place(&stored)));
}

bool Reader::readShape(const schema::Tensor& stored, Tensor& tensor) {
    const auto* shape = stored.shape();
    if (!spend(sizeOf(shape), sizeof(std::int32_t)))
        return false;
    tensor.shape = copyVector(shape);
    std::int64_t elements = 1;
    for (std::size_t i = 0; i < tensor.shape.size(); ++i) {
        const std::int64_t extent = tensor.shape[i];
        const void* at = shape->Data() + 4 * i;
        if (extent < 0)
            return fail(Code::BadShape, fmt::format("dimension {} is {}", i, extent), at);
        // An extent of 0 counts as 1 here, so that no partial product of the others overflows.
        const std::int64_t factor = std::max<std::int64_t>(extent, 1);
        if (elements > ImportLimits::kMaxElements / factor)
            return fail(Code::BadShape,
                        fmt::format("the dimensions up to number {} hold more than {} elements", i,
                                    ImportLimits::kMaxElements),
                        at);
        elements *= factor;
    }
    return true;
}

bool Reader::readQuantization(const schema::QuantizationParameters* stored, Quantization& read) {
    if (!stored)
        return true;
    if (!spend(sizeOf(stored->scale()), sizeof(float)) ||
        !spend(sizeOf(stored->zero_point()), sizeof(std::int64_t)))
        return false;
    read.scales = copyVector(stored->scale());
    read.zeroPoints = copyVector(stored->zero_point());
    read.dimension = stored->quantized_dimension();
    return true;
}

bool Reader::readBuffer(std::uint64_t index, const void* at, ByteView& data) {
    const auto* buffers = m_stored->buffers();
    if (index >= sizeOf(buffers))
        return fail(Code::IndexOutOfRange,
                    fmt::format("buffer {} does not exist; the file has {} buffers", index,
                                sizeOf(buffers)),
                    at);
    const schema::Buffer& buffer = *buffers->Get(static_cast<flatbuffers::uoffset_t>(index));
    if (sizeOf(buffer.data()) > 0) {
        data = ByteView(buffer.data()->Data(), buffer.data()->size());
        return true;
    }
    return readBehind(buffer.offset(), buffer.size(), &buffer, data);
}

/// Data behind the flatbuffer, where a model is too large for offsets of 31 bits. By the format an
/// offset of 0 or 1 means that there is none.
bool Reader::readBehind(std::uint64_t offset, std::uint64_t bytes, const void* at, ByteView& data) {
    if (offset <= 1)
        return true;
    if (offset > m_file.size() || bytes > m_file.size() - offset)
        return fail(Code::DamagedModel,
                    fmt::format("data of {} bytes at byte {} ends behind the file of {} bytes",
                                bytes, offset, m_file.size()),
                    at);
    data = m_file.subspan(offset, bytes);
    return true;
}

bool Reader::readOperators(const schema::SubGraph& stored, Graph& graph) {
    const std::size_t operators = sizeOf(stored.operators());
    if (!count(operators, ImportLimits::kMaxOperators, "operators") ||
        !spend(operators, sizeof(Operator)))
        return false;
    graph.operators.resize(operators);
    for (std::size_t i = 0; i < operators; ++i) {
        m_operatorIndex = static_cast<std::int64_t>(i);
        if (!readOperator(*stored.operators()->Get(static_cast<flatbuffers::uoffset_t>(i)),
                          graph.operators[i], graph.tensors.size()))
            return false;
    }
    m_operatorIndex = -1;
    return true;
}

bool Reader::readOperator(const schema::Operator& stored, Operator& read, std::size_t tensors) {
    if (!readCode(stored, read) ||
        !readIndices(stored.inputs(), "input", kAbsentTensor, tensors, read.inputs) ||
        !readIndices(stored.outputs(), "output", 0, tensors, read.outputs) ||
        !readCustomOptions(stored, read))
        return false;
    if (const auto* reshape = stored.builtin_options_as_ReshapeOptions())
        if (!spend(sizeOf(reshape->new_shape()), sizeof(std::int32_t)))
            return false;
    ReadOptions options = readOptions(read.kind, stored);
    read.options = std::move(options.options);
    read.hasOptionsTable = options.hasTable;
    return true;
}

bool Reader::readCode(const schema::Operator& stored, Operator& read) {
    const auto* codes = m_stored->operator_codes();
    if (stored.opcode_index() >= sizeOf(codes))
        return fail(Code::IndexOutOfRange,
                    fmt::format("operator code {} does not exist; the file has {} operator codes",
                                stored.opcode_index(), sizeOf(codes)),
                    &stored);
    const schema::OperatorCode& code = *codes->Get(stored.opcode_index());
    read.kind = static_cast<OperatorKind>(std::max<std::int32_t>(
        code.deprecated_builtin_code(), static_cast<std::int32_t>(code.builtin_code())));
    read.name = operatorName(read.kind);
    read.version = code.version();
    return read.kind != OperatorKind::Custom || readString(code.custom_code(), read.customCode);
}

bool Reader::readCustomOptions(const schema::Operator& stored, Operator& read) {
    if (sizeOf(stored.custom_options()) > 0) {
        read.customOptions =
            ByteView(stored.custom_options()->Data(), stored.custom_options()->size());
        return true;
    }
    return readBehind(stored.large_custom_options_offset(), stored.large_custom_options_size(),
                      &stored, read.customOptions);
}

bool Reader::readIndices(const flatbuffers::Vector<std::int32_t>* stored, const char* field,
                         std::int32_t lowest, std::size_t tensors,
                         std::vector<std::int32_t>& read) {
    if (!spend(sizeOf(stored), sizeof(std::int32_t)))
        return false;
    read = copyVector(stored);
    for (std::size_t i = 0; i < read.size(); ++i) {
        if (read[i] < lowest || read[i] >= static_cast<std::int64_t>(tensors))
            return fail(
                Code::IndexOutOfRange,
                fmt::format("{} {} is tensor {}, which does not exist; the subgraph has {} tensors",
                            field, i, read[i], tensors),
                stored->Data() + 4 * i);
    }
    return true;
}

bool Reader::readMetadata() {
    const auto* stored = m_stored->metadata();
    if (!spend(sizeOf(stored), sizeof(MetadataEntry)))
        return false;
    m_model.metadata.resize(sizeOf(stored));
    for (std::size_t i = 0; i < m_model.metadata.size(); ++i) {
        m_metadataIndex = static_cast<std::int64_t>(i);
        const schema::Metadata& entry = *stored->Get(static_cast<flatbuffers::uoffset_t>(i));
        if (!readString(entry.name(), m_model.metadata[i].name) ||
            !readBuffer(entry.buffer(), &entry, m_model.metadata[i].data))
            return false;
    }
    return true;
}

bool isWellFormed(const Bytes& file) {
    flatbuffers::Verifier::Options options;
    options.max_depth = ImportLimits::kMaxDepth;
    options.max_tables = ImportLimits::kMaxTables;
    flatbuffers::Verifier verifier(file.data(), file.size(), options);
    return schema::VerifyModelBuffer(verifier);
}

} // namespace

Result<ModelPtr> importTflite(Bytes file) {
    if (file.size() >= FLATBUFFERS_MAX_BUFFER_SIZE)
        return makeError(
            Code::ModelTooLarge,
            fmt::format("The file of {} bytes is larger than a flatbuffer of {} bytes.",
                        file.size(), FLATBUFFERS_MAX_BUFFER_SIZE - 1));
    if (!isWellFormed(file))
        return describeDamage(file);
    Reader reader(std::make_shared<const Bytes>(std::move(file)));
    if (!reader.readModel())
        return reader.takeFailure();
    auto model = std::make_shared<const Model>(reader.takeModel());
    return {model, model->diagnostics};
}

std::string operatorName(OperatorKind kind) {
    const char* name = schema::EnumNameBuiltinOperator(static_cast<schema::BuiltinOperator>(kind));
    if (*name)
        return name;
    return fmt::format("BUILTIN_{}", static_cast<std::int32_t>(kind));
}

} // namespace plumbline
