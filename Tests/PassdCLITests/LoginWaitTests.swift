// Tests a login that waits: the countdown, Ctrl-C, the terminal's size, and a daemon that stops.

import PassArguments
import PassJSON
import PassProtocol
import PassQR
import PassTestKit
import Testing

@testable import PassCLI

@Suite("operations.md §1: waiting for the viewer")
struct LoginWaitTests {
    private func daemon() throws -> ScriptedDaemon {
        try ScriptedDaemon([
            "getAuthentication": .result(LoginTests.open), "getSelectedProvider": .result(LoginTests.selected),
            "setSelectedProvider": .callbacks(
                [.setAuthenticationStatus(status: 0, .providerNotSelected, nil, LoginOutcome(.cancelled))],
                then: ["state": "cancelled"]),
        ])
    }

    private static let terminal = Screen(isTerminal: true)

    @Test func `the countdown rewrites one line of standard error, and only on a terminal`() async throws {
        let daemon = try daemon()
        let console = RecordedConsole(errors: Self.terminal)
        async let ran = run(["login", "--no-qr"], daemon, console: console)
        let line = "\r\u{1B}[KWaiting for the viewer to sign in, 10:00 left; Ctrl-C cancels."
        try await console.warned.wait { $0 == [line] }
        console.clock.continuation.yield()
        try await console.warned.wait { $0 == [line, line] }
        daemon.tell(.setAuthenticationStatus(status: 1, .authenticated, nil, LoginOutcome(.authenticated)))
        #expect(await ran.err == line + line + "\r\u{1B}[K")
    }

    @Test(arguments: [
        (0, "0:00"), (999, "0:00"), (-5000, "0:00"), (59_000, "0:59"), (61_000, "1:01"), (3_599_000, "59:59"),
        (3_660_000, "61:00"),
    ])
    func `the remaining time is printed as minutes and seconds`(_ left: Int64, _ text: String) {
        #expect(Countdown.line(now: 500, expires: 500 + left).contains(", \(text) left"))
    }

