// SPDX-License-Identifier: GPL-3.0-or-later
// NPU-P0 behind the neutral Target interface.
#include "core/lowering/target.h"

#include "core/npu_p0/access.h"
#include "core/npu_p0/contradictions.h"
#include "core/npu_p0/cost.h"
#include "core/npu_p0/executor.h"
#include "core/npu_p0/job_checks.h"
#include "core/npu_p0/layer_runner.h"
#include "core/npu_p0/lower.h"
#include "core/npu_p0/mistakes.h"
#include "core/npu_p0/relocate.h"
#include "core/npu_p0/sanitizer.h"
#include "core/npu_p0/validator.h"

namespace plumbline {
namespace {

class NpuP0 final : public Target {
  public:
    std::string_view name() const override { return npu_p0::kTargetName; }
    std::string_view contract() const override { return npu_p0::kContract; }
    const FieldTable& fields() const override { return npu_p0::fieldTable(); }

    Result<LoweringPtr> lower(ModelPtr model, const JobContext& context) const override {
        return npu_p0::lower(std::move(model), context);
    }

    PreparedJobPtr prepare(std::shared_ptr<const Job> job) const override {
        return npu_p0::prepareJob(std::move(job));
    }

    std::optional<RecordViolation>
    checkRecord(ByteView record, std::optional<AddressRange> descriptorArray) const override {
        return npu_p0::validate(npu_p0::Descriptor(record), descriptorArray);
    }

    Bytes relocate(const Job& job, std::optional<Fault>& fault) const override {
        npu_p0::Relocated relocated = npu_p0::relocateJob(job);
        fault = std::move(relocated.fault);
        return npu_p0::wireBytes(relocated.descriptors);
    }

    Diagnostics sanitize(const Job& job) const override { return npu_p0::sanitize(job); }

    std::vector<OperandAccess> accesses(const Job& job) const override {
        return npu_p0::operandAccesses(job);
    }

    LayerRunnerPtr layerRunner(const Job& job, std::optional<Fault>& fault) const override {
        return npu_p0::makeLayerRunner(job, fault);
    }

    std::span<const MistakeInfo> mistakes() const override { return npu_p0::mistakes(); }

    void addDerived(LoweredOperator& op) const override {
        if (npu_p0::opcodeName(op.opcode).empty())
            return;
        op.tiles.facts = npu_p0::tileFacts(static_cast<npu_p0::Opcode>(op.opcode));
        npu_p0::splitCycles(op.cost);
    }

    Diagnostics contradictions(const LoweredOperator& op, ByteView record) const override {
        return npu_p0::contradictions(op, record);
    }
};

} // namespace

const Target& npuP0Target() {
    static const NpuP0 target;
    return target;
}

} // namespace plumbline
