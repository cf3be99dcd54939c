// SPDX-License-Identifier: GPL-3.0-or-later
// What an executor runs: records, relocations, regions and steps, without the graph. Values may be
// wrong in any way (they can come from a package); the executor checks them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/bytes.h"
#include "core/base/diagnostic.h"
#include "core/base/job_context.h"
#include "core/graph/trace.h"

namespace plumbline {

/// Adds the base of `region` to one address word of one record. Source: spec section 5.
struct Relocation {
    std::int64_t record = 0; ///< descriptor index
    std::int64_t word = 0;   ///< word index
    std::string region;      ///< "arena", "weights", "params"
    std::int64_t offset = 0; ///< bytes; equals the template's word
    bool operator==(const Relocation&) const = default;
};

/// One step of a job. Source: spec section 12.
struct Step {
    std::string kind; ///< "npu" or "cpu"
    std::string op;   ///< of a cpu step: "softmax"
    std::optional<std::int64_t> firstRecord;
    std::optional<std::int64_t> count;
    std::optional<std::int64_t> sourceRecord;
    std::optional<std::int64_t> inputMultiplier;
    std::optional<std::int64_t> inputLeftShift;
    std::optional<std::int64_t> diffMin;
    std::string note;
    bool operator==(const Step&) const = default;
};

/// Byte addresses of the regions.
struct RegionBases {
    std::uint32_t arena = 0x10000000;
    std::uint32_t weights = 0x20000000;
    std::uint32_t params = 0x30000000;
    std::uint32_t descriptors = 0x40000000;
};

inline constexpr std::string_view kArenaRegion = "arena";
inline constexpr std::string_view kWeightsRegion = "weights";
inline constexpr std::string_view kParamsRegion = "params";
inline constexpr std::string_view kDescriptorsRegion = "descriptors";

/// The base of a region by its name; nothing for a name that is no region.
std::optional<std::uint32_t> regionBase(const RegionBases& bases, std::string_view region);

/// What a step's output is called; from the model or from the package's report.
struct JobLayer {
    std::int64_t operatorIndex = 0;
    std::string name; ///< TFLite operator name
    std::optional<double> scale;
    std::optional<std::int64_t> zeroPoint;
};

/// A buffer of the arena with its lifetime in operator indices; what the sanitizer checks against.
struct JobBuffer {
    std::string name;
    std::uint64_t offset = 0;
    std::uint64_t bytes = 0;
    std::int64_t firstOperator = -1; ///< -1 for the graph input
    std::int64_t lastOperator = 0;   ///< inclusive
    bool lastIsExact = true; ///< false where an alias may live longer than the package can say
};

/// The bytes of the arena that one operand of a record declares and those that it really touches.
/// All offsets count from the arena's start; `touched` bytes need not be contiguous.
struct OperandAccess {
    std::int64_t record = 0;
    std::int64_t operatorIndex = 0; ///< of the record, or of the CPU step that reads it
    std::string operand;            ///< "input 0", "output", …
    bool isWrite = false;
    std::uint64_t declaredBegin = 0;
    std::uint64_t declaredBytes = 0;
    std::uint64_t touchedBegin = 0; ///< first touched byte
    std::uint64_t touchedEnd = 0;   ///< one beyond the last touched byte
    std::uint64_t touchedBytes = 0; ///< how many bytes between them are touched
};

struct Job {
    Bytes descriptors; ///< templates, 128 bytes each
    std::vector<Relocation> relocations;
    Bytes weights;
    Bytes params;
    std::uint64_t arenaBytes = 0;
    std::uint64_t inputOffset = 0; ///< in the arena
    std::uint64_t inputBytes = 0;
    RegionBases bases;
    std::vector<Step> steps;
    std::vector<JobLayer> layers; ///< one per record
    JobLayer softmax;             ///< of the terminal softmax, where there is one
    Hwc softmaxShape;             ///< its rows have .c values
    std::optional<std::int64_t>
        outputRecord;               ///< record that makes the output; nothing: the softmax
    std::vector<JobBuffer> buffers; ///< may be empty: the sanitizer then knows no lifetimes
};

enum class FaultCode { Descriptor = 1, Unsupported = 2, Range = 3, Arithmetic = 7 };

/// "DESCRIPTOR"
std::string_view faultName(FaultCode code);

/// Where a job stopped. `stage` is input, relocation, validator, execution or softmax.
struct Fault {
    FaultCode code{};
    std::string stage;
    std::optional<std::int64_t> record;
    std::optional<std::int64_t> word;
    std::optional<std::int64_t> relocation;
    std::string reason;
};

/// The fault as a diagnostic with its place.
Diagnostic toDiagnostic(const Fault& fault);

struct ExecuteOptions {
    bool captureLayers = true; ///< false leaves Trace::layers empty
    bool digests = true;       ///< false leaves every SHA-256 empty
    bool sanitize = false;     ///< run the arena sanitizer along
    /// Run every record in the order of the hardware with every update checked, also where a bound
    /// proves that none can overflow. Gives the same bytes, slowly.
    bool checked = false;
    unsigned threads = 1; ///< that share large records; kAllProcessors for one per processor
    /// Largest number of multiply-accumulates and element moves; a job that asks for more ends in
    /// an UNSUPPORTED fault of stage input, so that a hostile package costs bounded time.
    std::uint64_t maxWork = std::uint64_t{1} << 38;
};

struct Execution {
    Trace trace;  ///< finished layers; with a fault, those before it
    Bytes output; ///< empty with a fault
    std::optional<Fault> fault;
    Diagnostics findings; ///< of the sanitizer
    bool cancelled = false;
};

} // namespace plumbline
