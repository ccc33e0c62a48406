// Tests the operators' verbs: the call on the admin socket, and the printed answer.

import PassArguments
import PassJSON
import PassProtocol
import PassTestKit
import Testing

@testable import PassCLI

@Suite("rpc.md §7: admin verbs")
struct AdminVerbTests {
    typealias Row = VerbTests.Row

    static let configuration: JSONValue = [
        "settings": [
            [
                "section": "backend", "key": "origin", "value": "https://api.example", "default": "none",
                "origin": "/etc/passd/passd.conf:3", "isChanged": true, "effect": "after a restart",
                "inFiles": ["value": "none", "origin": "default"],
            ],
            [
                "section": "backend", "key": "burst", "value": "10", "default": "10", "origin": "default",
                "isChanged": false, "effect": "after a restart",
            ],
            [
                "section": "daemon", "key": "log-level", "value": "notice", "default": "notice", "origin": "default",
                "isChanged": false, "effect": "at once", "inFiles": ["value": "debug", "origin": "/x.conf:2"],
            ],
        ],
        "apps": [
            [
                "name": "kodi", "origin": "/etc/passd/apps.d/kodi.conf:1", "requestors": ["R", "S"],
                "statement": "file:/etc/passd/kodi.jwt", "allow": ["user:kodi"], "may": ["entitlement"],
                "origins": [
                    "requestors": "/etc/passd/apps.d/kodi.conf:2", "software-statement": "/x/kodi.conf:3\u{1B}[2J",
                    "may": "default",
                ],
            ]
        ], "differences": ["app lumen: new"],
    ]
    static let waiting = """
        passd-cli: [backend] origin is none (default) in the files now; a restart of passd puts it into force.
        passd-cli: [daemon] log-level is debug (/x.conf:2) in the files now; passd-cli reload puts it into force.
        passd-cli: In the files now: app lumen: new

        """

