# Everything there is to do here, each with its line of help. What is set up is
# remembered by stamps: npm's packages are installed again when a lock changed.

ADDR ?= 127.0.0.1:8080
GO_BUILD := go build -trimpath -buildvcs=false
LINK := -s -w -buildid=
PLATFORMS := linux/amd64 linux/arm64 darwin/amd64 darwin/arm64 windows/amd64 windows/arm64
GO_SOURCES := $(wildcard *.go) core server wasm web/build $(wildcard web/*.go)
WASM := GOOS=js GOARCH=wasm
IN_WASM := ./core/... ./wasm/... ./server/...
FOR_USERS := ./core/estimator
KERNEL := core/kernel/simd/kernel
# Under js/wasm are tested the packages whose loops the SIMD kernel takes over
# there, those that have files of their own for it, and the trees, whose bits are
# the same there. Of those that read files only the loops are: ./wasm reads files of
# every kind there, byte by byte. Of those that take long, which all run natively,
# are tested there what has the same bits on every machine, the golden records among
# it, and what meets a slow and obvious sum or a finite difference, of which core/saved and core/task
# have none; LONG=1 adds the rest.
KERNELLED = $(shell go list -f '{{$$p := .ImportPath}}{{range .Imports}}{{if eq . "ifmlab/core/kernel"}}{{$$p}}{{end}}{{end}}' ./core/...)
READERS := core/csv core/read core/encode core/vtec/sky
LONG_IN_WASM := core core/assess core/linear core/pair core/saved core/solve core/task core/train core/trees core/vtec
NUMBERS := Golden|SameBits|FiniteDifferences|NormalEquations|Slow|Dense|Pairwise|WrittenOut|NeverRises
LOOPS := ScanAhead|Design|Blocks|Take|Knots|Allocate|LeastSquares|Copies|Snapshot|Wave|Disturbances|Noise
WORKERD := server/workerd/node_modules/.stamp
FRAMEWORKS := web/frameworks/node_modules/.stamp
PASTED := web/pasted web/pasted/docusaurus
# The race detector watches the packages that start goroutines, their tests among
# them. It needs cgo and so a C compiler. The kernel's loops are left out of it:
# they share nothing, and watched they take ten times as long. Where only some tests
# start goroutines, or one command of many does, only those are watched; what ./ does at once is what
# ifm table1 does.
GOES := \bgo func|\.Go\(func|^\s+go [a-z]+\.
RACED = $(filter-out ./,$(sort $(dir $(shell grep -rlE '$(GOES)' --include='*.go' --exclude-dir=testdata $(patsubst %,./%,$(filter-out wasm,$(GO_SOURCES)))))))
SHARING := ./core/assess/ ./core/cmd/ifm/ ./core/estimator/ ./core/packed/ ./core/vtec/sky/ ./web/build/
SHARE := WhateverWasAskedBefore|WhoDoesTheFolds|FoldsChooseAnd|FoldsChooseWhere|TheTableIs|ASweepHolds|WithAFlippedBit|WorkbooksAndParquet|DistHolds
RACE_TEST := go test -timeout 30m -vet=off -race -short -gcflags=ifmlab/core/kernel=-race=false
RACE := $(shell command -v $(firstword $(shell go env CC 2>/dev/null)) >/dev/null 2>&1 && echo 1)
TWO = $(MAKE) --no-print-directory -j2 $(if $(filter output-sync,$(.FEATURES)),-O)
export PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD := 1
export LONG

.DEFAULT_GOAL := help
.PHONY: help run test acceptance build release bench fuzz audit worker worker-dev update clean page types units kernel workerd tools checks native race wasm plain arm browsers dead smoke hosts pasted frameworks servers engines

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## /{printf "  make %-10s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

run: build ## build, then serve the page on ADDR (default 127.0.0.1:8080)
	@exec bin/ifmlab -addr "$(ADDR)"

build: page ## build the page, the server that holds it, bin/ifmlab, and the command, bin/ifm
	@CGO_ENABLED=0 $(GO_BUILD) -ldflags "$(LINK)" -o bin/ifmlab ./server
	@CGO_ENABLED=0 $(GO_BUILD) -ldflags "$(LINK)" -o bin/ifm ./core/cmd/ifm

# Its programs keep Go's build ID, out of which the linker makes the LC_UUID that macOS asks for.
release: build ## pack programs for Linux, macOS and Windows, the site, the element and checksums in bin/release
	@version=$$(bin/ifm version); test -z "$(TAG)" || test "ifm $(TAG)" = "ifm v$${version#ifm }" || { echo "the tag is $(TAG), want v$${version#ifm }, which is core.Version; change one of them" >&2; exit 1; }
	@rm -rf bin/programs bin/release
	@set -e; for platform in $(PLATFORMS); do \
		export GOOS=$${platform%/*} GOARCH=$${platform#*/} CGO_ENABLED=0; end=; test $$GOOS != windows || end=.exe; \
		$(GO_BUILD) -ldflags "-s -w" -o bin/programs/$$platform/ifmlab$$end ./server; \
		$(GO_BUILD) -ldflags "-s -w" -o bin/programs/$$platform/ifm$$end ./core/cmd/ifm; done
	@go run ./web/build -programs bin/programs -release bin/release
	@cat bin/release/SHA256SUMS

