// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/tflite/options_reader.h"

#include "core/tflite/flatbuffer_values.h"
#include "core/tflite/tflite_generated.h"

namespace plumbline {
namespace {

namespace schema = tflite_schema;

// One overload per table: the file's fields as the core's options.

Conv2DOptions decode(const schema::Conv2DOptions& table) {
    Conv2DOptions options;
    options.padding = static_cast<Padding>(table.padding());
    options.strideH = table.stride_h();
    options.strideW = table.stride_w();
    options.dilationH = table.dilation_h_factor();
    options.dilationW = table.dilation_w_factor();
    options.activation = static_cast<FusedActivation>(table.fused_activation_function());
    return options;
}

DepthwiseConv2DOptions decode(const schema::DepthwiseConv2DOptions& table) {
    DepthwiseConv2DOptions options;
    options.padding = static_cast<Padding>(table.padding());
    options.strideH = table.stride_h();
    options.strideW = table.stride_w();
    options.depthMultiplier = table.depth_multiplier();
    options.dilationH = table.dilation_h_factor();
    options.dilationW = table.dilation_w_factor();
    options.activation = static_cast<FusedActivation>(table.fused_activation_function());
    return options;
}

Pool2DOptions decode(const schema::Pool2DOptions& table) {
    Pool2DOptions options;
    options.padding = static_cast<Padding>(table.padding());
    options.strideH = table.stride_h();
    options.strideW = table.stride_w();
    options.filterH = table.filter_height();
    options.filterW = table.filter_width();
    options.activation = static_cast<FusedActivation>(table.fused_activation_function());
    return options;
}

FullyConnectedOptions decode(const schema::FullyConnectedOptions& table) {
    FullyConnectedOptions options;
    options.activation = static_cast<FusedActivation>(table.fused_activation_function());
    options.weightsFormat = static_cast<std::int8_t>(table.weights_format());
    options.keepNumDims = table.keep_num_dims();
    return options;
}

AddOptions decode(const schema::AddOptions& table) {
    return {static_cast<FusedActivation>(table.fused_activation_function())};
}

SoftmaxOptions decode(const schema::SoftmaxOptions& table) { return {table.beta()}; }

ReshapeOptions decode(const schema::ReshapeOptions& table) {
    return {copyVector(table.new_shape())};
}

template <class Table, class Options> ReadOptions read(const schema::Operator& stored) {
    if (const Table* table = stored.builtin_options_as<Table>())
        return {decode(*table), true};
    return {Options{}, false};
}

} // namespace

ReadOptions readOptions(OperatorKind kind, const schema::Operator& stored) {
    switch (kind) {
    case OperatorKind::Conv2D:
        return read<schema::Conv2DOptions, Conv2DOptions>(stored);
    case OperatorKind::DepthwiseConv2D:
        return read<schema::DepthwiseConv2DOptions, DepthwiseConv2DOptions>(stored);
    case OperatorKind::AveragePool2D:
    case OperatorKind::MaxPool2D:
        return read<schema::Pool2DOptions, Pool2DOptions>(stored);
    case OperatorKind::FullyConnected:
        return read<schema::FullyConnectedOptions, FullyConnectedOptions>(stored);
    case OperatorKind::Add:
        return read<schema::AddOptions, AddOptions>(stored);
    case OperatorKind::Softmax:
        return read<schema::SoftmaxOptions, SoftmaxOptions>(stored);
    case OperatorKind::Reshape:
        return read<schema::ReshapeOptions, ReshapeOptions>(stored);
    case OperatorKind::Relu:
    case OperatorKind::ReluN1To1:
    case OperatorKind::Relu6:
    case OperatorKind::Custom:
        break;
    }
    return {NoOptions{}, stored.builtin_options() || stored.builtin_options_2()};
}

} // namespace plumbline
