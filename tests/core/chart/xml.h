// SPDX-License-Identifier: GPL-3.0-or-later
// XML as a strict parser reads it.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace plumbline::test {

struct XmlElement {
    std::string name;
    std::map<std::string, std::string> attributes;
    std::string text; ///< its own, not that of its children
    std::vector<XmlElement> children;

    /// The value of an attribute; empty where there is none.
    std::string operator[](const std::string& attribute) const;
    /// All elements of that name below this one, in document order.
    std::vector<const XmlElement*> all(std::string_view wanted) const;
};

/// The root element. Throws std::runtime_error where the text is not well-formed UTF-8 XML.
XmlElement parseXml(std::string_view text);

} // namespace plumbline::test
