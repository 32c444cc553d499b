#!/usr/bin/env bash
# Judges the judge: breaks the engine at one token at a time and counts how often random games find it.
#
#   tests/random/engine_mutants.sh [--mutants N] [--seed S] [--games G] [FOLDER]
#
# N mutants (200), drawn from the fast forms, the stepper and the plain stepper, are compiled into one program (mutant schemata: Untch, Offutt,
# Harrold, ISSTA 1993), which is one of them by HOUSERULE_MUTANT, and each plays up to G random games (20000). A token counts where it stands in
# a statement of one line, a condition or what a name begins with; what does not compile is left out, and others are drawn.
# FOLDER holds the tree and results.txt, a line a mutant, and a run goes on where one was broken off: the same folder, the same seed. A mutant
# is found when games differ, break off or do not end (`--time`: seconds of CPU that a run may take, 600).
# Exit code 1: fewer than 95 % were found. The survivors are printed as differences.
set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
mutants=200 seed=1 games=20000 time=600 dir=
while [ $# -gt 0 ]; do
    case $1 in
        --mutants | --seed | --games | --time)
            declare "${1#--}=${2:?$1 needs a number}"
            shift
            ;;
        -*)
            echo "engine_mutants.sh: \`$1\` is not an option" >&2
            exit 2
            ;;
        *) dir=$1 ;;
    esac
    shift
done
dir=${dir:-$root/build/engine_mutants}
# shellcheck source=tests/random/broken_tree.sh
. "$root/tests/random/broken_tree.sh"
files='engine/expressions.hpp engine/filters.hpp engine/stepper.hpp engine/piles.hpp engine/offer.hpp engine/piece_sets.hpp engine/mask.hpp engine/engine.hpp
       engine/expressions_of_splits.hpp engine/overlap.hpp engine/several.hpp
       plain/plain_steps.cpp plain/plain_values.cpp plain/plain_table.cpp plain/plain_overlap.cpp plain/plain_offer.cpp'

