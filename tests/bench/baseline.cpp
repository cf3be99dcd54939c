// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/bench/baseline.h"

#include <algorithm>

#include "core/numeric/fixed_point.h"
#include "core/numeric/softmax.h"

namespace plumbline::bench {
namespace {

/// The profile's requantization where nothing can overflow.
std::int32_t scaled(std::int32_t x, const Multiplier& m) {
    const int left = std::max(m.shift, 0), right = std::max(-m.shift, 0);
    return rdbp(srdhm(x * (1 << left), m.multiplier), right);
}

std::int8_t level(std::int32_t value, std::int32_t zeroPoint, const ActivationBounds& bounds) {
    return static_cast<std::int8_t>(std::clamp(value + zeroPoint, bounds.lower, bounds.upper));
}

/// Kernel positions first..end-1 that lie inside the input along one axis.
struct Inside {
    std::int64_t first, end;
};

Inside insideOf(std::int64_t origin, std::int64_t kernel, std::int64_t dilation,
                std::int64_t extent) {
    Inside made{0, kernel};
    while (made.first < kernel && origin + made.first * dilation < 0)
        ++made.first;
    while (made.end > made.first && origin + (made.end - 1) * dilation >= extent)
        --made.end;
    return made;
}

/// The window of one output position.
struct Field {
    std::int64_t y, x;
    Inside rows, columns;
};

Field fieldOf(const Window& w, const Hwc& input, std::int64_t y, std::int64_t x) {
    Field field{y * w.strideH - w.padTop, x * w.strideW - w.padLeft, {}, {}};
    field.rows = insideOf(field.y, w.kernelH, w.dilationH, input.h);
    field.columns = insideOf(field.x, w.kernelW, w.dilationW, input.w);
    return field;
}

/// The channels of the input under one kernel position.
const std::int8_t* pixel(const std::int8_t* data, const Hwc& shape, const Window& w,
                         const Field& field, std::int64_t kh, std::int64_t kw) {
    const std::int64_t y = field.y + kh * w.dilationH, x = field.x + kw * w.dilationW;
    return data + (y * shape.w + x) * shape.c;
}

std::int32_t biasOf(const WeightedPlan& plan, std::int64_t c) {
    return plan.bias.empty() ? 0 : plan.bias[static_cast<std::size_t>(c)];
}

std::int8_t weightedLevel(const WeightedPlan& plan, std::int32_t sum, std::int64_t c) {
    return level(scaled(sum, plan.multipliers[static_cast<std::size_t>(c)]), plan.outputZeroPoint,
                 plan.bounds);
}

/// Two stretches of memory that lie side by side in both tensors: one kernel row.
std::int32_t product(const std::int8_t* x, const std::int8_t* w, std::int64_t count,
                     std::int32_t zeroPoint) {
    std::int32_t sum = 0;
    for (std::int64_t i = 0; i < count; ++i)
        sum += (x[i] - zeroPoint) * w[i];
    return sum;
}

void convPosition(const WeightedPlan& plan, const std::int8_t* input, const Field& field,
                  std::int8_t* output) {
    const Window& w = plan.window;
    const std::int64_t depth = plan.input.c;
    const bool isWhole = w.dilationW == 1;
    for (std::int64_t c = 0; c < plan.output.c; ++c) {
        std::int32_t sum = biasOf(plan, c);
        const std::int8_t* weights = plan.weights + c * w.kernelH * w.kernelW * depth;
        for (std::int64_t kh = field.rows.first; kh < field.rows.end; ++kh) {
            const std::int64_t step = isWhole ? field.columns.end - field.columns.first : 1;
            for (std::int64_t kw = field.columns.first; kw < field.columns.end; kw += step)
                sum += product(pixel(input, plan.input, w, field, kh, kw),
                               weights + (kh * w.kernelW + kw) * depth, step * depth,
                               plan.inputZeroPoint);
        }
        output[c] = weightedLevel(plan, sum, c);
    }
}

void depthwisePosition(const WeightedPlan& plan, const std::int8_t* input, const Field& field,
                       std::int8_t* output, std::vector<std::int32_t>& sums) {
    const std::int64_t repeat = plan.output.c / plan.input.c;
    for (std::int64_t c = 0; c < plan.output.c; ++c)
        sums[static_cast<std::size_t>(c)] = biasOf(plan, c);
    for (std::int64_t kh = field.rows.first; kh < field.rows.end; ++kh) {
        for (std::int64_t kw = field.columns.first; kw < field.columns.end; ++kw) {
            const std::int8_t* from = pixel(input, plan.input, plan.window, field, kh, kw);
            const std::int8_t* weights =
                plan.weights + (kh * plan.window.kernelW + kw) * plan.output.c;
            std::int32_t* to = sums.data();
            if (repeat == 1) {
                for (std::int64_t c = 0; c < plan.output.c; ++c)
                    to[c] += (from[c] - plan.inputZeroPoint) * weights[c];
            } else {
                for (std::int64_t c = 0; c < plan.output.c; ++c)
                    to[c] += (from[c / repeat] - plan.inputZeroPoint) * weights[c];
            }
        }
    }
    for (std::int64_t c = 0; c < plan.output.c; ++c)
        output[c] = weightedLevel(plan, sums[static_cast<std::size_t>(c)], c);
}

void weighted(const WeightedPlan& plan, const std::int8_t* input, std::int8_t* output) {
    std::vector<std::int32_t> sums(static_cast<std::size_t>(plan.output.c));
    for (std::int64_t y = 0; y < plan.output.h; ++y) {
        for (std::int64_t x = 0; x < plan.output.w; ++x, output += plan.output.c) {
            const Field field = fieldOf(plan.window, plan.input, y, x);
            if (plan.isDepthwise)
                depthwisePosition(plan, input, field, output, sums);
            else
                convPosition(plan, input, field, output);
        }
    }
}

void poolPosition(const PoolPlan& plan, const std::int8_t* input, const Field& field,
                  std::int8_t* output) {
    const std::int64_t count =
        (field.rows.end - field.rows.first) * (field.columns.end - field.columns.first);
    for (std::int64_t c = 0; c < plan.output.c; ++c) {
        std::int32_t total = plan.isAverage ? 0 : -128;
        for (std::int64_t kh = field.rows.first; kh < field.rows.end; ++kh) {
            for (std::int64_t kw = field.columns.first; kw < field.columns.end; ++kw) {
                const std::int32_t value = pixel(input, plan.input, plan.window, field, kh, kw)[c];
                total = plan.isAverage ? total + value : std::max(total, value);
            }
        }
        output[c] = level(plan.isAverage ? roundedAverage(total, count) : total, 0, plan.bounds);
    }
}

void pool(const PoolPlan& plan, const std::int8_t* input, std::int8_t* output) {
    for (std::int64_t y = 0; y < plan.output.h; ++y) {
        for (std::int64_t x = 0; x < plan.output.w; ++x, output += plan.output.c)
            poolPosition(plan, input, fieldOf(plan.window, plan.input, y, x), output);
    }
}

void add(const AddPlan& plan, const std::int8_t* a, const std::int8_t* b, std::int8_t* output) {
    for (std::int64_t i = 0; i < plan.elements; ++i) {
        const std::int32_t term0 =
            scaled((a[i] - plan.zeroPoint0) * (1 << kAddLeftShift), plan.multipliers.input0);
        const std::int32_t term1 =
            scaled((b[i] - plan.zeroPoint1) * (1 << kAddLeftShift), plan.multipliers.input1);
        output[i] = level(scaled(term0 + term1, plan.multipliers.output), plan.outputZeroPoint,
                          plan.bounds);
    }
}

class Baseline {
  public:
    explicit Baseline(const PreparedGraph& graph)
        : m_graph(graph)
        , m_storage(graph.tensors.size()) {}

