// Tests all messages of a login, from the first call to its end.

import PassArguments
import PassJSON
import PassProtocol
import PassTestKit
import Testing

@testable import PassCLI

@Suite("rpc.md §4: login on the command line")
struct LoginTests {
    typealias Answer = ScriptedDaemon.Answer

    static let provider = MVPD(id: "cablevista", displayName: "CableVista")
    static let other = MVPD(id: "sky", displayName: "Sky")
    static let invitation = LoginInvitation(
        code: "K7MPQ2", url: "https://activate.example/?code=K7MPQ2", expires: 1_600_000)
    static let open = GetAuthentication.Result.secondScreen(invitation).json
    static let choice = GetAuthentication.Result.selectProvider([provider, other]).json
    static let selected: JSONValue = GetSelectedProvider.Result(provider: provider, state: .authenticated).json
    static let shown = "Code     K7MPQ2\nAddress  https://activate.example/?code=K7MPQ2\n"

    private func daemon(_ answers: [String: Answer]) throws -> ScriptedDaemon {
        try ScriptedDaemon(
            ["getSelectedProvider": .result(Self.selected)].merging(answers) { $1 })
    }

    static let endings: [(Callback, ExitCode, String, String)] = [
        (
            .setAuthenticationStatus(status: 1, .authenticated, nil, LoginOutcome(.authenticated)), .done,
            "Signed in with CableVista.\n", ""
        ),
        (
            .setAuthenticationStatus(status: 1, .authenticated, .sso, LoginOutcome(.authenticated)), .done,
            "Signed in with CableVista.\n", ""
        ),
        (
            .setAuthenticationStatus(status: 0, .providerNotSelected, nil, LoginOutcome(.cancelled)), .no, "",
            "passd-cli: The login was cancelled.\n"
        ),
        (
            .setAuthenticationStatus(status: 0, .genericAuthentication, nil, LoginOutcome(.failed)), .no, "",
            "passd-cli: The login failed: GENERIC_AUTHENTICATION_ERROR.\n"
        ),
    ]

    @Test(arguments: endings)
    func `a callback ends the login`(_ callback: Callback, _ exit: ExitCode, _ out: String, _ err: String) async throws
    {
        let daemon = try daemon([
            "getAuthentication": .callbacks(
                [.status(.registrationCode(LoginInvitation(code: "K7MPQ2", url: Self.invitation.url)))], then: Self.open
            )
        ])
        let console = RecordedConsole()
        async let ran = run(["login", "--no-qr"], daemon, console: console)
        try await console.warned.wait { $0.contains { $0.contains("Waiting") } }
        daemon.tell(callback)
        let end = await ran
        #expect(end.exit == exit)
        #expect(end.out == Self.shown + out)
        #expect(end.err == "passd-cli: Waiting for the viewer to sign in; Ctrl-C cancels the login.\n" + err)
    }

    @Test(arguments: [[], ["--json"], ["--no-wait"]])
    func `ruling 43: a code with neither link nor page is cancelled, and the message names the missing setting`(
        flags: [String]
    ) async throws {
        let code = LoginInvitation(code: "K7MPQ2", url: nil, expires: 1_600_000)
        let daemon = try daemon([
            "getAuthentication": .result(GetAuthentication.Result.secondScreen(code).json),
            "setSelectedProvider": .result(SetSelectedProvider.Result.cancelled.json),
        ])
        let ran = await run(["login"] + flags, daemon)
        #expect(ran.exit == .configuration)
        #expect(daemon.methods.last == "setSelectedProvider")
        #expect(!(ran.out + ran.err).contains("K7MPQ2") && !ran.err.contains("Waiting"))
        if flags == ["--json"] {
            let data = try lastObject(ran.out)["data"]?["data"]
            #expect(data?["code"] == "NO_LOGIN_PAGE" && data?["remedy"]?.string?.contains("finish-url") == true)
        } else {
            #expect(ran.err.contains("No login can be completed") && ran.err.contains("activation-url"))
        }
    }

    @Test func `an expired code is reported as such, and other messages have no effect`() async throws {
        let daemon = try daemon([
            "getAuthentication": .resultThenCallbacks(
                Self.open,
                [
                    .setAuthenticationStatus(status: 0, .userNotAuthenticated, .logout),
                    .setAuthenticationStatus(status: 0, .multipleAuthenticationRequests),
                    .status(StatusMessage(.N130)),
                    .setAuthenticationStatus(
                        status: 0, .genericAuthentication, nil, LoginOutcome(.expired, .N130, code: "K7MPQ2")),
                ])
        ])
        let ran = await run(["login", "--json"], daemon)
        #expect(ran.exit == .no)
        #expect(ran.err.hasSuffix("passd-cli: The code expired before the viewer signed in.\n"))
        #expect(ran.err.hasPrefix(Self.shown))
        #expect(try lastObject(ran.out)["data"] == ["authenticated": false, "outcome": "expired"])
    }

