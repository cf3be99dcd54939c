// SPDX-License-Identifier: GPL-3.0-or-later
// Parts of `plumb corpus`: where inputs and labels come from, and the threads that run them.
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

/// Inputs first, first + 1, … of a corpus.
struct IndexRange {
    std::uint64_t first = 0;
    std::uint64_t count = 0;
};

/// The inputs of a corpus: one packed file, or a directory with a file per input in the order of
/// their names (bytewise; hidden files are left out). Inputs are read when they are asked for, so
/// a directory costs memory for its names and a packed file for nothing.
class CorpusInputs {
  public:
    /// `itemBytes` is needed for a file. Throws Failure.
    CorpusInputs(const std::string& path, std::optional<std::uint64_t> itemBytes, InputForm form,
                 std::optional<std::uint64_t> limit);

    /// How many inputs take part: all, or as many as the limit says.
    std::uint64_t count() const { return m_count; }
    /// How many there are.
    std::uint64_t available() const { return m_available; }
    const InputForm& form() const { return m_form; }
    bool isDirectory() const { return !m_file.isOpen(); }
    /// Input `index` < count(). May be called from several threads. Throws Failure.
    Bytes read(std::uint64_t index) const;
    /// SHA-256 of at most 64 inputs spread over the corpus, the first and the last among them, and
    /// of all file names of a directory: cheap for a corpus of any size. Throws Failure.
    std::string fingerprint() const;

  private:
    void openFile(std::optional<std::uint64_t> itemBytes);
    void listDirectory();

    std::string m_path;
    InputForm m_form;
    std::uint64_t m_count = 0;
    std::uint64_t m_available = 0;
    posix::FileDescriptor m_file;
    std::vector<std::string> m_names; ///< of the files in a directory
};

struct Labels {
    std::vector<std::int32_t> classes; ///< of a range's inputs: four bytes each
    std::string sha256;                ///< of all lines of the file, each with a newline
};

/// The labels of the inputs of `range`, from a CSV file: a header line, then index,name,class.
/// Lines of other inputs are ignored; a missing, repeated or malformed one, or a class that is not
/// below `classes`, is a failure.
Labels loadLabels(const std::string& path, IndexRange range, std::uint64_t classes);

/// What one input gave.
struct ItemResult {
    Bytes output;                                             ///< empty with a fault
    std::vector<std::pair<std::int64_t, std::string>> layers; ///< operator and SHA-256
    std::optional<Fault> fault;
    std::string digestLine; ///< for the digests file, where there is one
};

/// Runs one input; called from several threads.
using RunItem =
    std::function<ItemResult(std::uint64_t index, ByteView input, const std::stop_token& stop)>;
/// Takes the results in index order, one after another; not always called from the same thread.
using TakeItem = std::function<void(std::uint64_t index, ByteView input, const ItemResult& result)>;

/// Runs the inputs of `range` on `jobs` threads, the calling one among them. At most a few results
/// per thread wait for their turn, so memory does not grow with the number of inputs. Throws
/// Failure when stopped, else what the first input that throws does, whatever `jobs` is.
void runCorpus(const CorpusInputs& inputs, IndexRange range, unsigned jobs, const RunItem& run,
               const TakeItem& take, const std::stop_token& stop);

} // namespace plumbline::cli
