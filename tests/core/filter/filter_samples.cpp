// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/core/filter/filter_samples.h"

#include <map>

#include <gtest/gtest.h>

#include "core/lowering/target.h"
#include "core/samples/samples.h"
#include "core/tflite/importer.h"

namespace plumbline::test {

const Lowering& loweredSample(const std::string& name) {
    static std::map<std::string, LoweringPtr> made;
    LoweringPtr& lowering = made[name];
    if (!lowering)
        lowering = *npuP0Target().lower(*importTflite(*makeSample(name)));
    return *lowering;
}

const FilterSchema& schema() {
    static const FilterSchema made = schemaOf(&npuP0Target().fields());
    return made;
}

std::vector<std::int64_t> taken(const std::string& text, const Lowering& lowering,
                                FilterContext context) {
    const Result<Filter> filter = parseFilter(text, schema());
    if (!filter) {
        ADD_FAILURE() << text << ": " << toText(filter.diagnostics().front());
        return {};
    }
    std::vector<std::int64_t> indices;
    const std::vector<bool> passes = filterOperators(*filter, lowering, std::move(context));
    for (std::size_t i = 0; i < passes.size(); ++i) {
        if (passes[i])
            indices.push_back(lowering.operators[i].index);
    }
    return indices;
}

FilterValue valueOf(const std::string& name, const Lowering& lowering, std::size_t index) {
    return FilterSource(lowering).value(schema().field(schema().find(name).value()), index);
}

} // namespace plumbline::test
