#!/usr/bin/env bash
# Real MCP clients against the local server, over HTTP and stdio.
#
#     tests/clients/run.sh [LOCAL] [ARTIFACT]
#
# LOCAL     the `local` program; default target/debug/local
# ARTIFACT  the artifact to serve; default dist/site.shelf
#
# The clients are installed once, pinned, into target/clients (or $CLIENTS). Prints a line for each check; exits 0 when all hold, 1 when
# one does not, 2 when it could not run. Feedback goes to a temporary file.
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
root=$(cd "$here/../.." && pwd)
local_server=$(realpath -m "${1:-$root/target/debug/local}")
artifact=$(realpath -m "${2:-$root/dist/site.shelf}")
clients=${CLIENTS:-$root/target/clients}

for file in "$local_server" "$artifact"; do
    [ -f "$file" ] || { echo "there is no \`$file\`" >&2; exit 2; }
done

# What is installed is remembered with the list it was installed from: another list installs anew.
mkdir -p "$clients"
if ! cmp -s "$here/requirements.txt" "$clients/requirements.txt"; then
    rm -rf "$clients/venv"
    python3 -m venv "$clients/venv" || exit 2
    "$clients/venv/bin/pip" install --quiet --disable-pip-version-check -r "$here/requirements.txt" || exit 2
    cp "$here/requirements.txt" "$clients/requirements.txt"
fi
if ! cmp -s "$here/package-lock.json" "$clients/installed.json"; then
    cp "$here/package.json" "$here/package-lock.json" "$clients/"
    (cd "$clients" && npm ci --no-audit --no-fund --silent) || exit 2
    cp "$here/package-lock.json" "$clients/installed.json"
fi
# A module finds its packages from where it lies.
cp "$here/typescript_client.mjs" "$clients/typescript_client.mjs"

work=$(mktemp -d)
server=
cleanup() {
    [ -z "$server" ] || kill "$server" 2>/dev/null || true
    [ -z "$server" ] || wait "$server" 2>/dev/null || true
    rm -rf "$work"
}
trap cleanup EXIT
trap 'exit 130' INT TERM

"$local_server" serve --artifact "$artifact" --addr 127.0.0.1:0 --feedback "$work/feedback.sqlite" 2>"$work/log" &
server=$!
# It says where it listens once it does.
url=
for _ in $(seq 200); do
    url=$(grep -o 'http://127\.0\.0\.1:[0-9]*/mcp' "$work/log" | head -n 1) && break
    kill -0 "$server" 2>/dev/null || break
    sleep 0.05
done
[ -n "$url" ] || { echo "the server did not start:" >&2; cat "$work/log" >&2; exit 2; }

failed=0
python=$clients/venv/bin/python
"$python" "$here/python_client.py" auto "$url" || failed=1
"$python" "$here/python_client.py" 2026-07-28 "$url" || failed=1
"$python" "$here/python_client.py" legacy "$url" || failed=1
for mode in auto 2026-07-28; do
    "$python" "$here/python_client.py" "$mode" "$local_server" stdio --artifact "$artifact" --feedback "$work/stdio.sqlite" || failed=1
done
(cd "$clients" && node typescript_client.mjs "$url") || failed=1
exit "$failed"
