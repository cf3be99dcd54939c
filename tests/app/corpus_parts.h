// SPDX-License-Identifier: GPL-3.0-or-later
// A small corpus, run in shards.
#pragma once

#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "core/base/sha256.h"
#include "tests/app/plumb_process.h"

namespace plumbline::test {

/// The result of a corpus without what can never be equal.
nlohmann::json timeless(nlohmann::json result);

class CorpusParts : public testing::Test {
  protected:
    static constexpr std::size_t kItem = 490;
    static constexpr std::size_t kInputs = 23;
    static constexpr std::size_t kRight = 9; ///< of the labels that writeLabels() writes

    std::string path(const std::string& name) const { return (m_directory.path() / name).string(); }
    /// plumb corpus of the model and its inputs, with --json.
    Outcome corpus(std::vector<std::string> arguments) const;
    /// Runs every shard and gives the part files in order; the digest lines lie beside them.
    std::vector<std::string> runShards(std::size_t shards, const std::vector<std::string>& options,
                                       bool digests) const;
    /// plumb corpus-merge with --json.
    static Outcome merge(std::vector<std::string> parts, const std::vector<std::string>& options);
    /// Makes m_labels, right for the first kRight inputs only.
    void writeLabels();

    TemporaryDirectory m_directory;
    std::string m_model = sampleFile(m_directory.path(), "ds-cnn");
    Bytes m_bytes = splitMixBytes(5, kItem* kInputs);
    std::string m_inputs = writeFile(m_directory.path() / "inputs.bin", m_bytes);
    std::string m_labels;
};

} // namespace plumbline::test
