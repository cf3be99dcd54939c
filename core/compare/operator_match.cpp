// SPDX-License-Identifier: GPL-3.0-or-later
// Operators are matched as lines of text are by a line comparison, with degrees of likeness:
//
// - Equal operators at both ends of a stretch belong together; they are trimmed.
// - What remains, when it is small, is aligned by the heaviest chain of pairs. A pair weighs more
//   the more it has in common: constants, structure, parts of the geometry, at least the name.
// - When it is large, operators that occur once on each side and are equal divide it into smaller
//   stretches; without any, the chain is sought near the diagonal only.
// - Left-over operators that are equal in everything have moved.
//
// Ties are broken by place, so the side with fewer or lesser operators always goes first: the
// result does not depend on which lowering is called the first.
#include "core/compare/operator_match.h"

#include <algorithm>
#include <cstdlib>
#include <map>
#include <unordered_map>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/base/sha256.h"

namespace plumbline {
namespace {

constexpr std::size_t kMaxCells = 4'000'000; ///< of the table of one alignment, bytes
constexpr std::size_t kSmallCells = 250'000; ///< up to here a stretch is aligned at once

/// What an operator is compared by, as text.
struct Description {
    std::string name;
    std::string structure; ///< name, opcode, geometry, sizes of constants
    std::string constants; ///< digests of weights and parameters
    std::string whole;     ///< all of these and the quantization
    const OperatorGeometry* geometry = nullptr;
};

/// The same with numbers; equal ones stand for equal texts.
struct Signature {
    int name = 0;
    int structure = 0;
    int constants = 0;
    int whole = 0;
    const OperatorGeometry* geometry = nullptr;
};

std::string digestOf(const Bytes& region, const std::optional<RegionSlice>& slice) {
    if (!slice || slice->offset > region.size() || slice->bytes > region.size() - slice->offset)
        return "";
    return sha256Hex(ByteView(region).subspan(static_cast<std::size_t>(slice->offset),
                                              static_cast<std::size_t>(slice->bytes)));
}

std::vector<Description> describe(const Lowering& lowering) {
    std::vector<Description> made;
    for (const LoweredOperator& op : lowering.operators) {
        const OperatorGeometry& g = op.geometry;
        const OperatorQuantization& q = op.quantization;
        Description d{op.name, "", "", "", &g};
        d.structure = fmt::format("{} {}", op.name, placementName(op.placement));
        if (op.placement == Placement::Npu) // a package states no more of the others
            d.structure += fmt::format(
                " {} {}x{}x{} {}x{}x{} {}x{} {}x{} {} {} {}", op.opcode, g.h, g.w, g.cin, g.oh,
                g.ow, g.cout, g.kh, g.kw, g.strideH, g.strideW, fmt::join(g.pads, ","),
                op.weights ? op.weights->bytes : 0, op.params ? op.params->bytes : 0);
        d.constants =
            digestOf(lowering.weights, op.weights) + " " + digestOf(lowering.params, op.params);
        d.whole = d.structure + " " + d.constants;
        if (op.placement == Placement::Npu)
            d.whole += fmt::format(" {} {} {} {} {} {} {} {}", q.inputScale, q.inputZeroPoint,
                                   q.input1Scale.value_or(0), q.input1ZeroPoint.value_or(0),
                                   q.outputScale, q.outputZeroPoint, q.lower, q.upper);
        made.push_back(std::move(d));
    }
    return made;
}

class Interner {
  public:
    std::vector<Signature> operator()(const std::vector<Description>& descriptions) {
        std::vector<Signature> made;
        for (const Description& d : descriptions)
            made.push_back({number(d.name), number(d.structure), number(d.constants),
                            number(d.whole), d.geometry});
        return made;
    }

