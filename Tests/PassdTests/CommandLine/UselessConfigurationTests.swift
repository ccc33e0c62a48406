// Tests what `passd --check-config` says about a valid configuration. It names missing, useless and expiring parts.
// operations.md §1, §2.

import AccessEnabler
import Glibc
import PassArguments
import Testing

@testable import PassConfiguration
@testable import PassDaemon
@testable import PassServer

@Suite struct UselessConfigurationTests {
    private func useless(_ message: String, _ check: ConfigurationCheck) {
        #expect(check.status == .configuration && check.text.contains(message), "\(check.text)")
        #expect(!check.text.contains("warning"))
        #expect(check.text.hasSuffix("but the parts named above cannot work\n"))
    }

    @Test(arguments: [
        (
            "[backend]\ncertificate-authorities = /nowhere/ca.pem",
            "certificate-authorities: /nowhere/ca.pem cannot be used"
        ),
        ("[device]\nidentity = file:/nowhere/id", "identity: /nowhere/id cannot be used: No such file"),
        ("[device]\nidentity = machine-id+file:/nowhere/id", "identity: /nowhere/id cannot be used: No such file"),
        ("[sign-on]\nplatform-identity = command:/nowhere/id", "platform-identity: /nowhere/id cannot be used"),
        ("[sign-on]\nservice-token = file:/etc", "service-token: /etc cannot be used: it is not a file"),
        ("[sign-on]\nservice-token = command:/etc/passwd", "it is not a program that this user may run"),
        (
            "[sign-on]\npartner = command:/nowhere/p\npartner-name = a\npartner-device-type = b",
            "partner: /nowhere/p cannot be used"
        ),
    ]) func `a missing file or program cannot work, but the daemon still starts`(
        text: String, message: String
    ) throws {
        let workspace = Workspace()
        workspace.resources.fileFault = { path, use in use.fault(of: path) }
        let loaded = try workspace.load(text + "\n")
        useless(message, ConfigurationCheck(loaded))
        #expect(loaded.isUsable && loaded.isClear)
        #expect(loaded.problems.first?.place.line == 2, "the line that names the file")
    }

