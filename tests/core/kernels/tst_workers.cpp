// SPDX-License-Identifier: GPL-3.0-or-later
// Threads that share rows: every row once, whatever their number, and how parts may end.
#include <atomic>
#include <stdexcept>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "core/kernels/workers.h"

namespace plumbline {
namespace {

constexpr std::uint64_t kWorthSharing = 1'000'000'000;

/// How often each of `rows` rows is visited.
std::vector<int> visits(Workers& workers, std::int64_t rows, std::uint64_t work) {
    std::vector<std::atomic<int>> seen(static_cast<std::size_t>(rows));
    const KernelStatus status = workers.overRows(rows, work, [&](RowRange part) {
        for (std::int64_t row = part.first; row < part.end; ++row)
            ++seen[static_cast<std::size_t>(row)];
        return KernelStatus::Done;
    });
    EXPECT_EQ(status, KernelStatus::Done);
    return {seen.begin(), seen.end()};
}

TEST(Workers, visitEveryRowOnce) {
    for (const unsigned threads : {1U, 2U, 3U, 8U, 200U}) {
        Workers workers(threads);
        for (const std::int64_t rows : {1, 2, 7, 8, 9, 1000}) {
            for (int again = 0; again < 200; ++again)
                ASSERT_EQ(visits(workers, rows, kWorthSharing),
                          std::vector<int>(static_cast<std::size_t>(rows), 1))
                    << threads << " threads, " << rows << " rows";
        }
    }
}

TEST(Workers, makeNoMorePartsThanRowsOrThreads) {
    for (const std::int64_t rows : {2, 3, 100}) {
        std::atomic<int> parts = 0;
        Workers(5).overRows(rows, kWorthSharing, [&](RowRange part) {
            EXPECT_LT(part.first, part.end);
            ++parts;
            return KernelStatus::Done;
        });
        EXPECT_EQ(parts, std::min<std::int64_t>(rows, 5));
    }
}

TEST(Workers, leaveLittleWorkInOnePiece) {
    std::atomic<int> parts = 0;
    Workers(4).overRows(100, 10, [&](RowRange part) {
        EXPECT_EQ(part.end - part.first, 100);
        ++parts;
        return KernelStatus::Done;
    });
    EXPECT_EQ(parts, 1);
}

TEST(Workers, giveTheStatusOfAPartThatIsNotDone) {
    for (const KernelStatus ended : {KernelStatus::Fault, KernelStatus::Stopped}) {
        Workers workers(4);
        EXPECT_EQ(workers.overRows(
                      8, kWorthSharing,
                      [&](RowRange part) { return part.end == 8 ? ended : KernelStatus::Done; }),
                  ended);
        EXPECT_EQ(visits(workers, 8, kWorthSharing), std::vector<int>(8, 1)) << "afterwards";
    }
}

TEST(Workers, rethrowWhatAPartThrows) {
    Workers workers(4);
    const auto fails = [&] {
        workers.overRows(8, kWorthSharing, [](RowRange part) -> KernelStatus {
            if (part.first == 0)
                throw std::runtime_error("part");
            return KernelStatus::Done;
        });
    };
    EXPECT_THROW(fails(), std::runtime_error);
    EXPECT_EQ(visits(workers, 8, kWorthSharing), std::vector<int>(8, 1)) << "afterwards";
}

TEST(Workers, runALayerInsideALayerAlone) {
    Workers outer(3);
    std::atomic<int> rows = 0;
    outer.overRows(3, kWorthSharing, [&](RowRange part) {
        Workers inner(3);
        return inner.overRows(10, kWorthSharing, [&](RowRange own) {
            rows += static_cast<int>((own.end - own.first) * (part.end - part.first));
            return KernelStatus::Done;
        });
    });
    EXPECT_EQ(rows, 30);
}

TEST(Workers, serveSeveralCallersAtATime) {
    std::vector<std::jthread> callers;
    std::atomic<int> wrong = 0;
    for (int i = 0; i < 4; ++i)
        callers.emplace_back([&] {
            Workers workers(3);
            for (int again = 0; again < 300; ++again)
                wrong += visits(workers, 17, kWorthSharing) != std::vector<int>(17, 1);
        });
    callers.clear();
    EXPECT_EQ(wrong, 0);
}

TEST(Workers, coverElementsInBlocks) {
    for (const std::int64_t elements : {1, 65'535, 65'536, 65'537, 1'000'000}) {
        std::atomic<std::int64_t> covered = 0;
        Workers workers(3);
        EXPECT_EQ(workers.overElements(elements, {},
                                       [&](std::int64_t first, std::int64_t end) {
                                           EXPECT_LE(end, elements);
                                           covered += end - first;
                                           return KernelStatus::Done;
                                       }),
                  KernelStatus::Done);
        EXPECT_EQ(covered, elements);
    }
}

TEST(Workers, lookAtTheTokenBetweenBlocks) {
    std::stop_source source;
    int blocks = 0;
    EXPECT_EQ(Workers(1).overElements(1'000'000, source.get_token(),
                                      [&](std::int64_t, std::int64_t) {
                                          if (++blocks == 3)
                                              source.request_stop();
                                          return KernelStatus::Done;
                                      }),
              KernelStatus::Stopped);
    EXPECT_EQ(blocks, 3);
}

} // namespace
} // namespace plumbline
