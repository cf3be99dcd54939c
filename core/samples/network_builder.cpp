// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/samples/network_builder.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace plumbline {
namespace {

namespace schema = tflite_schema;

constexpr double kUniformRms = 73.6;  ///< of integers uniform in -127..127
constexpr double kSignedSteps = 40.0; ///< quantization steps per rms of a signed activation
constexpr double kReluRange = 3.5;    ///< largest value of a rectified activation, in rms before
constexpr double kRectified = 0.7;    ///< rms behind a RELU as a part of that before it
constexpr double kWeightedRms = 1.0;  ///< of every conv, depthwise and dense output before its RELU

std::int32_t strided(std::int64_t extent, std::int32_t kernel, const Filter& filter) {
    const auto size = static_cast<std::int32_t>(extent);
    return filter.padding == Padding::Same ? (size + filter.stride - 1) / filter.stride
                                           : (size - kernel) / filter.stride + 1;
}

schema::ActivationFunctionType stored(FusedActivation act) {
    return static_cast<schema::ActivationFunctionType>(act);
}

schema::Padding stored(Padding padding) { return static_cast<schema::Padding>(padding); }

} // namespace

std::uint32_t NetworkBuilder::addBuffer(const Bytes& data) {
    flatbuffers::Offset<flatbuffers::Vector<std::uint8_t>> bytes;
    if (!data.empty()) {
        m_file.ForceVectorAlignment(data.size(), 1, 16);
        bytes = m_file.CreateVector(data);
    }
    schema::BufferBuilder buffer(m_file);
    if (!data.empty())
        buffer.add_data(bytes);
    m_buffers.push_back(buffer.Finish());
    return static_cast<std::uint32_t>(m_buffers.size() - 1);
}

std::int32_t NetworkBuilder::addTensor(const std::string& name,
                                       const std::vector<std::int32_t>& shape, TensorType type,
                                       const Bytes& data, const std::vector<float>& scales,
                                       const std::vector<std::int64_t>& zeroPoints,
                                       std::int32_t dimension) {
    const std::uint32_t buffer = data.empty() ? 0 : addBuffer(data);
    const auto scaleList = m_file.CreateVector(scales);
    const auto zeroList = m_file.CreateVector(zeroPoints);
    schema::QuantizationParametersBuilder quantization(m_file);
    quantization.add_scale(scaleList);
    quantization.add_zero_point(zeroList);
    quantization.add_quantized_dimension(dimension);
    const auto quantized = quantization.Finish();
    const auto shapeList = m_file.CreateVector(shape);
    const auto text = m_file.CreateString(name);
    schema::TensorBuilder tensor(m_file);
    tensor.add_shape(shapeList);
    tensor.add_type(type);
    tensor.add_buffer(buffer);
    tensor.add_name(text);
    tensor.add_quantization(quantized);
    m_tensors.push_back(tensor.Finish());
    return static_cast<std::int32_t>(m_tensors.size() - 1);
}

Value NetworkBuilder::addActivation(const Hwc& shape, double scale, std::int32_t zeroPoint,
                                    double rms, bool flat) {
    const auto narrow = [](std::int64_t extent) { return static_cast<std::int32_t>(extent); };
    const std::vector<std::int32_t> dims =
        flat ? std::vector<std::int32_t>{1, narrow(shape.c)}
             : std::vector<std::int32_t>{1, narrow(shape.h), narrow(shape.w), narrow(shape.c)};
    const auto single = static_cast<float>(scale);
    const std::int32_t tensor = addTensor(m_prefix.empty() ? "input" : m_prefix + "output", dims,
                                          TensorType::INT8, {}, {single}, {zeroPoint}, 0);
    return {tensor, shape, static_cast<double>(single), zeroPoint, rms};
}

Value NetworkBuilder::outputFor(const Hwc& shape, double rms, FusedActivation act, bool flat) {
    if (act == FusedActivation::None)
        return addActivation(shape, rms / kSignedSteps, 3, rms, flat);
    return addActivation(shape, rms * kReluRange / 255, -128, rms * kRectified, flat);
}

std::int32_t NetworkBuilder::addWeights(const std::vector<std::int32_t>& shape,
                                        std::int32_t channels, std::int32_t dimension,
                                        std::int64_t reduction, const Value& in) {
    std::size_t count = 1;
    for (const std::int32_t extent : shape)
        count *= static_cast<std::size_t>(extent);
    Bytes weights(count);
    for (std::uint8_t& weight : weights)
        weight = static_cast<std::uint8_t>(static_cast<int>(m_random.below(255)) - 127);
    const double unit = 1.0 / (kUniformRms * std::sqrt(static_cast<double>(reduction)) * in.rms);
    std::vector<float> scales;
    std::vector<float> biasScales;
    Bytes bias;
    for (std::int32_t c = 0; c < channels; ++c) {
        const double spread = 0.75 + static_cast<double>(m_random.below(512)) / 1024;
        scales.push_back(static_cast<float>(unit * spread));
        biasScales.push_back(static_cast<float>(in.scale * scales.back()));
        // Up to a quarter of the output's rms, as int32 in the accumulator's scale.
        const double real = (static_cast<double>(m_random.below(1024)) - 512) / 2048;
        appendU32(bias, static_cast<std::uint32_t>(
                            static_cast<std::int32_t>(real / (in.scale * scales.back()))));
    }
    const std::vector<std::int64_t> zeros(scales.size(), 0);
    const std::int32_t tensor =
        addTensor(m_prefix + "weights", shape, TensorType::INT8, weights, scales, zeros, dimension);
    m_biasTensor =
        addTensor(m_prefix + "bias", {channels}, TensorType::INT32, bias, biasScales, zeros, 0);
    return tensor;
}

