# `make` alone lists the commands. With CI=true, warnings are errors. Build, tests and demo share the same flags, because
# other flags would build everything again.

SHELL := /bin/bash
.DELETE_ON_ERROR:
.DEFAULT_GOAL := help

PREFIX ?= /usr
DESTDIR ?=
SWIFT ?= swift
FLAGS := $(if $(filter true 1,$(CI)),-Xswiftc -warnings-as-errors)
SOURCES := Package.swift Sources Tests clients/conformance/drivers/swift

# The folder of the units. Packages use /lib, where older tools look for them.
UNITDIR ?= $(PREFIX)/lib/systemd/system
# Units that also exist as templates, for instances (several daemons on one host).
INSTANTIATED := passd.service passd.socket passd-admin.socket passd-sealing-key.service passd-metrics.service passd-metrics.timer
# The guides that are installed. Links to files that are not installed become plain text.
GUIDES := $(filter-out docs/architecture.md docs/glossary.md,$(wildcard docs/*.md)) docs/monitoring/README.md
NOT_INSTALLED := \.\./[A-Z]|\.\./clients|\.\./packaging|man/|contract|decisions/|architecture|glossary|passd\.(rules|dashboard)
# The folder for zsh's completions that do not come from packages.
ZSHDIR ?= $(PREFIX)/share/zsh/site-functions
PROGRAMS := passd passd-cli pass-sandbox passd-web
# The folder with the built programs.
BUILT ?= .build/release
# The Swift runtime is linked into the programs, because Debian 12 and 13 do not have it. The programs contain no path of this
# machine, so that a build elsewhere gives the same bytes. Debug information has only functions and lines, and does not name the module
# cache, because the rest depends on the place of the build. The linker is the toolchain's own. Its options make the programs
# smaller: short relative relocations, one copy of identical functions, no unused symbol table.
# docs/decisions/0018.
RELEASE := -c release --static-swift-stdlib -Xswiftc -file-prefix-map -Xswiftc $(CURDIR)=. -Xcc -ffile-prefix-map=$(CURDIR)=. \
	-Xswiftc -gline-tables-only -Xcc -gline-tables-only -Xswiftc -Xfrontend -Xswiftc -no-clang-module-breadcrumbs \
	-Xswiftc -use-ld=lld -Xlinker -z -Xlinker now -Xlinker -z -Xlinker relro \
	-Xlinker -z -Xlinker pack-relative-relocs -Xlinker --icf=safe -Xlinker --no-export-dynamic $(FLAGS)
# The commit of the sources is a note in the programs (https://systemd.io/ELF_PACKAGE_METADATA). Nothing is noted if the commit
# is unknown.
COMMIT = $(shell scripts/commit)
METADATA = {"name":"$(1)","version":"$(VERSION)","commit":"$(COMMIT)"}
NOTES = -Xlinker --build-id=0x$$id $(if $(COMMIT),-Xlinker '--package-metadata=$(METADATA)')
# For a build for another processor: the name of a Swift SDK, the folder of SDKS, and the system in the SDK. CC is then a C
# compiler for that processor.
SDK ?=
SDKS ?=
SYSROOT ?=
ifneq ($(SDK),)
RELEASE += --swift-sdks-path $(SDKS) --swift-sdk $(SDK)
export PKG_CONFIG_SYSROOT_DIR = $(SYSROOT)
export PKG_CONFIG_PATH = $(wildcard $(SYSROOT)/usr/lib/*-linux-gnu/pkgconfig):$(SYSROOT)/usr/share/pkgconfig
endif
# The flags of the programs that every box has. With these flags, code with the library's regular expressions does not compile.
# The Swift runtime uses a few parts of the C++ library. They are linked in, because a shared library would take a mebibyte of
# memory.
SMALL := -Xswiftc -L$(CURDIR)/.build/static -Xswiftc -Osize -Xswiftc -Xfrontend -Xswiftc -disable-implicit-string-processing-module-import

.PHONY: help deps build test box tv demo pictures format lint check-units check-web release release-web install install-built uninstall deb check-deb check-reproducible image check-image check-containers dist check-dist system-test hostile kills fuzz sanitize bench budgets bench-startup bench-instances clean toolchain generate clients check-clients check-cog check-examples check-kodi check-older clients-packages

help: ## list the commands
	@sed -n 's/^\([a-z-]*\):[^#]*## \(.*\)/make \1\t\2/p' $(MAKEFILE_LIST) | expand -t 20

toolchain:
	@scripts/check-toolchain $(SWIFT)

deps: ## install the missing Debian packages without asking
	@scripts/install-dependencies $(SWIFT)

build: toolchain .build/web/passd-web ## build everything, tests included
	$(SWIFT) build --build-tests --explicit-target-dependency-import-check error $(FLAGS)

# The gateway for web apps is a small program in C, because libwebsockets is a library for C.
WEB := $(wildcard Sources/passd-web/*.c)
VERSION := $(shell sed -n 's/.*static let text = "\(.*\)".*/\1/p' Sources/PassProtocol/Version.swift)
CC_WEB = $(CC) -std=c17 -D_GNU_SOURCE -DPASSD_VERSION='"$(VERSION)"' -Wall -Wextra -Wno-missing-field-initializers \
	$(if $(filter true 1,$(CI)),-Werror) -g -ffile-prefix-map=$(CURDIR)=.

# The build for development and tests. It detects misuse of memory.
.build/web/passd-web: $(WEB) $(wildcard Sources/passd-web/*.h) Sources/PassProtocol/Version.swift
	@mkdir -p $(@D)
	$(CC_WEB) -O1 -fsanitize=address,undefined -fno-sanitize-recover -o $@ $(WEB) -lwebsockets

# Suites that wait for sockets, timers or whole programs run separately: on two cores, a test that keeps a thread busy
# would delay the answers of other tests.
APART := AccessEnablerTests PassBackendTests PassWireTests PassSystemTests PassClientTests PassdTests.AnswerMemoryTests PassdTests PassdCLITests EndToEndTests

# The kind of processor that packages are built for. CROSS is empty if it is the kind of this machine.
ARCH :=
CROSS := $(filter-out $(shell dpkg --print-architecture 2> /dev/null),$(ARCH))
ifneq ($(filter-out arm64,$(CROSS)),)
$(error packages for $(CROSS) cannot be built here, only those for this machine and for arm64)
endif
ifneq ($(and $(CROSS),$(filter image check-image,$(MAKECMDGOALS))),)
$(error $(MAKECMDGOALS) works only with the packages for this machine)
endif

ifeq ($(CROSS),)
test: deps ## install missing packages, and run all tests; ARCH=arm64 runs only the unit tests, in QEMU, for over an hour; SUITES='PassJSON' chooses some of these
	@$(MAKE) --silent .build/web/passd-web
	@scripts/test '$(APART)' $(SWIFT) test $(FLAGS)
	@# They mostly wait, so they run at the same time.
	@$(MAKE) --silent --jobs=4 --output-sync=target check-web check-examples check-clients check-older
else
test:
	@scripts/install-dependencies $(SWIFT) cross emulation
	@scripts/$(CROSS)/test $(SUITES)
endif

check-web: .build/web/passd-web
	@Tests/Web/attackers.py .build/web/passd-web "$$($(SWIFT) build $(FLAGS) --show-bin-path)/passd"

check-examples:
	@MAKEFLAGS= clients/check-examples "$$($(SWIFT) build $(FLAGS) --show-bin-path)"

check-older:
	@MAKEFLAGS= SWIFT='$(SWIFT)' clients/check-older "$$($(SWIFT) build $(FLAGS) --show-bin-path)"

check-kodi: ## test the add-on for Kodi in a real Kodi on a virtual screen; PICTURES=DIRECTORY keeps pictures
	@scripts/install-dependencies $(SWIFT) build test kodi
	@$(SWIFT) build $(FLAGS)
	@Examples/kodi/tests/check "$$($(SWIFT) build $(FLAGS) --show-bin-path)" $(if $(PICTURES),--pictures "$(PICTURES)")

check-cog: ## test the toy TV in Cog, the browser of WPE WebKit for boxes without a desktop
	@scripts/install-dependencies $(SWIFT) build cog
	@$(SWIFT) build $(FLAGS)
	@$(MAKE) --silent .build/web/passd-web
	@Examples/tv/tests/cog "$$($(SWIFT) build $(FLAGS) --show-bin-path)"

generate: toolchain ## make the manuals, the configuration, the completions and the client libraries again from the tables in the source
	@$(SWIFT) run $(FLAGS) generate-documents
	@$(MAKE) --silent clients

clients: toolchain ## make the generated parts of the client libraries again, from the daemon's description of itself
	@$(SWIFT) build $(FLAGS) --product passd
	@clients/generate --from "$$($(SWIFT) build $(FLAGS) --show-bin-path)/passd"

check-clients: deps ## check the client libraries: generated parts, types, unit tests, conformance; builds only the Swift library of passd
	@$(SWIFT) build $(FLAGS) --product passclient-driver
	@MAKEFLAGS= clients/check "$$($(SWIFT) build $(FLAGS) --show-bin-path)/passclient-driver"

clients-packages: ## build the wheel and the tarball for npm, into .build/clients
	@scripts/install-dependencies $(SWIFT) clients
	@clients/package .build/clients
	@clients/check-packages .build/clients

OPTIONS :=
box: ## install missing packages, and run a service and a private daemon for app developers, until Ctrl-C; OPTIONS='--directory DIR' and others: see pass-sandbox box --help
	@scripts/install-dependencies $(SWIFT) build
	@$(SWIFT) build $(FLAGS)
	@$(MAKE) --silent .build/web/passd-web
	@"$$($(SWIFT) build $(FLAGS) --show-bin-path)/pass-sandbox" box $(OPTIONS)

tv: ## install missing packages, and run a toy TV with two web apps, for a browser; OPTIONS=--open opens it in Chromium; for other options, see Examples/tv/run --help
	@scripts/install-dependencies $(SWIFT) build tv
	@$(SWIFT) build $(FLAGS)
	@$(MAKE) --silent .build/web/passd-web
	@Examples/tv/run "$$($(SWIFT) build $(FLAGS) --show-bin-path)" $(OPTIONS)

demo: ## install missing packages, and run the demo: a box with two apps and one login; AUTO=1 also logs in like a viewer, PROTOCOL=v1 uses the older interface, FOREIGN=1 uses a service with its pages at another address
	@scripts/install-dependencies $(SWIFT) build
	@$(SWIFT) build $(FLAGS)
	@scripts/demo "$$($(SWIFT) build $(FLAGS) --show-bin-path)"

pictures: deps ## install missing packages, and make the pictures of the README again
	@$(SWIFT) build $(FLAGS)
	@$(MAKE) --silent .build/web/passd-web
	@Examples/tv/tests/walk "$$($(SWIFT) build $(FLAGS) --show-bin-path)" --pictures .build/pictures
	@for name in code signed-in playing phone-provider phone-done; do install -m 0644 ".build/pictures/$$name.png" docs/pictures/; done

format: toolchain ## format the sources
	$(SWIFT) format --in-place --recursive $(SOURCES)

lint: toolchain ## check the format of the sources, and the scripts with shellcheck
	$(SWIFT) format lint --strict --recursive $(SOURCES)
	@shellcheck --shell bash --external-sources --exclude SC1091,SC2016,SC2034,SC2154,SC2317 .ci/run $$(find scripts -type f ! -name '*.[cm]*' ! -name beyond-qemu) Examples/kodi/{package,tests/check} Tests/Frozen/freeze packaging/check-image Tests/Containers/run clients/{box.bash,check,check-examples,check-older,check-packages,install,package} clients/conformance/drivers/c Tests/System/box \
		Tests/System/run Tests/System/arm64 Tests/System/self-test Tests/System/engine/* Tests/System/inside/words.bash \
		Tests/System/inside/{life,first-boot,boot,image,image-build,machine,standby,flood} Tests/System/inside/chapters/* Tests/Hostile/{Fuzz,Sanitize}/run
	@shellcheck systemd/passd-setup
	@packaging/check
	@found=$$(scripts/check-words) || { tail -n 30 <<< "$$found"; exit 1; }
	@# Foundation would make the programs a third larger. Only programs that are not on every box may import FoundationEssentials.
	@! grep -rnE '^(@\w+ |internal |package |public )*import Foundation$$' Sources
	@! grep -rnE 'import FoundationEssentials' $(filter-out Sources/PassSandbox Sources/pass-sandbox,$(wildcard Sources/*))

check-units: ## check the systemd units, and that the exposure of passd.service is below 1.0
	@scripts/check-units

release: toolchain ## build the programs as they are packaged, below .build/release
	@mkdir -p .build/static
	@ln -sf "$$($(CC) -print-file-name=libstdc++.a)" .build/static/
	id=$$(scripts/build-id passd $(SWIFT)) && $(SWIFT) build $(RELEASE) $(SMALL) $(call NOTES,passd) --product passd
	id=$$(scripts/build-id passd-cli $(SWIFT)) && $(SWIFT) build $(RELEASE) $(SMALL) $(call NOTES,passd-cli) --product passd-cli
	id=$$(scripts/build-id pass-sandbox $(SWIFT)) && $(SWIFT) build $(RELEASE) $(call NOTES,pass-sandbox) --product pass-sandbox
	@$(MAKE) release-web

# A separate target, for systems without Swift. It runs after the other builds, because they make .build/release a link.
# WEB_SYSROOT=FOLDER builds it for the system in this folder. Debian's gcc would find this machine's libraries first.
WEB_SYSROOT ?=
WEB_PLACE = $(if $(WEB_SYSROOT),--sysroot=$(WEB_SYSROOT) $(foreach each,$(wildcard $(WEB_SYSROOT)/usr/lib/*-linux-gnu),-L$(each) -B$(each)))
release-web:
	@mkdir -p $(BUILT)
	$(CC_WEB) $(WEB_PLACE) -O2 -D_FORTIFY_SOURCE=2 -fstack-protector-strong -fPIE -pie \
		-Wl,-z,now,-z,relro,--build-id=none,--as-needed -o $(BUILT)/passd-web $(WEB) -lwebsockets

install: release install-built ## build for release and install below DESTDIR and PREFIX

install-built:
	install -D -m 0755 "$(BUILT)/passd" "$(DESTDIR)$(PREFIX)/sbin/passd"
	install -m 0755 "$(BUILT)/passd-web" "$(DESTDIR)$(PREFIX)/sbin/passd-web"
	install -m 0755 systemd/passd-setup "$(DESTDIR)$(PREFIX)/sbin/passd-setup"
	sed -i 's,^shared=/usr/,shared=$(PREFIX)/,' "$(DESTDIR)$(PREFIX)/sbin/passd-setup"
	install -D -m 0755 -t "$(DESTDIR)$(PREFIX)/bin" "$(BUILT)/passd-cli" "$(BUILT)/pass-sandbox"
	install -D -m 0644 -t "$(DESTDIR)$(UNITDIR)" systemd/*.service systemd/*.socket systemd/*.timer
	for unit in $(INSTANTIATED); do sed -f systemd/instance.sed "systemd/$$unit" | \
		install -m 0644 /dev/stdin "$(DESTDIR)$(UNITDIR)/$${unit%.*}@.$${unit##*.}" || exit 1; done
	sed -i 's,=/usr/\(s\?bin/pass\),=$(PREFIX)/\1,' "$(DESTDIR)$(UNITDIR)"/pass*.service
	install -D -m 0644 systemd/passd-metrics.stanza "$(DESTDIR)$(PREFIX)/lib/passd/apps.d/passd-metrics.conf"
	install -D -m 0644 systemd/passd.sysusers "$(DESTDIR)$(PREFIX)/lib/sysusers.d/passd.conf"
	install -m 0644 systemd/passd-web.sysusers "$(DESTDIR)$(PREFIX)/lib/sysusers.d/passd-web.conf"
	install -D -m 0644 systemd/passd.tmpfiles "$(DESTDIR)$(PREFIX)/lib/tmpfiles.d/passd.conf"
	install -D -m 0644 systemd/passd.catalog "$(DESTDIR)$(PREFIX)/lib/systemd/catalog/passd.catalog"
	install -D -m 0644 -t "$(DESTDIR)$(PREFIX)/share/passd/passd.service.d" systemd/passd.service.d/*.conf
	install -D -m 0644 -t "$(DESTDIR)$(PREFIX)/share/passd/monitoring" docs/monitoring/passd.rules.yml \
		docs/monitoring/passd.dashboard.json
	install -D -m 0644 Config/sandbox/catalog.json "$(DESTDIR)$(PREFIX)/share/pass-sandbox/catalog.json"
	for section in 1 5 7 8; do \
		install -D -m 0644 -t "$(DESTDIR)$(PREFIX)/share/man/man$$section" docs/man/*.$$section || exit 1; done
	install -D -m 0644 -t "$(DESTDIR)$(PREFIX)/share/bash-completion/completions" completions/bash/*
	install -D -m 0644 -t "$(DESTDIR)$(ZSHDIR)" completions/zsh/*
	install -D -m 0644 -t "$(DESTDIR)$(PREFIX)/share/fish/vendor_completions.d" completions/fish/*
	install -D -m 0644 Config/apps.d/example.conf "$(DESTDIR)$(PREFIX)/share/doc/passd/apps.d/example.conf"
	for page in $(GUIDES); do sed -zE 's,\[([^]]*)\]\(($(NOT_INSTALLED))[^)]*\),\1,g' "$$page" | \
		install -D -m 0644 /dev/stdin "$(DESTDIR)$(PREFIX)/share/doc/passd/$${page#docs/}" || exit 1; done
	@at="$(DESTDIR)/etc/passd/passd.conf"; if [ -e "$$at" ] && ! cmp --silent Config/passd.conf "$$at"; then \
		at+=.new; echo "the existing configuration is kept; the new one is $$at"; fi; \
		install -D -m 0644 Config/passd.conf "$$at"

# Installs into a temporary tree, with empty files as programs, to find out which files to remove.
uninstall: ## remove the files that install has put below DESTDIR and PREFIX, except for the configuration
	@tree=$$(mktemp -d) && trap 'rm -rf "$$tree"' EXIT && mkdir "$$tree/built" && touch $(PROGRAMS:%="$$tree/built/%") && \
		$(MAKE) --silent install-built DESTDIR="$$tree/root" BUILT="$$tree/built" && cd "$$tree/root" && rm -r etc && \
		find . -type f -printf '$(DESTDIR)/%P\0' | xargs --null rm -f && \
		{ find . -depth -type d \( -name 'pass*' -o -path '*/passd/*' \) -printf '$(DESTDIR)/%P\0' | \
			xargs --null rmdir --ignore-fail-on-non-empty 2> /dev/null || true; }

deb: $(if $(CROSS),,toolchain) ## build the Debian packages, into .build/packages; ARCH=arm64 builds them for ARM, into .build/packages-arm64
	@scripts/install-dependencies $(SWIFT) $(if $(CROSS),cross,build package)
	@scripts/$(CROSS:%=%/)build-packages .build/packages$(CROSS:%=-%)

check-deb: deb ## check all packages with lintian, and the client libraries in them with the conformance suite; ARCH=arm64 checks those for ARM with lintian
	@lintian --fail-on error,warning .build/packages$(CROSS:%=-%)/*.changes
	@$(if $(CROSS),,clients/check-packages .build/packages)

check-reproducible: deb ## check that a second build in another folder gives the same packages, byte for byte; ARCH=arm64 checks those for ARM
	@scripts/check-reproducible .build/packages$(CROSS:%=-%) $(CROSS)

image: deb ## make a container image that runs `pass-sandbox box`, as .build/pass-sandbox.tar
	@packaging/image .build/packages .build/pass-sandbox.tar

check-image: deb ## as root: make the image twice, and run it in podman with an app in another container
	@scripts/install-dependencies $(SWIFT) build package image
	@packaging/check-image .build/packages

check-containers: ## as root: run apps and a CI job in containers of podman, Docker and Flatpak, as docs/containers.md says
	@scripts/install-dependencies $(SWIFT) build containers
	@$(SWIFT) build $(FLAGS)
	@$(MAKE) --silent .build/web/passd-web
	@Tests/Containers/run "$$($(SWIFT) build $(FLAGS) --show-bin-path)"

DISTRIBUTED = .build/packages $(wildcard .build/packages-*)
ifneq ($(and $(CROSS),$(filter dist check-dist,$(MAKECMDGOALS))),)
$(error a release has the packages for all processors: run make deb ARCH=$(CROSS), and then make $(MAKECMDGOALS))
endif
dist: deb ## make the files of a release from the commit and its packages, into .build/dist; after make deb ARCH=arm64, also those for ARM
	@scripts/install-dependencies $(SWIFT) build package clients dist
	@scripts/dist .build/dist $(DISTRIBUTED)

check-dist: dist ## check the files of a release: packed twice with the same bytes, their contents, the bills of materials
	@scripts/check-dist .build/dist $(DISTRIBUTED)

system-test: deb ## install the packages under a real systemd, in temporary boxes, and test all stages of a box's life; ARCH=arm64 tests them in an emulated machine, for over an hour
	@scripts/install-dependencies $(SWIFT) $(if $(CROSS),emulation,build system)
	@$(if $(CROSS),,$(SWIFT) build $(FLAGS) --product passd)
	@$(if $(CROSS),Tests/System/$(CROSS) .build/packages-$(CROSS),Tests/System/run .build/packages)

SECONDS := 10
fuzz: toolchain ## give damaged input to all code that reads untrusted bytes; SECONDS=600 for each target, or RUNS=2000 for the same inputs each time; TARGETS='json rows', SEED=7, KEEP=1 keeps new inputs
	@SWIFT='$(SWIFT)' FLAGS='$(FLAGS)' Tests/Hostile/Fuzz/run $(if $(RUNS),--runs $(RUNS),--seconds $(SECONDS)) $(TARGETS)

sanitize: deps ## run the tests under the address and thread sanitizers; SUITES='PassWireTests' runs only these; ATTACKERS='races' also runs attackers
	@FLAGS='$(FLAGS)' Tests/Hostile/Sanitize/run $(SWIFT) address $(SUITES)
	@FLAGS='$(FLAGS)' Tests/Hostile/Sanitize/run $(SWIFT) thread $(SUITES)
	$(if $(ATTACKERS),@Tests/Hostile/Sanitize/attack $(ATTACKERS))

hostile: deps ## attack the programs at full size, for hours; SLICE=1 runs a part of each in a few minutes
	@scripts/install-dependencies $(SWIFT) build hostile
	@$(SWIFT) build $(FLAGS)
	@Tests/Hostile/run $(if $(SLICE),--slice,--full)
	$(if $(SLICE),,@$(MAKE) fuzz SECONDS=600 && $(MAKE) kills COUNT=10000 && $(MAKE) sanitize)

bench: deps release ## measure passd beside Redis, D-Bus and a C echo; QUICK=1 for two minutes instead of ten
	@scripts/install-dependencies $(SWIFT) bench
	@Benchmarks/bench.py --programs .build/release $(if $(QUICK),--quick,--write Benchmarks/results/bench.md)

budgets: deb ## check costs of passd that do not depend on the machine: system calls, wakeups, syncs, memory, sizes; ARCH=arm64 counts them in an emulated machine
	@scripts/install-dependencies $(SWIFT) $(if $(CROSS),emulation,budgets)
	@$(if $(CROSS),Tests/System/$(CROSS) .build/packages-$(CROSS) budgets,Benchmarks/budgets.py --programs .build/package/passd/.build/release)

bench-startup: ## measure how long a viewer waits while other apps start, and after a login on a phone; QUICK=1 for one round
	@Benchmarks/startup.py --rounds $(if $(QUICK),1,5)

bench-instances: ## measure the costs of a hundred instances on one host
	@Benchmarks/instances.py

COUNT := 500
kills: deps ## kill the daemon COUNT times, at random moments and at every step of a commit
	@scripts/install-dependencies $(SWIFT) build hostile
	@$(SWIFT) build $(FLAGS)
	@Tests/Hostile/kills.py --full --count $(COUNT)

clean: ## delete all build results
	rm -rf .build