    std::vector<Bytes> run(ByteView input) {
        std::vector<Bytes> layers;
        for (const std::int32_t index : m_graph.inputs) {
            const ByteView part = input.first(static_cast<std::size_t>(tensor(index).bytes));
            storage(index).assign(part.begin(), part.end());
            input = input.subspan(part.size());
        }
        for (const PlannedOperator& op : m_graph.operators) {
            if (std::holds_alternative<AliasPlan>(op.kernel))
                continue;
            storage(op.output).resize(static_cast<std::size_t>(tensor(op.output).bytes));
            std::visit([&](const auto& plan) { compute(plan, op); }, op.kernel);
            layers.push_back(storage(op.output));
        }
        return layers;
    }

  private:
    const PlannedTensor& tensor(std::int32_t index) const {
        return m_graph.tensors[static_cast<std::size_t>(index)];
    }
    Bytes& storage(std::int32_t index) { return m_storage[static_cast<std::size_t>(index)]; }
    const std::int8_t* read(std::int32_t index) {
        const PlannedTensor& owner = tensor(tensor(index).storage);
        const std::uint8_t* bytes =
            owner.constant ? owner.constant : storage(tensor(index).storage).data();
        return reinterpret_cast<const std::int8_t*>(bytes);
    }
    std::int8_t* write(std::int32_t index) {
        return reinterpret_cast<std::int8_t*>(storage(index).data());
    }

    void compute(const AliasPlan&, const PlannedOperator&) {}
    void compute(const WeightedPlan& plan, const PlannedOperator& op) {
        for (std::int64_t image = 0; image < plan.batch; ++image) {
            const std::int8_t* from = read(op.input0) + image * plan.input.elements();
            std::int8_t* to = write(op.output) + image * plan.output.elements();
            weighted(plan, from, to);
        }
    }
    void compute(const AddPlan& plan, const PlannedOperator& op) {
        add(plan, read(op.input0), read(op.input1), write(op.output));
    }
    void compute(const PoolPlan& plan, const PlannedOperator& op) {
        for (std::int64_t image = 0; image < plan.batch; ++image)
            pool(plan, read(op.input0) + image * plan.input.elements(),
                 write(op.output) + image * plan.output.elements());
    }
    void compute(const ClampPlan& plan, const PlannedOperator& op) {
        for (std::int64_t i = 0; i < plan.elements; ++i)
            write(op.output)[i] = level(read(op.input0)[i], 0, plan.bounds);
    }
    void compute(const SoftmaxPlan& plan, const PlannedOperator& op) {
        const auto depth = static_cast<std::size_t>(plan.depth);
        for (std::int64_t row = 0; row < plan.rows; ++row)
            softmaxRow({read(op.input0) + row * plan.depth, depth},
                       {write(op.output) + row * plan.depth, depth}, plan.parameters);
    }

    const PreparedGraph& m_graph;
    std::vector<Bytes> m_storage;
};

} // namespace

std::vector<Bytes> runBaseline(const PreparedGraph& graph, ByteView input) {
    return Baseline(graph).run(input);
}

} // namespace plumbline::bench
