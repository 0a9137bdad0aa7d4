# `make help` lists the targets. What is missing on Debian or Ubuntu is installed first (scripts/setup).

STORE ?= corpus/Notes.sqlite
ARGS ?=
PREFIX ?= /usr/local
DESTDIR ?=
SWIFT ?= swift
# `no` leaves out storedoctor-swiftdata, which reads Swift source and takes about ten minutes to build the first time.
SWIFTDATA ?= yes
# Flags for every build and test but the static binary's, which has a folder of its own.
SWIFT_FLAGS ?=

SOURCES = Sources Static Plugins Tests Fuzz Package.swift
STATIC = .build/static

ifeq ($(SWIFTDATA),yes)
  programs = storedoctor storedoctor-swiftdata
  pages = $(wildcard docs/man/*.1)
else ifeq ($(SWIFTDATA),no)
  programs = storedoctor
  pages = $(filter-out docs/man/storedoctor-swiftdata.1,$(wildcard docs/man/*.1))
else
  $(error SWIFTDATA is yes or no, not '$(SWIFTDATA)')
endif

bin = $(DESTDIR)$(PREFIX)/bin
share = $(DESTDIR)$(PREFIX)/share
bash_completion = $(share)/bash-completion/completions/storedoctor
zsh_completion = $(share)/zsh/site-functions/_storedoctor
fish_completion = $(share)/fish/vendor_completions.d/storedoctor.fish

export STORE VERSION

# Sources are compiled for speed where it counts, since tests start the program thousands of times; empty for a debugger.
# `swift build` and `swift test` need it too: with other flags they build everything again.
STOREDOCTOR_OPTIMISED ?= 1
export STOREDOCTOR_OPTIMISED
# So is swift-argument-parser, without what it checks in debug builds at every start of the program; for all that builds in .build,
# since another compiler builds everything again.
ifeq ($(STOREDOCTOR_OPTIMISED)-$(SWIFT)-$(shell uname -s),1-swift-Linux)
build test test-long test-distributed ablate mutants docs api corpus: export SWIFT_EXEC = $(shell scripts/test-compiler)
endif

.DEFAULT_GOAL := help
.PHONY: help run build test test-long test-distributed ablate mutants arrows check-darwin one-home lint format api \
  docs corpus bench fuzz static install dist uninstall clean setup setup-test setup-darwin setup-distributed setup-static

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-16s  %s\n", $$1, $$2 }' $(MAKEFILE_LIST)
	@echo
	@echo '  make run STORE=path/to/store ARGS="--entity Note"'
	@echo '  make install PREFIX=$$HOME/.local'
	@echo '  make install SWIFTDATA=no      without the program that reads Swift source'

run: setup-static ## build the program that `make install` copies and inspect a bundled store, or the one named with STORE=
	@SWIFT='$(SWIFT)' scripts/build-static storedoctor >&2
	@$(STATIC)/storedoctor inspect "$$STORE" $(ARGS)

build: setup ## build everything for development
	$(SWIFT) build $(SWIFT_FLAGS)

test: setup-test ## build and run all tests, with a seeded slice of the long runs
	scripts/run-tests $(SWIFT) test $(SWIFT_FLAGS)

test-long: setup-test ## the same with the long runs whole
	scripts/test-library
	$(SWIFT) build $(SWIFT_FLAGS) --product storedoctor
	scripts/test-auto-reset "$$($(SWIFT) build $(SWIFT_FLAGS) --show-bin-path)/storedoctor"
	STOREDOCTOR_LONG=1 scripts/run-tests $(SWIFT) test $(SWIFT_FLAGS)

test-distributed: setup-test setup-distributed ## audit 2,000 stores with Dask and GNU parallel, and compare
	$(SWIFT) build $(SWIFT_FLAGS) --product storedoctor
	scripts/test-distributed "$$($(SWIFT) build $(SWIFT_FLAGS) --show-bin-path)/storedoctor"

ablate: setup-test ## take rules of reading Swift source away one by one, and see a test fail for each
	scripts/ablate-derivation $(ARGS)

mutants: setup-test ## plant small bugs one by one, and see the named test catch each
	scripts/mutants $(ARGS)

arrows: ## check that no two modules or folders use each other both ways (after a debug build with tests)
	scripts/arrows

check-darwin: setup setup-darwin ## type-check everything for macOS on Linux; the first time it fetches headers from PyPI (100 MB)
	scripts/check-darwin --setup

one-home: ## check that facts of the format and of text stand in one place each
	scripts/one-home

lint: ## check layout and style
	$(SWIFT) format lint --strict --parallel --recursive $(SOURCES)

format: ## settle layout
	$(SWIFT) format format --in-place --parallel --recursive $(SOURCES)

api: ## list again what the library makes public, in docs/api
	scripts/make-api > docs/api/StoreDoctor.txt

docs: build api ## make the generated pages, the picture and the output in pages again
	scripts/make-schemas Sources/StoreReports/Schemas/jsonSchemas.swift
	scripts/embed-swift Sources/StoreStageFunctions Sources/StoreSwiftCode/Stages/Recipe/embeddedSwift.swift
	scripts/make-man "$$($(SWIFT) build $(SWIFT_FLAGS) --show-bin-path)/storedoctor" docs/man
	scripts/make-check-pages "$$($(SWIFT) build $(SWIFT_FLAGS) --show-bin-path)/storedoctor" docs/checks
	scripts/make-picture "$$($(SWIFT) build $(SWIFT_FLAGS) --show-bin-path)/storedoctor" docs/session.svg
	scripts/compare-schemas --changelog CHANGELOG.md Tests/Expectations/schemas-0.1.0.tar.gz docs/schemas
	scripts/refresh-samples "$$($(SWIFT) build $(SWIFT_FLAGS) --show-bin-path)/storedoctor"
	if [ -x .build/python/bin/python3 ]; then .build/python/bin/python3 scripts/run-notebook \
	  "$$($(SWIFT) build $(SWIFT_FLAGS) --show-bin-path)/storedoctor" examples/fleet.ipynb; fi

corpus: setup ## make the bundled stores and models, and the examples of the pages, again
	$(SWIFT) run $(SWIFT_FLAGS) corpus-maker corpus
	scripts/make-catalogue corpus > Tests/Expectations/bundled-stores.json
	$(SWIFT) build $(SWIFT_FLAGS) --product storedoctor
	scripts/make-examples "$$($(SWIFT) build $(SWIFT_FLAGS) --show-bin-path)/storedoctor"

bench: setup-test setup-static ## compare speed and memory with the sqlite3 shell and C
	bench/run
	bench/repair
	bench/audit
	bench/lint
	bench/places

fuzz: setup ## fuzz the decoders under AddressSanitizer (RUNS=400000 each)
	Fuzz/run

static: setup-static ## build the binaries that `make install` copies: static, run on a machine with nothing installed
	@for program in $(programs); do \
	  if command -v $(SWIFT) >/dev/null; then \
	    if [ $$program != storedoctor ] && [ ! -e $(STATIC)/$$program ]; then \
	      echo "now $$program: about ten minutes the first time; SWIFTDATA=no leaves it out" >&2; \
	    fi; \
	    SWIFT='$(SWIFT)' scripts/build-static $$program || exit 1; \
	  elif [ ! -x $(STATIC)/$$program ]; then \
	    echo "no '$(SWIFT)' in PATH to build $$program; run 'make static' as a user who has it first" >&2; exit 1; \
	  fi; \
	done

install: static ## install binaries, man pages and completions under PREFIX (/usr/local); DESTDIR is honoured
	install -d '$(bin)' '$(share)/man/man1'
	install -d '$(dir $(bash_completion))' '$(dir $(zsh_completion))' '$(dir $(fish_completion))'
	install -m 755 $(programs:%=$(STATIC)/%) '$(bin)/'
	install -m 644 $(pages) '$(share)/man/man1/'
	$(STATIC)/storedoctor --generate-completion-script bash > '$(bash_completion)'
	$(STATIC)/storedoctor --generate-completion-script zsh > '$(zsh_completion)'
	$(STATIC)/storedoctor --generate-completion-script fish > '$(fish_completion)'
	chmod 644 '$(bash_completion)' '$(zsh_completion)' '$(fish_completion)'

dist: ## make what a release consists of, in dist/: archive, .deb, Python wheel, sums (VERSION=... to be sure of it)
	@if [ -z "$$STOREDOCTOR_PROGRAMS" ]; then $(MAKE) static; fi
	SWIFT='$(SWIFT)' scripts/make-dist "$${VERSION:-$$(scripts/version)}"

uninstall: ## remove what `make install` put under PREFIX
	rm -f '$(bin)/storedoctor' '$(bin)/storedoctor-swiftdata' '$(bash_completion)' '$(zsh_completion)' '$(fish_completion)'
	cd docs/man && for page in *.1; do rm -f '$(share)/man/man1/'"$$page"; done

clean: ## remove everything that was built
	rm -rf .build

setup:
	@scripts/setup build

setup-test:
	@scripts/setup build test

setup-darwin:
	@scripts/setup darwin

setup-distributed:
	@scripts/setup distributed

setup-static:
	@scripts/setup static build
