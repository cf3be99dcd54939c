// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/app/corpus_parts.h"

#include <algorithm>

namespace plumbline::test {

using nlohmann::json;

json timeless(json result) {
    result.erase("seconds");
    result.erase("inputs_per_second");
    return result;
}

Outcome CorpusParts::corpus(std::vector<std::string> arguments) const {
    arguments.insert(arguments.begin(), {"corpus", m_model, "--json", "--inputs", m_inputs,
                                         "--item-bytes", std::to_string(kItem)});
    return plumb(arguments);
}

std::vector<std::string> CorpusParts::runShards(std::size_t shards,
                                                const std::vector<std::string>& options,
                                                bool digests) const {
    std::vector<std::string> parts;
    for (std::size_t i = 1; i <= shards; ++i) {
        const std::string shard = std::to_string(i) + "/" + std::to_string(shards);
        const std::string name = std::to_string(i) + "_" + std::to_string(shards);
        parts.push_back(path(name + ".json"));
        std::vector<std::string> arguments = options;
        arguments.insert(arguments.end(), {"--shard", shard, "--part", parts.back()});
        if (digests)
            arguments.insert(arguments.end(), {"--digests", path(name + ".jsonl")});
        const Outcome outcome = corpus(arguments);
        EXPECT_EQ(outcome.exitCode, 0) << shard << ": " << outcome.err;
    }
    return parts;
}

Outcome CorpusParts::merge(std::vector<std::string> parts,
                           const std::vector<std::string>& options) {
    parts.insert(parts.begin(), {"corpus-merge", "--json"});
    parts.insert(parts.end(), options.begin(), options.end());
    return plumb(parts);
}

void CorpusParts::writeLabels() {
    EXPECT_EQ(corpus({"--digests", path("for_labels.jsonl")}).exitCode, 0);
    const Bytes text = readBytes(path("for_labels.jsonl"));
    Outcome lines;
    lines.out.assign(text.begin(), text.end());
    std::string labels = "index,name,class\n";
    for (const json& line : lines.jsonLines()) {
        const Bytes output = fromHex(line.at("output_hex").get<std::string>()).value();
        const auto largest =
            std::max_element(output.begin(), output.end(), [](std::uint8_t a, std::uint8_t b) {
                return static_cast<std::int8_t>(a) < static_cast<std::int8_t>(b);
            });
        const auto index = line.at("index").get<std::size_t>();
        const auto right = static_cast<std::size_t>(largest - output.begin());
        const std::size_t label = index < kRight ? right : (right + 1) % output.size();
        labels += std::to_string(index) + ",x," + std::to_string(label) + "\n";
    }
    m_labels = writeFile(m_directory.path() / "labels.csv", labels);
}

} // namespace plumbline::test