    static let rows: [Row] = [
        Row(
            ["status"], "passd.status",
            gives: [
                "version": "1.0.0", "uptime": 93_784,
                "backend": ["origin": "http://127.0.0.1:8642", "reachable": nil, "lastContact": 1_795_564_800_000],
                "clock": ["offset": -7500], "openCodes": 0,
                "signedIn": [
                    ["requestorID": "R", "name": "Sky\u{1B}[2J", "expires": 1_795_564_800_000],
                    ["requestorID": "S", "name": "Sky", "expires": 1_795_564_800_000, "confirmed": 1_795_000_000_000],
                ],
                "refusals": [
                    [
                        "time": 1_795_564_800_000, "resource": "film", "requestorID": "R",
                        "reason": "It is not in the package.", "times": 2, "since": 1_795_000_000_000,
                    ]
                ],
                "warnings": [["code": "CLOCK", "message": "The clock is wrong.", "remedy": "Set it."]],
            ],
            out: """
                version              1.0.0
                uptime               26 hours
                backend.origin       http://127.0.0.1:8642
                backend.reachable    -
                backend.lastContact  \(Moment.text(1_795_564_800_000))
                clock.offset         -7 seconds
                openCodes            0
                signed in  R with Sky [2J until \(Moment.text(1_795_564_800_000)), not confirmed by the service since the start
                signed in  S with Sky until \(Moment.text(1_795_564_800_000)), last confirmed by the service at \(Moment.text(1_795_000_000_000))
                refused    \(Moment.text(1_795_564_800_000))  film for R: It is not in the package. (2 times, the first at \(Moment.text(1_795_000_000_000)))
                warning    CLOCK: The clock is wrong.
                           Set it.

                """),
        Row(
            ["why", "film-1"], "passd.decisions", ["about": "film-1", "limit": 10],
            gives: [
                "decisions": [
                    [
                        "time": 1_795_564_800_000, "kind": "play", "outcome": "denied", "requestorID": "R",
                        "app": "kodi", "title": "Kodi TV", "provider": "sky",
                        "resource": "film-1\u{1B}[2J", "decidedBy": "service",
                        "code": "authorization_denied_by_parental_controls", "trace": "t-7", "text": "Ask a grown-up.",
                        "reason": "The provider's parental controls do not permit it.",
                        "remedy": "Change the viewer's limit at the provider.",
                    ],
                    [
                        "time": 1_795_564_800_000, "kind": "login-ended", "outcome": "logout", "requestorID": "R",
                        "by": "kodi", "reason": "The viewer was signed out by kodi.", "times": 3,
                        "since": 1_795_000_000_000,
                    ],
                ]
            ],
            out: """
                \(Moment.text(1_795_564_800_000))  play of film-1 [2J: denied
                    app kodi, title Kodi TV, requestor R, provider sky, decided by the service
                    The provider's parental controls do not permit it.
                    The provider says: Ask a grown-up.
                    What to do: Change the viewer's limit at the provider.
                    code authorization_denied_by_parental_controls, trace t-7

                \(Moment.text(1_795_564_800_000))  login ended: logout (3 times, the first at \(Moment.text(1_795_000_000_000)))
                    requestor R
                    The viewer was signed out by kodi.

                """),
        Row(
            ["why", "--requestor", "ZZ"], "passd.decisions", ["about": "ZZ", "limit": 10], gives: ["decisions": []],
            .no,
            out: "",
            err: "passd-cli: passd has no decisions about ZZ. Earlier decisions are in its log, "
                + "such as passd.log of a developer's box.\n"),
        Row(
            ["why", "--limit", "3"], "passd.decisions", ["limit": 3], gives: ["decisions": []], .no, out: "",
            err: "passd-cli: passd has no decisions. Earlier decisions are in its log, such as "
                + "passd.log of a developer's box.\n"),
        Row(
            ["sessions"], "passd.sessions",
            gives: [
                "sessions": [
                    [
                        "session": 1, "identity": ["uid": 0, "pid": 7], "client": "tv\u{1B}[2J", "since": 900_000,
                        "pendingCalls": 2, "open": ["events"],
                    ],
                    [
                        "session": 12, "identity": ["uid": 4_000_000_000, "pid": 4242, "app": "kodi"], "since": -1,
                        "client": "script 1.2",
                        "requestorID": "R", "provider": "sky", "providerName": "Sky", "pendingCalls": 0, "open": [],
                    ],
                ]
            ],
            out: """
                app   client      user        pid   requestor  signed in w~  since  open
                -     tv [2J      root        7     -          -             \(Moment.brief(900_000, now: 1_000_000))  events, 2 c~
                kodi  script 1.2  4000000000  4242  R          Sky           \(Moment.brief(-1, now: 1_000_000))  -

                """),
        Row(
            ["config", "show"], "passd.configuration", gives: configuration,
            out: """
                [backend]
                origin = https://api.example  # /etc/passd/passd.conf:3
                burst = 10                    # default

                [daemon]
                log-level = notice  # default

                [app kodi]  # /etc/passd/apps.d/kodi.conf:1
                requestors = R S                               # /etc/passd/apps.d/kodi.conf:2
                software-statement = file:/etc/passd/kodi.jwt  # /x/kodi.conf:3 [2J
                allow = user:kodi
                may = entitlement                              # default

                """, err: waiting),
        Row(
            ["tokens"], "passd.tokens", gives: ["tokens": []], out: "", err: "passd-cli: Nothing is stored.\n"),
        Row(
            ["tokens"], "passd.tokens",
            gives: ["tokens": [["requestorID": "R", "provider": "sky", "kind": "profile"]]],
            out: "requestorID  provider  kind\nR            sky       profile\n"),
        Row(
            ["forget", "--requestor", "R"], "passd.forget", ["requestorID": "R"], gives: ["forgotten": 1],
            out: "Removed 1 login.\n",
            err: "passd-cli: The service may give this login back; use logout or passd-setup reset.\n"),
        Row(
            ["forget", "--provider", "sky", "--requestor", "R"], "passd.forget",
            ["requestorID": "R", "provider": "sky"], gives: ["forgotten": 0], out: "Removed 0 logins.\n"),
        Row(
            ["forget", "--all"], "passd.forget", [:], gives: ["forgotten": 3], out: "Removed 3 logins.\n",
            err: "passd-cli: The service may give this login back; use logout or passd-setup reset.\n"),
        Row(["logout", "--all"], "passd.logoutAll", [:], gives: ["forgotten": 2], out: "Ended 2 logins.\n"),
        Row(
            ["logout", "--all"], "passd.logoutAll", [:],
            gives: ["forgotten": 1, "untold": [["requestorID": "R", "provider": "sky"]]], out: "Ended 1 login.\n",
            err: "passd-cli: The service has not accepted the logout of R at sky.\n"),
        Row(
            ["doctor"], "passd.doctor", ["offline": false],
            gives: [
                "checks": [
                    ["name": "store", "outcome": "pass", "message": "Fine."],
                    ["name": "clock", "outcome": "warn", "message": "Off.", "remedy": "Set it."],
                ]
            ],
            out: "pass  store: Fine.\nwarn  clock: Off.\n      Set it.\n"),
        Row(
            ["doctor", "--offline"], "passd.doctor", ["offline": true],
            gives: ["checks": [["name": "a", "outcome": "fail", "message": "b"]]], .failed, out: "fail  a: b\n"),
        Row(
            ["metrics"], "passd.metrics", gives: ["contentType": "t", "text": "passd_calls 1\n"], out: "passd_calls 1\n"
        ),
        Row(
            ["reload"], "passd.reload",
            gives: [
                "applied": true, "problems": [], "changed": ["[sign-on] resync: passd.conf:3, at once", "app a: new"],
                "waiting": ["[backend] origin: passd.conf:2"],
            ],
            out: """
                The configuration was reloaded.
                changed  [sign-on] resync: passd.conf:3, at once
                changed  app a: new
                waits for a restart  [backend] origin: passd.conf:2

                """),
        Row(
            ["reload"], "passd.reload", gives: ["applied": true, "problems": [], "changed": [], "waiting": []],
            out: "The configuration was reloaded; nothing has changed.\n"),
        Row(
            ["reload"], "passd.reload", gives: ["applied": false, "problems": ["passd.conf:3: what"]], .configuration,
            out: "", err: "passd-cli: passd.conf:3: what\npassd-cli: The old configuration stays in force.\n"),
        Row(
            ["policy", "explain", "getAuthorization", "--uid", "1000", "--unit", "kodi.service"],
            "passd.policyExplain", ["uid": 1000, "unit": "kodi.service", "method": "getAuthorization"],
            gives: [
                "allowed": false, "rule": "no app stanza matches this peer", "uid": 0, "unit": "kodi.service",
                "notes": ["It cannot see."],
            ], .no,
            out: """
                decision  denied
                process   user root (0), unit kodi.service
                rule      no app stanza matches this peer
                note      It cannot see.

                """),
        Row(
            ["policy", "explain", "logout", "--pid", "42"], "passd.policyExplain", ["pid": 42, "method": "logout"],
            gives: ["allowed": true, "rule": "app a: allow user:root", "app": "a", "uid": 0, "unit": "a.service"],
            out: """
                decision  allowed
                process   user root (0), unit a.service
                app       a
                rule      app a: allow user:root

                """),
        Row(
            ["call", "passd.tokens"], "passd.tokens", gives: ["tokens": []], out: "{\"tokens\":[]}\n"),
    ]

