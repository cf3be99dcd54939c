// SPDX-License-Identifier: GPL-3.0-or-later
// Thompson's construction, run by following all states at once. External interface:
// Pattern::compile, Pattern::isFoundIn.
#include "core/filter/pattern.h"

#include <algorithm>
#include <optional>

#include <fmt/format.h>

#include "core/filter/text.h"

namespace plumbline {
namespace {

using Instruction = Pattern::Instruction;
using Kind = Instruction::Kind;
using Program = std::vector<Instruction>;
using Set = Pattern::Set;

constexpr int kMaxDepth = 64;

std::int32_t distance(std::size_t value) { return static_cast<std::int32_t>(value); }
std::size_t byteOf(char c) { return static_cast<unsigned char>(c); }

void addRange(Set& set, unsigned char first, unsigned char last) {
    for (unsigned value = first; value <= last; ++value) {
        const char c = static_cast<char>(value);
        set.set(value);
        set.set(byteOf(lowered(c)));
        if (c >= 'a' && c <= 'z')
            set.set(value - 'a' + 'A');
    }
}

/// The set of an escape such as \d; nothing for an escaped literal.
std::optional<Set> classOf(char c) {
    Set set;
    if (lowered(c) == 'd' || lowered(c) == 'w')
        addRange(set, '0', '9');
    if (lowered(c) == 'w') {
        addRange(set, 'a', 'z');
        set.set(byteOf('_'));
    }
    if (lowered(c) == 's') {
        for (const char space : {' ', '\t', '\n', '\v', '\f', '\r'})
            set.set(byteOf(space));
    }
    if (set.none())
        return std::nullopt;
    return c == lowered(c) ? set : ~set;
}

void append(Program& code, const Program& more) {
    code.insert(code.end(), more.begin(), more.end());
}

/// Recursive descent that emits code with relative jumps, so that parts can be put together.
class Compiler {
  public:
    Compiler(std::string_view text, std::vector<Set>& sets)
        : m_text(text)
        , m_sets(sets) {}

    std::optional<Program> run() {
        Program code = alternatives();
        if (m_message.empty() && m_at < m_text.size())
            fail("This ')' closes nothing");
        return m_message.empty() ? std::optional(std::move(code)) : std::nullopt;
    }

    Diagnostic error() const {
        Location where;
        where.byte = m_errorAt;
        return makeError(Code::FilterPattern, m_message, where);
    }

  private:
    bool ended() const { return m_at >= m_text.size() || !m_message.empty(); }

    void fail(std::string message) {
        if (!m_message.empty())
            return;
        m_message = std::move(message);
        m_errorAt = m_at;
    }

    Program alternatives() {
        std::vector<Program> parts{sequence()};
        while (!ended() && m_text[m_at] == '|') {
            ++m_at;
            parts.push_back(sequence());
        }
        Program code = std::move(parts.back());
        for (std::size_t i = parts.size() - 1; i-- > 0;) {
            Program both{{Kind::Split, 1, distance(parts[i].size() + 2)}};
            append(both, parts[i]);
            both.push_back({Kind::Jump, distance(code.size() + 1)});
            append(both, code);
            code = std::move(both);
        }
        return code;
    }

    Program sequence() {
        Program code;
        while (!ended() && m_text[m_at] != '|' && m_text[m_at] != ')')
            append(code, repeated());
        return code;
    }

    static bool isRepetition(char c) { return c == '*' || c == '+' || c == '?'; }

    Program repeated() {
        if (isRepetition(m_text[m_at]))
            fail(fmt::format("There is nothing that '{}' could repeat", m_text[m_at]));
        Program code = atom();
        while (!ended() && isRepetition(m_text[m_at]))
            code = repeat(std::move(code), m_text[m_at++]);
        return code;
    }

    static Program repeat(Program part, char how) {
        const std::int32_t size = distance(part.size());
        if (how == '+') {
            part.push_back({Kind::Split, -size, 1});
            return part;
        }
        Program code{{Kind::Split, 1, how == '?' ? size + 1 : size + 2}};
        append(code, part);
        if (how == '*')
            code.push_back({Kind::Jump, -(size + 1)});
        return code;
    }

    Program atom() {
        if (ended())
            return {};
        const char c = m_text[m_at];
        if (c == '(')
            return group();
        ++m_at;
        if (c == '^')
            return {{Kind::AtBegin}};
        if (c == '$')
            return {{Kind::AtEnd}};
        if (c == '.')
            return one(~Set{});
        if (c == '[')
            return one(bracket());
        if (c != '\\')
            return one(literal(c));
        if (ended()) {
            fail("A backslash ends the expression");
            return {};
        }
        const char escaped = m_text[m_at++];
        return one(classOf(escaped).value_or(literal(escaped)));
    }

