// Tests `bugreport`: the contents of the file, the data that it must not contain, and that it is written safely.

import FoundationEssentials
import Glibc
import PassArguments
import PassJSON
import PassTestKit
import PassTestTools
import Testing

@testable import PassCLI

@Suite("operations.md §1: bugreport") struct BugReportTests {
    private static let token = "eyJhbGciOiJSUzI1NiJ9.U0VDUkVU.c2ln"
    private static let answers: [String: ScriptedDaemon.Answer] = [
        "passd.status": .result([
            "version": "0.1.0",
            "refusals": [["time": 1, "resource": "what-people-watch", "requestorID": "NEWS24", "reason": "Denied."]],
        ]),
        "passd.doctor": .result(["checks": [["name": "store", "outcome": "pass", "message": "Fine."]]]),
        "passd.decisions": .result([
            "decisions": [
                [
                    "time": 1, "kind": "play", "outcome": "denied", "resource": "what-people-watch",
                    "reason": "Denied.",
                    "text": "Dear Ms Viewer",
                ],
                [
                    "time": 2, "kind": "hint", "outcome": "denied", "resource": "another", "reason": "Denied.",
                    "decidedBy": "service", "message": "Ms Viewer may not",
                ],
                ["time": 3, "kind": "start-failed", "outcome": "undecided", "message": "no network"],
            ]
        ]),
        "passd.configuration": .result([
            "settings": [
                ["section": "backend", "key": "burst", "value": "3", "origin": "passd.conf:2"],
                [
                    "section": "backend", "key": "redirect-url", "value": "app://u:lovelace@x/?turing#hopper",
                    "origin": "passd.conf:3",
                ],
            ], "apps": [],
        ]),
        "passd.metrics": .result(["contentType": "t", "text": "passd_calls 1\n\u{1B}[2J"]),
    ]
    /// The log with the newest records first and the oldest cut off.
    private static let journal = """
        -- No entries --
        {"__REALTIME_TIMESTAMP":"5000000","PRIORITY":"5","MESSAGE":\(message),"PASSD_SAYS":"Ms Viewer may not"}
        {"__REALTIME_TIMESTAMP":"4000000","PRIORITY":"3","MESSAGE":"Authorization: Bearer s3cr3t \(token)"}
        {"__REALTIME_TIMESTAMP":"3000000","PRIORITY":"5","MESSAGE":"a resource","PASSD_TEXT":"Dear Ms Viewer","PASSD_CODE":"c"}
        {"__REALTIME_TIMESTAMP":"2000000","PRIORITY":"5","MESSAGE":"passd is ready","PASSD_EVENT":"STARTED","_HOSTNAME":"home"}
        {"__REALTIME_TIMESTAMP":"1000000","PASSD_TEXT":"Dear Ms Viewer
        """

    /// A message of the daemon with texts in each form, as a JSON string.
    private static let message = String(
        decoding: JSONWriter.bytes(
            #"refused (reason="a \"text=" text="\#u{301}Dear \"Ms\" Viewer (\\" says=\#u{301}Viewer text=Ms-Viewer peer_pid=7)"#
        ), as: UTF8.self
    )

    private func report(_ daemon: ScriptedDaemon?, _ words: [String] = []) async -> Ran {
        let console = RecordedConsole(
            programs: [
                "journalctl": Self.journal, "systemctl": "Id=passd.service\nActiveState=active",
                "passd": "/etc/passd/passd.conf:2: burst = many\n",
            ])
        return await run(["bugreport", "--output", "-"] + words, daemon, console: console)
    }

