################################################################################
#
# passd: not built yet; see packaging/README.md. packaging/check compares the
# lists with `make install` and the sources.
#
################################################################################

PASSD_VERSION = 0.1.0
# The source tarball of `make dist`.
PASSD_SOURCE = passd-$(PASSD_VERSION).tar.xz
PASSD_SITE = file://$(realpath $(BR2_EXTERNAL_PASSD_PATH)/../../.build/dist)
# No licence has been chosen.
PASSD_LICENSE = none chosen
PASSD_REDISTRIBUTE = NO
PASSD_INSTALL_STAGING = NO
PASSD_DEPENDENCIES = host-pkgconf libcurl libmicrohttpd libqrencode libwebsockets openssl sqlite swift-foundation systemd

define PASSD_BUILD_GATEWAY
	$(TARGET_MAKE_ENV) $(MAKE) -C $(@D) release-web CC="$(TARGET_CC) $(TARGET_CFLAGS) $(TARGET_LDFLAGS)"
endef
PASSD_POST_BUILD_HOOKS += PASSD_BUILD_GATEWAY

PASSD_SANDBOX_FILES = \
	usr/bin/pass-sandbox \
	usr/lib/systemd/system/pass-sandbox.service \
	usr/share/pass-sandbox \
	usr/share/bash-completion/completions/pass-sandbox \
	usr/share/fish/vendor_completions.d/pass-sandbox.fish \
	usr/share/zsh/site-functions/_pass-sandbox \
	usr/share/man/man1/pass-sandbox.1

define PASSD_INSTALL_TARGET_CMDS
	$(MAKE) -C $(@D) install-built BUILT=.build/release DESTDIR=$(TARGET_DIR)
	$(if $(BR2_PACKAGE_PASSD_SANDBOX),,cd $(TARGET_DIR) && rm -rf $(PASSD_SANDBOX_FILES))
endef

define PASSD_INSTALL_INIT_SYSTEMD
	mkdir -p $(TARGET_DIR)/usr/lib/systemd/system-preset
	printf 'enable %s\n' passd.socket passd-admin.socket passd.service passd-web.socket \
		> $(TARGET_DIR)/usr/lib/systemd/system-preset/80-passd.preset
endef

$(eval $(swift-package))
