// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/lowering/target.h"

namespace plumbline {

Execution Target::execute(const Job& job, ByteView input, const ExecuteOptions& options,
                          const JobContext& context) const {
    // Points to the caller's job without owning it, for the time of this call.
    const std::shared_ptr<const Job> borrowed(std::shared_ptr<const Job>(), &job);
    return prepare(borrowed)->run(input, options, context);
}

} // namespace plumbline