    @Test(arguments: rows)
    func `an admin verb uses only the admin socket`(_ row: Row) async throws {
        let daemon = try ScriptedDaemon([row.method: .result(row.result)])
        let ran = await run(row.words, daemon)
        #expect(ran.exit == row.exit)
        #expect(ran.out == row.out)
        #expect(ran.err == row.err)
        #expect(daemon.params(of: row.method) == [row.params])
        #expect(daemon.heard.elements.allSatisfy { $0.socket == .admin })
        #expect(daemon.methods == [row.method])
        let asked = try object(await run(row.words + ["--json"], daemon).out)
        #expect(asked["data"] == row.result)
    }

    @Test func `text from the service cannot control the terminal, and scripts get it unchanged`() async throws {
        let token = "PHNp\u{9B}2J\u{1B}]0;x\u{7}"
        for onTerminal in [true, false] {
            let daemon = try ScriptedDaemon([
                "checkAuthorization": .result(["authorized": true, "token": .string(token)])
            ])
            let console = RecordedConsole(output: Screen(isTerminal: onTerminal))
            let ran = await run(["authorize", "R"], daemon, console: console)
            #expect(ran.out == (onTerminal ? token.onOneLine : token) + "\n")
        }
    }

    @Test func `doctor compares the box with what passd needs`() async throws {
        let daemon = try ScriptedDaemon(["passd.doctor": .result(["checks": []])])
        func said(_ kernel: String, _ systemd: String) async -> String {
            let programs = ["uname": kernel, "getconf": "glibc 2.36\n", "systemctl": systemd]
            return await run(["doctor"], daemon, console: RecordedConsole(programs: programs)).out
        }
        #expect(
            await said("Linux 5.10.0-9 aarch64\n", "systemd 252 (252.39-1)\n+PAM\n")
                == "pass  box: This box has Linux 5.10.0-9 aarch64, glibc 2.36, systemd 252.\n")
        #expect(
            await said("Linux 4.19.0 aarch64\n", "systemd 249\n").hasPrefix(
                "fail  box: This box has Linux 4.19.0 aarch64, glibc 2.36, systemd 249, but not Linux 5.3, systemd 250.\n"
            ))
    }

    @Test func `outcomes are coloured only on a terminal, and not with NO_COLOR`() async throws {
        let checks: JSONValue = ["checks": [["name": "a", "outcome": "pass", "message": "b"]]]
        let daemon = try ScriptedDaemon(["passd.doctor": .result(checks)])
        func printed(_ words: [String], _ environment: [String: String], onTerminal: Bool) async -> String {
            let console = RecordedConsole(output: Screen(isTerminal: onTerminal))
            return await run(words + ["doctor"], daemon, environment: environment, console: console).out
        }
        #expect(await printed([], [:], onTerminal: true).contains("\u{1B}[32mpass"))
        #expect(await printed([], ["NO_COLOR": ""], onTerminal: true).contains("\u{1B}"))
        #expect(await !printed([], ["NO_COLOR": "1"], onTerminal: true).contains("\u{1B}"))
        #expect(await !printed([], ["TERM": "dumb"], onTerminal: true).contains("\u{1B}"))
        #expect(await !printed(["--no-color"], [:], onTerminal: true).contains("\u{1B}"))
        #expect(await !printed(["--json"], [:], onTerminal: true).contains("\u{1B}"))
        #expect(await !printed([], [:], onTerminal: false).contains("\u{1B}"))
    }

    @Test func `config show --changed omits defaults, also in JSON`() async throws {
        let daemon = try ScriptedDaemon(["passd.configuration": .result(Self.configuration)])
        let ran = await run(["config", "show", "--changed"], daemon)
        #expect(ran.exit == .done && ran.err == Self.waiting)
        #expect(ran.out.hasPrefix("[backend]\norigin = https://api.example  # /etc/passd/passd.conf:3\n\n[app kodi]"))
        let data = try object(await run(["config", "show", "--changed", "--json"], daemon).out)["data"]
        #expect(data?["settings"]?.array?.compactMap { $0["key"] } == ["origin"])
        #expect(data?["apps"] == Self.configuration["apps"] && data?["differences"] == ["app lumen: new"])
        #expect(await run(["config", "--help"]).out.hasPrefix("usage: passd-cli config show [--changed]"))
    }

    @Test func `complete prints words that can be typed, or nothing if there is no answer`() async throws {
        let names: JSONValue = ["providers": ["sky", "two words", "e\u{1B}[2J", "", "caf\u{E9}"], "resources": []]
        let daemon = try ScriptedDaemon(["passd.suggestions": .result(names)])
        let ran = await run(["complete", "providers", "--requestor", "R"], daemon)
        #expect(ran.out == "sky\ncaf\u{E9}\n" && ran.err == "" && ran.exit == .done)
        #expect(daemon.heard.elements.filter { $0.method != "passd.hello" }.map(\.socket) == [.admin])
        #expect(daemon.params(of: "passd.suggestions") == [["requestorID": "R"]])
        #expect(daemon.methods == ["passd.suggestions"], "no other call is sent")
        for answer in [ScriptedDaemon.Answer.hangUp, .silence, .error(.methodNotFound("passd.suggestions"))] {
            let ran = await run(["complete", "resources"], try ScriptedDaemon(["passd.suggestions": answer]))
            #expect(ran.out == "" && ran.err == "" && ran.exit == .done)
        }
        #expect(await run(["--socket", "/nowhere/passd.sock", "complete", "requestors"]).exit == .done)
        #expect(await run(["complete", "passwords"], daemon).exit == .usage)
    }
}
