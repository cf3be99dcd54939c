// SPDX-License-Identifier: GPL-3.0-or-later
// The stages behind validate. Internal to this room.
#pragma once

#include <initializer_list>
#include <vector>

#include "core/npu_p0/validator.h"

namespace plumbline::npu_p0 {

using Verdict = std::optional<RecordViolation>;

class Validator {
  public:
    Validator(const Descriptor& descriptor, std::optional<AddressRange> array)
        : m_d(descriptor)
        , m_array(array) {}

    Verdict run();

  private:
    std::int64_t get(Field field) const { return m_d.get(field); }
    bool is(std::uint32_t opcodes) const { return isOneOf(m_d.opcode(), opcodes); }

    static Verdict fail(FaultCode code, std::optional<std::int64_t> word, std::string message) {
        return RecordViolation{code, word, std::move(message)};
    }
    static Verdict failAt(FaultCode code, Field field, std::string message) {
        return fail(code, wordOf(field), std::move(message));
    }

    /// The field's own rule from the table: zero where reserved, else its range.
    Verdict own(Field field, FaultCode code) const;

    Verdict allOwn(std::initializer_list<Field> fields, FaultCode code) const;

    Verdict structure();

    Verdict knownOpcode();

    /// Words that this opcode does not use, in the order ADD, weights, parameters, window.
    Verdict unusedFields();

    Verdict geometry();

    Verdict window();

    Verdict unsupported(bool holds, Field field, std::string_view rule) const;

    Verdict strides() const;
    Verdict sameChannels() const;
    Verdict sameZeroPoints() const;
    Verdict sameGeometry() const;
    Verdict outputIsOne() const;
    Verdict unitWindow() const;
    Verdict kernelWithin16() const;

    Verdict convRules();
    Verdict poolRules();
    Verdict depthwiseRules();
    Verdict denseRules();
    Verdict addRules();
    Verdict globalRules();
    Verdict clampRules();

    Verdict rulesOfOpcode();

    Verdict operatorRules();

    Verdict exactly(Field field, std::int64_t expected) const;
    Verdict notZero(Field field) const;

    Verdict regions();

    struct Operand {
        Field base;
        Field rowBytes;
        Field bytes;
        std::int64_t h, rowContent;
    };

    /// One operand's fields.
    std::vector<Operand> operands() const;

    Verdict rowBytesCoverRow(Field field, std::int64_t rowContent) const;

    Verdict withinAddressSpace(Field base, std::int64_t bytes) const;

    Verdict spanOf(const Operand& operand) const;

    Verdict spans();

    Verdict alignment();

    struct Range {
        std::string_view name;
        std::uint64_t base = 0;
        std::uint64_t bytes = 0;
        bool isInput = false;
    };

    std::vector<Range> ranges() const;

    Verdict overlap();

    const Descriptor& m_d;
    std::optional<AddressRange> m_array;
};

} // namespace plumbline::npu_p0
