// SPDX-License-Identifier: GPL-3.0-or-later
// Everything that is wrong with a loaded package.
#include <algorithm>
#include <iterator>

#include <fmt/format.h>

#include "core/artifacts/package.h"
#include "core/artifacts/package_format.h"

namespace plumbline {
namespace {

class PackageChecker {
  public:
    PackageChecker(const Package& package, const Target& target)
        : m_package(package)
        , m_job(package.job)
        , m_fields(target.fields())
        , m_target(target) {}

    Diagnostics run() {
        m_out = m_package.diagnostics;
        if (m_job.descriptors.size() % m_fields.recordBytes != 0)
            add(Code::ManifestInconsistent,
                fmt::format("descriptors.bin has {} bytes, no multiple of {}",
                            m_job.descriptors.size(), m_fields.recordBytes));
        checkCounts();
        checkRelocations();
        for (Diagnostic& contradiction : contradictedNumbers(m_package, m_target)) {
            contradiction.where.file = (m_package.directory / kManifestName).string();
            m_out.push_back(std::move(contradiction));
        }
        const bool isValid = checkRecords();
        if (isValid)
            checkRun();
        return std::move(m_out);
    }

  private:
    void add(Code code, std::string message, Location where = {}) {
        where.file = (m_package.directory / kManifestName).string();
        m_out.push_back(makeError(code, std::move(message), std::move(where)));
    }

    std::int64_t recordCount() const {
        return static_cast<std::int64_t>(m_job.descriptors.size() / m_fields.recordBytes);
    }

    ByteView templateOf(std::int64_t record) const {
        return ByteView(m_job.descriptors)
            .subspan(static_cast<std::size_t>(record) * m_fields.recordBytes, m_fields.recordBytes);
    }

    void checkCounts() {
        if (static_cast<std::int64_t>(m_job.layers.size()) != recordCount())
            add(Code::ManifestInconsistent,
                fmt::format("the report has {} records, descriptors.bin {}", m_job.layers.size(),
                            recordCount()));
        std::int64_t mask = 0;
        for (std::int64_t i = 0; i < recordCount(); ++i)
            mask |= std::int64_t{1} << (opcodeOf(templateOf(i), m_fields) & 31);
        const auto& manifest = m_package.manifest;
        if (manifest.contains("required_opcode_mask") && manifest["required_opcode_mask"] != mask)
            add(Code::ManifestInconsistent,
                fmt::format("required_opcode_mask is {}, the records need {}",
                            manifest["required_opcode_mask"].dump(), mask));
    }

    /// The relocations that the records' pointers need, in the contract's order.
    std::vector<Relocation> expectedRelocations() const {
        std::vector<Relocation> expected;
        for (std::int64_t i = 0; i < recordCount(); ++i) {
            const ByteView record = templateOf(i);
            const std::uint32_t opcode = opcodeOf(record, m_fields);
            for (const FieldSpec& field : m_fields.fields) {
                if (field.kind == FieldKind::Address && usesField(field, opcode))
                    expected.push_back(
                        {i, field.word, std::string(field.region), fieldValue(record, field)});
            }
        }
        return expected;
    }

    void checkRelocations() {
        const std::vector<Relocation> expected = expectedRelocations();
        const std::size_t common = std::min(expected.size(), m_job.relocations.size());
        if (expected.size() != m_job.relocations.size())
            add(Code::BadRelocation, fmt::format("{} relocations, the records need {}",
                                                 m_job.relocations.size(), expected.size()));
        for (std::size_t i = 0; i < common; ++i) {
            const Relocation& r = m_job.relocations[i];
            const Relocation& e = expected[i];
            if (r == e)
                continue;
            Location where;
            where.record = e.record;
            where.word = e.word;
            where.relocation = static_cast<std::int64_t>(i);
            add(Code::BadRelocation,
                fmt::format("record {} word {} region '{}' offset {}; the record needs record {} "
                            "word {} region '{}' offset {}",
                            r.record, r.word, r.region, r.offset, e.record, e.word, e.region,
                            e.offset),
                where);
            return;
        }
    }

    static Code codeOf(FaultCode code) {
        return code == FaultCode::Descriptor    ? Code::RecordInvalid
               : code == FaultCode::Unsupported ? Code::RecordUnsupported
                                                : Code::RecordRange;
    }

    bool checkRecords() {
        std::optional<Fault> fault;
        const Bytes relocated = m_target.relocate(m_job, fault);
        if (fault) {
            m_out.push_back(toDiagnostic(*fault));
            return false;
        }
        bool ok = true;
        const AddressRange array{m_job.bases.descriptors, relocated.size()};
        for (std::size_t at = 0; at < relocated.size(); at += m_fields.recordBytes) {
            const ByteView record = ByteView(relocated).subspan(at, m_fields.recordBytes);
            if (const auto violation = m_target.checkRecord(record, array)) {
                Location where;
                where.record = static_cast<std::int64_t>(at / m_fields.recordBytes);
                where.word = violation->word;
                add(codeOf(violation->code), violation->message, where);
                ok = false;
            }
        }
        return ok;
    }

    /// Runs the job on an input of zero points. An arithmetic fault depends on the input and is
    /// only a warning; any other fault and every sanitizer finding counts.
    void checkRun() {
        const auto zero = static_cast<std::uint8_t>(m_package.input.zeroPoint);
        constexpr std::uint64_t kMaxInputBytes = std::uint64_t{1} << 30;
        const Bytes input(std::min(m_job.inputBytes, kMaxInputBytes), zero);
        ExecuteOptions options;
        options.captureLayers = false;
        options.sanitize = true;
        options.maxWork = std::uint64_t{1} << 34;
        Execution run = m_target.execute(m_job, input, options);
        if (run.fault) {
            Diagnostic fault = toDiagnostic(*run.fault);
            if (run.fault->code == FaultCode::Arithmetic)
                fault.severity = Severity::Warning;
            m_out.push_back(std::move(fault));
        }
        m_out.insert(m_out.end(), run.findings.begin(), run.findings.end());
    }

    const Package& m_package;
    const Job& m_job;
    const FieldTable& m_fields;
    const Target& m_target;
    Diagnostics m_out;
};

} // namespace

Diagnostics contradictedNumbers(const Package& package, const Target& target) {
    const std::size_t size = target.fields().recordBytes;
    const auto count = static_cast<std::int64_t>(package.job.descriptors.size() / size);
    Diagnostics found;
    for (const LoweredOperator& op : package.operators) {
        if (!op.record || *op.record >= count)
            continue;
        const auto at = static_cast<std::size_t>(*op.record) * size;
        Diagnostics more =
            target.contradictions(op, ByteView(package.job.descriptors).subspan(at, size));
        std::move(more.begin(), more.end(), std::back_inserter(found));
    }
    return found;
}

Diagnostics checkPackage(const Package& package, const Target& target) {
    return PackageChecker(package, target).run();
}

} // namespace plumbline
