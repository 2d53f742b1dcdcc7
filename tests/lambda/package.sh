#!/usr/bin/env bash
# Builds the package as it is deployed, by `sam build` with cargo-lambda, for this machine's processor, and checks and lists what is in it.
#
#     tests/lambda/package.sh TOOLS ARTIFACT
#
# TOOLS is the folder that template.sh has its Python environments in; the package is made in TOOLS/package. To run it afterwards:
#
#     python3 tests/lambda/check.py TOOLS/package/Function/bootstrap RIE TOOLS/package/Content/site.shelf EMULATOR
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
tools=$1
artifact=$(realpath "$2")
. tests/lambda/environment.sh
mkdir -p "$tools"
sam_environment "$tools/sam"

case $(uname -m) in
    arm64 | aarch64) architecture=arm64 ;;
    *) architecture=x86_64 ;;
esac
bin=$(realpath "$tools/sam/bin")
PATH=$bin:$PATH ARCHITECTURE=$architecture SITE=$artifact \
    sam build --build-dir "$tools/package" --parameter-overrides "Architecture=$architecture"
python3 tests/lambda/package.py "$tools/package" "$artifact"