    Program group() {
        if (m_depth == kMaxDepth) {
            fail(fmt::format("Groups are nested more than {} deep", kMaxDepth));
            return {};
        }
        const std::size_t open = m_at++;
        ++m_depth;
        Program code = alternatives();
        --m_depth;
        if (m_at >= m_text.size()) {
            m_at = open;
            fail("The group is not closed");
        }
        ++m_at;
        return code;
    }

    static Set literal(char c) {
        Set set;
        addRange(set, static_cast<unsigned char>(c), static_cast<unsigned char>(c));
        return set;
    }

    /// The set after its '['. A ']' that comes first is a literal.
    Set bracket() {
        const std::size_t open = m_at - 1;
        const bool inverted = !ended() && m_text[m_at] == '^';
        m_at += inverted ? 1 : 0;
        Set set;
        for (bool first = true; !ended() && (first || m_text[m_at] != ']'); first = false)
            set |= bracketItem();
        if (m_at >= m_text.size()) {
            m_at = open;
            fail("The '[' is not closed");
        }
        ++m_at;
        return inverted ? ~set : set;
    }

    Set bracketItem() {
        const char c = m_text[m_at++];
        if (c == '\\' && !ended()) {
            const char escaped = m_text[m_at++];
            return classOf(escaped).value_or(literal(escaped));
        }
        const bool isRange =
            m_at + 1 < m_text.size() && m_text[m_at] == '-' && m_text[m_at + 1] != ']';
        if (!isRange)
            return literal(c);
        const char last = m_text[m_at + 1];
        if (byteOf(last) < byteOf(c))
            fail(fmt::format("The range '{}-{}' is empty", c, last));
        m_at += 2;
        Set set;
        addRange(set, static_cast<unsigned char>(c), static_cast<unsigned char>(last));
        return set;
    }

    Program one(const Set& set) {
        m_sets.push_back(set);
        return {{Kind::Set, distance(m_sets.size() - 1)}};
    }

    std::string_view m_text;
    std::vector<Set>& m_sets;
    std::size_t m_at = 0;
    int m_depth = 0;
    std::string m_message;
    std::size_t m_errorAt = 0;
};

/// The states reached at one place of the text, each once.
class States {
  public:
    explicit States(const Program& code)
        : m_code(code)
        , m_seen(code.size() + 1, 0) {}

    void clear() {
        ++m_round;
        m_list.clear();
    }

    /// Adds `state` and what is reached from it without taking a byte. Whether a match ends here.
    bool add(std::size_t state, bool atBegin, bool atEnd) {
        m_stack.assign(1, state);
        bool matched = false;
        while (!m_stack.empty()) {
            const std::size_t at = m_stack.back();
            m_stack.pop_back();
            if (m_seen[at] == m_round)
                continue;
            m_seen[at] = m_round;
            if (at == m_code.size())
                matched = true;
            else
                follow(at, atBegin, atEnd);
        }
        return matched;
    }

    const std::vector<std::size_t>& list() const { return m_list; }

  private:
    void follow(std::size_t at, bool atBegin, bool atEnd) {
        const Instruction& instruction = m_code[at];
        const auto go = [this, at](std::int32_t way) {
            m_stack.push_back(static_cast<std::size_t>(static_cast<std::int64_t>(at) + way));
        };
        switch (instruction.kind) {
        case Kind::Set:
            m_list.push_back(at);
            break;
        case Kind::Split:
            go(instruction.second);
            [[fallthrough]];
        case Kind::Jump:
            go(instruction.first);
            break;
        case Kind::AtBegin:
            if (atBegin)
                go(1);
            break;
        case Kind::AtEnd:
            if (atEnd)
                go(1);
            break;
        }
    }

    const Program& m_code;
    std::vector<std::size_t> m_seen; ///< per state the round that added it
    std::size_t m_round = 1;
    std::vector<std::size_t> m_list;
    std::vector<std::size_t> m_stack;
};

} // namespace

Result<Pattern> Pattern::compile(std::string_view text) {
    Pattern pattern;
    Compiler compiler(text, pattern.m_sets);
    std::optional<Program> code = compiler.run();
    if (!code)
        return compiler.error();
    pattern.m_code = *std::move(code);
    return pattern;
}

bool Pattern::isFoundIn(std::string_view text) const {
    States first(m_code);
    States second(m_code);
    States* now = &first;
    States* then = &second;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (now->add(0, i == 0, false))
            return true;
        then->clear();
        for (const std::size_t state : now->list()) {
            const auto set = static_cast<std::size_t>(m_code[state].first);
            if (m_sets[set].test(byteOf(text[i])) &&
                then->add(state + 1, false, i + 1 == text.size()))
                return true;
        }
        std::swap(now, then);
    }
    return now->add(0, text.empty(), true);
}

} // namespace plumbline