  private:
    int number(const std::string& text) {
        return m_numbers.try_emplace(text, static_cast<int>(m_numbers.size())).first->second;
    }
    std::unordered_map<std::string, int> m_numbers;
};

/// How much two operators have in common; 0 for those that cannot be matched.
int likeness(const Signature& a, const Signature& b) {
    if (a.name != b.name)
        return 0;
    if (a.whole == b.whole)
        return 32;
    int sum = a.structure == b.structure ? 16 : 8;
    const OperatorGeometry &x = *a.geometry, &y = *b.geometry;
    sum += a.constants == b.constants ? 4 : 0;
    sum += x.kh == y.kh && x.kw == y.kw && x.strideH == y.strideH && x.strideW == y.strideW ? 2 : 0;
    sum += x.cout == y.cout ? 1 : 0;
    sum += x.h == y.h && x.w == y.w && x.cin == y.cin ? 1 : 0;
    return sum;
}

/// Operators begin..end of both sides.
struct Stretch {
    std::size_t aBegin, aEnd, bBegin, bEnd;
    std::size_t aSize() const { return aEnd - aBegin; }
    std::size_t bSize() const { return bEnd - bBegin; }
};

MatchedOperators pairOf(std::size_t i, std::size_t j) {
    return {{static_cast<std::int64_t>(i), static_cast<std::int64_t>(j)}};
}

/// The heaviest chain of pairs of a stretch. Where the table would be too large, only pairs near
/// the diagonal are looked at.
class Alignment {
  public:
    Alignment(const std::vector<Signature>& a, const std::vector<Signature>& b,
              const Stretch& stretch)
        : m_a(a)
        , m_b(b)
        , m_s(stretch)
        , m_width(std::min(stretch.bSize(), std::max<std::size_t>(8, kMaxCells / stretch.aSize())))
        , m_moves(stretch.aSize() * m_width) {}

    void run(std::vector<MatchedOperators>& matches) {
        fill();
        std::size_t i = m_s.aSize(), j = m_s.bSize();
        while (i > 0 && j > 0) {
            const std::size_t begin = bandBegin(i - 1);
            if (j > begin + m_width) { // right of the band: nothing there was looked at
                --j;
                continue;
            }
            const char move = j > begin ? m_moves[(i - 1) * m_width + (j - 1 - begin)] : 'a';
            if (move == 'm')
                matches.push_back(pairOf(m_s.aBegin + i - 1, m_s.bBegin + j - 1));
            i -= move == 'b' ? 0 : 1;
            j -= move == 'a' ? 0 : 1;
        }
    }

  private:
    /// First column of row `row` that is looked at; never decreases from row to row.
    std::size_t bandBegin(std::size_t row) const {
        const std::size_t center = row * m_s.bSize() / m_s.aSize();
        const std::size_t last = m_s.bSize() - m_width;
        return std::min(last, center > m_width / 2 ? center - m_width / 2 : 0);
    }

    void fill() {
        // best[j]: weight of the best chain of the rows so far and the first j columns.
        std::vector<std::int64_t> best(m_s.bSize() + 1, 0);
        std::vector<std::int64_t> next(best);
        for (std::size_t i = 0; i < m_s.aSize(); ++i) {
            const std::size_t begin = bandBegin(i);
            next[begin] = best[begin];
            for (std::size_t j = begin; j < begin + m_width; ++j) {
                const int common = likeness(m_a[m_s.aBegin + i], m_b[m_s.bBegin + j]);
                const std::int64_t match = common > 0 ? best[j] + common : -1;
                char move = best[j + 1] >= next[j] ? 'a' : 'b';
                next[j + 1] = std::max(best[j + 1], next[j]);
                if (match >= next[j + 1]) {
                    move = 'm';
                    next[j + 1] = match;
                }
                m_moves[i * m_width + (j - begin)] = move;
            }
            std::fill(next.begin() + static_cast<std::ptrdiff_t>(begin + m_width + 1), next.end(),
                      next[begin + m_width]);
            best.swap(next);
        }
    }

    const std::vector<Signature>& m_a;
    const std::vector<Signature>& m_b;
    Stretch m_s;
    std::size_t m_width;
    std::vector<char> m_moves; ///< 'm' match, 'a' or 'b': one side goes without
};

/// Which of `matches` make the longest chain along which both indices grow.
std::vector<bool> inOrder(const std::vector<OperatorMatch>& matches) {
    // tails[n]: index of the match that ends the chain of n + 1 with the smallest second index.
    std::vector<std::size_t> tails, previous(matches.size(), matches.size());
    for (std::size_t k = 0; k < matches.size(); ++k) {
        const auto at = std::lower_bound(
            tails.begin(), tails.end(), matches[k].second,
            [&](std::size_t tail, std::int64_t second) { return matches[tail].second < second; });
        if (at != tails.begin())
            previous[k] = *(at - 1);
        if (at == tails.end())
            tails.push_back(k);
        else
            *at = k;
    }
    std::vector<bool> kept(matches.size());
    for (std::size_t k = tails.empty() ? matches.size() : tails.back(); k < matches.size();
         k = previous[k])
        kept[k] = true;
    return kept;
}

class Matcher {
  public:
    Matcher(const std::vector<Signature>& a, const std::vector<Signature>& b)
        : m_a(a)
        , m_b(b) {}

    std::vector<MatchedOperators> run() {
        m_pending.push_back({0, m_a.size(), 0, m_b.size()});
        while (!m_pending.empty()) {
            const Stretch stretch = m_pending.back();
            m_pending.pop_back();
            match(stretch);
        }
        matchMoved();
        return std::move(m_matches);
    }