    @Test func `the report has all data that support asks for`() async throws {
        let ran = await report(try ScriptedDaemon(Self.answers))
        #expect(ran.exit == .done)
        for part in [
            "== Versions\npassd-cli ", "== Status\nversion  0.1.0", "== Doctor\npass  store: Fine.",
            "== Last decisions\n", "play of resource-1: denied", "hint for resource-2: denied", "== Sessions",
            "== Stored logins", "burst = 3", "passd_calls 1", "ActiveState=active",
            "<5> passd is ready  PASSD_EVENT=STARTED",
            "PASSD_CODE=c", "-- No entries --", "Cause: no network", "refused (…)",
        ] { #expect(ran.out.contains(part), "\(part) in \(ran.out)") }
    }

    @Test func `the report has no secrets`() async throws {
        let ran = await report(try ScriptedDaemon(Self.answers))
        for part in [
            "what-people-watch", "another", "Viewer", "Dear", "s3cr3t", Self.token, "home", "\u{1B}", "lovelace",
            "turing", "hopper",
        ] {
            #expect(!ran.out.contains(part), "\(part) in \(ran.out)")
        }
    }

    @Test func `without a daemon the report has the other data, and the reason`() async {
        let ran = await report(nil, ["--socket", "/nowhere/passd.sock"])
        #expect(ran.exit == .done)
        #expect(ran.out.contains("== Daemon\n") && !ran.out.contains("== Status"))
        #expect(ran.out.components(separatedBy: "/nowhere/admin.sock").count == 2, "it is said once: \(ran.out)")
        #expect(ran.out.contains("== Configuration files\n/etc/passd/passd.conf:2: burst = many"))
        #expect(ran.out.contains("ActiveState=active") && ran.out.contains("PASSD_EVENT=STARTED"))
    }

    @Test func `without a daemon the report has the version and build of the installed program`() async {
        let console = RecordedConsole(programs: ["/usr/sbin/passd": "passd 0.1.0 (build f49f)\n"])
        let ran = await run(["bugreport", "--output", "-"], nil, console: console)
        #expect(ran.out.contains(/== Versions\npassd-cli .+\npassd 0\.1\.0 \(build f49f\)\n\S/), "\(ran.out)")
    }

    @Test func `the newest records are read first and printed last`() async throws {
        let console = RecordedConsole(programs: ["journalctl": Self.journal])
        let ran = await run(
            ["bugreport", "--records", "7", "--output", "-"], try ScriptedDaemon(Self.answers), console: console)
        let words = console.ran.elements.first { $0[0] == "journalctl" } ?? []
        #expect(words.contains("--reverse") && words.contains("--lines=7"))
        let lines = ran.out.split(separator: "\n").suffix(6)
        #expect(lines.first == "(a record that was cut off)" && lines.last == "-- No entries --", "\(lines)")
        #expect(lines.dropFirst().first?.contains("passd is ready") == true)
    }

    @Test func `the daemon's own program checks the configuration files, for the instance that the options name`()
        async
    {
        let console = RecordedConsole(programs: ["/usr/local/sbin/passd": "configuration is good\n"])
        let ran = await run(["--instance", "room1", "bugreport", "--output", "-"], nil, console: console)
        #expect(ran.out.contains("== Configuration files\nconfiguration is good\n"))
        let asked = console.ran.elements.filter { $0.contains("--check-config") }
        #expect(asked.map { $0[0] } == ["passd", "/usr/sbin/passd", "/usr/local/sbin/passd"])
        #expect(asked.allSatisfy { $0.dropFirst() == ["--instance", "room1", "--check-config"] })
        #expect(await run(["bugreport", "--output", "-"]).out.contains("passd cannot be run here"))
    }

    @Test(arguments: [
        (["--socket", "/run/passd@room1/passd.sock"], "passd@room1.service"),
        (["--instance", "room1"], "passd@room1.service"),
        (["--socket", "/run/passd@../passd.sock"], "passd.service"), ([], "passd.service"),
    ]) func `the units are the units of the daemon that the options name`(words: [String], unit: String) async {
        let console = RecordedConsole()
        await run(["bugreport", "--output", "-"] + words, nil, console: console)
        let asked = console.ran.elements.first { $0.starts(with: ["systemctl", "show"]) } ?? []
        #expect(asked.contains(unit) && asked.contains(unit.replacing("passd", with: "passd-sealing-key")), "\(asked)")
        #expect(asked.contains("passd-seal.service") == (unit == "passd.service"), "\(asked)")
    }

    @Test
    func `the contents are described first, only the user may read the file, and no file is overwritten`()
        async throws
    {
        let folder = TemporaryDirectory()
        let (daemon, path) = (try ScriptedDaemon(Self.answers), folder.file("report.txt"))
        let ran = await run(["bugreport", "--offline", "--output", path], daemon)
        let head = try String(contentsOfFile: path, encoding: .utf8).prefix { $0 != "\n" }
        let id = try #require(head.firstMatch(of: /^Bug report ([2-9A-HJ-NP-Z]{4}-[2-9A-HJ-NP-Z]{4}) of passd/)).1
        #expect(ran.exit == .done)
        #expect(ran.out == "Written to \(path). Read it before you send it. The id of the report is \(id).\n")
        #expect(ran.err.contains("Last decisions: ") && ran.err.contains("no token, key, code"))
        #expect(daemon.params(of: "passd.doctor") == [["offline": true]])
        var facts = stat()
        #expect(stat(path, &facts) == 0 && facts.st_mode & 0o777 == 0o600 && facts.st_size > 100)
        let again = await run(["bugreport", "--output", path], daemon)
        #expect(again.exit == .failed && again.err.contains("cannot be written: File exists"))
    }

    @Test(arguments: [
        ("a \(token) b", "a (left out) b"), ("Bearer abc.def", "Bearer (left out)"),
        ("http://user:geheim@cache:1/x http://h/a@b", "http://(left out)@cache:1/(left out) http://h/(left out)"),
        ("client_secret=abc&x=1", "client_secret=(left out)&x=1"), ("eyJ is a word", "eyJ is a word"),
        ("Authorization: Basic dTpw", "Authorization: Basic (left out)"),
        ("\"proxy-authorization\":\"basic dTpw==\"", "\"proxy-authorization\":\"basic (left out)==\""),
        ("a basic fault", "a basic fault"), ("refresh_token=abc&x=1", "refresh_token=(left out)&x=1"),
        ("{\"id_token\": \"abc\"}", "{\"id_token\": \"(left out)\"}"),
        ("a eyJhbGciOiJSU0EifQ.a2V5.aXY.dGV4dA.dGFn b", "a (left out) b"),
        ("eyJhbGciOiJkaXIifQ..aXY.dGV4dA.dGFn", "(left out)"), ("ewoiYWxnIjoiUlMyNTYifQ.e30.c2ln", "(left out)"),
        ("eye.of.storm", "eye.of.storm"), ("http://u:a?b#c@h/", "http://(left out)@h/"),
        ("a\n-----BEGIN PRIVATE KEY-----\nMIGH\n-----END PRIVATE KEY-----\nb", "a\n(left out)\nb"),
    ]) func `text that looks like a secret is removed`(text: String, cleaned: String) {
        #expect(Redaction.clean(text) == cleaned)
    }

    @Test func `another program runs without a shell, and is ended if it never ends`() {
        let console = TerminalConsole(environment: [:])
        #expect(console.output(of: ["printf", "%s", "a b"]) == "a b")
        #expect(console.output(of: ["no-such-program-anywhere"]) == nil)
    }
}
