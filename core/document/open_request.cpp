// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/document/open_request.h"

#include <fmt/format.h>

namespace plumbline {
namespace {

namespace fs = std::filesystem;

enum class Role : std::uint8_t { Subject, Input, Trace };

Role roleOf(const fs::path& path) {
    std::error_code error;
    if (isPackagePath(path))
        return Role::Subject;
    if (fs::is_directory(path, error))
        return Role::Trace;
    const std::string extension = path.extension().string();
    for (const char* const input : {".npy", ".bin", ".raw", ".i8"})
        if (extension == input)
            return Role::Input;
    return Role::Subject;
}

Diagnostic tooMany(const fs::path& first, const fs::path& second, std::string_view what) {
    return makeError(Code::Usage, fmt::format("{} and {} are both {}; open one at a time.",
                                              first.string(), second.string(), what));
}

} // namespace

Result<OpenRequest> requestFor(const std::vector<fs::path>& paths) {
    OpenRequest request;
    for (const fs::path& path : paths) {
        const Role role = roleOf(path);
        fs::path& slot = role == Role::Subject ? request.path
                         : role == Role::Input ? request.input
                                               : request.reference;
        if (!slot.empty())
            return tooMany(slot, path,
                           role == Role::Subject ? "models or packages"
                           : role == Role::Input ? "inputs"
                                                 : "traces");
        slot = path;
    }
    if (request.path.empty() && !request.reference.empty())
        request.path.swap(request.reference);
    if (request.path.empty())
        request.path.swap(request.input);
    return request;
}

bool isSessionPath(const fs::path& path) { return path.extension() == ".plumbline"; }

} // namespace plumbline