    @Test(arguments: [
        ("-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n", true),
        ("# ours\r\n-----BEGIN TRUSTED CERTIFICATE-----\r\nMIIB\r\n", true),
        ("-----BEGIN PRIVATE KEY-----\nMIIB\n-----END PRIVATE KEY-----\n-----BEGIN CERTIFICATE-----\nMIIB\n", true),
        ("", false), ("-----BEGIN CERTIFICATE-----\n", false), ("<!DOCTYPE html>\n", false),
        ("-----BEGIN CERTIFICATE-----\n-----END CERTIFICATE-----\n", false),
        ("-----BEGIN PRIVATE KEY-----\nMIIB\n-----END PRIVATE KEY-----\n", false), ("0\u{82}\u{1}", false),
    ]) func `a file of authorities without a certificate cannot work`(text: String, works: Bool) throws {
        let workspace = Workspace()
        workspace.resources.fileFault = { path, use in use.fault(of: path) }
        try workspace.write("ca.pem", text)
        let check = ConfigurationCheck(
            try workspace.load(
                "[backend]\ncertificate-authorities = \(workspace.file("ca.pem"))\n[storage]\ndirectory = \(workspace.root)\n"
            ))
        if works { #expect(check.verdict == "configuration is good\n") } else { useless("openssl x509", check) }
    }

    @Test(arguments: [
        ("there", ""), ("there/new", ""), ("file", "file cannot be used: it is not a directory"),
        ("file/state", "file is not a directory; correct the path"),
        ("link", "it is a link that leads nowhere; create the directory, or correct the path"),
        ("file/a/b", "there is no directory"),
    ]) func `a state directory that cannot exist cannot work`(path: String, message: String) throws {
        let workspace = Workspace()
        workspace.resources.fileFault = { path, use in use.fault(of: path) }
        try workspace.makeDirectory("there")
        try workspace.write("file", "")
        try workspace.link("link", to: "nowhere")
        let loaded = try workspace.load("[storage]\ndirectory = \(workspace.file(path))\n")
        let check = ConfigurationCheck(loaded)
        if message.isEmpty { #expect(check.verdict == "configuration is good\n") } else { useless(message, check) }
        #expect(loaded.isUsable && loaded.isClear)
    }

    @Test
    func `missing folders above the state directory are a fault for root, but the daemon's own user creates them`()
        throws
    {
        let workspace = Workspace()
        try workspace.makeDirectory("there")
        let fault = FileUse.keeping.fault(of: workspace.file("there/a/b"))
        #expect(geteuid() == 0 ? fault?.contains("there/a; create it") == true : fault == nil, "\(fault ?? "")")
        #expect(FileUse.keeping.fault(of: "/var/lib/passd") == nil, "StateDirectory= creates it")
    }

    @Test func `a problem with a state directory from a flag is reported with the flag`() throws {
        let workspace = Workspace()
        workspace.resources.fileFault = { path, use in use == .keeping ? "it is not a directory" : use.fault(of: path) }
        workspace.overrides = [SettingOverride(name: .init("storage", "directory"), text: "/x", flag: "--state")]
        useless("directory (--state): /x cannot be used: it is not a directory", ConfigurationCheck(workspace.load()))
    }

    @Test(arguments: [
        // Two programs of one programmer.
        ("user:kodi", "group:video", "", false), ("user:kodi", "user:kodi+unit:b.service", "", false),
        ("user:kodi", "user:kodi", "may = observe\n", false), ("user:kodi", "user:nobody-here", "", false),
        ("user:kodi", "user:1000", "", true), ("group:video user:kodi", "user:2 group:video", "", true),
        ("user:kodi+unit:a.service", "unit:a.service+user:kodi", "", true),
    ]) func `two stanzas with the same requestor and the same rule are a mistake, with different rules they are not`(
        first: String, second: String, may: String, isWarned: Bool
    ) throws {
        let workspace = Workspace()
        let loaded = try workspace.load(
            apps: "[app b]\nrequestors = X A\nallow = \(second)\n\(may)\n[app a]\nrequestors = A\nallow = \(first)\n")
        let warned = loaded.problems.map(\.description).filter { $0.contains("gives requestor A to") }
        #expect(warned.count == (isWarned ? 1 : 0), "\(warned)")
        #expect(warned.allSatisfy { $0.contains("test.conf:1: app b gives") && $0.contains("as does app a at") })
        #expect(ConfigurationCheck(loaded).status == .done)
    }

    @Test(arguments: [(3, true), (4, false)]) func `the search for such mistakes compares a limited number of rules`(
        others: Int, isWarned: Bool
    ) throws {
        // Each of the others has the same 4096 pairs of a rule and a requestor.
        let rules = (1...64).map { "user:\($0)" }.joined(separator: " ")
        let requestors = (1...64).map { "R\($0)" }.joined(separator: " ")
        var apps = (1...others).map { "[app a\($0)]\nrequestors = \(requestors)\nallow = \(rules)\n" }.joined()
        for name in ["y", "z"] { apps += "[app \(name)]\nrequestors = X\nallow = user:1000\n" }
        let warned = try Workspace().load(apps: apps).problems.map(\.description)
        #expect(warned.contains { $0.contains("app z gives requestor X to user:1000, as does app y") } == isWarned)
        #expect(warned.count { $0.contains(" gives requestor R1 to user:1, as does app a1 ") } == others - 1)
    }

    @Test(arguments: [
        // Days before the end, minus one second.
        (0, "expired today"), (2, "expires in 1 day"), (30, "expires in 29 days"), (31, ""),
    ]) func `the expiry of a statement is reported with the doctor's words, from the same day on`(
        days: Int64, words: String
    ) throws {
        let now = 1_000_000_000 - days * 86_400 + 1
        let workspace = Workspace()
        // {"exp":1000000000}
        workspace.resources.readStatement = { _ in .success(Array("aGk.eyJleHAiOjEwMDAwMDAwMDB9.c2ln".utf8)) }
        workspace.resources.now = { ServerTime(milliseconds: now * 1000) }
        let loaded = try workspace.load(
            apps: "[app a]\nrequestors = A\nallow = user:kodi\nsoftware-statement = file:/a.jwt\n")
        let check = ConfigurationCheck(loaded)
        let told = "the software statement of app a, file:/a.jwt, \(words)\n"
        #expect(words.isEmpty ? check.verdict == "configuration is good\n" : check.text.contains(told))
        #expect(check.text.contains(":4: warning: ") == words.hasPrefix("expires"), "\(check.text)")
        #expect(loaded.problems.allSatisfy { $0.place.line == 4 })
        #expect((check.status == .done) == !words.hasPrefix("expired"))
    }

    @Test(arguments: [
        ("aGk.e30.c2ln", "", true), ("rubbish", "is not a software statement", false), ("", "is empty", false),
        // {"exp":1000}
        ("aGk.eyJleHAiOjEwMDB9.c2ln", "expired 114 days ago", false),
        // {"exp":100000000}
        ("aGk.eyJleHAiOjEwMDAwMDAwMH0.c2ln", "", true),
    ]) func `a statement that cannot work is an error`(statement: String, message: String, works: Bool) throws {
        let workspace = Workspace()
        workspace.resources.readStatement = { _ in .success(Array(statement.utf8)) }
        workspace.resources.now = { ServerTime(milliseconds: 1000 * 1000 + 114 * 86_400_000 + 1) }
        let check = ConfigurationCheck(
            try workspace.load(
                apps: "[app a]\nrequestors = A\nsoftware-statement = file:/a.jwt\nallow = user:kodi\n"))
        if works { #expect(check.verdict == "configuration is good\n") } else { useless(message, check) }
    }
}
