// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/npu_p0/relocate.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "core/npu_p0/validator.h"

namespace plumbline::npu_p0 {
namespace {

constexpr std::array kPointers{Field::Input0Base, Field::Input1Base, Field::OutputBase,
                               Field::ParamBase, Field::WeightBase};

std::optional<Field> pointerAt(std::int64_t word) {
    const auto found = std::find_if(kPointers.begin(), kPointers.end(),
                                    [word](Field field) { return wordOf(field) == word; });
    return found == kPointers.end() ? std::nullopt : std::optional<Field>(*found);
}

std::optional<Fault> apply(const Job& job, const Relocation& r, std::vector<Descriptor>& all) {
    const auto fail = [&](FaultCode code, std::string reason) {
        Fault fault{code, "relocation", {}, {}, {}, std::move(reason)};
        if (r.record >= 0 && r.record < static_cast<std::int64_t>(all.size()))
            fault.record = r.record;
        return fault;
    };
    const auto field = pointerAt(r.word);
    if (!field)
        return fail(FaultCode::Descriptor, fmt::format("word {} holds no pointer", r.word));
    if (r.record < 0 || r.record >= static_cast<std::int64_t>(all.size()))
        return fail(FaultCode::Descriptor, fmt::format("descriptor {} does not exist, there are {}",
                                                       r.record, all.size()));
    const auto base = regionBase(job.bases, r.region);
    if (!base)
        return fail(FaultCode::Range, fmt::format("region '{}' is unknown", r.region));
    Descriptor& descriptor = all[static_cast<std::size_t>(r.record)];
    const std::int64_t word = descriptor.get(*field);
    if (word != r.offset)
        return fail(FaultCode::Descriptor, fmt::format("{} holds {}, the relocation says {}",
                                                       specOf(*field).name, word, r.offset));
    const std::int64_t sum = word + std::int64_t{*base};
    if (sum > std::int64_t{0xFFFFFFFF})
        return fail(FaultCode::Range,
                    fmt::format("0x{:x} plus the base 0x{:x} of {} wraps", word, *base, r.region));
    descriptor.set(*field, sum);
    return std::nullopt;
}

} // namespace

Relocated relocateJob(const Job& job) {
    Relocated result;
    const ByteView bytes = job.descriptors;
    for (std::size_t at = 0; at + kDescriptorBytes <= bytes.size(); at += kDescriptorBytes)
        result.descriptors.emplace_back(bytes.subspan(at, kDescriptorBytes));
    for (std::size_t i = 0; i < job.relocations.size(); ++i) {
        result.fault = apply(job, job.relocations[i], result.descriptors);
        if (result.fault) {
            result.fault->relocation = static_cast<std::int64_t>(i);
            break;
        }
    }
    return result;
}

Relocated relocateAndValidate(const Job& job) {
    Relocated result = relocateJob(job);
    const AddressRange array{job.bases.descriptors, result.descriptors.size() * kDescriptorBytes};
    for (std::size_t i = 0; i < result.descriptors.size() && !result.fault; ++i) {
        if (const auto violation = validate(result.descriptors[i], array))
            result.fault = Fault{violation->code, "validator", static_cast<std::int64_t>(i),
                                 violation->word, {},          violation->message};
    }
    return result;
}

} // namespace plumbline::npu_p0