    @Test func `without a valid expiry there is no countdown`() {
        for expires in [nil, 1_700_000_000_000] as [Int64?] {
            #expect(
                Countdown.line(now: 86_000, expires: expires) == "Waiting for the viewer to sign in; Ctrl-C cancels.")
        }
    }

    @Test(
        arguments: [.min, .min + 1, -1, 0, 1, .max - 1, .max] as [Int64], [.min, 0, 1_795_564_800_000, .max] as [Int64])
    func `no numbers are too large for the countdown`(_ expires: Int64, _ now: Int64) {
        #expect(Countdown.line(now: now, expires: expires).hasPrefix("Waiting for the viewer to sign in"))
    }

    @Test func `the question is repeated if the input is not a number of the list`() async throws {
        let providers = [MVPD(id: "M1", displayName: "North", logoURL: "")]
        let odd = ["0", "2", "-1", "\(Int.min)", "\(Int.max)", "99999999999999999999", "1e308", "NaN", "", " 1 "]
        let console = RecordedConsole(typed: odd)
        #expect(try await ProviderPrompt(wanted: nil, console: console).choose(providers)?.id == "M1")
        #expect(try await ProviderPrompt(wanted: nil, console: RecordedConsole(typed: ["1"])).choose([]) == nil)
    }

    @Test func `an unreadable code is an error`() async throws {
        let ran = await run(["login"], try daemon(), console: RecordedConsole(losing: .readerGone))
        #expect(ran.exit == .failed)
        #expect(ran.err == "passd-cli: The reader closed standard output.\n")
    }

    @Test func `other messages of the daemon are printed on their own lines`() async throws {
        let daemon = try daemon()
        let console = RecordedConsole(errors: Self.terminal)
        async let ran = run(["login", "--no-qr"], daemon, console: console)
        try await console.warned.wait(for: 1)
        daemon.tell(.status(StatusMessage(.CFG100)))
        daemon.tell(.setAuthenticationStatus(status: 1, .authenticated, nil, LoginOutcome(.authenticated)))
        #expect(await ran.err.contains("\r\u{1B}[Kpassd-cli: The clock of this device is wrong.\n\r\u{1B}[KWaiting"))
    }

    @Test func `Ctrl-C cancels the login at the daemon and exits with 130`() async throws {
        let daemon = try daemon()
        let console = RecordedConsole()
        async let ran = run(["login", "--no-qr"], daemon, console: console)
        try await console.warned.wait(for: 1)
        console.signals.continuation.yield(2)
        let end = await ran
        #expect(end.exit.rawValue == 130)
        #expect(end.err.hasSuffix("passd-cli: The login was cancelled.\n"))
        #expect(daemon.params(of: "setSelectedProvider") == [["providerID": nil]])
    }

    @Test func `Ctrl-C ends a login whose first answer is still missing`() async throws {
        let daemon = try ScriptedDaemon(["getAuthentication": .silence])
        let console = RecordedConsole()
        async let ran = run(["login"], daemon, console: console)
        try await daemon.heard.wait { $0.contains { $0.method == "getAuthentication" } }
        console.signals.continuation.yield(2)
        #expect(await ran.exit.rawValue == 130)
        #expect(daemon.methods.last == "setSelectedProvider")
    }

    @Test func `the QR code is drawn on a terminal, black on white`() async throws {
        let console = RecordedConsole(output: Self.terminal)
        let ran = await run(["login", "--no-wait"], try daemon(), console: console)
        #expect(ran.out.contains("▀") && ran.out.contains("\u{1B}[38;5;16;48;5;231m"))
        #expect(ran.out.hasSuffix(LoginTests.shown))
    }

    @Test func `a pipe gets a QR code only on request`() async throws {
        let daemon = try daemon()
        #expect(await run(["login", "--no-wait"], daemon).out == LoginTests.shown)
        for (way, isPainted) in [("auto", false), ("light", false), ("dark", false), ("color", true)] {
            let ran = await run(["login", "--no-wait", "--qr", way], daemon)
            #expect(ran.out.contains("▀") && ran.out.contains("\u{1B}") == isPainted)
            #expect(ran.out.hasSuffix(LoginTests.shown))
        }
        #expect(await run(["login", "--qr", "dim"], daemon).exit == .usage)
        #expect(await run(["login", "--qr", "dark", "--no-qr"], daemon).exit == .usage)
    }

    @Test(arguments: [nil] + Background.allCases)
    func `with NO_COLOR the QR code has no escapes and is drawn for the named background, or for a dark one`(
        _ background: Background?
    ) async throws {
        let words = ["login", "--no-wait"] + (background.map { ["--qr", $0.rawValue] } ?? [])
        let console = RecordedConsole(output: Self.terminal)
        let ran = await run(words, try daemon(), environment: ["NO_COLOR": "1"], console: console)
        #expect(!ran.out.contains("\u{1B}"))
        // The quiet zone is light. It is drawn on a dark background, and left blank on a light background.
        #expect(ran.out.hasPrefix(background == .light ? "     " : "█████"))
        #expect(ran.err.contains("--qr light") == (background == nil))
    }

    @Test func `without UTF-8 the output is ASCII, and its JSON has the same meaning`() async throws {
        for environment in [["LANG": ""], ["LC_ALL": "C"], ["LC_CTYPE": "de_DE.ISO-8859-1@euro"], ["LANG": "POSIX"]] {
            let wide = Screen(isTerminal: true, columns: 100, rows: 50)
            for words in [["login", "--no-wait"], ["login", "--no-wait", "--no-color"], ["--help"], ["call"]] {
                let ran = await run(
                    words, try daemon(), environment: environment, console: RecordedConsole(output: wide))
                #expect((ran.out + ran.err).utf8.allSatisfy { $0 < 0x80 })
                #expect(words.first != "login" || ran.out.hasSuffix(LoginTests.shown))
                #expect(!words.contains("--no-color") || ran.out.contains("####"))
            }
        }
        let name: JSONValue = ["providers": [["id": "tv", "displayName": "Télé… 📺"]]]
        let daemon = try ScriptedDaemon(["listProviders": .result(name)])
        let shown = RecordedConsole(output: Self.terminal)
        let plain = ["LC_ALL": "C"]
        #expect(await run(["providers"], daemon, environment: plain, console: shown).out == "tv  T?l?... ?\n")
        #expect(await run(["providers"], daemon, environment: plain).out == "tv  Télé... 📺\n")
        for words in [["--json", "providers"], ["call", "listProviders"]] {
            let ran = await run(words, daemon, environment: plain)
            #expect(ran.out.utf8.allSatisfy { $0 < 0x80 })
            let answer = try object(ran.out)
            #expect((answer["data"] ?? answer) == name)
        }
    }

    @Test func `on a terminal that is too small, code and address are printed with the reason`() async throws {
        let console = RecordedConsole(output: Screen(isTerminal: true, columns: 30, rows: 24))
        let ran = await run(["login", "--no-wait"], try daemon(), console: console)
        #expect(ran.out == LoginTests.shown)
        #expect(ran.err.hasPrefix("passd-cli: The QR code does not fit on this terminal.\n"))
    }
}
