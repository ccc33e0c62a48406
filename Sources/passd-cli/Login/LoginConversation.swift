// One login from the first call to its end: the daemon's answers, the person's choice of provider, and the callbacks with the
// outcome.

import PassArguments
import PassClient
import PassJSON
import PassProtocol
import PassQR

struct Login: Sendable {
    let invocation: Invocation
    let connection: LoginConnection

    var client: Client { connection.client }
    var console: any Console { invocation.console }
    var waits: Bool { !invocation.arguments.has(.noWait) }
    var choice: ProviderPrompt { ProviderPrompt(wanted: invocation.arguments[.provider], console: console) }

    func run() async throws -> Outcome {
        let first = LoginProgress(reading: try await client.call(GetAuthentication.self, .init()))
        if first == .authenticated { return try await signedIn(before: true) }
        let (step, cancellations) = try await insist(first)
        var waiting = Waiting(cancellations: cancellations, countdown: Countdown(console: console))
        if let ending = try await proceed(from: step, &waiting) { return ending }
        return try await wait(waiting)
    }

    /// Lets the person choose a provider if necessary, and shows the code. Returns nil if the login is open and the caller has
    /// to wait for its end.
    func proceed(from step: LoginProgress, _ waiting: inout Waiting) async throws -> Outcome? {
        var step = step
        while case .choose(let providers) = step {
            guard let provider = try await choice.choose(providers) else { return try await giveUp() }
            step = try await select(provider.id)
        }
        switch step {
        case .authenticated: return try await signedIn()
        case .cancelled: return Self.cancelled
        case .invitation(let invitation):
            try await present(invitation, &waiting)
            return waits ? nil : open(invitation)
        case .platformDialog: return nil
        case .choose, .selected, .unknown:
            throw Failure(
                .failed, name: "NOT_UNDERSTOOD", "The daemon answered with an unknown state: \(step).",
                remedy: "Update passd-cli.")
        }
    }

    /// Enforces the wanted provider. If the daemon has begun this login with the provider of the last login, cancels it and
    /// begins another login. Returns the next step and the number of cancellations, because their callbacks must not end the
    /// wait.
    private func insist(_ step: LoginProgress) async throws -> (LoginProgress, cancellations: Int) {
        guard let wanted = choice.wanted, case .invitation = step else { return (step, 0) }
        let selected = try await client.call(GetSelectedProvider.self)
        guard let id = selected["provider"]?["id"]?.string, id != wanted else { return (step, 0) }
        _ = try await client.call(SetSelectedProvider.self, .init(providerID: nil))
        return (try await select(wanted), 1)
    }

    func select(_ id: String) async throws -> LoginProgress {
        let step = LoginProgress(reading: try await client.call(SetSelectedProvider.self, .init(providerID: id)))
        guard step == .selected else { return step }
        return LoginProgress(reading: try await client.call(GetAuthentication.self, .init()))
    }

    /// Shows the invitation. Cancels a login that no viewer can finish.
    func present(_ invitation: LoginInvitation, _ waiting: inout Waiting) async throws {
        waiting.shown = invitation
        waiting.countdown.expires = invitation.expires
        guard invitation.link == nil, invitation.url == nil else { return try show(invitation) }
        _ = try await giveUp()
        throw Failure(
            .configuration, name: "NO_LOGIN_PAGE",
            "No login can be completed on this box: the code has neither a link to the provider nor a page where "
                + "viewers type it.",
            remedy:
                "Set finish-url or activation-url in passd.conf(5) and reload. passd-cli doctor shows what is "
                + "missing."
        )
    }

    // MARK: The code

    func show(_ invitation: LoginInvitation) throws {
        // With `authorize --login`, only the media token goes to standard output.
        let isAnswer = !invocation.arguments.has(.login)
        guard isAnswer, !invocation.wantsJSON else {
            console.warn(InvitationText(invitation, on: console.output, drawn: nil).text)
            if waits, isAnswer { try console.write("login-code", Self.json(invitation)) }
            return
        }
        let drawing = QRDrawing(invocation.arguments, on: console, inColor: invocation.paint.isOn)
        // A large screen is assumed for a file or a pipe, because the size of such output is not limited.
        let screen = console.output.isTerminal ? console.output : Screen(isTerminal: false, columns: 500, rows: 500)
        let text = InvitationText(invitation, on: screen, drawn: drawing)
        try console.write(text.text)
        if drawing != nil, invitation.link ?? invitation.url != nil, text.drawing == nil {
            console.tell("The QR code does not fit on this terminal.")
        }
    }

    private static func json(_ invitation: LoginInvitation, authenticated: Bool? = nil) -> JSONValue {
        .members([
            "authenticated": authenticated.map(JSONValue.bool), "code": invitation.code.map(JSONValue.string),
            "link": invitation.link.map(JSONValue.string), "url": invitation.url.map(JSONValue.string),
            "expires": invitation.expires.map { .int($0) },
        ])
    }

    // MARK: The outcome

    func giveUp() async throws -> Outcome {
        _ = try await client.call(SetSelectedProvider.self, .init(providerID: nil))
        return Self.no(.cancelled, "No provider was chosen.")
    }

    /// The outcome without waiting: the login is open.
    func open(_ invitation: LoginInvitation) -> Outcome {
        Outcome(
            data: Self.json(invitation, authenticated: false),
            notes: ["The daemon continues to poll this code until it expires; run login again to wait."])
    }

    static let cancelled = no(.cancelled, "The login was cancelled.")

    static func no(_ outcome: LoginOutcome.Kind, _ note: String) -> Outcome {
        Outcome(exit: .no, data: ["authenticated": false, "outcome": .string(outcome.rawValue)], notes: [note])
    }

    func signedIn(before: Bool = false) async throws -> Outcome {
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

    /// Cancels the login in the daemon, so that the viewer's code stops working. If the daemon is gone or slow, the outcome is
    /// the same.
    func cancelled(by number: Int32) async -> Outcome {
        let reply = try? await client.call(
            SetSelectedProvider.definition.name, SetSelectedProvider.Params(providerID: nil).json,
            within: min(invocation.time, .seconds(5)))
        var outcome = Self.cancelled
        outcome.exit = .signal(number)
        if reply == nil {
            outcome.notes.append("passd did not answer, so a code on the screen stays valid until it expires.")
        }
        return outcome
    }
}
