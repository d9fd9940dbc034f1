# Everything there is to do here, each with its line of help. What is set up is
# remembered by stamps: npm's packages are installed again when a lock changed.

ADDR ?= 127.0.0.1:8080
NATIVE := CGO_ENABLED=0 go build -trimpath -buildvcs=false -ldflags "-s -w -buildid="
WASM := GOOS=js GOARCH=wasm
export PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD := 1

.DEFAULT_GOAL := help
.PHONY: help run test build bench worker update clean page

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## /{printf "  make %-7s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

run: build ## build, then serve the page on ADDR (now 127.0.0.1:8080)
	@exec bin/ifmlab -addr "$(ADDR)"

build: page ## build the page and the server that holds it, bin/ifmlab
	@$(NATIVE) -o bin/ifmlab ./server

page: web/node_modules/.stamp
	@go run ./web/build

clean: ## remove what was built and installed
	rm -rf bin server/build web/dist/* web/src/spec.gen.ts web/node_modules web/test/node_modules web/test/actual

%/node_modules/.stamp: %/package.json %/package-lock.json | node
	cd $* && npm ci --no-progress
	@touch $@

.PHONY: node
node:
	@command -v node >/dev/null && command -v npm >/dev/null || { echo "Node.js was not found; install version 20 or later, with npm, from nodejs.org or your system's packages" >&2; exit 1; }
	@node -e 'const [major] = process.versions.node.split("."); if (major < 20) { console.error(`found Node.js $${process.versions.node}, want 20 or later; update it`); process.exit(1); }'
