// `login`: shows code, address and QR code, waits for the viewer and reports the outcome.

import PassClient
import PassJSON
import PassProtocol

extension Option {
    static let provider = Option(name: "--provider", value: "ID", help: "the TV provider")
    static let noQR = Option(name: "--no-qr", help: "print code and address only")
    static let noWait = Option(name: "--no-wait", help: "print code and address, then exit")
}

extension Verb {
    static let login = Verb(
        name: "login", summary: "sign the viewer in on a second screen", options: [.provider, .noQR, .noWait],
        details: """
            Draws a QR code of the address if it fits, with the code and the address below it. If a provider must be \
            chosen, --provider names it; without it, a person at the terminal is asked. Waits until the login ends; \
            Ctrl-C cancels it. With --no-wait, it exits at once; unless another app shows the same code, the daemon then stops asking about it.
            """
    ) { invocation in
        let client = try await invocation.entitledSession()
        let login = Login(invocation: invocation, client: client)
        switch try await invocation.console.untilInterrupted({ try await login.conversation.run() }) {
        case .finished(let ending): return try await login.outcome(ending)
        case .interrupted(let number): return await login.cancelled(by: number)
        }
    }
}

private struct Login: Sendable {
    let invocation: Invocation
    let client: Client

    var conversation: LoginConversation {
        LoginConversation(
            client: client, console: invocation.console,
            choice: ProviderPrompt(wanted: invocation.arguments[.provider], console: invocation.console),
            waits: !invocation.arguments.has(.noWait), show: { try show($0) })
    }

    private func show(_ invitation: LoginInvitation) throws {
        let console = invocation.console
        let wantsQR = !invocation.arguments.has(.noQR) && !invocation.wantsJSON
        let text = InvitationText(
            invitation, on: console.output, withQR: wantsQR, inColor: invocation.paint.isOn)
        if invocation.wantsJSON { return console.warn(text.text) }
        try console.write(text.text)
        if wantsQR, invitation.url != nil, text.drawing == nil {
            console.tell("The QR code does not fit on this terminal.")
        }
    }

    func outcome(_ ending: LoginConversation.Ending) async throws -> Outcome {
        switch ending {
        case .alreadyAuthenticated: return try await signedIn(before: true)
        case .authenticated: return try await signedIn(before: false)
        case .open(let invitation):
            return Outcome(
                data: .members([
                    "authenticated": false, "code": invitation.code.map(JSONValue.string),
                    "url": invitation.url.map(JSONValue.string), "expires": invitation.expires.map { .int($0) },
                ]),
                notes: [
                    "The daemon checks the outcome only while an app that shows this login is connected; "
                        + "run login again to wait."
                ])
        case .chosenNone: return no("cancelled", "No provider was chosen.")
        case .expired: return no("expired", "The code expired before anybody signed in.")
        case .cancelled: return no("cancelled", "The login was cancelled.")
        case .failed(let code): return no("failed", "The login failed: \(code.rawValue).")
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
        _ = try? await client.call(
            SetSelectedProvider.definition.name, SetSelectedProvider.Params(providerID: nil).json,
            within: min(invocation.time, .seconds(5)))
        return Outcome(
            exit: .signal(number), data: ["authenticated": false, "outcome": "cancelled"],
            notes: ["The login was cancelled."])
    }
}
