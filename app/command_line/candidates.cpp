// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/command_line/candidates.h"

#include <algorithm>

#include "core/samples/samples.h"

namespace plumbline::command_line {
namespace {

bool isWord(std::string_view text) {
    return !text.empty() && std::all_of(text.begin(), text.end(), [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-';
    });
}

void addAlternative(Candidates& all, std::string_view alternative) {
    if (isWord(alternative)) {
        all.words.emplace_back(alternative);
    } else if (alternative == "MODEL") {
        all.suffixes.emplace_back(".tflite");
    } else if (alternative == "DIR") {
        all.directories = true;
    } else if (alternative == "A" || alternative == "B") {
        all.suffixes.emplace_back(".tflite");
        all.directories = true;
    } else if (alternative == "FILE" || alternative == "CSV" || alternative == "DUMP") {
        all.files = true;
    } else if (alternative == "REF") {
        all.words.emplace_back("reference");
        all.files = true;
    } else if (alternative == "SAMPLE") {
        for (const SampleInfo& sample : allSamples())
            all.words.emplace_back(sample.name);
    }
}

} // namespace

Candidates candidatesOf(std::string_view value) {
    Candidates all;
    while (!value.empty()) {
        const std::size_t bar = std::min(value.find('|'), value.size());
        addAlternative(all, value.substr(0, bar));
        value.remove_prefix(std::min(bar + 1, value.size()));
    }
    return all;
}

} // namespace plumbline::command_line
