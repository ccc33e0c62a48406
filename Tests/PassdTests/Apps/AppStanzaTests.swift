// Tests app stanzas: their contents, and the handling of faulty stanzas. operations.md §2.

import AccessEnabler
import PassBackend
import PassProtocol
import Testing

@testable import PassConfiguration
@testable import PassDaemon
@testable import PassPlatform
@testable import PassServer

@Suite struct AppStanzaTests {
    @Test func `a stanza identifies an app and names its rights`() throws {
        let loaded = try Workspace().load(
            apps: """
                [app news24]
                title = News 24 – live
                requestors = NEWS24 NEWS24PLUS
                software-statement = file:/usr/share/news24/statement.jwt     # or credential:NAME
                allow = user:kodi group:44 unit:news24.service user:1001+unit:g++.service
                may = entitlement observe
                activation-url = https://news24.example/tv
                domain-name = news24.example
                redirect-url = news24://back
                """)
        #expect(loaded.problems.isEmpty)
        let app = try #require(loaded.apps.first)
        #expect(app.name == "news24" && app.place.line == 1)
        #expect(app.title == "News 24 – live")
        #expect(app.requestors == ["NEWS24", "NEWS24PLUS"])
        #expect(app.statement == .present(try SoftwareStatement(Array(Workspace.statement.utf8))))
        #expect(
            app.allow.map(\.conditions) == [
                [.user(1000)], [.group(44)], [.unit("news24.service")], [.user(1001), .unit("g++.service")],
            ])
        #expect(app.may == [.entitlement, .observe])
        #expect(app.site.activationURL == "https://news24.example/tv")
        #expect(app.site.domainName == "news24.example" && app.site.redirectURL == "news24://back")
    }

    @Test func `a key that a stanza omits has its default`() throws {
        let app = try #require(
            try Workspace().load(apps: "[app a]\nrequestors = A\nallow = user:kodi\nmay =\n").apps.first)
        #expect(app.may == [.entitlement])
        #expect(app.statement == .absent && app.title == nil)
        #expect(app.site.activationURL == nil && app.site.domainName == nil && app.site.redirectURL == nil)
    }

    @Test(arguments: [
        ("allow = kodi", "expected user:NAME"), ("allow = usr:kodi", "nearest: user:"),
        ("allow = user:", "expected user"),
        ("allow = user:4294967295", "number"), ("allow = user:99999999999", "number"),
        ("allow = unit:news24", "full name"), ("allow = unit:a/b.service", "full name"),
        ("allow = user:kodi+executable:/usr/bin/kodi", "expected user:NAME"),
        ("allow = user:kodi+", "expected user:NAME"),
        ("allow = user:kodi,group:video", "expected user:NAME"),
        ("allow = origin:https://news24.example", "any program of any user can send an origin"),
        ("allow = group:video+origin:https://news24.example", "any program of any user can send an origin"),
        ("allow = user:kodi+group:video+origin:https://news24.example", "exclude each other"),
        ("allow = user:kodi+origin:https://a.example+origin:https://b.example", "one origin: in a rule"),
        ("allow = user:kodi+origin:news24.example", "expected http:// or https://"),
        ("allow = user:kodi+origin:null", "null is sent by"),
        ("allow = user:kodi+origin:file:///", "expected https://"),
        ("allow = user:kodi+origin:https://news24.example/", "no / at the end"),
        ("may = observ", "nearest: observe"), ("may = admin", "entitlement"), ("may = houshold", "nearest: household"),
        ("title = \(String(repeating: "x", count: 65))", "at most 64 bytes"),
        ("title = a\u{9B}b", "control characters"),
        ("title = a\u{202E}b", "control characters"),
        ("software-statement = /a.jwt", "file:PATH"),
        ("software-statement = file:a.jwt", "absolute"), ("software-statement = credential:../a", "credential:NAME"),
        ("requestors = NÄWS", "is not a requestor ID"), ("requestors = A, B", "by spaces"),
        ("activation-url = news", "https://"),
        ("domain-name = a b", "domain name"), ("redirect-url = back", "SCHEME"),
        ("allow = user:kodi\nallow = group:video", "occurs twice"), ("nonsense", "neither"),
    ])
    func `an invalid stanza is ignored as a whole, and the other stanzas apply`(line: String, message: String) throws {
        let lines = line.hasPrefix("allow") ? line : "allow = user:kodi\n" + line
        let loaded = try Workspace().load(
            apps: "[app a]\n\(lines)\n\n[app b]\nrequestors = B\nallow = user:kodi\n")
        #expect(loaded.apps.map(\.name) == ["b"])
        #expect(loaded.isUsable && !loaded.isGood)
        let messages = loaded.problems.map(\.message)
        #expect(messages.contains { $0.contains(message) }, "\(messages)")
        #expect(messages.contains("app a is denied until the errors in this stanza are corrected"))
    }

    @Test func `an unknown account is a warning, and its rule never matches`() throws {
        let loaded = try Workspace().load(
            apps: "[app a]\nrequestors = A\nallow = user:nobody-here group:none+user:kodi user:kodi\n")
        #expect(
            loaded.problems.map(\.message) == [
                "there is no user nobody-here, so user:nobody-here never matches",
                "there is no group none, so group:none+user:kodi never matches",
            ])
        #expect(loaded.isGood)
        #expect(
            loaded.apps.first?.allow.map(\.conditions) == [
                [.missingAccount], [.missingAccount, .user(1000)], [.user(1000)],
            ])
    }

    @Test(arguments: [
        ("[app a]\nrequestors = A\n", 1, "app a has no allow, so passd accepts no process as this app"),
        ("[app a]\nallow = user:kodi\n", 1, "app a has no requestors, so it may not ask for any channel"),
        ("[app a]\nrequestors = A B A\nallow = user:kodi\n", 2, "requestor A is listed twice"),
    ])
    func `a useless stanza is a warning`(text: String, line: Int, message: String) throws {
        let workspace = Workspace()
        let loaded = try workspace.load(apps: text)
        #expect(workspace.problems(loaded) == ["/etc/passd/apps.d/test.conf:\(line): \(message)"])
        #expect(loaded.isGood && loaded.apps.count == 1)
    }

    @Test(arguments: [
        ("[app]\n", "unknown section [app]"), ("[app a b]\n", "unknown section [app a b]"),
        ("[app ../x]\n", "unknown section"), ("[backend]\n", "unknown section [backend]"),
        ("[app a]\nallow = user:kodi\nrequestor = A\n", "did you mean requestors?"),
    ])
    func `an unknown key of a stanza is reported`(text: String, message: String) throws {
        let loaded = try Workspace().load(apps: text)
        #expect(loaded.problems.contains { $0.severity >= .ignored && $0.message.contains(message) })
        #expect(loaded.isUsable)
    }

    @Test func `a file of the administrator masks the package's file of the same name`() throws {
        let workspace = Workspace()
        try workspace.write("usr/lib/passd/apps.d/a.conf", "[app a]\nrequestors = A\nallow = user:kodi\n")
        try workspace.write("usr/lib/passd/apps.d/b.conf", "[app b]\nrequestors = B\nallow = user:kodi\n")
        try workspace.write("etc/passd/apps.d/a.conf", "[app a]\nrequestors = A\nallow = group:video\n")
        let loaded = workspace.load()
        #expect(loaded.problems.isEmpty)
        #expect(loaded.apps.map { $0.allow.map(\.text) } == [["group:video"], ["user:kodi"]])
    }

    @Test func `of two stanzas with one name, the later one counts, and the warning names both places`() throws {
        let workspace = Workspace()
        try workspace.write("usr/lib/passd/apps.d/a.conf", "[app a]\nrequestors = A\nallow = user:kodi\n")
        try workspace.write("etc/passd/apps.d/b.conf", "[app a]\nrequestors = B\nallow = user:kodi\n")
        let loaded = workspace.load()
        #expect(loaded.apps.map(\.requestors) == [["B"]])
        #expect(
            loaded.problems.map(\.description) == [
                "\(workspace.file("etc/passd/apps.d/b.conf")):1: app a was already defined at "
                    + "\(workspace.file("usr/lib/passd/apps.d/a.conf")):1; passd ignores the earlier definition"
            ])
    }

    @Test func `if the later stanza is invalid, the earlier one still does not apply`() throws {
        let workspace = Workspace()
        try workspace.write("usr/lib/passd/apps.d/a.conf", "[app a]\nrequestors = A\nallow = user:kodi\n")
        try workspace.write("etc/passd/apps.d/b.conf", "[app a]\nrequestors = A\nallow = usr:kodi\n")
        #expect(workspace.load().apps.isEmpty)
    }

    @Test func `an unreadable file or directory affects only its own apps`() throws {
        let workspace = Workspace()
        try workspace.write("usr/lib/passd/apps.d", "I am a file")
        try workspace.link("etc/passd/apps.d/a.conf", to: "a.conf")
        try workspace.write("etc/passd/apps.d/b.conf", "[app b]\nrequestors = B\nallow = user:kodi\n")
        let loaded = workspace.load()
        #expect(loaded.apps.map(\.name) == ["b"])
        #expect(loaded.isUsable && !loaded.isGood)
        #expect(
            workspace.problems(loaded) == [
                "/usr/lib/passd/apps.d:1: cannot be read: Not a directory",
                "/etc/passd/apps.d/a.conf:1: cannot be read: Too many levels of symbolic links",
            ])
    }
}
