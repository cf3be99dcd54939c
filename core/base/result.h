// SPDX-License-Identifier: GPL-3.0-or-later
// A value, or why there is none.
#pragma once

#include <optional>
#include <utility>

#include "core/base/diagnostic.h"

namespace plumbline {

/// A value with the diagnostics of making it, or the diagnostics alone. Warnings travel with
/// success.
template <class T> class [[nodiscard]] Result {
  public:
    Result(T value)
        : m_value(std::move(value)) {}
    Result(T value, Diagnostics diagnostics)
        : m_value(std::move(value))
        , m_diagnostics(std::move(diagnostics)) {}
    Result(Diagnostic failure) { m_diagnostics.push_back(std::move(failure)); }
    Result(Diagnostics failures)
        : m_diagnostics(std::move(failures)) {}

    bool ok() const { return m_value.has_value(); }
    explicit operator bool() const { return ok(); }
    T& operator*() & { return *m_value; }
    const T& operator*() const& { return *m_value; }
    T&& operator*() && { return std::move(*m_value); }
    T* operator->() { return &*m_value; }
    const T* operator->() const { return &*m_value; }
    const Diagnostics& diagnostics() const& { return m_diagnostics; }
    Diagnostics&& diagnostics() && { return std::move(m_diagnostics); }

  private:
    std::optional<T> m_value;
    Diagnostics m_diagnostics;
};

/// Success without a value, or why it failed.
struct Done {};
using Status = Result<Done>;

} // namespace plumbline