page: web/node_modules/.stamp | tools
	@$(if $(BUILT),,go run ./web/build)

# Two jobs at a time, the longest first; what each says comes in one piece, when it ends.
test: ## format, vet, then test natively, under js/wasm, in Node, Chromium, Firefox and workerd
	@$(TWO) build kernel worker workerd
	@$(TWO) BUILT=1 browsers native wasm types units checks plain arm race dead smoke
	@echo "passed: gofmt, vet, deadcode, knip, Go's tests natively$(if $(filter 1,$(RACE)), and with the race detector) and under js/wasm, the SIMD kernel, TypeScript's types, the page's modules in Node, the page in Chromium, a smoke pass of the bench"
	@web/test/install-browsers.sh --firefox && echo "and in Firefox" || true
	@$(if $(filter 1,$(RACE)),,echo "not run: the race detector, because there is no C compiler ($$(go env CC))")
	@command -v qemu-aarch64-static >/dev/null || test "$$(go env GOARCH)" = arm64 || echo "not run: the kernel on arm64, because there is no qemu-aarch64-static"
	@$(if $(IFMLAB_DATA),,echo "not run: the tests on the larger tables, because IFMLAB_DATA names no folder")
	@test -e $(WORKERD) || echo "not run: the conformance suite in workerd, because npm could not install it in server/workerd"
	@$(if $(LONG),,echo "not run: the long runs, of Go's tests (-short, and under js/wasm all that compares no bits and no sums) and of the page's; make acceptance runs them too")

acceptance: ## test as make test does, with the long runs
	@$(MAKE) --no-print-directory test LONG=1

checks:
	@unformatted=$$(gofmt -l $(GO_SOURCES)); test -z "$$unformatted" || { echo "run gofmt -w" $$unformatted >&2; exit 1; }
	@cmp -s bin/kernel.wasm $(KERNEL).wasm || { echo "$(KERNEL).wasm is not what $(KERNEL).ts compiles to; run make update and commit it" >&2; exit 1; }
	@go mod verify >/dev/null
	go vet ./...
	$(WASM) go vet $(IN_WASM)

