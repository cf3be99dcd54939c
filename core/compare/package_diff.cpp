// SPDX-License-Identifier: GPL-3.0-or-later
// Two packages: records by field, regions by operator, and what else npu.json says.
#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "core/compare/diff.h"

namespace plumbline {
namespace {

using nlohmann::json;

/// Keys that are free text, identity, or told by another part of the comparison.
const std::set<std::string, std::less<>> kLeftOut{"note",     "arena_note", "cycle_model",
                                                  "compiler", "files",      "relocations"};

class PackageDiffer {
  public:
    PackageDiffer(const Package& ours, const Package& theirs, const FieldTable& fields)
        : m_ours(ours)
        , m_theirs(theirs)
        , m_fields(fields) {}

    std::vector<PackageDifference> run() {
        diffRecords();
        diffRelocations();
        diffRegion("weights", m_ours.job.weights, m_theirs.job.weights);
        diffRegion("params", m_ours.job.params, m_theirs.job.params);
        diffJson(m_ours.manifest, m_theirs.manifest, "", std::nullopt);
        return std::move(m_out);
    }

  private:
    std::optional<std::int64_t> operatorOf(std::int64_t record) const {
        for (const Package* package : {&m_ours, &m_theirs}) {
            const auto& layers = package->job.layers;
            if (record >= 0 && record < static_cast<std::int64_t>(layers.size()))
                return layers[static_cast<std::size_t>(record)].operatorIndex;
        }
        return std::nullopt;
    }

    void diffRecords() {
        const std::size_t bytes = m_fields.recordBytes;
        const std::size_t ours = m_ours.job.descriptors.size() / bytes;
        const std::size_t theirs = m_theirs.job.descriptors.size() / bytes;
        if (ours != theirs)
            m_out.push_back({"field",
                             {},
                             {},
                             {},
                             "number of records",
                             std::to_string(ours),
                             std::to_string(theirs)});
        for (std::size_t i = 0; i < std::min(ours, theirs); ++i) {
            const ByteView a = ByteView(m_ours.job.descriptors).subspan(i * bytes, bytes);
            const ByteView b = ByteView(m_theirs.job.descriptors).subspan(i * bytes, bytes);
            const auto record = static_cast<std::int64_t>(i);
            for (const FieldSpec& field : m_fields.fields) {
                const std::int64_t x = fieldValue(a, field), y = fieldValue(b, field);
                if (x != y)
                    m_out.push_back({"field", operatorOf(record), record, field.word,
                                     std::string(field.name), std::to_string(x),
                                     std::to_string(y)});
            }
        }
    }

    static std::string text(const Relocation& r) {
        return fmt::format("record {} word {} {}+{}", r.record, r.word, r.region, r.offset);
    }

    void diffRelocations() {
        const auto& a = m_ours.job.relocations;
        const auto& b = m_theirs.job.relocations;
        for (std::size_t i = 0; i < std::max(a.size(), b.size()); ++i) {
            const Relocation* x = i < a.size() ? &a[i] : nullptr;
            const Relocation* y = i < b.size() ? &b[i] : nullptr;
            if (x && y && *x == *y)
                continue;
            const Relocation& named = x ? *x : *y;
            m_out.push_back({"relocation", operatorOf(named.record), named.record, named.word,
                             fmt::format("relocations[{}]", i), x ? text(*x) : "",
                             y ? text(*y) : ""});
        }
    }

    /// Slices of `region` by operator, from the report; whole region when there is none.
    static std::vector<std::pair<const json*, RegionSlice>> slices(const Package& package,
                                                                   const std::string& region) {
        std::vector<std::pair<const json*, RegionSlice>> found;
        const json::json_pointer path("/report/operators");
        if (!package.manifest.contains(path) || !package.manifest[path].is_array())
            return found;
        for (const json& entry : package.manifest[path]) {
            if (!entry.is_object() || !entry.contains(region) || !entry[region].is_object())
                continue;
            const json& slice = entry[region];
            if (slice.contains("offset") && slice["offset"].is_number_unsigned() &&
                slice.contains("bytes") && slice["bytes"].is_number_unsigned())
                found.emplace_back(&entry, RegionSlice{slice["offset"].get<std::uint64_t>(),
                                                       slice["bytes"].get<std::uint64_t>()});
        }
        return found;
    }

    static std::optional<std::int64_t> integerAt(const json& entry, const char* key) {
        return entry.contains(key) && entry[key].is_number_integer()
                   ? std::optional(entry[key].get<std::int64_t>())
                   : std::nullopt;
    }

