// Tests `passd --check-config`. operations.md §1, §2.

import AccessEnabler
import PassArguments
import Testing

@testable import PassConfiguration
@testable import PassDaemon
@testable import PassPlatform
@testable import PassServer

extension ConfigurationCheck {
    /// The text without the line that names the files.
    var verdict: String {
        text.split(separator: "\n", omittingEmptySubsequences: false).filter { !$0.hasPrefix("files: ") }
            .joined(separator: "\n")
    }
}

@Suite struct ConfigurationCheckTests {
    @Test func `it names the files, or says that there is none and where it has looked`() throws {
        let workspace = Workspace()
        let searched = ConfigurationFiles.system(root: workspace.root).places
        let without = ConfigurationCheck(workspace.load(), searched: searched)
        let place = workspace.file("etc/passd/passd.conf")
        #expect(without.status == .done && without.text.hasPrefix("files: none, so the defaults apply; searched: "))
        #expect(without.text.contains(" \(place) ") && without.text.contains("/etc/passd/apps.d/*.conf. "))
        #expect(without.text.hasSuffix(" --config.\nconfiguration is good\n"), "\(without.text)")
        try workspace.write("etc/passd/passd.conf", "[backend]\nburst = 3\n")
        try workspace.write("etc/passd/apps.d/tv.conf", "[app tv]\nrequestors = A\nallow = user:kodi\n")
        let found = ConfigurationCheck(workspace.load(), searched: searched)
        let stanza = workspace.file("etc/passd/apps.d/tv.conf")
        #expect(found.text == "files: \(place) \(stanza)\nconfiguration is good\n", "\(found.text)")
        for number in 0..<9 { try workspace.write("etc/passd/apps.d/a\(number).conf", "") }
        #expect(ConfigurationCheck(workspace.load()).text.contains("/a6.conf and 3 more\n"))
    }

    @Test(
        arguments: [
            ("burst = 5\nviewers-burst = 5\n", 3, 4), ("burst = 5\nviewers-burst = 90\n", 3, 4),
            ("viewers-burst = 4\n", nil, 0), ("burst = 3\n", nil, 0), ("burst = 1\nviewers-burst = 0\n", nil, 0),
        ] as [(String, Int?, Int)])
    func `a reserve that is not smaller than the burst is a warning`(_ lines: String, _ line: Int?, _ kept: Int) throws
    {
        let check = ConfigurationCheck(try Workspace().load("[backend]\n" + lines))
        #expect(check.status == .done)
        let words = ":\(line ?? 0): warning: viewers-burst is not smaller than burst; it counts as \(kept), "
        #expect(check.text.contains(words) == (line != nil), "\(check.text)")
    }

    @Test func `a good configuration is called good`() throws {
        let check = ConfigurationCheck(try Workspace().load("[backend]\nburst = 3\n"))
        #expect(check.verdict == "configuration is good\n" && check.status == .done)
    }

