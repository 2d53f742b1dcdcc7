# Sourced by the checks of the deployed shape: Python environments with pinned packages, and what SAM is told on every call.
export SAM_CLI_TELEMETRY=0 AWS_DEFAULT_REGION=eu-west-1 PIP_DISABLE_PIP_VERSION_CHECK=1

# environment FOLDER PACKAGE…: makes it once for these versions.
environment() {
    local folder=$1
    shift
    if [ "$(cat "$folder/packages" 2>/dev/null)" != "$*" ]; then
        python3 -m venv --clear "$folder"
        "$folder/bin/pip" install --quiet "$@"
        echo "$*" >"$folder/packages"
    fi
}

# sam_environment FOLDER: SAM, its linter, and what it builds the function with.
sam_environment() {
    environment "$1" aws-sam-cli==1.170.0 cfn-lint==1.58.0 cargo-lambda==1.9.2 ziglang==0.17.1
}
