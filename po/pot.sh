#!/bin/sh
# SPDX-License-Identifier: MIT
# po/pot.sh LANGUAGE…: po/tuibench.pot, of the sources and of the lectures' headings and captions, and what
# is new of it into each po/LANGUAGE.po. Wants gettext: meson compile -C build pot
set -eu
cd "$(dirname "$0")/.."
extract() { xgettext --from-code=UTF-8 --package-name=tuibench --add-location=file -kN_ -o po/tuibench.pot "$@"; }

# shellcheck disable=SC2046
extract $(grep -rlw N_ src --include='*.c' | sort)
# As C: a heading is a line, a caption the paragraph after it, both without marks of code.
for lecture in man/lectures/*.md; do
	echo "#line 1 \"$lecture\""
	awk 'function put() { gsub(/`/, "", text); gsub(/["\\]/, "\\\\&", text); if (text) print "N_(\"" text "\")"; text = "" }
		/^```/ { code = !code; caption = 0 }
		code { next }
		/^#/ { sub(/^#+ */, ""); text = $0; put(); caption = 1; next }
		/^$/ { if (text) { put(); caption = 0 } next }
		caption { text = text (text ? " " : "") $0 }
		END { put() }' "$lecture"
done | extract --language=C --join-existing -
for language; do msgmerge --quiet --no-fuzzy-matching --update --backup=none --add-location=file "po/$language.po" po/tuibench.pot; done
