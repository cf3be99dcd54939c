// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/export/html_page.h"

#include <array>

#include <fmt/format.h>

#include "core/base/bytes.h"
#include "core/base/sha256.h"
#include "core/chart/svg.h"

namespace plumbline::reporting {
namespace {

struct NamedTone {
    Tone tone;
    std::string_view name;
};

constexpr std::array kVariables{
    NamedTone{Tone::Ok, "ok"},           NamedTone{Tone::Note, "note"},
    NamedTone{Tone::Warning, "warning"}, NamedTone{Tone::Error, "error"},
    NamedTone{Tone::Accent, "accent"},   NamedTone{Tone::AccentFill, "accent-fill"},
    NamedTone{Tone::Grid, "grid"},       NamedTone{Tone::Muted, "muted"},
    NamedTone{Tone::Surface, "surface"}, NamedTone{Tone::SurfaceEdge, "surface-edge"},
    NamedTone{Tone::Text, "text"},       NamedTone{Tone::Background, "background"},
};

std::string variables(Rgb ThemedColor::*theme) {
    std::string text;
    for (const auto& [tone, name] : kVariables)
        text += fmt::format("--page-{}:{};", name, toText(toneValues(tone).*theme));
    return text;
}

constexpr std::string_view kStyle = R"css(
*{box-sizing:border-box}
body{margin:0 auto;max-width:130rem;padding:1rem;background:var(--page-background);
color:var(--page-text);font:14px/1.45 system-ui,"Segoe UI",Roboto,"DejaVu Sans",sans-serif;
font-variant-numeric:tabular-nums;overflow-wrap:anywhere}
h1{font-size:1.6rem;line-height:1.2;margin:0}
h2{font-size:1.2rem;margin:0 0 .75rem;padding-bottom:.25rem;border-bottom:2px solid var(--page-text)}
h3{font-size:1rem;margin:1.25rem 0 .5rem}
p{margin:.5rem 0;max-width:75ch}
code,.c{font-family:ui-monospace,"DejaVu Sans Mono",Menlo,Consolas,monospace;font-size:.95em}
a{color:var(--page-accent);text-underline-offset:2px;white-space:nowrap}
:focus-visible{outline:2px solid var(--page-accent);outline-offset:2px}
header .kind{margin:0;color:var(--page-muted)}
.skip{position:absolute;left:-99rem}
.skip:focus{left:1rem;top:.5rem;padding:.5rem 1rem;background:var(--page-background)}
nav ul{display:flex;flex-wrap:wrap;gap:.25rem 1rem;list-style:none;margin:1rem 0;padding:0}
main>section{margin:0 0 2.5rem}
.long,.lazy{content-visibility:auto;contain-intrinsic-size:auto 120rem}
.say{border-left:4px solid;padding-left:.75rem}
#summary .say:first-of-type{font-size:1.1rem;font-weight:600}
.ok{color:var(--page-ok)}.note{color:var(--page-note)}.warning{color:var(--page-warning)}
.error{color:var(--page-error)}.muted{color:var(--page-muted)}
.cards{display:grid;grid-template-columns:repeat(auto-fill,minmax(13rem,1fr));gap:.75rem 1.5rem;
margin:.75rem 0}
dl.list{margin:.75rem 0}
.list div{display:grid;grid-template-columns:14rem minmax(0,1fr);gap:0 1rem;padding:.2rem 0;
border-bottom:1px solid var(--page-grid)}
dt{color:var(--page-muted)}
.cards dt{font-size:.9em}
dd{margin:0}
.scroll{overflow-x:auto;margin:.75rem 0 .25rem;max-width:100%;background:
linear-gradient(to left,var(--page-background) 1.5rem,transparent) right/3rem 100% no-repeat local,
linear-gradient(to left,var(--page-surface-edge),transparent) right/.75rem 100% no-repeat scroll}
table{border-collapse:collapse;min-width:100%}
caption{text-align:left;font-weight:600;padding:0 0 .35rem;white-space:nowrap}
th,td{padding:.2rem .6rem;text-align:right;white-space:nowrap;vertical-align:top;
border-bottom:1px solid var(--page-grid)}
thead th{vertical-align:bottom;border-bottom:1px solid var(--page-text);font-weight:600}
tbody th{font-weight:400}
th:first-child{position:sticky;left:0;background:var(--page-background)}
tbody th:first-child{box-shadow:inset 0 -1px var(--page-grid)}thead th:first-child{box-shadow:inset 0 -1px var(--page-text)}
td:empty::before{content:"\2013";color:var(--page-muted)}
th:first-child{text-align:left}
.t{text-align:left}
.w{white-space:normal;min-width:18rem}
tbody tr:hover>*{background:var(--page-surface)}
tr:target>*,figure:target{background:var(--page-accent-fill)}
details{margin:0 0 1rem;color:var(--page-muted)}
summary{cursor:pointer;width:fit-content}
details dl{display:grid;grid-template-columns:max-content minmax(0,1fr);gap:.1rem 1rem;margin:.35rem 0}
figure{margin:1.25rem 0;padding:0}
.figures{display:grid;grid-template-columns:repeat(auto-fill,minmax(min(30rem,100%),1fr));gap:0 2rem}
figcaption{color:var(--page-muted);max-width:75ch}
figure svg{display:block;max-width:100%;height:auto}
.huge svg{max-width:none}
.tall .detail{max-height:72rem;overflow:auto;border:1px solid var(--page-grid)}
th button{all:unset;cursor:pointer;font-weight:600}
th button:focus-visible{outline:2px solid var(--page-accent);outline-offset:2px}
th button::before{font-size:.75em}
th[aria-sort=ascending] button::before{content:"\25B2  "}
th[aria-sort=descending] button::before{content:"\25BC  "}
.find{display:flex;flex-wrap:wrap;gap:.25rem .75rem;align-items:baseline;margin:1rem 0 0}
.find input{font:inherit;color:inherit;background:var(--page-background);padding:.15rem .4rem;
border:1px solid var(--page-muted);border-radius:3px;width:16rem;max-width:100%}
.find output{color:var(--page-muted)}
@media (max-width:40rem){body{padding:.75rem}.cards{grid-template-columns:repeat(auto-fill,minmax(9rem,1fr))}
.list div{grid-template-columns:1fr}
.broad svg{min-width:40rem}details dl{grid-template-columns:1fr}details dd{padding-left:1rem}}
@media screen and (min-width:75rem){nav{float:left;position:sticky;top:1rem;width:11rem}
nav ul{flex-direction:column}main{margin-left:13rem;padding-top:1rem}}
@page{size:A4 landscape;margin:12mm}
@media print{body{max-width:none;padding:0;font-size:9pt}nav,.skip,.find,details{display:none}
.long,.lazy{content-visibility:visible}.long{break-before:page}h2,h3,caption{break-after:avoid}
.scroll,.tall .detail{overflow:visible;max-height:none;border:0}table{font-size:6.5pt;width:100%}thead{display:table-header-group}
thead{break-inside:avoid}
th,td{padding:.1rem .25rem;overflow-wrap:normal}th,.t{white-space:normal}.t.c,.w{min-width:0;overflow-wrap:anywhere}tr,figure{break-inside:avoid}
figure svg{max-height:160mm}.huge{break-inside:auto}.huge svg{max-width:100%;max-height:none}
th:first-child{position:static;box-shadow:none!important}.scroll{background:none}th button{display:contents}th button::before{display:none}a{color:inherit}}
)css";

constexpr std::string_view kScript = R"js(
'use strict';
(() => {
const numberIn = text => {
  const hex = /0x[0-9a-f]+/i.exec(text);
  if (hex) return parseInt(hex[0], 16);
  const found = /-?\d+(\.\d+)?(e[-+]?\d+)?/i.exec(text.replaceAll(',', ''));
  return found ? parseFloat(found[0]) : -Infinity;
};
const make = (name, text) => {
  const made = document.createElement(name);
  made.textContent = text;
  return made;
};
const sort = (table, column, head, isText) => {
  const direction = head.getAttribute('aria-sort') === 'ascending' ? -1 : 1;
  for (const other of table.tHead.rows[0].cells) other.removeAttribute('aria-sort');
  head.setAttribute('aria-sort', direction === 1 ? 'ascending' : 'descending');
  const body = table.tBodies[0];
  const keyed = Array.from(body.rows, row => {
    const text = row.cells[column].textContent;
    return [isText ? text : numberIn(text), row];
  });
  keyed.sort(([a], [b]) => direction * (isText ? a.localeCompare(b, 'en', {numeric: true})
                                               : a === b ? 0 : a - b));
  body.replaceChildren(...keyed.map(([, row]) => row));
};
const addFilter = (table, count) => {
  const box = make('p', '');
  const label = make('label', 'Filter ');
  const input = make('input', '');
  input.setAttribute('aria-label', 'Filter rows of ' + table.caption.textContent);
  const told = make('output', '');
  box.className = 'find';
  input.type = 'search';
  input.id = table.id + '-filter';
  label.htmlFor = input.id;
  input.addEventListener('input', () => {
    const wanted = input.value.trim().toLowerCase();
    let shown = 0;
    for (const row of table.tBodies[0].rows) {
      row.hidden = !row.textContent.toLowerCase().includes(wanted);
      if (!row.hidden) ++shown;
    }
    told.textContent = wanted ? shown + ' of ' + count + ' rows' : '';
  });
  box.append(label, input, told);
  table.parentElement.before(box);
};
for (const table of document.querySelectorAll('table')) {
  const count = table.tBodies[0].rows.length;
  if (count > 7) addFilter(table, count);
  if (count === 1) continue;
  Array.from(table.tHead.rows[0].cells).forEach((head, column) => {
    const button = make('button', head.textContent);
    button.type = 'button';
    button.addEventListener('click',
                            () => sort(table, column, head, head.classList.contains('t')));
    head.replaceChildren(button);
  });
}
})();
)js";

