// SPDX-License-Identifier: GPL-3.0-or-later
// The order of the items in each layer: orderLayers, by igraph's layered layout. It is given one
// node per item and our layers, so that it has no bends to add; only the order it finds is used.
#include <algorithm>
#include <mutex>
#include <numeric>

#include <igraph/igraph.h>

#include "core/graph/layout_parts.h"

namespace plumbline::layout_parts {
namespace {

constexpr igraph_integer_t kRounds = 30;
/// Beyond these igraph needs seconds: its time grows with the links between two layers squared and
/// with the number of connected parts.
constexpr std::int64_t kMaxItems = 120'000;
constexpr std::int64_t kMaxLinkPairs = 30'000'000;
constexpr std::int64_t kMaxPartSteps = 20'000'000;

std::size_t asSize(std::int32_t index) { return static_cast<std::size_t>(index); }

std::int32_t findPart(std::vector<std::int32_t>& part, std::int32_t item) {
    while (part[asSize(item)] != item)
        item = part[asSize(item)] = part[asSize(part[asSize(item)])];
    return item;
}

std::int64_t countParts(const Items& items) {
    std::vector<std::int32_t> part(asSize(items.count()));
    std::iota(part.begin(), part.end(), 0);
    std::int64_t parts = items.count();
    for (const auto& [upper, lower] : items.links) {
        const std::int32_t a = findPart(part, upper);
        const std::int32_t b = findPart(part, lower);
        parts -= a == b ? 0 : 1;
        part[asSize(a)] = b;
    }
    return parts;
}

bool isWithinReach(const Items& items) {
    if (items.count() > kMaxItems || countParts(items) * items.count() > kMaxPartSteps)
        return false;
    std::vector<std::int64_t> links(items.layers.size());
    for (const auto& [upper, lower] : items.links)
        ++links[asSize(items.layerOf[asSize(upper)])];
    std::int64_t pairs = 0;
    for (const std::int64_t count : links)
        if ((pairs += count * std::min(count, kMaxLinkPairs)) > kMaxLinkPairs)
            return false;
    return true;
}

/// What igraph's interruption handler asks, which gets no argument; set while the mutex is held.
const JobContext* currentJob = nullptr;

igraph_error_t interruptIfCancelled(void* /*always null*/) {
    return currentJob->cancelled() ? IGRAPH_INTERRUPTED : IGRAPH_SUCCESS;
}

/// Igraph keeps its state in globals: one user at a time, with return codes instead of abort().
class IgraphUse {
  public:
    explicit IgraphUse(const JobContext& context)
        : m_lock(mutex())
        , m_error(igraph_set_error_handler(igraph_error_handler_ignore))
        , m_warning(igraph_set_warning_handler(igraph_warning_handler_ignore))
        , m_interruption(igraph_set_interruption_handler(interruptIfCancelled)) {
        currentJob = &context;
    }
    ~IgraphUse() {
        currentJob = nullptr;
        igraph_set_interruption_handler(m_interruption);
        igraph_set_warning_handler(m_warning);
        igraph_set_error_handler(m_error);
    }
    IgraphUse(const IgraphUse&) = delete;
    IgraphUse& operator=(const IgraphUse&) = delete;

  private:
    static std::mutex& mutex() {
        static std::mutex one;
        return one;
    }

    std::lock_guard<std::mutex> m_lock;
    igraph_error_handler_t* m_error;
    igraph_warning_handler_t* m_warning;
    igraph_interruption_handler_t* m_interruption;
};

/// Destroys what was initialised; an igraph value must not be destroyed otherwise.
struct IgraphValues {
    igraph_vector_int_t ends{};
    igraph_vector_int_t layers{};
    igraph_matrix_t places{};
    igraph_t graph{};
    int made = 0;