# Functions that no program here calls, in any system that they are built for; nor,
# of what Go users call, the examples and tests of their package. In a list of all files,
# once a system, a line of deadcode's output counts against its file.
dead:
	@go build -o bin/deadcode golang.org/x/tools/cmd/deadcode
	@files='{{$$d := .Dir}}{{range .GoFiles}}{{$$d}}/{{.}}{{"\n"}}{{end}}'; \
	{ go list -f "$$files" ./... && $(WASM) go list -f "$$files" $(IN_WASM) && go list -deps -f "{{if not .Standard}}$$files{{end}}" $(FOR_USERS) | grep "^$(CURDIR)/" && \
	export GOGC=400 && bin/deadcode ./... && $(WASM) bin/deadcode $(IN_WASM) && bin/deadcode -test $(FOR_USERS); } >bin/dead.txt && \
	awk -F: -v top="$(CURDIR)/" '/tabletest|runtest/ { next } !/unreachable func/ { sub(top, ""); built[$$0]++; next } ++told[$$0] == built[$$1] { print; found = 1 } \
		END { if (found) print "no program calls these; remove them, or move them into tests"; exit found }' bin/dead.txt >&2

# What make bench does, once and on little. Its lock, and that of make hosts, is
# checked and nothing of them installed. The part in Chromium runs at the end of browsers.
smoke:
	@for folder in web/bench web/frameworks web/pasted web/pasted/docusaurus; do (cd $$folder && npm ls --all --package-lock-only >/dev/null) || exit; done
	@go run ./core/cmd/bench smoke >bin/smoke.txt
	@test ! -e $(WORKERD) || node server/workerd/bench.mjs --smoke >>bin/smoke.txt
	@grep "^not run" bin/smoke.txt || true

# checks vets all of it, once for each system.
native:
	go test -timeout 30m -vet=off $(if $(LONG),,-short) ./...

race:
	$(if $(filter 1,$(RACE)),CGO_ENABLED=1 $(RACE_TEST) $(filter-out $(SHARING),$(RACED)))
	$(if $(filter 1,$(RACE)),CGO_ENABLED=1 $(RACE_TEST) -run '$(SHARE)' $(SHARING))

wasm:
	$(WASM) go test -timeout 30m -vet=off -short -exec "$(CURDIR)/wasm/exec" $(filter-out $(LONG_IN_WASM:%=ifmlab/%) $(READERS:%=ifmlab/%),$(KERNELLED)) ./core/kernel ./core/message ./wasm
	$(WASM) go test -timeout 30m -vet=off -short $(if $(LONG),,-run '$(NUMBERS)') -exec "$(CURDIR)/wasm/exec" $(filter-out $(if $(LONG),,./core/saved ./core/task),$(LONG_IN_WASM:%=./%))
	$(WASM) go test -timeout 30m -vet=off -short -run '$(LOOPS)' -exec "$(CURDIR)/wasm/exec" $(READERS:%=./%)
	$(WASM) go test -timeout 30m -vet=off -run Numbers -exec "$(CURDIR)/wasm/exec" $(FOR_USERS)

plain: # the bodies that run in a browser without SIMD, against each other
	IFMLAB_SIMD=0 $(WASM) go test -timeout 30m -vet=off -short -count=1 -exec "$(CURDIR)/wasm/exec" ./core/kernel ./wasm

arm: # the kernel's NEON body against the plain one, in an emulator
	GOARCH=arm64 go vet ./core/kernel
	@if command -v qemu-aarch64-static >/dev/null; then CGO_ENABLED=0 GOARCH=arm64 go test -vet=off -short -exec qemu-aarch64-static ./core/kernel; fi

browsers:
	web/test/install-browsers.sh
	node web/test/run.mjs
	node web/bench/main.mjs --smoke

types: page web/test/node_modules/.stamp
	web/test/node_modules/.bin/tsc -p web
	web/test/node_modules/.bin/tsc -p web/test
	web/test/node_modules/.bin/tsc -p web/bench
	cd web && test/node_modules/.bin/oxlint -c test/oxlint.json --tsconfig tsconfig.json src
	cd web && test/node_modules/.bin/knip --config test/knip.js && test/node_modules/.bin/knip --config test/knip.js --production