    @Test func `both protocols are accepted`() throws {
        for text in ["v1", "v2", "v1\nregcode-origin = https://codes.example"] {
            let check = ConfigurationCheck(try Workspace().load("[backend]\nprotocol = \(text)\n"))
            #expect(check.verdict == "configuration is good\n" && check.status == .done)
        }
        #expect(
            ConfigurationCheck(try Workspace().load("[backend]\nregcode-origin = http://codes.example\n")).status
                == .configuration)
    }

    @Test func `warnings are printed, but the configuration is still good`() throws {
        let workspace = Workspace()
        let check = ConfigurationCheck(try workspace.load(apps: "[app a]\nrequestors = A\n"))
        #expect(
            check.verdict == """
                \(workspace.file("etc/passd/apps.d/test.conf")):1: warning: app a has no allow, so passd accepts no process as this app
                configuration is good

                """)
        #expect(check.status == .done)
    }

    @Test(arguments: [
        ("burst = many", "burst = many: expected a number from 1 to 1000"),
        ("origin = nowhere", "origin = nowhere: "), ("nonsense", ""),
    ])
    func `a mistake ends the check with 78`(line: String, message: String) throws {
        let workspace = Workspace()
        let check = ConfigurationCheck(try workspace.load("[backend]\n\(line)\n"))
        #expect(check.text.hasPrefix("\(workspace.file("etc/passd/passd.conf")):2: \(message)"))
        #expect(check.text.split(separator: "\n").count == 1)
        #expect(check.status == .configuration && check.status.rawValue == 78)
    }

    @Test(arguments: [
        ("origin = https://sp.example\n", "activation-url = https://tv.example/\n", ""),
        ("origin = http://127.0.0.1:1\nprotocol = v1\n", "", ""),
        ("origin = https://sp.example\nactivation-url = https://tv.example/\n", "", ""),
        ("origin = https://sp.example\nfinish-url = https://tv.example/done\n", "", ""),
        ("origin = https://sp.example\nredirect-url = https://tv.example/done\n", "", ""),
        ("origin = https://sp.example\n", "finish-url = https://tv.example/done\n", ""),
        ("origin = https://sp.example\nredirect-url = tv://done\n", "", ""),
        ("origin = https://sp.example\n", "", "2: warning: neither finish-url nor activation-url is set"), ("", "", ""),
    ]) func `ruling 18: a login without a known page is a warning`(
        backend: String, stanza: String, warning: String
    )
        throws
    {
        let workspace = Workspace()
        try workspace.write(
            "etc/passd/apps.d/tv.conf", "[app tv]\nrequestors = A\nallow = user:kodi\n" + stanza)
        let check = ConfigurationCheck(try workspace.load("[backend]\n" + backend))
        #expect(check.status == .done)
        #expect(check.text.contains("nor activation-url is set") == !warning.isEmpty)
        #expect(warning.isEmpty || check.text.contains(":" + warning), "\(check.text)")
    }

    @Test func `ruling 43: the check says how viewers of each app sign in`() throws {
        let workspace = Workspace()
        try workspace.write(
            "etc/passd/apps.d/tv.conf",
            "[app tv]\nrequestors = A\nallow = user:kodi\n\n[app news]\nrequestors = B\nallow = user:kodi\n"
                + "finish-url = https://tv.example/done\n")
        let check = ConfigurationCheck(
            try workspace.load("[backend]\norigin = https://sp.example\nactivation-url = https://tv.example/go\n"))
        #expect(
            check.verdict == """
                sign-in: news: viewers scan a link that leads to the provider. tv: viewers type the code at activation-url.
                configuration is good

                """)
    }

    @Test(arguments: [
        ("https://sp.example", "v1", true), ("http://127.0.0.1:1", "v1", false), ("https://sp.example", "v2", false),
    ]) func `evidence E28: the old interface is a warning, except for a developer's service`(
        origin: String, interface: String, isWarned: Bool
    ) throws {
        let lines = "[backend]\norigin = \(origin)\nprotocol = \(interface)\nactivation-url = https://tv.example/\n"
        let check = ConfigurationCheck(try Workspace().load(lines))
        #expect(check.status == .done)
        #expect(check.text.contains("3: warning: protocol = v1: the service announced the end") == isWarned)
    }

    @Test func `a setting without effect is a warning`() throws {
        let workspace = Workspace()
        let check = ConfigurationCheck(try workspace.load("[backend]\nbrust = 3\n"))
        #expect(
            check.verdict == """
                \(workspace.file("etc/passd/passd.conf")):2: warning: unknown key "brust" in [backend]; \
                did you mean burst?
                configuration is accepted; parts of it have no effect

                """)
        #expect(check.status == .done)
    }

    /// Each kind of problem once, as the file, its text, and whether the check accepts it.
    nonisolated static let kinds: [(file: String, text: String, isTaken: Bool)] = [
        ("passd.conf", "[backend]\nburst = 3\n", true),
        ("passd.conf", "[backend]\nburst = many\n", false),
        ("passd.conf", "[backend]\norigin = http://elsewhere.example\n", false),
        ("passd.conf", "[backend]\nnonsense\n", false),
        ("passd.conf", "\0", false),
        ("passd.conf", "[sign-on]\npartner = command:/bin/true\n", false),
        ("passd.conf", "[backend]\nbrust = 3\n", true),
        ("passd.conf", "[limit]\n", true),
        ("passd.conf", "[app a]\n", true),
        ("passd.conf", "[backend]\nburst = 2\nburst = 3\n", true),
        ("passd.conf", "[backend]\nconnect-timeout = 30s\n", true),
        ("apps.d/a.conf", "[app a]\nrequestors = A\nallow = user:kodi\n", true),
        ("apps.d/a.conf", "[app a]\nallow = usr:kodi\n", true),
        ("apps.d/a.conf", "[app a]\nallow = user:nobody-here\n", true),
        ("apps.d/a.conf", "[app a]\nrequestors = A\n", true),
        ("apps.d/a.conf", "[app a]\nallow = user:kodi\nrequestor = A\n", true),
        ("apps.d/a.conf", "[app a]\nrequestors = A\n\n[app a]\nrequestors = A\n", true),
        ("apps.d/a.conf", "[backend]\n", true),
    ]

    /// A start accepts the configuration, but trusts fewer stanzas.
    @Test(arguments: [
        "nonsense\n", "\0", "[app tv\n", "[app a]\nrequestors = A\nallow = user:kodi\n[ap tv]\n", "burst = 3\n",
    ])
    func `if the apps of a file are unknown, a start accepts that, but a reload and the check do not`(
        text: String
    ) throws {
        let workspace = Workspace()
        let before = workspace.load()
        let loaded = try workspace.load(apps: text)
        #expect(loaded.isUsable && !loaded.isClear && loaded.apps.isEmpty)
        #expect(ReloadPlan.decide(from: before, to: loaded) == .refused(loaded.problems))
        let check = ConfigurationCheck(loaded)
        #expect(check.status == .configuration)
        #expect(check.text.hasPrefix(workspace.file("etc/passd/apps.d/test.conf:")))
        #expect(
            check.text.hasSuffix(
                "a reload would be rejected; a start would work, but would deny the apps named above\n"))
    }

    @Test(arguments: kinds) func `the check accepts the same configurations as a start and a reload`(
        file: String, text: String, isTaken: Bool
    ) throws {
        let workspace = Workspace()
        let before = workspace.load()
        try workspace.write("etc/passd/" + file, text)
        let loaded = workspace.load()
        #expect((ConfigurationCheck(loaded).status == .done) == isTaken, "the check")
        #expect(loaded.isUsable == isTaken, "the start")
        let isAccepted = if case .accepted = ReloadPlan.decide(from: before, to: loaded) { true } else { false }
        #expect(isAccepted == isTaken, "the reload")
    }

    @Test func `a password in an address is not printed`() throws {
        let check = ConfigurationCheck(try Workspace().load("[backend]\nproxy = http://user:geheim@127.0.0.1:1\n"))
        #expect(check.status == .configuration && !check.text.contains("geheim"))
        #expect(check.text.contains("proxy = http://(secret)@127.0.0.1:1: expected http://HOST:PORT"), "\(check.text)")
    }

    @Test(arguments: [
        ("redirect-url", "https:/x?turing a hopper", "redirect-url = https:/x?(secret): expected a URL"),
        (
            "activation-url", "ftp://tv.example/#turing hopper",
            "activation-url = ftp://tv.example/(secret): expected an https:// or http:// URL"
        ),
        ("proxy", "http://u:turing@h/?hopper", "proxy = http://(secret)@h/(secret): expected http://HOST:PORT"),
    ])
    func `the query and the fragment of an address are not printed`(
        _ key: String, _ value: String, _ told: String
    ) throws {
        let check = ConfigurationCheck(try Workspace().load("[backend]\n\(key) = \(value)\n"))
        #expect(check.status == .configuration && check.text.contains(told), "\(check.text)")
        for secret in ["turing", "hopper"] { #expect(!check.text.contains(secret), "\(check.text)") }
    }

    @Test func `with strict, a warning fails the check`() throws {
        let workspace = Workspace()
        let loaded = try workspace.load(apps: "[app a]\nrequestors = A\n")
        let check = ConfigurationCheck(loaded, isStrict: true)
        #expect(check.status == .configuration && check.text.contains(":1: app a has no allow"))
        #expect(check.text.hasSuffix("but --strict does not\n"))
        #expect(ConfigurationCheck(try Workspace().load("[backend]\nburst = 3\n"), isStrict: true).status == .done)
    }

    @Test func `a stanza that replaces another is a warning`() throws {
        let workspace = Workspace()
        try workspace.write("usr/lib/passd/apps.d/a.conf", "[app a]\nrequestors = A\nallow = user:kodi\n")
        try workspace.write("etc/passd/apps.d/b.conf", "[app a]\nrequestors = A\nallow = user:kodi\n")
        let check = ConfigurationCheck(workspace.load())
        #expect(check.text.contains(":1: warning: app a was already defined at "))
        #expect(check.status == .done)
    }

    @Test func `an unreadable file of apps does not prevent a start, but an unreadable file of settings does`() throws {
        for (path, isUsable) in [("passd.conf.d/a.conf", false), ("apps.d/a.conf", true)] {
            let workspace = Workspace()
            try workspace.link("etc/passd/" + path, to: "a.conf")
            let loaded = workspace.load()
            #expect(ConfigurationCheck(loaded).status == .configuration && loaded.isUsable == isUsable)
        }
    }
}
