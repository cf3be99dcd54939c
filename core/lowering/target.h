// SPDX-License-Identifier: GPL-3.0-or-later
// What every target offers; programs and views see a target only through this.
#pragma once

#include <memory>
#include <span>
#include <string_view>

#include "core/base/job_context.h"
#include "core/base/result.h"
#include "core/lowering/layer_runner.h"
#include "core/lowering/lowering.h"

namespace plumbline {

/// Address range of the descriptor array in memory.
struct AddressRange {
    std::uint64_t base = 0;
    std::uint64_t bytes = 0;
};

/// Verdict on one relocated record: nothing, or the first violation.
struct RecordViolation {
    FaultCode code{};
    std::optional<std::int64_t> word;
    std::string message;
};

/// A job that is ready to run. May be run from several threads at a time.
class PreparedJob {
  public:
    virtual ~PreparedJob() = default;

    /// Runs the job on `input`. Results do not depend on the number of threads. Cancellation is
    /// looked at between records and inside large ones.
    virtual Execution run(ByteView input, const ExecuteOptions& options = {},
                          const JobContext& context = {}) const = 0;
};
using PreparedJobPtr = std::shared_ptr<const PreparedJob>;

class Target {
  public:
    virtual ~Target() = default;
    virtual std::string_view name() const = 0;     ///< "npu-p0"
    virtual std::string_view contract() const = 0; ///< "npu-p0/1.0.2"
    virtual const FieldTable& fields() const = 0;

    /// Lowers the main graph. Always gives a Lowering: an incomplete one with its diagnostics when
    /// the model breaks rules. Without a value only when cancelled.
    virtual Result<LoweringPtr> lower(ModelPtr model, const JobContext& context = {}) const = 0;

    /// Makes `job` ready for any number of runs. Never null: what is wrong with the job is the
    /// fault of each run.
    virtual PreparedJobPtr prepare(std::shared_ptr<const Job> job) const = 0;

    /// Runs `job` once on `input`.
    Execution execute(const Job& job, ByteView input, const ExecuteOptions& options = {},
                      const JobContext& context = {}) const;

    /// Checks one relocated record of fields().recordBytes bytes.
    virtual std::optional<RecordViolation>
    checkRecord(ByteView record, std::optional<AddressRange> descriptorArray) const = 0;

    /// The relocated records of `job`, or the fault that relocating them gives.
    virtual Bytes relocate(const Job& job, std::optional<Fault>& fault) const = 0;

    /// Replays the memory accesses of `job` without its arithmetic and gives the sanitizer's
    /// findings.
    virtual Diagnostics sanitize(const Job& job) const = 0;

    /// Per operand of every executed record, in order of the accesses: its declared span and the
    /// bytes that it touches. Operands outside the arena are left out; empty for a job that does
    /// not relocate and validate.
    virtual std::vector<OperandAccess> accesses(const Job& job) const = 0;

    /// Takes a copy of `job` apart into its layers. Null, with `fault` set, when it does not
    /// relocate and validate, its steps are wrong, or it asks for too much.
    virtual LayerRunnerPtr layerRunner(const Job& job, std::optional<Fault>& fault) const = 0;

    /// The named mistakes that this target's layers can be run with. docs/hypotheses.md
    virtual std::span<const MistakeInfo> mistakes() const = 0;

    /// Fills what follows from the numbers of `op` and the target's own rules, and what a package
    /// therefore does not state: the facts of its tile plan and the parts of its cycles.
    virtual void addDerived(LoweredOperator& op) const = 0;

    /// What of the geometry, plan, quantization and addresses that `op` states the fields of its
    /// `record` (fields().recordBytes bytes, before relocation) contradict: one RecordDiffers
    /// warning each, at the record's word.
    virtual Diagnostics contradictions(const LoweredOperator& op, ByteView record) const = 0;
};

/// The built-in target NPU-P0.
const Target& npuP0Target();

} // namespace plumbline
