// `login`: shows code, address and QR code, waits for the viewer and reports the outcome.

import PassClient
import PassJSON
import PassProtocol

extension Option {
    static let provider = Option(name: "--provider", value: "ID", help: "the TV provider", known: .providers)
    static let qr = Option(
        name: "--qr", value: "auto|light|dark|color", help: "draw the QR code this way, into a pipe or file as well",
        details: """
            light and dark are the background on which it is shown, and color paints it black on white. With auto, the default, it is \
            painted unless colours are off; else the terminal is asked for its background, and a dark one is assumed if it \
            does not answer.
            """)
    static let noQR = Option(name: "--no-qr", help: "print no QR code")
    static let noWait = Option(name: "--no-wait", help: "print what the viewer needs, then exit")
}

extension Verb {
    static let login = Verb(
        name: "login", summary: "sign the viewer in on a second screen", options: [.provider, .qr, .noQR, .noWait],
        details: """
            Draws a QR code if it fits on the terminal. It leads straight to the provider's login if the service gives such a \
            link, else to the page where the code is typed. Below it are link, code and address, and a note if they lead to \
            this machine alone, as those of a sandbox may: a phone cannot open them. If a provider \
            must be chosen, --provider names it; without it, a person at the terminal is asked. Waits until the login ends, \
            also over a restart of the daemon; Ctrl-C cancels it. With --json, it prints two objects: as soon as there is a \
            code, one of the KIND login-code with code, link, url and expires, and at the end the outcome. With --no-wait, it exits at \
            once, with one object; the daemon goes on asking about the code until it expires. If the code has neither a link nor a \
            page, no login can be finished: it is cancelled, and the verb fails with NO_LOGIN_PAGE.
            """
    ) { invocation in
        let style = try QRStyle(invocation.arguments)
        let client = try await invocation.entitledSession()
        let connection = LoginConnection(client) { try await invocation.entitledSession() }
        let login = Login(invocation: invocation, connection: connection, style: style)
        switch try await invocation.console.untilInterrupted({ try await login.conversation.run() }) {
        case .finished(let ending): return try await login.outcome(ending)
        case .interrupted(let number): return await login.cancelled(by: number)
        }
    }
}

private struct Login: Sendable {
    let invocation: Invocation
    let connection: LoginConnection
    let style: QRStyle

    private var client: Client { connection.client }

    var conversation: LoginConversation {
        LoginConversation(
            connection: connection, console: invocation.console,
            choice: ProviderPrompt(wanted: invocation.arguments[.provider], console: invocation.console),
            waits: !invocation.arguments.has(.noWait), show: { try show($0) })
    }

    private func show(_ invitation: LoginInvitation) throws {
        let console = invocation.console
        guard !invocation.wantsJSON else {
            console.warn(InvitationText(invitation, on: console.output, drawn: nil).text)
            if !invocation.arguments.has(.noWait) {
                try console.write("login-code", .object(JSONObject(Self.members(of: invitation))))
            }
            return
        }
        let drawing = style.drawing(on: console, inColor: invocation.paint.isOn)
        // What is not shown at once has room.
        let screen = console.output.isTerminal ? console.output : Screen(isTerminal: false, columns: 500, rows: 500)
        let text = InvitationText(invitation, on: screen, drawn: drawing)
        try console.write(text.text)
        if drawing != nil, invitation.link ?? invitation.url != nil, text.drawing == nil {
            console.tell("The QR code does not fit on this terminal.")
        }
    }

    private static func members(of invitation: LoginInvitation) -> [JSONObject.Member] {
        JSONValue.members([
            "code": invitation.code.map(JSONValue.string), "link": invitation.link.map(JSONValue.string),
            "url": invitation.url.map(JSONValue.string), "expires": invitation.expires.map { .int($0) },
        ]).object?.members ?? []
    }

    func outcome(_ ending: LoginConversation.Ending) async throws -> Outcome {
        switch ending {
        case .alreadyAuthenticated: return try await signedIn(before: true)
        case .authenticated: return try await signedIn(before: false)
        case .open(let invitation):
            return Outcome(
                data: .object(
                    JSONObject([.init(name: "authenticated", value: false)] + Self.members(of: invitation))),
                notes: [
                    "The daemon goes on asking about this code until it expires; run login again to wait."
                ])
        case .chosenNone: return no("cancelled", "No provider was chosen.")
        case .expired: return no("expired", "The code expired before anybody signed in.")
        case .cancelled: return no("cancelled", "The login was cancelled.")
        case .failed(let code): return no("failed", "The login failed: \(code.rawValue).")
        case .lost: return no("failed", "The login ended while passd was being restarted; run login again.")
        }
    }

    private func no(_ outcome: String, _ note: String) -> Outcome {
        Outcome(exit: .no, data: ["authenticated": false, "outcome": .string(outcome)], notes: [note])
    }

    private func signedIn(before: Bool) async throws -> Outcome {
        let provider = MVPD(reading: try await client.call(GetSelectedProvider.self)["provider"] ?? .null)
        let name = provider.map { " with \($0.displayName.onOneLine)" } ?? ""
        var notes: [String] = []
        if let wanted = invocation.arguments[.provider], let provider, provider.id != wanted {
            notes.append("To sign in with \(wanted), log out first.")
        }
        return Outcome(
            data: .members(["authenticated": true, "provider": provider?.json]),
            text: before ? "Already signed in\(name)." : "Signed in\(name).", notes: notes)
    }

    /// Cancels the login in the daemon, so that the viewer's code stops working. If the daemon is gone or slow, the
    /// outcome is the same.
    func cancelled(by number: Int32) async -> Outcome {
        let reply = try? await client.call(
            SetSelectedProvider.definition.name, SetSelectedProvider.Params(providerID: nil).json,
            within: min(invocation.time, .seconds(5)))
        let code =
            reply == nil ? ["passd could not be told, so a code on the screen stays valid until it expires."] : []
        return Outcome(
            exit: .signal(number), data: ["authenticated": false, "outcome": "cancelled"],
            notes: ["The login was cancelled."] + code)
    }
}
