// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/core/chart/xml.h"

#include <memory>
#include <stdexcept>

#include <libxml/parser.h>

namespace plumbline::test {
namespace {

std::string toText(const xmlChar* text) {
    return text == nullptr ? std::string() : reinterpret_cast<const char*>(text);
}

XmlElement elementOf(const xmlNode& node) {
    XmlElement element;
    element.name = toText(node.name);
    for (const xmlAttr* at = node.properties; at != nullptr; at = at->next)
        element.attributes[toText(at->name)] =
            toText(at->children == nullptr ? nullptr : at->children->content);
    for (const xmlNode* child = node.children; child != nullptr; child = child->next) {
        if (child->type == XML_ELEMENT_NODE)
            element.children.push_back(elementOf(*child));
        else if (child->type == XML_TEXT_NODE)
            element.text += toText(child->content);
    }
    return element;
}

} // namespace

std::string XmlElement::operator[](const std::string& attribute) const {
    const auto found = attributes.find(attribute);
    return found == attributes.end() ? std::string() : found->second;
}

std::vector<const XmlElement*> XmlElement::all(std::string_view wanted) const {
    std::vector<const XmlElement*> found;
    for (const XmlElement& child : children) {
        if (child.name == wanted)
            found.push_back(&child);
        const auto below = child.all(wanted);
        found.insert(found.end(), below.begin(), below.end());
    }
    return found;
}

XmlElement parseXml(std::string_view text) {
    const std::unique_ptr<xmlDoc, decltype(&xmlFreeDoc)> document(
        xmlReadMemory(text.data(), static_cast<int>(text.size()), "text.xml", "UTF-8",
                      XML_PARSE_NONET | XML_PARSE_NOERROR | XML_PARSE_NOWARNING | XML_PARSE_HUGE),
        xmlFreeDoc);
    const xmlNode* const root = document ? xmlDocGetRootElement(document.get()) : nullptr;
    if (root == nullptr) {
        const xmlError* const error = xmlGetLastError();
        throw std::runtime_error(error == nullptr ? "no XML" : error->message);
    }
    return elementOf(*root);
}

} // namespace plumbline::test