  private:
    bool isWhole(std::size_t i, std::size_t j) const { return m_a[i].whole == m_b[j].whole; }
    void add(std::size_t i, std::size_t j) { m_matches.push_back(pairOf(i, j)); }

    void match(Stretch s) {
        while (s.aSize() > 0 && s.bSize() > 0 && isWhole(s.aBegin, s.bBegin))
            add(s.aBegin++, s.bBegin++);
        while (s.aSize() > 0 && s.bSize() > 0 && isWhole(s.aEnd - 1, s.bEnd - 1))
            add(--s.aEnd, --s.bEnd);
        if (s.aSize() == 0 || s.bSize() == 0)
            return;
        if (s.aSize() * s.bSize() > kSmallCells && divide(s))
            return;
        Alignment(m_a, m_b, s).run(m_matches);
    }

    /// Divides a stretch at operators that occur once on each side; false where there are none.
    bool divide(const Stretch& s) {
        struct Count {
            std::size_t a = 0, b = 0, at = 0;
        };
        std::unordered_map<int, Count> counts;
        for (std::size_t i = s.aBegin; i < s.aEnd; ++i)
            ++counts[m_a[i].whole].a;
        for (std::size_t j = s.bBegin; j < s.bEnd; ++j) {
            Count& count = counts[m_b[j].whole];
            ++count.b;
            count.at = j;
        }
        std::vector<OperatorMatch> anchors;
        for (std::size_t i = s.aBegin; i < s.aEnd; ++i) {
            const Count& count = counts[m_a[i].whole];
            if (count.a == 1 && count.b == 1)
                anchors.push_back(
                    {static_cast<std::int64_t>(i), static_cast<std::int64_t>(count.at)});
        }
        const std::vector<bool> kept = inOrder(anchors);
        Stretch rest = s;
        for (std::size_t k = 0; k < anchors.size(); ++k) {
            if (!kept[k])
                continue;
            const auto i = static_cast<std::size_t>(anchors[k].first);
            const auto j = static_cast<std::size_t>(anchors[k].second);
            add(i, j);
            m_pending.push_back({rest.aBegin, i, rest.bBegin, j});
            rest.aBegin = i + 1;
            rest.bBegin = j + 1;
        }
        if (!anchors.empty())
            m_pending.push_back(rest);
        return !anchors.empty();
    }

    void matchMoved() {
        std::vector<bool> aTaken(m_a.size()), bTaken(m_b.size());
        for (const MatchedOperators& match : m_matches) {
            aTaken[static_cast<std::size_t>(match.pair.first)] = true;
            bTaken[static_cast<std::size_t>(match.pair.second)] = true;
        }
        std::map<int, std::vector<std::size_t>> left; // of the second side, last one first
        for (std::size_t j = m_b.size(); j-- > 0;) {
            if (!bTaken[j])
                left[m_b[j].whole].push_back(j);
        }
        for (std::size_t i = 0; i < m_a.size(); ++i) {
            const auto found = aTaken[i] ? left.end() : left.find(m_a[i].whole);
            if (found == left.end() || found->second.empty())
                continue;
            m_matches.push_back(pairOf(i, found->second.back()));
            m_matches.back().hasMoved = true;
            found->second.pop_back();
        }
    }

    const std::vector<Signature>& m_a;
    const std::vector<Signature>& m_b;
    std::vector<Stretch> m_pending;
    std::vector<MatchedOperators> m_matches;
};

/// Whether the side with descriptions `a` goes before that with `b`.
bool goesFirst(const std::vector<Description>& a, const std::vector<Description>& b) {
    if (a.size() != b.size())
        return a.size() < b.size();
    return std::lexicographical_compare(
        a.begin(), a.end(), b.begin(), b.end(),
        [](const Description& x, const Description& y) { return x.whole < y.whole; });
}

} // namespace

std::vector<MatchedOperators> matchOperators(const Lowering& first, const Lowering& second) {
    const std::vector<Description> x = describe(first), y = describe(second);
    Interner intern;
    const std::vector<Signature> a = intern(x), b = intern(y);
    std::vector<MatchedOperators> matches;
    if (goesFirst(y, x)) {
        matches = Matcher(b, a).run();
        for (MatchedOperators& m : matches)
            std::swap(m.pair.first, m.pair.second);
    } else {
        matches = Matcher(a, b).run();
    }
    std::sort(matches.begin(), matches.end(),
              [](const MatchedOperators& p, const MatchedOperators& q) {
                  return p.pair.first < q.pair.first;
              });
    return matches;
}

} // namespace plumbline