std::uint32_t NetworkBuilder::codeIndex(std::int32_t builtinCode) {
    const auto found = std::find(m_codes.begin(), m_codes.end(), builtinCode);
    const auto index = static_cast<std::uint32_t>(found - m_codes.begin());
    if (found == m_codes.end())
        m_codes.push_back(builtinCode);
    return index;
}

void NetworkBuilder::addOperator(std::int32_t builtinCode, const std::vector<std::int32_t>& inputs,
                                 std::int32_t output, const Options& options) {
    const auto inputList = m_file.CreateVector(inputs);
    const auto outputList = m_file.CreateVector(std::vector<std::int32_t>{output});
    schema::OperatorBuilder op(m_file);
    op.add_opcode_index(codeIndex(builtinCode));
    op.add_inputs(inputList);
    op.add_outputs(outputList);
    if (options.type != schema::BuiltinOptions::NONE) {
        op.add_builtin_options_type(options.type);
        op.add_builtin_options(options.table);
    }
    m_operators.push_back(op.Finish());
}

Value NetworkBuilder::input(const Hwc& shape, bool flat) {
    return addActivation(shape, 1.0 / kUniformRms, -1, 1.0, flat);
}

/// Names the tensors that follow after the operator under construction.
void NetworkBuilder::begin(std::string_view kind) {
    m_prefix = fmt::format("{}{}/", kind, m_operators.size());
}

Value NetworkBuilder::conv(const Value& in, std::int32_t channels, const Filter& filter,
                           FusedActivation act) {
    begin("conv");
    const auto cin = static_cast<std::int32_t>(in.shape.c);
    const std::int64_t k = std::int64_t{filter.kernelH} * filter.kernelW * cin;
    const std::int32_t weights =
        addWeights({channels, filter.kernelH, filter.kernelW, cin}, channels, 0, k, in);
    const Hwc shape{strided(in.shape.h, filter.kernelH, filter),
                    strided(in.shape.w, filter.kernelW, filter), channels};
    const Value out = outputFor(shape, kWeightedRms, act);
    schema::Conv2DOptionsBuilder options(m_file);
    options.add_padding(stored(filter.padding));
    options.add_stride_h(filter.stride);
    options.add_stride_w(filter.stride);
    options.add_fused_activation_function(stored(act));
    addOperator(static_cast<std::int32_t>(OperatorKind::Conv2D), {in.tensor, weights, m_biasTensor},
                out.tensor, {schema::BuiltinOptions::Conv2DOptions, options.Finish().Union()});
    return out;
}

Value NetworkBuilder::depthwise(const Value& in, const Filter& filter, FusedActivation act) {
    begin("depthwise");
    const auto channels = static_cast<std::int32_t>(in.shape.c);
    const std::int64_t k = std::int64_t{filter.kernelH} * filter.kernelW;
    const std::int32_t weights =
        addWeights({1, filter.kernelH, filter.kernelW, channels}, channels, 3, k, in);
    const Hwc shape{strided(in.shape.h, filter.kernelH, filter),
                    strided(in.shape.w, filter.kernelW, filter), channels};
    const Value out = outputFor(shape, kWeightedRms, act);
    schema::DepthwiseConv2DOptionsBuilder options(m_file);
    options.add_padding(stored(filter.padding));
    options.add_stride_h(filter.stride);
    options.add_stride_w(filter.stride);
    options.add_depth_multiplier(1);
    options.add_fused_activation_function(stored(act));
    addOperator(static_cast<std::int32_t>(OperatorKind::DepthwiseConv2D),
                {in.tensor, weights, m_biasTensor}, out.tensor,
                {schema::BuiltinOptions::DepthwiseConv2DOptions, options.Finish().Union()});
    return out;
}

Value NetworkBuilder::dense(const Value& in, std::int32_t channels, FusedActivation act) {
    begin("dense");
    const auto k = static_cast<std::int32_t>(in.shape.c);
    const std::int32_t weights = addWeights({channels, k}, channels, 0, k, in);
    const Value out = outputFor({1, 1, channels}, kWeightedRms, act, true);
    schema::FullyConnectedOptionsBuilder options(m_file);
    options.add_fused_activation_function(stored(act));
    addOperator(static_cast<std::int32_t>(OperatorKind::FullyConnected),
                {in.tensor, weights, m_biasTensor}, out.tensor,
                {schema::BuiltinOptions::FullyConnectedOptions, options.Finish().Union()});
    return out;
}

