// SPDX-License-Identifier: GPL-3.0-or-later
// Relocations of matched records: missing, extra, or different from what the records' words say.
#include <algorithm>
#include <iterator>
#include <map>

#include <fmt/format.h>

#include "core/compare/lowering_changes.h"

namespace plumbline {
namespace {

/// Two relocations that belong together, by index; one is missing where there is none.
struct RelocationPair {
    std::optional<std::size_t> first, second;
};

std::string textOf(const Relocation& r) {
    return fmt::format("record {} word {} {}+{}", r.record, r.word, r.region, r.offset);
}

bool isIndex(std::int64_t index, std::size_t count) {
    return index >= 0 && static_cast<std::uint64_t>(index) < count;
}

/// Whether a relocation says what the word of its record says.
bool agrees(const Relocation& r, const Lowering& lowering) {
    const Bytes& record = lowering.records[static_cast<std::size_t>(r.record)].bytes;
    return isIndex(r.word, record.size() / 4) &&
           loadU32(record, static_cast<std::size_t>(r.word) * 4) == r.offset;
}

/// The relocations of one lowering by word of matched record, in the first one's numbers.
using ByWord = std::map<std::pair<std::int64_t, std::int64_t>, std::vector<std::size_t>>;

class RelocationDiffer {
  public:
    explicit RelocationDiffer(LoweringComparison& comparison)
        : m_c(comparison)
        , m_first(comparison.first.relocations)
        , m_second(comparison.second.relocations)
        , m_firstRecords(comparison.first.records.size())
        , m_secondRecords(comparison.second.records.size()) {
        for (const RecordPair& pair : m_c.recordPairs) {
            m_firstRecords[pair.first] = &pair;
            m_secondRecords[pair.second] = &pair;
        }
    }

    void run() {
        match();
        for (const RelocationPair& pair : m_pairs)
            diff(pair);
        diffOrder();
    }

  private:
    /// Sorts relocations by word; those of records that do not exist are put into `left`, those of
    /// operators without counterpart are left out.
    static ByWord sorted(const std::vector<Relocation>& relocations,
                         const std::vector<const RecordPair*>& records,
                         std::vector<std::size_t>& left) {
        ByWord byWord;
        for (std::size_t i = 0; i < relocations.size(); ++i) {
            const Relocation& r = relocations[i];
            if (!isIndex(r.record, records.size()))
                left.push_back(i);
            else if (const RecordPair* pair = records[static_cast<std::size_t>(r.record)])
                byWord[{static_cast<std::int64_t>(pair->first), r.word}].push_back(i);
        }
        return byWord;
    }

    void match() {
        std::vector<std::size_t> leftFirst, leftSecond;
        ByWord first = sorted(m_first, m_firstRecords, leftFirst);
        ByWord second = sorted(m_second, m_secondRecords, leftSecond);
        for (auto& [word, ours] : first)
            matchWord(ours, second[word], leftFirst);
        for (const auto& [word, theirs] : second)
            leftSecond.insert(leftSecond.end(), theirs.begin(), theirs.end());
        matchLeft(leftFirst, leftSecond);
        std::sort(m_pairs.begin(), m_pairs.end(),
                  [](const RelocationPair& x, const RelocationPair& y) {
                      return std::pair(x.first.value_or(*x.second), x.second) <
                             std::pair(y.first.value_or(*y.second), y.second);
                  });
    }

    /// Pairs the relocations of one word: equal ones at the same place of both lists, then the
    /// others in order. What is left of `theirs` stays there.
    void matchWord(std::vector<std::size_t>& ours, std::vector<std::size_t>& theirs,
                   std::vector<std::size_t>& leftFirst) {
        const auto isSame = [&](std::size_t i) {
            return i < m_first.size() && i < m_second.size() &&
                   m_first[i].region == m_second[i].region &&
                   m_first[i].offset == m_second[i].offset;
        };
        std::vector<std::size_t> same;
        std::set_intersection(ours.begin(), ours.end(), theirs.begin(), theirs.end(),
                              std::back_inserter(same));
        std::erase_if(same, [&](std::size_t i) { return !isSame(i); });
        for (const std::size_t i : same)
            m_pairs.push_back({i, i});
        const auto isPaired = [&](std::size_t i) {
            return std::binary_search(same.begin(), same.end(), i);
        };
        std::erase_if(ours, isPaired);
        std::erase_if(theirs, isPaired);
        const auto common = static_cast<std::ptrdiff_t>(std::min(ours.size(), theirs.size()));
        for (std::ptrdiff_t n = 0; n < common; ++n)
            m_pairs.push_back(
                {ours[static_cast<std::size_t>(n)], theirs[static_cast<std::size_t>(n)]});
        leftFirst.insert(leftFirst.end(), ours.begin() + common, ours.end());
        theirs.erase(theirs.begin(), theirs.begin() + common);
    }

