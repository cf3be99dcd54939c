// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/core/tflite/file_maker.h"

#include <algorithm>

namespace plumbline::test {

std::uint32_t FileMaker::addBuffer(const Bytes& data) {
    buffers.push_back(schema::CreateBufferDirect(fb, data.empty() ? nullptr : &data));
    return static_cast<std::uint32_t>(buffers.size() - 1);
}

std::uint32_t FileMaker::addBufferBehind(std::uint64_t offset, std::uint64_t size) {
    buffers.push_back(schema::CreateBufferDirect(fb, nullptr, offset, size));
    return static_cast<std::uint32_t>(buffers.size() - 1);
}

std::int32_t FileMaker::addTensor(const std::vector<std::int32_t>& shape, std::uint32_t buffer,
                                  schema::TensorType type, const std::string& name) {
    tensors.push_back(schema::CreateTensorDirect(fb, &shape, type, buffer, name.c_str()));
    return static_cast<std::int32_t>(tensors.size() - 1);
}

std::uint32_t FileMaker::addCode(std::int32_t builtinCode, const char* custom) {
    codes.push_back(schema::CreateOperatorCodeDirect(
        fb, static_cast<std::int8_t>(std::min(builtinCode, 127)), custom, 1,
        static_cast<schema::BuiltinOperator>(builtinCode)));
    return static_cast<std::uint32_t>(codes.size() - 1);
}

void FileMaker::addOperator(std::int32_t builtinCode, const std::vector<std::int32_t>& in,
                            const std::vector<std::int32_t>& out) {
    operators.push_back(schema::CreateOperatorDirect(fb, addCode(builtinCode), &in, &out));
}

void FileMaker::endGraph(const char* name) {
    graphs.push_back(
        schema::CreateSubGraphDirect(fb, &tensors, &inputs, &outputs, &operators, name));
    tensors.clear();
    operators.clear();
    inputs.clear();
    outputs.clear();
}

Bytes FileMaker::bytes() {
    if (!tensors.empty() || !operators.empty() || !inputs.empty())
        endGraph();
    schema::FinishModelBuffer(fb, schema::CreateModelDirect(fb, version, &codes, &graphs,
                                                            "made by a test", &buffers, nullptr,
                                                            &metadata));
    return {fb.GetBufferPointer(), fb.GetBufferPointer() + fb.GetSize()};
}

FileMaker reluFile() {
    FileMaker file;
    file.inputs = {file.addTensor({1, 2, 2, 8})};
    file.outputs = {file.addTensor({1, 2, 2, 8})};
    file.addOperator(static_cast<std::int32_t>(OperatorKind::Relu), file.inputs, file.outputs);
    return file;
}

std::size_t byteOf(const Bytes& file, const void* part) {
    return static_cast<std::size_t>(static_cast<const std::uint8_t*>(part) - file.data());
}

} // namespace plumbline::test
