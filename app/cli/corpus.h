// SPDX-License-Identifier: GPL-3.0-or-later
// Parts of `plumb corpus`: where inputs and labels come from, and the pool that runs them.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

#include "app/cli/subject.h"
#include "core/base/posix_file.h"

namespace plumbline::cli {

/// The inputs of a corpus: one packed file, or a directory with a file per input in the order of
/// their names (bytewise; hidden files are left out). Inputs are read when they are asked for.
class CorpusInputs {
  public:
    /// `itemBytes` is needed for a file. Throws Failure.
    CorpusInputs(const std::string& path, std::optional<std::uint64_t> itemBytes, InputForm form,
                 std::optional<std::uint64_t> limit);

    std::uint64_t count() const { return m_count; }
    const InputForm& form() const { return m_form; }
    /// Input `index` < count(). May be called from several threads. Throws Failure.
    Bytes read(std::uint64_t index) const;

  private:
    void openFile(std::optional<std::uint64_t> itemBytes);
    void listDirectory();

    std::string m_path;
    InputForm m_form;
    std::uint64_t m_count = 0;
    posix::FileDescriptor m_file;
    std::vector<std::filesystem::path> m_files;
};

/// The class of each of `count` inputs, from a CSV file: a header line, then index,name,class.
/// Lines beyond `count` are ignored; a missing, repeated or malformed one, or a class that is not
/// below `classes`, is a failure.
std::vector<std::int32_t> loadLabels(const std::string& path, std::uint64_t count,
                                     std::uint64_t classes);

/// What one input gave.
struct ItemResult {
    Bytes output;                                             ///< empty with a fault
    std::vector<std::pair<std::int64_t, std::string>> layers; ///< operator and SHA-256
    std::optional<Fault> fault;
};

/// Runs one input; called from several threads.
using RunItem = std::function<ItemResult(ByteView input, const std::stop_token& stop)>;
/// Takes the results in index order; called from the calling thread.
using TakeItem = std::function<void(std::uint64_t index, ItemResult result)>;

/// Runs all inputs on `jobs` threads. At most a few results per thread wait for their turn, so
/// memory does not grow with the number of inputs. Throws what an item throws, and Failure when
/// stopped.
void runCorpus(const CorpusInputs& inputs, unsigned jobs, const RunItem& run, const TakeItem& take,
               const std::stop_token& stop);

} // namespace plumbline::cli
