# Not built yet; see packaging/README.md. packaging/check compares the lists with `make install` and the sources.
SUMMARY = "Pay-TV entitlement daemon of a TV box"
# No licence has been chosen.
LICENSE = "CLOSED"

# The source tarball of `make dist`.
FILESEXTRAPATHS:prepend := "${THISDIR}/../../../../.build/dist:"
SRC_URI = "file://passd-${PV}.tar.xz"
# scarthgap does not have UNPACKDIR.
S = "${@d.getVar('UNPACKDIR') or d.getVar('WORKDIR')}/passd-${PV}"

inherit swift pkgconfig systemd features_check
REQUIRED_DISTRO_FEATURES = "systemd"
COMPATIBLE_HOST = "(x86_64|aarch64).*-linux"

DEPENDS = "curl libmicrohttpd libwebsockets openssl qrencode sqlite3 systemd"
# The daemon loads these with the first request and the first code.
RDEPENDS:${PN} = "libcurl qrencode"
RRECOMMENDS:${PN} = "ca-certificates"
RDEPENDS:passd-web = "${PN}"
RDEPENDS:pass-sandbox = "libcurl"

do_compile:append() {
    oe_runmake -C ${S} release-web CC="${CC} ${CFLAGS} ${LDFLAGS}"
    install -m 0755 ${S}/.build/release/passd-web ${BUILD_DIR}/
}

do_install() {
    oe_runmake -C ${S} install-built BUILT=${BUILD_DIR} DESTDIR=${D} PREFIX=${prefix} UNITDIR=${systemd_system_unitdir}
}

PACKAGES =+ "passd-web pass-sandbox"
FILES:passd-web = " \
    ${sbindir}/passd-web \
    ${systemd_system_unitdir}/passd-web.* \
    ${nonarch_libdir}/sysusers.d/passd-web.conf \
    ${datadir}/bash-completion/completions/passd-web \
"
FILES:pass-sandbox = " \
    ${bindir}/pass-sandbox \
    ${systemd_system_unitdir}/pass-sandbox.service \
    ${datadir}/pass-sandbox \
    ${datadir}/bash-completion/completions/pass-sandbox \
    ${datadir}/fish/vendor_completions.d/pass-sandbox.fish \
    ${datadir}/zsh/site-functions/_pass-sandbox \
"
FILES:${PN} = " \
    ${bindir}/passd-cli \
    ${sbindir}/passd \
    ${sbindir}/passd-setup \
    ${sysconfdir}/passd \
    ${systemd_system_unitdir}/passd* \
    ${nonarch_libdir}/passd \
    ${nonarch_libdir}/systemd/catalog \
    ${nonarch_libdir}/sysusers.d/passd.conf \
    ${nonarch_libdir}/tmpfiles.d \
    ${datadir}/passd \
    ${datadir}/bash-completion/completions/passd* \
    ${datadir}/fish/vendor_completions.d/passd* \
    ${datadir}/zsh/site-functions/_passd* \
"
FILES:${PN}-doc = " \
    ${docdir} \
    ${mandir} \
"
CONFFILES:${PN} = "${sysconfdir}/passd/passd.conf"

SYSTEMD_PACKAGES = "${PN} passd-web"
SYSTEMD_SERVICE:${PN} = "passd.socket passd-admin.socket passd.service"
SYSTEMD_SERVICE:passd-web = "passd-web.socket"
