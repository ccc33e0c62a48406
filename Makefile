# `make` alone tells what there is. With CI=true warnings are errors; build, tests and demo then share the same flags,
# because other flags would build everything anew.

SHELL := /bin/bash
.DELETE_ON_ERROR:
.DEFAULT_GOAL := help

PREFIX ?= /usr
DESTDIR ?=
SWIFT ?= swift
FLAGS := $(if $(filter true 1,$(CI)),-Xswiftc -warnings-as-errors)
SOURCES := Package.swift Sources Tests

.PHONY: help deps build test demo format lint check-units install clean toolchain

help: ## tell what there is
	@sed -n 's/^\([a-z-]*\):[^#]*## \(.*\)/make \1\t\2/p' $(MAKEFILE_LIST) | expand -t 20

toolchain:
	@scripts/check-toolchain $(SWIFT)

deps: ## install the Debian packages that are missing, without questions
	@scripts/install-dependencies $(SWIFT)

build: toolchain ## build everything, tests included
	$(SWIFT) build --build-tests $(FLAGS)

# Suites that wait for sockets, timers or whole programs run apart: on two cores a test that keeps a thread busy would
# let another one's answer come too late.
APART := AccessEnablerTests PassBackendTests PassWireTests PassSystemTests PassClientTests PassdTests PassdCLITests EndToEndTests
empty :=
space := $(empty) $(empty)

test: deps ## install what is missing, and run all tests
	$(SWIFT) test $(FLAGS) --skip '^($(subst $(space),|,$(APART)))[.]'
	for suite in $(APART); do $(SWIFT) test $(FLAGS) --skip-build --filter "^$$suite[.]" || exit 1; done

demo: deps ## install what is missing, and play a box with two apps and one login; AUTO=1 plays the viewer too, PROTOCOL=v1 the older interface
	@$(SWIFT) build $(FLAGS)
	@scripts/demo "$$($(SWIFT) build $(FLAGS) --show-bin-path)"

format: toolchain ## bring the sources into the house's form
	$(SWIFT) format --in-place --recursive $(SOURCES)

lint: toolchain ## complain about sources that are not in the house's form
	$(SWIFT) format lint --strict --recursive $(SOURCES)

check-units: ## hold the systemd units against systemd's own checks, and their exposure below 1.0
	@scripts/check-units

install: toolchain ## build for release and install below DESTDIR and PREFIX
	for program in passd passd-cli pass-sandbox; do $(SWIFT) build -c release --product $$program $(FLAGS) || exit 1; done
	bin="$$($(SWIFT) build -c release $(FLAGS) --show-bin-path)" && \
		install -D -m 0755 "$$bin/passd" "$(DESTDIR)$(PREFIX)/sbin/passd" && \
		install -D -m 0755 -t "$(DESTDIR)$(PREFIX)/bin" "$$bin/passd-cli" "$$bin/pass-sandbox"
	install -D -m 0644 -t "$(DESTDIR)$(PREFIX)/lib/systemd/system" systemd/*.service systemd/*.socket
	sed -i 's,/usr/sbin/passd,$(PREFIX)/sbin/passd,' "$(DESTDIR)$(PREFIX)/lib/systemd/system/passd.service"
	install -D -m 0644 systemd/passd.sysusers "$(DESTDIR)$(PREFIX)/lib/sysusers.d/passd.conf"
	install -D -m 0644 systemd/passd.catalog "$(DESTDIR)$(PREFIX)/lib/systemd/catalog/passd.catalog"
	install -D -m 0644 -t "$(DESTDIR)$(PREFIX)/share/passd/passd.service.d" systemd/passd.service.d/*.conf
	install -D -m 0644 Config/sandbox/catalog.json "$(DESTDIR)$(PREFIX)/share/pass-sandbox/catalog.json"
	install -D -m 0644 -t "$(DESTDIR)$(PREFIX)/share/man/man1" docs/man/*.1
	install -D -m 0644 -t "$(DESTDIR)$(PREFIX)/share/man/man5" docs/man/*.5
	install -D -m 0644 -t "$(DESTDIR)$(PREFIX)/share/man/man8" docs/man/*.8
	install -D -m 0644 Config/passd.conf "$(DESTDIR)/etc/passd/passd.conf"
	install -D -m 0644 Config/apps.d/example.conf "$(DESTDIR)$(PREFIX)/share/doc/passd/apps.d/example.conf"

clean: ## forget what was built
	rm -rf .build
