// SPDX-License-Identifier: GPL-3.0-or-later
// Runs inputs on several threads and hands the results over in index order.
#include <condition_variable>
#include <exception>
#include <mutex>
#include <thread>
#include <utility>

#include "app/cli/corpus.h"

namespace plumbline::cli {
namespace {

class OrderedPool {
  public:
    OrderedPool(const CorpusInputs& inputs, unsigned jobs, const RunItem& run)
        : m_inputs(inputs)
        , m_run(run)
        , m_slots(std::size_t{kResultsPerThread} * jobs) {
        m_threads.reserve(jobs);
        for (unsigned i = 0; i < jobs; ++i)
            m_threads.emplace_back([this] { work(); });
    }

    ~OrderedPool() { m_stop.request_stop(); } // the threads then end and are joined

    void requestStop() { m_stop.request_stop(); }

    /// The result of the next index; nothing when the pool was stopped. Rethrows a worker's
    /// exception.
    std::optional<ItemResult> next() {
        std::unique_lock lock(m_mutex);
        std::optional<ItemResult>& slot = m_slots[slotOf(m_taken)];
        const bool ready =
            m_resultReady.wait(lock, m_stop.get_token(), [&slot] { return slot.has_value(); });
        if (m_error)
            std::rethrow_exception(m_error);
        if (!ready)
            return std::nullopt;
        std::optional<ItemResult> result = std::exchange(slot, std::nullopt);
        ++m_taken;
        m_slotFree.notify_all();
        return result;
    }

  private:
    static constexpr unsigned kResultsPerThread = 4;

    std::size_t slotOf(std::uint64_t index) const {
        return static_cast<std::size_t>(index % m_slots.size());
    }

    /// Takes the next index as soon as there is a slot for its result.
    std::optional<std::uint64_t> claim() {
        std::unique_lock lock(m_mutex);
        const bool free = m_slotFree.wait(lock, m_stop.get_token(), [this] {
            return m_claimed == m_inputs.count() || m_claimed < m_taken + m_slots.size();
        });
        if (!free || m_claimed == m_inputs.count())
            return std::nullopt;
        return m_claimed++;
    }

    void work() {
        try {
            while (const std::optional<std::uint64_t> index = claim()) {
                ItemResult result = m_run(m_inputs.read(*index), m_stop.get_token());
                const std::scoped_lock lock(m_mutex);
                m_slots[slotOf(*index)] = std::move(result);
                m_resultReady.notify_all();
            }
        } catch (...) {
            {
                const std::scoped_lock lock(m_mutex);
                // A job that ends because of the stop is not what went wrong.
                if (!m_error && !m_stop.stop_requested())
                    m_error = std::current_exception();
            }
            m_stop.request_stop();
        }
    }

    const CorpusInputs& m_inputs;
    const RunItem& m_run;
    std::vector<std::optional<ItemResult>> m_slots;
    std::mutex m_mutex;
    std::condition_variable_any m_resultReady;
    std::condition_variable_any m_slotFree;
    std::uint64_t m_claimed = 0; ///< indices given to workers
    std::uint64_t m_taken = 0;   ///< results handed over
    std::exception_ptr m_error;
    std::stop_source m_stop;
    std::vector<std::jthread> m_threads; ///< last member: joined before the others go
};

} // namespace

void runCorpus(const CorpusInputs& inputs, unsigned jobs, const RunItem& run, const TakeItem& take,
               const std::stop_token& stop) {
    OrderedPool pool(inputs, jobs, run);
    const std::stop_callback forward(stop, [&pool] { pool.requestStop(); });
    for (std::uint64_t index = 0; index < inputs.count(); ++index) {
        std::optional<ItemResult> result = pool.next();
        if (!result)
            failCancelled();
        take(index, *std::move(result));
    }
}

} // namespace plumbline::cli
