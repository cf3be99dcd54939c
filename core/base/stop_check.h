// SPDX-License-Identifier: GPL-3.0-or-later
// Looking at a stop token in a hot loop, rarely enough to cost nothing.
#pragma once

#include <cstdint>
#include <stop_token>
#include <utility>

namespace plumbline {

class StopCheck {
  public:
    explicit StopCheck(std::stop_token stop)
        : m_stop(std::move(stop)) {}

    /// Whether to end now, after `work` more simple operations. Looks at the token once per
    /// kWorkPerLook of them, which take a few milliseconds at most.
    bool after(std::int64_t work) {
        m_work += work;
        if (m_work < kWorkPerLook)
            return false;
        m_work = 0;
        return m_stop.stop_requested();
    }

  private:
    static constexpr std::int64_t kWorkPerLook = std::int64_t{1} << 20;

    std::stop_token m_stop;
    std::int64_t m_work = 0;
};

} // namespace plumbline