Value NetworkBuilder::add(const Value& a, const Value& b, FusedActivation act) {
    begin("add");
    const Value out = outputFor(a.shape, std::sqrt(a.rms * a.rms + b.rms * b.rms), act);
    schema::AddOptionsBuilder options(m_file);
    options.add_fused_activation_function(stored(act));
    addOperator(static_cast<std::int32_t>(OperatorKind::Add), {a.tensor, b.tensor}, out.tensor,
                {schema::BuiltinOptions::AddOptions, options.Finish().Union()});
    return out;
}

Value NetworkBuilder::pool(OperatorKind kind, const Value& in, const Filter& filter) {
    begin("pool");
    const Hwc shape{strided(in.shape.h, filter.kernelH, filter),
                    strided(in.shape.w, filter.kernelW, filter), in.shape.c};
    const Value out = addActivation(shape, in.scale, in.zeroPoint, in.rms);
    schema::Pool2DOptionsBuilder options(m_file);
    options.add_padding(stored(filter.padding));
    options.add_stride_h(filter.kernelH == in.shape.h ? filter.kernelH : filter.stride);
    options.add_stride_w(filter.kernelW == in.shape.w ? filter.kernelW : filter.stride);
    options.add_filter_height(filter.kernelH);
    options.add_filter_width(filter.kernelW);
    addOperator(static_cast<std::int32_t>(kind), {in.tensor}, out.tensor,
                {schema::BuiltinOptions::Pool2DOptions, options.Finish().Union()});
    return out;
}

Value NetworkBuilder::globalAverage(const Value& in) {
    return pool(OperatorKind::AveragePool2D, in,
                {static_cast<std::int32_t>(in.shape.h), static_cast<std::int32_t>(in.shape.w), 1,
                 Padding::Valid});
}

Value NetworkBuilder::flatten(const Value& in) {
    begin("reshape");
    const Value out =
        addActivation({1, 1, in.shape.elements()}, in.scale, in.zeroPoint, in.rms, true);
    const auto shape =
        m_file.CreateVector(std::vector<std::int32_t>{1, static_cast<std::int32_t>(out.shape.c)});
    schema::ReshapeOptionsBuilder options(m_file);
    options.add_new_shape(shape);
    addOperator(static_cast<std::int32_t>(OperatorKind::Reshape), {in.tensor}, out.tensor,
                {schema::BuiltinOptions::ReshapeOptions, options.Finish().Union()});
    return out;
}

Value NetworkBuilder::unary(std::int32_t builtinCode, const Value& in) {
    begin("unary");
    const Value out = addActivation(in.shape, in.scale, in.zeroPoint, in.rms * kRectified);
    addOperator(builtinCode, {in.tensor}, out.tensor, {});
    return out;
}

Value NetworkBuilder::softmax(const Value& in) {
    begin("softmax");
    const Value out = addActivation(in.shape, 1.0 / 256, -128, 1.0, true);
    schema::SoftmaxOptionsBuilder options(m_file);
    options.add_beta(1.0F);
    addOperator(static_cast<std::int32_t>(OperatorKind::Softmax), {in.tensor}, out.tensor,
                {schema::BuiltinOptions::SoftmaxOptions, options.Finish().Union()});
    return out;
}

Bytes NetworkBuilder::finish(const Value& in, const Value& out, const std::string& description) {
    std::vector<flatbuffers::Offset<schema::OperatorCode>> codes;
    for (const std::int32_t code : m_codes) {
        schema::OperatorCodeBuilder row(m_file);
        row.add_deprecated_builtin_code(static_cast<std::int8_t>(std::min(code, 127)));
        row.add_builtin_code(static_cast<schema::BuiltinOperator>(code));
        codes.push_back(row.Finish());
    }
    const auto tensors = m_file.CreateVector(m_tensors);
    const auto inputs = m_file.CreateVector(std::vector<std::int32_t>{in.tensor});
    const auto outputs = m_file.CreateVector(std::vector<std::int32_t>{out.tensor});
    const auto operators = m_file.CreateVector(m_operators);
    schema::SubGraphBuilder graph(m_file);
    graph.add_tensors(tensors);
    graph.add_inputs(inputs);
    graph.add_outputs(outputs);
    graph.add_operators(operators);
    const std::vector<flatbuffers::Offset<schema::SubGraph>> graphs{graph.Finish()};
    const auto graphList = m_file.CreateVector(graphs);
    const auto codeList = m_file.CreateVector(codes);
    const auto bufferList = m_file.CreateVector(m_buffers);
    const auto text = m_file.CreateString(description);
    schema::ModelBuilder model(m_file);
    model.add_version(3);
    model.add_operator_codes(codeList);
    model.add_subgraphs(graphList);
    model.add_description(text);
    model.add_buffers(bufferList);
    schema::FinishModelBuffer(m_file, model.Finish());
    const std::uint8_t* begin = m_file.GetBufferPointer();
    return {begin, begin + m_file.GetSize()};
}

} // namespace plumbline
