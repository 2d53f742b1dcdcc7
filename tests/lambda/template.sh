#!/usr/bin/env bash
# Checks the deployed shape without an account: SAM's validation, cfn-lint, checkov, and what template.py asserts of the transformed template.
# Then the executable, when one is given: AL2023 has glibc 2.34, and a cold start reads the whole of it, so that it stays below 6 MB.
#
#     tests/lambda/template.sh TOOLS [BOOTSTRAP]
#
# TOOLS is a folder for Python environments: one for sam and cfn-lint, one for checkov, which does not agree with them on versions.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
tools=$1
bootstrap=${2:-}
. tests/lambda/environment.sh
mkdir -p "$tools"
# Both wait for the network more than for the processor.
sam_environment "$tools/sam" &
sam=$!
environment "$tools/checkov" checkov==3.3.30 &
checkov=$!
wait "$sam"
wait "$checkov"

"$tools/sam/bin/sam" validate --lint -t template.yaml
"$tools/sam/bin/cfn-lint" template.yaml
echo "cfn-lint: nothing to say"
"$tools/sam/bin/python" tests/lambda/template.py
"$tools/checkov/bin/checkov" --config-file deploy/checkov.yaml -f template.yaml Dockerfile

if [ -n "$bootstrap" ]; then
    newest=$(objdump -T "$bootstrap" | grep -o 'GLIBC_[0-9.]*' | sort -Vu | tail -1)
    bytes=$(wc -c <"$bootstrap")
    echo "bootstrap: $bytes bytes, needs $newest"
    [ "$(printf '%s\n' GLIBC_2.34 "$newest" | sort -V | tail -1)" = GLIBC_2.34 ] || { echo "AL2023 has GLIBC_2.34" >&2; exit 1; }
    # 5.8 MB on x86_64 when this was written. What makes it larger should be worth it.
    [ "$bytes" -le 6000000 ] || { echo "bootstrap has more than 6,000,000 bytes" >&2; exit 1; }
fi