# The page's modules that need no browser, in Node. The tests stand beside them.
units: page web/test/node_modules/.stamp
	@rm -rf web/emitted
	web/test/node_modules/.bin/tsc -p web/tsconfig.test.json
	node --test --test-reporter=spec $$(find web/emitted -name '*.test.js')

# What Share writes, in the real software of its hosts. Hugo, MkDocs, Jupyter, the
# filters of PHP and Python and WebKitGTK come from the system; what is missing is
# skipped, and said.
pasted: units build
	@for folder in $(PASTED); do $(MAKE) --no-print-directory $$folder/node_modules/.stamp || echo "going on without $$folder" >&2; done
	web/test/install-browsers.sh
	node --test --test-concurrency=2 --test-reporter=spec web/pasted/*.test.mjs

kernel: web/test/node_modules/.stamp
	@mkdir -p bin
	web/test/node_modules/.bin/asc $(KERNEL).ts -o bin/kernel.wasm -O3 --runtime stub --importMemory --noExportMemory --noAssert --enable simd

# workerd is an extra of 195 MB: where npm cannot install it, make test says so and goes on.
workerd: web/test/node_modules/.stamp
	@$(MAKE) --no-print-directory $(WORKERD) || echo "going on without workerd" >&2
	@test ! -e $(WORKERD) || web/test/node_modules/.bin/tsc -p server/workerd

# The software of others is an extra: what cannot be installed is told, and the rest runs.
hosts: pasted frameworks servers ## test the lab in the software of others: pages, courses, notebooks, frameworks, web servers

# Pages with the element's package, under the strict types of each and in Chromium.
frameworks: build web/test/node_modules/.stamp
	@$(MAKE) --no-print-directory $(FRAMEWORKS) || echo "going on without frameworks" >&2
	@web/test/install-browsers.sh
	@if test -e $(FRAMEWORKS); then web/test/node_modules/.bin/tsc -p web/frameworks/tsconfig.test.json && node --test --test-reporter=spec web/frameworks/frameworks.test.mjs; \
		else echo "not run: pages of React, Vue and Svelte, because npm could not install them in web/frameworks"; fi

# The blocks in server/hosts, and what bin/ifmlab -assets writes.
servers: build
	IFMLAB_HOSTS=1 go test -count=1 -v -run 'EachBlock|TheUnit' ./server

# A browser that is not here, or arm64 where there is no qemu-aarch64-static, is skipped, and said.
engines: build web/test/node_modules/.stamp ## run every experiment in each browser, in Node and natively, and compare the bits
	web/test/install-browsers.sh
	node --test --test-reporter=spec web/test/engines/engines.test.mjs

# A SLURM that is started for it, and Kubernetes' own types, in a module that nothing else has.
.PHONY: cluster
cluster: ## sweep on a real SLURM with a process killed and a node lost, which needs root and Debian's packages, and as a Kubernetes Job runs it
	IFMLAB_CLUSTER=1 core/cmd/ifm/cluster/slurm.sh with go test -count=1 -timeout 15m -v -run 'OnSLURM|ATaskReads|ADiskOf' ./core/cmd/ifm
	@cd core/cmd/ifm/cluster/manifest && if go mod download; then go test -count=1 -v .; else echo "not run: the manifest of Kubernetes, because Go could not download its packages"; fi

# Each target that stands in a test file, on a worker and for TIME. What a crash was
# found with is kept beside it, in testdata/fuzz; commit it with what mends it.
TIME ?= 1m
fuzz: page web/test/node_modules/.stamp ## feed every reader broken input, each for TIME (default 1m); hand-ins by the number
	@set -e; for file in $$(grep -rlE '^func Fuzz' --include='*_test.go' core server); do \
		for target in $$(sed -nE 's/^func (Fuzz[A-Za-z]*)\(.*/\1/p' $$file); do \
			echo "$$(dirname $$file): $$target for $(TIME)"; \
			go test ./$$(dirname $$file) -run '^$$' -fuzz "^$$target$$" -fuzztime $(TIME) -fuzzminimizetime 1s -parallel 1; done; done
	web/test/node_modules/.bin/tsc -p web/tsconfig.test.json
	INPUTS=20000 node --test --test-reporter=spec web/emitted/homework/broken.test.js

