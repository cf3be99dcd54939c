#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Every link from a page to a page, a picture or a heading leads somewhere. Usage: links.sh SOURCE_FOLDER
cd "$1" || exit 2

# anchors FILE: the names by which the page's headings can be linked to.
anchors() {
    sed -n '/^```/,/^```/d; s/^##* //p' "$1" | tr '[:upper:]' '[:lower:]' |
        sed 's/[^a-z0-9 _-]//g; s/ /-/g'
}

# links FILE: the targets of its links.
links() { sed '/^```/,/^```/d; s/`[^`]*`//g' "$1" | grep -oE '\]\([^)]*\)' | sed 's/^](//; s/)$//'; }

broken=$(
    find . -name '*.md' -not -path './build/*' | LC_ALL=C sort | while read -r page; do
        links "$page" | while read -r link; do
            case $link in http:* | https:* | mailto:*) continue ;; esac
            path=${link%%#*}
            target=$page
            [ -z "$path" ] || target=$(dirname "$page")/$path
            if [ ! -e "$target" ]; then
                echo "$page: $link"
            elif [ "$link" != "$path" ] && ! anchors "$target" | grep -qxF -- "${link#*#}"; then
                echo "$page: $link: no such heading"
            fi
        done
    done
)
if [ -n "$broken" ]; then
    printf 'links that lead nowhere:\n%s\n' "$broken"
    exit 1
fi
