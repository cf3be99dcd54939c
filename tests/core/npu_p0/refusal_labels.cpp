// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/core/npu_p0/refusal_labels.h"

#include <algorithm>
#include <map>

namespace plumbline::test {

std::optional<Code> codeOfLabel(std::string_view label) {
    static const std::map<std::string_view, Code> kCodes{
        {"no_subgraph", Code::NoSubgraph},
        {"no_operators", Code::NoOperators},
        {"graph_inputs", Code::GraphInputs},
        {"graph_outputs", Code::GraphOutputs},
        {"graph_output_source", Code::GraphOutputSource},
        {"no_placement", Code::NoPlacement},
        {"not_produced", Code::NotProduced},
        {"not_batch_one", Code::NotBatchOne},
        {"activation_dtype", Code::ActivationType},
        {"activation_quantization", Code::ActivationQuantization},
        {"zero_point_range", Code::ZeroPointRange},
        {"fused_activation", Code::FusedActivation},
        {"dilation", Code::Dilation},
        {"stride", Code::Stride},
        {"padding_mode", Code::PaddingMode},
        {"output_extent", Code::OutputExtent},
        {"kernel_limit", Code::KernelLimit},
        {"dimension_limit", Code::DimensionLimit},
        {"input_count", Code::InputCount},
        {"output_count", Code::OutputCount},
        {"weight_rank", Code::WeightRank},
        {"weight_shape", Code::WeightShape},
        {"weight_dtype", Code::WeightType},
        {"weight_constant", Code::WeightConstant},
        {"weight_size", Code::WeightSize},
        {"weight_zero_point", Code::WeightZeroPoint},
        {"weight_minus_128", Code::WeightMinus128},
        {"quantized_dimension", Code::QuantizedDimension},
        {"per_channel_scales", Code::PerChannelScales},
        {"fc_scales", Code::DenseScales},
        {"fc_geometry", Code::DenseGeometry},
        {"bias_missing", Code::BiasMissing},
        {"bias_dtype", Code::BiasType},
        {"bias_constant", Code::BiasConstant},
        {"bias_size", Code::BiasSize},
        {"depth_multiplier", Code::DepthMultiplier},
        {"channel_multiplier", Code::ChannelMultiplier},
        {"kernel_not_3x3", Code::KernelNot3x3},
        {"broadcast", Code::Broadcast},
        {"unequal_quantization", Code::UnequalQuantization},
        {"unequal_channels", Code::UnequalChannels},
        {"unequal_geometry", Code::UnequalGeometry},
        {"reshape_count", Code::ReshapeCount},
        {"softmax_not_terminal", Code::SoftmaxNotTerminal},
        {"softmax_source", Code::SoftmaxSource},
        {"softmax_output", Code::SoftmaxOutput},
        {"softmax_shape", Code::SoftmaxShape},
        {"softmax_output_quantization", Code::SoftmaxOutputQuantization},
        {"softmax_scaling", Code::SoftmaxScaling},
    };
    const auto found = kCodes.find(label);
    return found == kCodes.end() ? std::nullopt : std::optional(found->second);
}

bool reports(const Diagnostics& diagnostics, std::string_view label,
             std::optional<std::int64_t> operatorIndex) {
    const auto code = codeOfLabel(label);
    return code && std::any_of(diagnostics.begin(), diagnostics.end(), [&](const Diagnostic& d) {
               return d.severity == Severity::Error && d.code == *code &&
                      d.where.operatorIndex == operatorIndex;
           });
}

std::string allText(const Diagnostics& diagnostics) {
    std::string text;
    for (const Diagnostic& d : diagnostics)
        text += toText(d) + "\n";
    return text;
}

} // namespace plumbline::test
