// SPDX-License-Identifier: GPL-3.0-or-later
// Writes small quantized networks as TFLite bytes, one call per operator.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/base/bytes.h"
#include "core/graph/model.h"
#include "core/tflite/tflite_generated.h"

namespace plumbline {

/// An activation of the network under construction.
struct Value {
    std::int32_t tensor = 0;
    Hwc shape;
    double scale = 1;
    std::int32_t zeroPoint = 0;
    double rms = 1; ///< estimated root mean square of the real values; sets the next scales
};

/// Kernel and stride of a convolution or pool.
struct Filter {
    std::int32_t kernelH = 1;
    std::int32_t kernelW = 1;
    std::int32_t stride = 1;
    Padding padding = Padding::Same;
};

/// Weights are seeded int8 in -127..127 whose scales give every weighted output an estimated rms of
/// 1, so that activations neither saturate nor vanish, however deep the network is. Only arithmetic
/// and sqrt: the same bytes on every machine.
class NetworkBuilder {
  public:
    explicit NetworkBuilder(std::uint64_t seed)
        : m_random(seed) {
        addBuffer({});
    }

    /// `flat` gives the input tensor shape [1,C].
    Value input(const Hwc& shape, bool flat = false);
    Value conv(const Value& in, std::int32_t channels, const Filter& filter, FusedActivation act);
    Value depthwise(const Value& in, const Filter& filter, FusedActivation act);
    Value dense(const Value& in, std::int32_t channels, FusedActivation act);
    Value add(const Value& a, const Value& b, FusedActivation act);
    Value pool(OperatorKind kind, const Value& in, const Filter& filter);
    Value globalAverage(const Value& in);
    Value flatten(const Value& in);
    /// An operator without options that keeps shape and quantization: RELU, RELU6, LOGISTIC, …
    Value unary(std::int32_t builtinCode, const Value& in);
    Value softmax(const Value& in);

    /// The finished file with one input and one output.
    Bytes finish(const Value& in, const Value& out, const std::string& description);

  private:
    using TensorType = tflite_schema::TensorType;
    struct Options {
        tflite_schema::BuiltinOptions type = tflite_schema::BuiltinOptions::NONE;
        flatbuffers::Offset<void> table;
    };

    void begin(std::string_view kind);
    std::uint32_t addBuffer(const Bytes& data);
    std::int32_t addTensor(const std::string& name, const std::vector<std::int32_t>& shape,
                           TensorType type, const Bytes& data, const std::vector<float>& scales,
                           const std::vector<std::int64_t>& zeroPoints, std::int32_t dimension);
    Value addActivation(const Hwc& shape, double scale, std::int32_t zeroPoint, double rms,
                        bool flat = false);
    Value outputFor(const Hwc& shape, double rms, FusedActivation act, bool flat = false);
    std::int32_t addWeights(const std::vector<std::int32_t>& shape, std::int32_t channels,
                            std::int32_t dimension, std::int64_t reduction, const Value& in);
    void addOperator(std::int32_t builtinCode, const std::vector<std::int32_t>& inputs,
                     std::int32_t output, const Options& options);
    std::uint32_t codeIndex(std::int32_t builtinCode);

    flatbuffers::FlatBufferBuilder m_file;
    SplitMix64 m_random;
    std::vector<flatbuffers::Offset<tflite_schema::Buffer>> m_buffers;
    std::vector<flatbuffers::Offset<tflite_schema::Tensor>> m_tensors;
    std::vector<flatbuffers::Offset<tflite_schema::Operator>> m_operators;
    std::vector<std::int32_t> m_codes;
    std::int32_t m_biasTensor = kAbsentTensor; ///< of the weights added last
    std::string m_prefix; ///< of tensor names, "conv0/"; empty before the first operator
};

} // namespace plumbline