# Both ask a database on the network, which not every machine may.
VULNERABILITIES := golang.org/x/vuln/cmd/govulncheck@v1.9.0
audit: tools ## ask which holes are known in the packages used
	@if ! GOBIN="$(CURDIR)/bin" go install $(VULNERABILITIES) 2>bin/audit.txt; then echo "not run: govulncheck:" $$(tail -1 bin/audit.txt); \
		elif bin/govulncheck ./... >bin/audit.txt 2>&1; then tail -1 bin/audit.txt; \
		elif grep -q "^govulncheck: fetching" bin/audit.txt; then echo "not run: govulncheck:" $$(tail -1 bin/audit.txt); else cat bin/audit.txt; exit 1; fi
	@for folder in $(dir $(wildcard web/package.json web/*/package.json server/*/package.json)); do \
		if (cd $$folder && npm audit --package-lock-only) >bin/audit.txt 2>&1; then echo "$$folder: no hole is known"; \
		elif grep -qE "audit endpoint returned an error|ENOTFOUND|EAI_AGAIN" bin/audit.txt; then echo "not run: npm audit in $$folder: the registry gave no answer"; else cat bin/audit.txt; exit 1; fi; done

bench: worker workerd web/test/node_modules/.stamp web/bench/node_modules/.stamp ## time the hot paths natively, as WebAssembly and in Chromium, and the server
	go run ./core/cmd/bench
	server/bench.sh
	@test ! -e $(WORKERD) || node server/workerd/bench.mjs
	web/test/install-browsers.sh
	node web/bench/main.mjs

worker: build ## build the Cloudflare Worker in server/build
	@go run github.com/syumai/workers/cmd/workers-assets-gen -mode go -o server/build
	@bin/ifmlab -assets server/build/assets
	@$(WASM) $(GO_BUILD) -ldflags "$(LINK) -X main.version=$$(bin/ifmlab -version)" -o server/build/app.wasm ./server
	@size=$$(gzip -9c server/build/app.wasm | wc -c); echo "the Worker is $$((size / 1024)) KiB, gzip"; \
		test $$size -le 3145728 || { echo "Cloudflare's free plan takes 3072 KiB; let worker.go import less" >&2; exit 1; }

worker-dev: worker $(WORKERD) ## build it and run it in workerd, Cloudflare's runtime, on ADDR
	@exec node server/workerd/start.mjs "$(ADDR)"

update: kernel ## compile the SIMD kernel and write the reference pictures anew
	cp bin/kernel.wasm $(KERNEL).wasm
	@$(MAKE) --no-print-directory build types
	web/test/install-browsers.sh
	LONG=1 UPDATE=1 node web/test/run.mjs

clean: ## remove what was built and installed
	rm -rf bin server/build web/dist/* web/src/*/*.gen.ts web/src/*/*/*.gen.ts web/test/actual web/emitted web/node_modules web/test/node_modules web/bench/node_modules web/frameworks/node_modules $(PASTED:%=%/node_modules) server/.wrangler server/workerd/node_modules

%/node_modules/.stamp: %/package.json %/package-lock.json | tools
	cd $* && npm ci --no-progress
	@touch $@

tools:
	@command -v go >/dev/null || { echo "Go was not found; install version 1.26 or later from go.dev" >&2; exit 1; }
	@command -v node >/dev/null && command -v npm >/dev/null || { echo "Node.js was not found; install version 20 or later, with npm, from nodejs.org" >&2; exit 1; }
	@node -e 'const found = process.versions.node; if (parseInt(found) < 20) { console.error(`found Node.js $${found}, want 20 or later; update it`); process.exit(1); }'
