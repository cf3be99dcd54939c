// SPDX-License-Identifier: GPL-3.0-or-later
// Makes small TFLite files, sound or broken, part by part.
#pragma once

#include <string>
#include <vector>

#include "core/base/bytes.h"
#include "core/graph/model.h"
#include "core/tflite/tflite_generated.h"

namespace plumbline::test {

namespace schema = tflite_schema;

/// Collects the parts of a file; tests change the lists freely before `bytes`.
struct FileMaker {
    flatbuffers::FlatBufferBuilder fb;
    std::vector<flatbuffers::Offset<schema::Buffer>> buffers;
    std::vector<flatbuffers::Offset<schema::Tensor>> tensors;
    std::vector<flatbuffers::Offset<schema::Operator>> operators;
    std::vector<flatbuffers::Offset<schema::OperatorCode>> codes;
    std::vector<flatbuffers::Offset<schema::SubGraph>> graphs;
    std::vector<flatbuffers::Offset<schema::Metadata>> metadata;
    std::vector<std::int32_t> inputs;
    std::vector<std::int32_t> outputs;
    std::uint32_t version = 3;

    /// Starts with the empty buffer 0.
    FileMaker() { addBuffer({}); }

    std::uint32_t addBuffer(const Bytes& data);
    /// A buffer whose data lies at `offset` of the file, behind the flatbuffer.
    std::uint32_t addBufferBehind(std::uint64_t offset, std::uint64_t size);
    std::int32_t addTensor(const std::vector<std::int32_t>& shape, std::uint32_t buffer = 0,
                           schema::TensorType type = schema::TensorType::INT8,
                           const std::string& name = "t");
    /// Index of a new operator code, stored in both fields as converters do.
    std::uint32_t addCode(std::int32_t builtinCode, const char* custom = nullptr);
    void addOperator(std::int32_t builtinCode, const std::vector<std::int32_t>& in,
                     const std::vector<std::int32_t>& out);
    template <class Table>
    void
    addOperatorWith(std::int32_t builtinCode, flatbuffers::Offset<Table> options,
                    schema::BuiltinOptions type = schema::BuiltinOptionsTraits<Table>::enum_value) {
        const auto code = addCode(builtinCode);
        operators.push_back(
            schema::CreateOperatorDirect(fb, code, nullptr, nullptr, type, options.Union()));
    }
    /// Closes the subgraph under construction; the next one starts without tensors and operators.
    void endGraph(const char* name = "main");
    /// The whole file; closes the open subgraph unless there is none.
    Bytes bytes();
};

/// A file with one RELU between two tensors of [1,2,2,8].
FileMaker reluFile();

/// Where `part`, which points into `file`, begins.
std::size_t byteOf(const Bytes& file, const void* part);

} // namespace plumbline::test
