// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/views/provenance/why_documents.h"

#include <map>

#include "core/compare/injection.h"

namespace plumbline::test {

DocumentPtr sample(const char* name) {
    static std::map<std::string, DocumentPtr> opened;
    DocumentPtr& document = opened[name];
    if (!document) {
        OpenRequest request;
        request.sample = name;
        const auto made = openDocument(request, npuP0Target());
        document = made ? *made : std::make_shared<const Document>();
    }
    return document;
}

DocumentPtr withReference(const DocumentPtr& document, Trace trace, std::string name) {
    auto made = std::make_shared<Document>(*document);
    made->reference = std::make_shared<const Reference>(
        matchReference(std::move(trace), std::move(name), layerIdentities(*document->lowering)));
    made->verdicts.reset();
    if (const auto verdicts = judge(*made->runner, made->input, *made->reference, *made->lowering))
        made->verdicts = std::make_shared<const Verdicts>(*verdicts);
    return made;
}

DocumentPtr withMistake(const DocumentPtr& document, std::int64_t operatorIndex,
                        std::string_view mistake) {
    const auto mistakes = npuP0Target().mistakes();
    for (std::size_t i = 0; i < mistakes.size(); ++i) {
        if (mistakes[i].name != mistake)
            continue;
        const auto job = inject(document->runner, document->input, {operatorIndex, i}, mistakes);
        if (job && job->changedElements > 0)
            return withReference(document, runInjected(*job, document->input).trace, "device");
    }
    return std::make_shared<const Document>();
}

std::int64_t firstOf(const DocumentPtr& document, std::string_view opcode) {
    for (const LoweredOperator& op : document->lowering->operators)
        if (op.opcodeName == opcode)
            return op.index;
    return -1;
}

DocumentPtr inSlices(const DocumentPtr& document, std::int64_t operatorIndex, std::int64_t kSlice) {
    const auto field = findField(document->target->fields(), "K_SLICE");
    const auto record =
        document->lowering->operators[static_cast<std::size_t>(operatorIndex)].record;
    const auto experiment =
        openExperiment(document, {FieldEdit{record.value_or(-1), field.value_or(0), kSlice}});
    auto made = std::make_shared<Document>(experiment ? **experiment : Document{});
    made->original.reset();
    made->edits.clear();
    return made;
}

const Bytes& bytesOf(const Trace& trace, std::int64_t operatorIndex) {
    return trace.layerOf(operatorIndex)->bytes;
}

int executedValue(const DocumentPtr& document, std::int64_t operatorIndex, const ElementIndex& at) {
    const TraceLayer& layer = *document->execution->trace.layerOf(operatorIndex);
    const auto index = (at.h * layer.shape[1] + at.w) * layer.shape[2] + at.c;
    return static_cast<std::int8_t>(layer.bytes[static_cast<std::size_t>(index)]);
}

} // namespace plumbline::test