std::string base64(ByteView bytes) {
    constexpr std::string_view kDigits =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    std::string text;
    for (std::size_t at = 0; at < bytes.size(); at += 3) {
        std::uint32_t group = 0;
        for (std::size_t i = 0; i < 3; ++i)
            group = group << 8 | (at + i < bytes.size() ? std::uint32_t{bytes[at + i]} : 0U);
        for (std::size_t i = 0; i < 4; ++i)
            text += at + i > bytes.size() ? '=' : kDigits[group >> (18 - 6 * i) & 63U];
    }
    return text;
}

std::string scriptDigest() {
    const auto* const data = reinterpret_cast<const std::uint8_t*>(kScript.data());
    return base64(*fromHex(sha256Hex(ByteView(data, kScript.size()))));
}

} // namespace

std::string escapedHtml(std::string_view text) {
    std::string safe;
    safe.reserve(text.size());
    for (const char c : text) {
        switch (c) {
        case '&':
            safe += "&amp;";
            break;
        case '<':
            safe += "&lt;";
            break;
        case '>':
            safe += "&gt;";
            break;
        case '"':
            safe += "&quot;";
            break;
        default:
            safe += c;
        }
    }
    return safe;
}

std::string_view toneClass(Tone tone) {
    switch (tone) {
    case Tone::Ok:
        return "ok";
    case Tone::Note:
        return "note";
    case Tone::Warning:
        return "warning";
    case Tone::Error:
        return "error";
    case Tone::Muted:
        return "muted";
    default:
        return {};
    }
}

std::string pageHead(std::string_view title) {
    const std::string light = variables(&ThemedColor::light);
    const std::string dark = variables(&ThemedColor::dark);
    return fmt::format(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
        "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
        "style-src 'unsafe-inline'; script-src 'sha256-{}'; base-uri 'none'; form-action "
        "'none'\">\n"
        "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
        "<title>{} - Plumbline report</title>\n<style>\n"
        ":root{{color-scheme:light dark;{}}}\n"
        "@media screen and (prefers-color-scheme:dark){{:root{{{}}}}}\n"
        "@media print{{:root{{color-scheme:light}}}}\n{}{}</style>\n</head>\n<body>\n",
        scriptDigest(), escapedHtml(title), light, dark, kStyle.substr(1), svgStyle());
}

std::string pageEnd() { return fmt::format("<script>{}</script>\n</body>\n</html>\n", kScript); }

} // namespace plumbline::reporting