    @Test func `with --json the code is printed at once in an object of its own, and later the outcome`()
        async throws
    {
        let daemon = try daemon(["getAuthentication": .result(Self.open)])
        let console = RecordedConsole()
        async let ran = run(["login", "--json"], daemon, console: console)
        try await console.written.wait(for: 1)
        let code = try object(console.out)
        #expect(code["kind"] == "login-code")
        let expires = try #require(Self.invitation.expires)
        #expect(
            code["data"] == [
                "code": "K7MPQ2", "url": .string(Self.invitation.url ?? ""), "expires": .int(expires),
            ])
        try await console.warned.wait { $0.contains { $0.contains("Waiting") } }
        daemon.tell(.setAuthenticationStatus(status: 1, .authenticated, nil, LoginOutcome(.authenticated)))
        let end = await ran
        #expect(end.out.split(separator: "\n").count == 2)
        #expect(try lastObject(end.out)["kind"] == "login")
        #expect(try lastObject(end.out)["data"] == ["authenticated": true, "provider": Self.provider.json])
    }

    @Test func `for a viewer who is already signed in, the provider is printed`() async throws {
        let daemon = try daemon(["getAuthentication": .result(["state": "authenticated"])])
        let ran = await run(["login", "--provider", "sky"], daemon)
        #expect(ran.exit == .done)
        #expect(ran.out == "Already signed in with CableVista.\n")
        #expect(ran.err == "passd-cli: To sign in with sky, log out first.\n")
    }

    @Test func `--no-wait prints code and address, ends, and says how to wait later`() async throws {
        let daemon = try daemon(["getAuthentication": .result(Self.open)])
        let ran = await run(["login", "--no-wait", "--no-qr"], daemon)
        #expect(ran.exit == .done)
        #expect(ran.out == Self.shown)
        #expect(ran.err.contains("run login again to wait"))
        let asked = try object(await run(["login", "--no-wait", "--json"], daemon).out)
        #expect(asked["data"]?["code"] == "K7MPQ2")
        #expect(asked["data"]?["url"]?.string == Self.invitation.url)
    }

    // MARK: Choosing

    @Test func `--provider selects the provider`() async throws {
        let daemon = try daemon([
            "getAuthentication": .callbacks([.displayProviderDialog([Self.provider])], then: Self.choice),
            "setSelectedProvider": .resultThenCallbacks(
                Self.open, [.setAuthenticationStatus(status: 1, .authenticated, nil, LoginOutcome(.authenticated))]),
        ])
        let ran = await run(["login", "--no-qr", "--provider", "cablevista"], daemon)
        #expect(ran.exit == .done)
        #expect(ran.out == Self.shown + "Signed in with CableVista.\n")
        #expect(daemon.params(of: "setSelectedProvider") == [["providerID": "cablevista"]])
    }

    @Test func `an unknown provider is a usage error with the nearest name`() async throws {
        let daemon = try daemon(["getAuthentication": .result(Self.choice)])
        let ran = await run(["login", "--provider", "cabelvista"], daemon)
        #expect(ran.exit == .usage)
        #expect(ran.err.contains("Did you mean cablevista?"))
    }

    @Test func `without a terminal and without --provider the error lists the providers`() async throws {
        let daemon = try daemon(["getAuthentication": .result(Self.choice)])
        let ran = await run(["login"], daemon)
        #expect(ran.exit == .usage)
        #expect(ran.err.hasSuffix("Use --provider with one of: cablevista, sky.\n"))
    }

    @Test(arguments: [["2"], ["0", "three", " 2 "], ["sky"]])
    func `on a terminal the person chooses from a numbered list, by number or ID`(_ typed: [String]) async throws {
        let daemon = try daemon([
            "getAuthentication": .result(Self.choice), "setSelectedProvider": .result(["state": "authenticated"]),
        ])
        let ran = await run(["login"], daemon, console: RecordedConsole(typed: typed))
        #expect(ran.exit == .done)
        #expect(ran.err.hasPrefix("1  CableVista (cablevista)\n2  Sky (sky)\nYour provider, 1 to 2: "))
        #expect(daemon.params(of: "setSelectedProvider") == [["providerID": "sky"]])
    }

    @Test func `without a choice the login is cancelled`() async throws {
        let daemon = try daemon([
            "getAuthentication": .result(Self.choice), "setSelectedProvider": .result(["state": "cancelled"]),
        ])
        let ran = await run(["login"], daemon, console: RecordedConsole(typed: []))
        #expect(ran.exit == .no)
        #expect(daemon.params(of: "setSelectedProvider") == [["providerID": nil]])
    }

    @Test func `a login that continued with the last provider changes to the requested one`() async throws {
        let daemon = try daemon([
            "getAuthentication": .result(Self.open),
            "setSelectedProvider": .sequence([
                .callbacks(
                    [.setAuthenticationStatus(status: 0, .providerNotSelected, nil, LoginOutcome(.cancelled))],
                    then: ["state": "cancelled"]),
                .result(["state": "selected"]),
            ]),
        ])
        let console = RecordedConsole()
        async let ran = run(["login", "--no-qr", "--provider", "sky"], daemon, console: console)
        try await console.warned.wait(for: 1)
        daemon.tell(.setAuthenticationStatus(status: 1, .authenticated, nil, LoginOutcome(.authenticated)))
        #expect(await ran.exit == .done)
        #expect(daemon.params(of: "setSelectedProvider") == [["providerID": nil], ["providerID": "sky"]])
        #expect(daemon.params(of: "getAuthentication").count == 2)
    }

    // MARK: authorize --login

    private static let nobody: JSONValue = [
        "authorized": false, "resource": "R", "errorCode": "USER_NOT_AUTHENTICATED_ERROR",
    ]

    @Test(arguments: [[], ["--json"]])
    func `authorize --login signs in, and only the media token goes to standard output`(flags: [String]) async throws {
        let play: JSONValue = ["authorized": true, "resource": "R", "token": "PHNpZz4="]
        let daemon = try daemon([
            "checkAuthorization": .sequence([.result(Self.nobody), .result(play)]),
            "getAuthentication": .resultThenCallbacks(
                Self.open, [.setAuthenticationStatus(status: 1, .authenticated, nil, LoginOutcome(.authenticated))]),
        ])
        let ran = await run(["authorize", "--login", "R"] + flags, daemon)
        #expect(ran.exit == .done)
        #expect(ran.err.hasPrefix(Self.shown))
        if flags.isEmpty { #expect(ran.out == "PHNpZz4=\n") } else { #expect(try object(ran.out)["data"] == play) }
    }

    @Test func `authorize --login asks a viewer who is signed in for nothing`() async throws {
        let daemon = try daemon(["checkAuthorization": .result(["authorized": true, "token": "PHNpZz4="])])
        let ran = await run(["authorize", "--login", "R"], daemon)
        #expect(ran.exit == .done && ran.out == "PHNpZz4=\n")
        #expect(daemon.params(of: "getAuthentication").isEmpty)
    }

    @Test func `authorize --login fails as authorize does if the code expires`() async throws {
        let daemon = try daemon([
            "checkAuthorization": .result(Self.nobody),
            "getAuthentication": .resultThenCallbacks(
                Self.open,
                [.setAuthenticationStatus(status: 0, .genericAuthentication, nil, LoginOutcome(.expired, .N130))]),
        ])
        let ran = await run(["authorize", "--login", "R", "--json"], daemon)
        #expect(ran.exit == .no)
        #expect(ran.err.hasSuffix("passd-cli: The code expired before the viewer signed in.\n"))
        #expect(try object(ran.out)["data"] == Self.nobody)
    }

    @Test func `authorize --login needs a provider if there is no terminal`() async throws {
        let daemon = try daemon([
            "checkAuthorization": .result(Self.nobody), "getAuthentication": .result(Self.choice),
        ])
        let ran = await run(["authorize", "--login", "R"], daemon)
        #expect(ran.exit == .usage && ran.out.isEmpty)
        #expect(ran.err.hasSuffix("Use --provider with one of: cablevista, sky.\n"))
    }

    @Test func `after the platform's dialog, the list and a code may follow`() async throws {
        let daemon = try daemon([
            "getAuthentication": .resultThenCallbacks(
                ["state": "platformDialog"], [.displayProviderDialog([Self.provider])]),
            "setSelectedProvider": .resultThenCallbacks(
                Self.open, [.setAuthenticationStatus(status: 1, .authenticated, nil, LoginOutcome(.authenticated))]),
        ])
        let ran = await run(["login", "--no-qr", "--provider", "cablevista"], daemon)
        #expect(ran.exit == .done)
        #expect(ran.out == Self.shown + "Signed in with CableVista.\n")
    }
}
