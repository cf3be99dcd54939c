// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/lowering/job.h"

namespace plumbline {

std::string_view faultName(FaultCode code) {
    switch (code) {
    case FaultCode::Descriptor:
        return "DESCRIPTOR";
    case FaultCode::Unsupported:
        return "UNSUPPORTED";
    case FaultCode::Range:
        return "RANGE";
    case FaultCode::Arithmetic:
        return "ARITHMETIC";
    }
    return "";
}

namespace {

Code diagnosticCode(FaultCode code) {
    switch (code) {
    case FaultCode::Descriptor:
        return Code::FaultDescriptor;
    case FaultCode::Unsupported:
        return Code::FaultUnsupported;
    case FaultCode::Range:
        return Code::FaultRange;
    case FaultCode::Arithmetic:
        return Code::FaultArithmetic;
    }
    return Code::Internal;
}

} // namespace

std::optional<std::uint32_t> regionBase(const RegionBases& bases, std::string_view region) {
    if (region == kArenaRegion)
        return bases.arena;
    if (region == kWeightsRegion)
        return bases.weights;
    if (region == kParamsRegion)
        return bases.params;
    if (region == kDescriptorsRegion)
        return bases.descriptors;
    return std::nullopt;
}

Diagnostic toDiagnostic(const Fault& fault) {
    Location where;
    where.record = fault.record;
    where.word = fault.word;
    where.relocation = fault.relocation;
    return makeError(diagnosticCode(fault.code), fault.stage + ": " + fault.reason, where);
}

} // namespace plumbline