    /// Left over at the same place of both lists: one relocation that was changed.
    void matchLeft(std::vector<std::size_t>& first, std::vector<std::size_t>& second) {
        std::sort(first.begin(), first.end());
        std::sort(second.begin(), second.end());
        for (const std::size_t i : first) {
            const bool inBoth = std::binary_search(second.begin(), second.end(), i);
            m_pairs.push_back({i, inBoth ? std::optional(i) : std::nullopt});
        }
        for (const std::size_t j : second) {
            if (!std::binary_search(first.begin(), first.end(), j))
                m_pairs.push_back({std::nullopt, j});
        }
    }

    bool isSameWord(const Relocation& a, const Relocation& b) const {
        return a.word == b.word && isIndex(a.record, m_firstRecords.size()) &&
               isIndex(b.record, m_secondRecords.size()) &&
               m_c.records[static_cast<std::size_t>(a.record)] == b.record;
    }

    void diff(const RelocationPair& pair) {
        const Relocation* const a = pair.first ? &m_first[*pair.first] : nullptr;
        const Relocation* const b = pair.second ? &m_second[*pair.second] : nullptr;
        if (a && b && isSameWord(*a, *b) && a->region == b->region &&
            (a->offset == b->offset || (agrees(*a, m_c.first) && agrees(*b, m_c.second))))
            return; // a word that changed with its relocation is told as a change of the word
        const RecordPair* const records = recordsOf(a, b);
        std::string key = fmt::format("relocations[{}]", pair.first ? *pair.first : *pair.second);
        std::string ours = a ? textOf(*a) : "", theirs = b ? textOf(*b) : "";
        LoweringChange& change = records
                                     ? m_c.add(ChangeKind::Address, *records, std::move(key),
                                               std::move(ours), std::move(theirs))
                                     : m_c.add(ChangeKind::Address, nullptr, nullptr,
                                               std::move(key), std::move(ours), std::move(theirs));
        change.word = a ? a->word : b->word;
        change.consequence = consequenceOf(a, b);
    }

    /// The records that the change is of: those of the first one's relocation, if it exists.
    const RecordPair* recordsOf(const Relocation* a, const Relocation* b) const {
        if (a && isIndex(a->record, m_firstRecords.size()))
            return m_firstRecords[static_cast<std::size_t>(a->record)];
        return b && isIndex(b->record, m_secondRecords.size())
                   ? m_secondRecords[static_cast<std::size_t>(b->record)]
                   : nullptr;
    }

    std::string consequenceOf(const Relocation* a, const Relocation* b) const {
        if (!b)
            return fmt::format("word {} of record {} is not relocated", a->word, a->record);
        if (!a)
            return fmt::format("word {} of record {} is relocated once more", b->word, b->record);
        if (!isSameWord(*a, *b))
            return fmt::format("word {} of record {} is relocated instead", b->word, b->record);
        if (a->region != b->region)
            return fmt::format("the address counts from {} instead of {}", b->region, a->region);
        return agrees(*b, m_c.second) ? "the record's word agrees with it in the second only"
                                      : "the record's word says another offset";
    }

    /// Relocations are applied in their order: it is told where it alone differs.
    void diffOrder() {
        const auto byBoth = [](const auto& x, const auto& y) { return x.second < y.second; };
        if (!std::is_sorted(m_c.recordPairs.begin(), m_c.recordPairs.end(), byBoth))
            return;
        std::vector<std::size_t> order;
        for (const RelocationPair& pair : m_pairs) {
            if (pair.first && pair.second)
                order.push_back(*pair.second);
        }
        const auto broken = std::is_sorted_until(order.begin(), order.end());
        if (broken != order.end())
            m_c.add(ChangeKind::Address, nullptr, nullptr, "relocations", "in order",
                    fmt::format("relocation {} comes earlier", *broken))
                .consequence = "the relocations are applied in another order";
    }

    LoweringComparison& m_c;
    const std::vector<Relocation>& m_first;
    const std::vector<Relocation>& m_second;
    std::vector<const RecordPair*> m_firstRecords; ///< by record; null without counterpart
    std::vector<const RecordPair*> m_secondRecords;
    std::vector<RelocationPair> m_pairs;
};

} // namespace

void addRelocationChanges(LoweringComparison& comparison) { RelocationDiffer(comparison).run(); }

} // namespace plumbline