    IgraphValues() = default;
    IgraphValues(const IgraphValues&) = delete;
    IgraphValues& operator=(const IgraphValues&) = delete;
    ~IgraphValues() {
        if (made > 3)
            igraph_destroy(&graph);
        if (made > 2)
            igraph_matrix_destroy(&places);
        if (made > 1)
            igraph_vector_int_destroy(&layers);
        if (made > 0)
            igraph_vector_int_destroy(&ends);
    }

    bool did(igraph_error_t error) {
        made += error == IGRAPH_SUCCESS ? 1 : 0;
        return error == IGRAPH_SUCCESS;
    }
};

/// Fills `places` with igraph's x per item; false when it was interrupted or ran out of memory.
bool igraphPlaces(const Items& items, const JobContext& context, std::vector<double>& places) {
    const IgraphUse use(context);
    IgraphValues values;
    if (!values.did(igraph_vector_int_init(
            &values.ends, 2 * static_cast<igraph_integer_t>(items.links.size()))) ||
        !values.did(igraph_vector_int_init(&values.layers, items.count())) ||
        !values.did(igraph_matrix_init(&values.places, 0, 0)))
        return false;
    igraph_integer_t at = 0;
    for (const auto& [upper, lower] : items.links) {
        VECTOR(values.ends)[at++] = upper;
        VECTOR(values.ends)[at++] = lower;
    }
    for (std::int32_t item = 0; item < items.count(); ++item)
        VECTOR(values.layers)[item] = items.layerOf[asSize(item)];
    if (!values.did(igraph_create(&values.graph, &values.ends, items.count(), IGRAPH_DIRECTED)) ||
        igraph_layout_sugiyama(&values.graph, &values.places, nullptr, nullptr, &values.layers, 1,
                               1, kRounds, nullptr) != IGRAPH_SUCCESS ||
        igraph_matrix_nrow(&values.places) < items.count())
        return false;
    places.resize(asSize(items.count()));
    for (std::int32_t item = 0; item < items.count(); ++item)
        places[asSize(item)] = MATRIX(values.places, item, 0);
    return true;
}

/// One sweep downwards: each item to the middle of what is above it.
void sweepPlaces(const Items& items, std::vector<double>& places) {
    places.assign(asSize(items.count()), 0);
    std::vector<double> sum(places.size());
    std::vector<double> weight(places.size());
    std::vector<std::vector<std::int32_t>> below(places.size());
    for (const auto& [upper, lower] : items.links)
        below[asSize(upper)].push_back(lower);
    for (const std::vector<std::int32_t>& layer : items.layers) {
        std::vector<std::int32_t> order = layer;
        for (const std::int32_t item : order)
            places[asSize(item)] = weight[asSize(item)] > 0
                                       ? sum[asSize(item)] / weight[asSize(item)]
                                       : static_cast<double>(order.size());
        std::stable_sort(order.begin(), order.end(), [&places](std::int32_t a, std::int32_t b) {
            return places[asSize(a)] < places[asSize(b)];
        });
        for (std::size_t i = 0; i < order.size(); ++i) {
            places[asSize(order[i])] = static_cast<double>(i);
            for (const std::int32_t lower : below[asSize(order[i])]) {
                sum[asSize(lower)] += static_cast<double>(i);
                weight[asSize(lower)] += 1;
            }
        }
    }
}

} // namespace

bool orderLayers(Items& items, const JobContext& context) {
    std::int32_t layers = 0;
    for (const std::int32_t layer : items.layerOf)
        layers = std::max(layers, layer + 1);
    items.layers.assign(asSize(layers), {});
    for (std::int32_t item = 0; item < items.count(); ++item)
        items.layers[asSize(items.layerOf[asSize(item)])].push_back(item);
    std::vector<double> places;
    if (items.links.empty() || !isWithinReach(items) || !igraphPlaces(items, context, places))
        sweepPlaces(items, places);
    for (std::vector<std::int32_t>& layer : items.layers)
        std::stable_sort(layer.begin(), layer.end(), [&places](std::int32_t a, std::int32_t b) {
            return places[asSize(a)] < places[asSize(b)];
        });
    return !context.cancelled();
}

} // namespace plumbline::layout_parts
