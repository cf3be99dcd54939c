// SPDX-License-Identifier: GPL-3.0-or-later
// Any bytes as a filter: an error that lies in the text, or a filter that can be evaluated, printed
// and parsed again to the same one. Completion works at every place.
#include <string>

#include "core/filter/completion.h"
#include "core/filter/source.h"
#include "core/lowering/target.h"
#include "core/samples/samples.h"
#include "core/tflite/importer.h"
#include "tests/fuzz/sections.h"

using namespace plumbline;

namespace {

LoweringPtr lowered(std::string_view sample) {
    return *npuP0Target().lower(*importTflite(*makeSample(sample)));
}

void evaluate(const Filter& filter, const Lowering& lowering) {
    const FilterSource source(lowering);
    fuzz::require(source.matching(filter).size() == lowering.operators.size(),
                  "every operator has a verdict");
    for (std::size_t i = 0; i < lowering.records.size(); ++i)
        source.matchesRecord(filter, static_cast<std::int64_t>(i));
}

void requirePlace(std::string_view text, const Diagnostics& diagnostics) {
    fuzz::require(diagnostics.size() == 1, "the first error ends the parsing");
    const Location& where = diagnostics.front().where;
    fuzz::require(where.byte && *where.byte + where.part.size() <= text.size(),
                  "an error lies in the text");
    fuzz::require(!markedText(text, diagnostics.front()).empty(), "an error can be shown");
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    static const LoweringPtr whole = lowered("every-operator");
    static const LoweringPtr refused = lowered("refused");
    static const FilterSchema schema = schemaOf(&npuP0Target().fields());
    const std::string_view text(reinterpret_cast<const char*>(data), size);

    for (const std::size_t cursor : {size, size / 2}) {
        for (const Completion& completion : complete(text, cursor, schema))
            fuzz::require(completion.begin <= cursor && completion.end <= size,
                          "a completion replaces bytes of the text");
    }
    const Result<Filter> filter = parseFilter(text, schema);
    if (!filter) {
        requirePlace(text, filter.diagnostics());
        return 0;
    }
    evaluate(*filter, *whole);
    evaluate(*filter, *refused);
    const std::string printed = toText(*filter);
    const Result<Filter> again = parseFilter(printed, schema);
    // Canonical text may be longer than what was written: "0x1" becomes a decimal number.
    fuzz::require(again.ok() || printed.size() > kMaxFilterBytes, "what was printed parses");
    fuzz::require(!again.ok() || toText(*again) == printed, "printing changes nothing");
    return 0;
}