    void diffRegion(const std::string& region, const Bytes& ours, const Bytes& theirs) {
        if (ours.size() != theirs.size())
            m_out.push_back({region,
                             {},
                             {},
                             {},
                             "bytes",
                             std::to_string(ours.size()),
                             std::to_string(theirs.size())});
        for (const auto& [entry, slice] : slices(m_ours, region)) {
            const std::uint64_t size = std::min(ours.size(), theirs.size());
            const std::uint64_t begin = std::min(slice.offset, size);
            const std::uint64_t end = begin + std::min(slice.bytes, size - begin);
            std::int64_t count = 0;
            std::uint64_t first = 0;
            for (std::uint64_t i = begin; i < end; ++i) {
                if (ours[i] != theirs[i] && count++ == 0)
                    first = i;
            }
            if (count > 0)
                m_out.push_back({region,
                                 integerAt(*entry, "index"),
                                 integerAt(*entry, "descriptor_index"),
                                 {},
                                 fmt::format("0x{:x} is the first of {} bytes", first, count),
                                 fmt::format("0x{:02x}", ours[first]),
                                 fmt::format("0x{:02x}", theirs[first])});
        }
    }

    static std::string describe(const json* value) {
        return value ? value->dump(-1, ' ', false, json::error_handler_t::replace) : "";
    }

    static std::string kindOf(const std::string& path) {
        if (path.starts_with("arena_bytes") || path.find(".arena.") != std::string::npos)
            return "arena";
        if (path.starts_with("steps"))
            return "step";
        return path.starts_with("report") ? "report" : "value";
    }

    void diffJson(const json& a, const json& b, const std::string& path,
                  std::optional<std::int64_t> op) {
        if (a == b)
            return;
        if (a.is_object() && b.is_object())
            return diffObjects(a, b, path, op);
        if (a.is_array() && b.is_array() && a.size() == b.size()) {
            const bool operators = path == "report.operators";
            for (std::size_t i = 0; i < a.size(); ++i)
                diffJson(a[i], b[i], fmt::format("{}[{}]", path, i),
                         operators ? std::optional(static_cast<std::int64_t>(i)) : op);
            return;
        }
        m_out.push_back({kindOf(path), op, {}, {}, path, describe(&a), describe(&b)});
    }

    void diffObjects(const json& a, const json& b, const std::string& path,
                     std::optional<std::int64_t> op) {
        std::set<std::string> keys;
        for (const json* object : {&a, &b}) {
            for (const auto& [key, value] : object->items())
                keys.insert(key);
        }
        for (const std::string& key : keys) {
            if (kLeftOut.contains(key))
                continue;
            const std::string inner = path.empty() ? key : path + "." + key;
            const json* x = a.contains(key) ? &a[key] : nullptr;
            const json* y = b.contains(key) ? &b[key] : nullptr;
            if (x && y)
                diffJson(*x, *y, inner, op);
            else
                m_out.push_back({kindOf(inner), op, {}, {}, inner, describe(x), describe(y)});
        }
    }

    const Package& m_ours;
    const Package& m_theirs;
    const FieldTable& m_fields;
    std::vector<PackageDifference> m_out;
};

} // namespace

std::vector<PackageDifference> diffPackages(const Package& ours, const Package& theirs,
                                            const FieldTable& fields) {
    return PackageDiffer(ours, theirs, fields).run();
}

Trace referenceTrace(const Package& package) {
    Trace trace;
    trace.producer = "reference digests of " + package.directory.string();
    const json::json_pointer path("/report/operators");
    if (!package.manifest.contains(path) || !package.manifest[path].is_array())
        return trace;
    for (const json& entry : package.manifest[path]) {
        if (!entry.is_object() || !entry.contains("reference_sha256") ||
            !entry["reference_sha256"].is_string() || !entry.contains("index") ||
            !entry["index"].is_number_integer())
            continue;
        TraceLayer layer;
        layer.operatorIndex = entry["index"].get<std::int64_t>();
        layer.sha256 = entry["reference_sha256"].get<std::string>();
        if (entry.contains("operator") && entry["operator"].is_string())
            layer.name = entry["operator"].get<std::string>();
        if (entry.contains("reference_shape") && entry["reference_shape"].is_array()) {
            std::uint64_t count = 1;
            for (const json& extent : entry["reference_shape"]) {
                if (extent.is_number_unsigned()) {
                    layer.shape.push_back(extent.get<std::int64_t>());
                    count *= extent.get<std::uint64_t>();
                }
            }
            layer.byteCount = count;
        }
        trace.layers.push_back(std::move(layer));
    }
    return trace;
}

} // namespace plumbline