# The places where a token can be broken: FILE LINE COLUMN LENGTH REPLACEMENT, one a line. What stands in a comment is none.
sites() {
    for name in $files; do
        awk -v file="interpreter/$name" '
            function site(at, length_, by) { print file, NR, at, length_, by }
            function each(token, by,   at, from, code) {
                code = $0
                from = 0
                while ((at = index(code, token)) > 0) {
                    if (token != "~!" || substr(code, at + 2, 1) != "=") site(from + at, length(token), by)
                    from += at + length(token) - 1
                    code = substr(code, at + length(token))
                }
            }
            {
                comment = index($0, "//")
                if (comment > 0) $0 = substr($0, 1, comment - 1)
                if ($0 ~ /^ *(#|template|using|static_assert|friend)/ || $0 ~ /stop_on_bug/) next
                gsub(/ /, "~")  # so that a replacement is one word
                each("~<~", "~<=~"); each("~<=~", "~<~"); each("~>~", "~>=~"); each("~>=~", "~>~")
                each("~==~", "~!=~"); each("~!=~", "~==~"); each("~&&~", "~||~"); each("~||~", "~&&~")
                each("~+~", "~-~"); each("~-~", "~+~"); each("~*~", "~+~"); each("~&~", "~|~"); each("~|~", "~&~")
                each("~+=~", "~-=~"); each("(!", "("); each("~!", "~"); each("++", "--")
                each("~0;", "~1;"); each("~1;", "~2;"); each("(0)", "(1)"); each("~0)", "~1)"); each("~1)", "~0)")
                each("[0]", "[1]"); each("true", "false"); each("false", "true"); each("std::max(", "std::min("); each("std::min(", "std::max(")
                each("continue;", "break;"); each("break;", "continue;"); each("lowest", "highest")
                each("~?~", "~?~!"); each("has(", "!has(")
            }' "$root/interpreter/$name"
    done
}

# weave: writes the tree with as many mutants in it as are wanted, and $dir/woven: NUMBER SITE, one a line. Not those of $dir/left_out.
weave() {
    touch "$dir/left_out"
    awk -v most="$mutants" -v root="$root/" -v tree="$tree/" -v woven="$dir/woven" '
        function balanced(code,   i, c, depth) {
            depth = 0
            for (i = 1; i <= length(code); ++i) {
                c = substr(code, i, 1)
                if (c ~ /[({[]/) ++depth
                if (c ~ /[]})]/ && --depth < 0) return 0
            }
            return depth == 0
        }
        # Behind the bracket that closes the one at `from`; 0 if it is not in the line.
        function behind(code, from,   i, c, depth) {
            depth = 0
            for (i = from; i <= length(code); ++i) {
                c = substr(code, i, 1)
                if (c == "(") ++depth
                if (c == ")" && --depth == 0) return i + 1
            }
            return 0
        }
        function either(k, broken, whole) { return "MUTANT(" k ") ? (" broken ") : (" whole ")" }
        # The part of the line from `from` up to `end` as one of two.
        function part(k, from, end) {
            if (at < from || at + length_ > end || substr(code, from, end - from) ~ /^(const |auto |\[)|;/) return ""
            return substr(code, 1, from - 1) either(k, substr(broken, from, end - from + length(broken) - length(code)),
                                                    substr(code, from, end - from)) substr(code, end)
        }
        function woven_line(k,   indent, text, from, end, first, second) {
            match(code, /^ */)
            indent = substr(code, 1, RLENGTH)
            text = substr(code, RLENGTH + 1)
            if (text ~ /^(constexpr|static|case|default|using)/) return ""
            if (match(text, /^(\} else )?if \(|^while \(/)) {
                from = length(indent) + RLENGTH
                end = behind(code, from)
                if (end > 0 && at > from && at < end) return part(k, from + 1, end - 1)
            }
            if (text ~ /^for \(/) {
                first = index(code, ";")
                second = first + index(substr(code, first + 1), ";")
                return second > first && first > 0 ? part(k, first + 2, second) : ""
            }
            if (text !~ /;$/ || !balanced(code)) return ""
            if (match(text, /^(const )?[A-Za-z_][A-Za-z0-9_:<>, ]* [a-z_][A-Za-z0-9_]* = /) && text !~ /^return/)
                return part(k, length(indent) + RLENGTH + 1, length(code))
            if (before !~ /[;{}:]$/ && before !~ /^ *(if|for|while|else)/) return ""
            if (text ~ /^(return |if \()/ || text ~ /^[A-Za-z_][A-Za-z0-9_.>()\[\]-]* [-+*&|^]?= / || text ~ /^(\+\+|--)[a-z]/ ||
                text ~ /^[a-z_][A-Za-z0-9_.>-]*\(.*\);$/)
                return indent "{ if (MUTANT(" k ")) { " substr(broken, length(indent) + 1) " } else { " text " } }"
            return ""
        }
        FILENAME == ARGV[1] { left_out[$0] = 1; next }
        {
            if (!($1 in lines)) {
                while ((getline line < (root $1)) > 0) source[$1, ++lines[$1]] = line
            }
            if (count == most || $0 in left_out || ($1, $2) in now) next
            code = source[$1, $2]
            sub(/ *\/\/.*/, "", code)
            before = source[$1, $2 - 1]
            sub(/ *\/\/.*/, "", before)
            at = $3
            length_ = $4
            by = $5
            gsub(/~/, " ", by)
            broken = substr(code, 1, at - 1) by substr(code, at + length_)
            line = woven_line(count + 1)
            if (line == "") next
            now[$1, $2] = line
            print ++count, $0 > woven
        }
        END {
            for (file in lines) {
                print "#include \"interpreter/mutant.hpp\"" > (tree file)
                for (i = 1; i <= lines[file]; ++i) print ((file, i) in now ? now[file, i] : source[file, i]) > (tree file)
                close(tree file)
            }
        }' "$dir/left_out" "$dir/sites"
}

# build_woven: leaves out what does not compile until the rest does.
build_woven() {
    while weave && ! nice cmake --build "$dir/build" --target houserule_random -- -k 0 >"$dir/build.log" 2>&1; do
        grep -oE 'interpreter/(engine|plain)/[a-z_]+\.[hc]pp:[0-9]+:[0-9]+: (error|  +required)' "$dir/build.log" | sort -u >"$dir/errors" || true
        cp "$dir/left_out" "$dir/left_out.before"
        # The line of the file that begins with an #include of its own.
        awk -F: 'FNR == NR { wrong[$1 " " ($2 - 1)] = 1; next }
                 { split($0, w, " "); if ((w[2] " " w[3]) in wrong) { sub(/^[0-9]+ /, ""); print } }' "$dir/errors" "$dir/woven" >>"$dir/left_out"
        cmp -s "$dir/left_out" "$dir/left_out.before" || continue
        cat "$dir/build.log" >&2
        exit 2
    done
}

make_tree
cat >"$tree/interpreter/mutant.hpp" <<'END'
// Which mutant this program is; 0: none.
#pragma once
#include <cstdlib>
namespace houserule {
inline const int mutant_now = std::getenv("HOUSERULE_MUTANT") == nullptr ? 0 : std::atoi(std::getenv("HOUSERULE_MUTANT"));
}
#define MUTANT(k) (houserule::mutant_now == (k))
END
touch "$dir/results.txt"
sites | awk -v seed="$seed" 'BEGIN { srand(seed) } { printf "%.9f %s\n", rand(), $0 }' | sort | cut -d' ' -f2- >"$dir/sites"
build_woven
export HOUSERULE_MUTANT=0
[ "$(judge)" = survived ] || { echo "engine_mutants.sh: the games already differ without a mutant" >&2; exit 2; }

while read -r HOUSERULE_MUTANT site; do
    grep -qF -- " | $site" "$dir/results.txt" && continue
    echo "$(judge) | $site" | tee -a "$dir/results.txt"
done <"$dir/woven"

found=$(grep -c '^found' "$dir/results.txt" || true)
all=$(grep -c . "$dir/results.txt" || true)
echo "$found of $all mutants were found; $(grep -c . "$dir/left_out" || true) did not compile"
sed -n 's/^survived | //p' "$dir/results.txt" | while read -r file line at length by; do
    awk -v file="$file" -v line="$line" -v at="$at" -v length_="$length" -v by="$by" '
        BEGIN { gsub(/~/, " ", by) }
        NR == line { printf "%s:%d\n-%s\n+%s\n", file, line, $0, substr($0, 1, at - 1) by substr($0, at + length_) }' "$root/$file"
done
[ $((found * 100)) -ge $((all * 95)) ]
