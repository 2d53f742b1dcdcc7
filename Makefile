# What `sam build` runs for the function in template.yaml: it fills ARTIFACTS_DIR with the executable and, beside it, the site's artifact.
#
# ARCHITECTURE is the template's parameter of that name, which SAM does not pass on: arm64 (the default) or x86_64.
# SITE is the artifact that `builder build` wrote.

ARCHITECTURE ?= arm64
SITE ?= dist/site.shelf

.PHONY: build-Function
build-Function:
	@test -f "$(SITE)" || { echo "no artifact at $(SITE)" >&2; echo "help: run \`builder build\` first, or name it: SITE=path/to/site.shelf sam build" >&2; exit 1; }
	cargo lambda build --release --$(subst _,-,$(ARCHITECTURE)) -p runtime --bin lambda --no-default-features --features lambda \
		--lambda-dir "$(ARTIFACTS_DIR)" --flatten lambda
	cp "$(SITE)" "$(ARTIFACTS_DIR)/site.shelf"
