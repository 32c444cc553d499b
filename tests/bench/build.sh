#!/usr/bin/env bash
# What building and testing cost: CPU seconds, user and system together, of everything that was started, without ccache.
#
#   tests/bench/build.sh [--sample N] [--no-tests] [--no-warm] [FOLDER]
#
# FOLDER is where it builds: it must not be there yet, and is removed in the end (else a new one below build/).
#   cold     the program from a clean folder; then what the tests need besides; the largest process of all
#   tests    running them, as `./run test` does, and how many test cases, commands and random samples there are
#   warm     each .cpp of dsl, interpreter and solver touched in turn, until the program runs again: what 95 % stay within, and
#            the worst ones. --sample N touches only N of them, spread evenly.
#
# Two compilers at a time, or HOUSERULE_JOBS. It wants a machine with nothing else to do: beside others, CPU seconds grow too.
set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
sample=0 tests=1 warm=1 dir=
while [ $# -gt 0 ]; do
    case $1 in
        --sample)
            sample=${2:?--sample needs a number}
            shift
            ;;
        --no-tests) tests=0 ;;
        --no-warm) warm=0 ;;
        -*)
            echo "build.sh: \`$1\` is not an option" >&2
            exit 2
            ;;
        *) dir=$1 ;;
    esac
    shift
done
dir=${dir:-$root/build/measured.$$}
[ ! -e "$dir" ] || {
    echo "build.sh: $dir is there already" >&2
    exit 2
}
jobs=${HOUSERULE_JOBS:-2}
export CCACHE_DISABLE=1

mkdir -p "$dir"
trap 'rm -rf -- "$dir"' EXIT
"${CXX:-c++}" -std=c++20 -O1 -o "$dir/usage" "$root/tests/bench/usage/usage.cpp"

# measured FILE COMMAND…: runs it silently, adds what it took to FILE, and shows what it printed if it fails.
measured() {
    local file=$dir/$1
    shift
    if ! "$dir/usage" "$file" "$@" >"$dir/printed" 2>&1; then
        cat "$dir/printed" >&2
        echo "build.sh: this failed: $*" >&2
        exit 1
    fi
}

# row NAME FILE: the sum of FILE's lines.
row() { awk -v name="$1" '{cpu += $1 + $2; if ($3 > peak) peak = $3; wall += $4}
    END {printf "%-44s %8.1f s CPU %8.1f s %8d MB\n", name, cpu, wall, peak}' "$dir/$2"; }

tree=$dir/tree
built() { cmake --build "$tree" --target "$@" -j "$jobs"; }
built_and_run() { built houserule && "$tree/houserule" --version; }
export -f built built_and_run
export tree jobs

printf '%-44s %14s %10s %11s\n' '' CPU 'went by' 'largest'
measured cold bash -c "cmake -S '$root' -B '$tree' -G Ninja -DCMAKE_BUILD_TYPE=Release -DCCACHE= && built_and_run"
row 'cold: houserule from a clean folder' cold
measured more bash -c 'built all'
row 'cold: what the tests need besides' more

if [ "$tests" = 1 ]; then
    export HOUSERULE_TALLY=$dir/tally
    : >"$HOUSERULE_TALLY"
    measured tests ctest --test-dir "$tree" --parallel "$jobs" --output-on-failure --no-tests=error
    row 'tests: run' tests
    # Catch tells how many there are by its exit code as well.
    cases=$({ "$tree/houserule_tests" --list-test-names-only '~[.long]' || true; } | grep -c .)
    printf '%8d test cases\n' "$cases"
    awk '{count = $1; sub(/^[0-9]+ /, ""); all[$0] += count} END {for (what in all) printf "%8d %s\n", all[what], what}' \
        "$HOUSERULE_TALLY" | sort
fi

if [ "$warm" = 1 ]; then
    mapfile -t files < <(cd "$root" && find dsl interpreter solver -name '*.cpp' | sort)
    step=1
    if [ "$sample" -gt 0 ] && [ "$sample" -lt ${#files[@]} ]; then step=$((${#files[@]} / sample)); fi
    measured nothing bash -c built_and_run
    : >"$dir/warm"
    for ((i = 0; i < ${#files[@]}; i += step)); do
        sleep 0.01 # so that the file is newer than what was made of it
        touch "$root/${files[i]}"
        rm -f "$dir/one"
        measured one bash -c built_and_run
        awk -v file="${files[i]}" '{printf "%.2f %d %s\n", $1 + $2, $3, file}' "$dir/one" >>"$dir/warm"
    done
    sort -n "$dir/warm" | awk '{cpu[NR] = $1; file[NR] = $3}
        END {
            at = int(NR * 0.95 + 0.999999)
            printf "%-44s %8.1f s CPU   (%d of %d files stay within)\n", "warm: after an edit, 95 %", cpu[at], at, NR
            for (i = NR; i > NR - 5 && i > 0; --i) printf "%-44s %8.1f s CPU   %s\n", (i == NR ? "warm: the worst" : ""), cpu[i], file[i]
        }'
fi
