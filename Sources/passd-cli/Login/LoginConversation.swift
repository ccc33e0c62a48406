// One login from the first call to its end: the daemon's answers, the person's choice of provider, and the callbacks
// that tell the outcome.

import PassClient
import PassProtocol

struct LoginConversation: Sendable {
    let client: Client
    let console: any Console
    let choice: ProviderPrompt
    let waits: Bool
    /// Shows the code and the address to the viewer.
    let show: @Sendable (LoginInvitation) throws -> Void

    enum Ending: Sendable, Equatable {
        case alreadyAuthenticated
        case authenticated
        /// The login is open, and the caller did not want to wait.
        case open(LoginInvitation)
        case chosenNone
        case expired
        case cancelled
        case failed(FlowErrorCode)
    }

    func run() async throws -> Ending {
        let first = LoginProgress(reading: try await client.call(GetAuthentication.self, .init()))
        if first == .authenticated { return .alreadyAuthenticated }
        var (step, cancellations) = try await insist(first)
        while case .choose(let providers) = step {
            guard let provider = try await choice.choose(providers) else { return try await giveUp() }
            step = try await select(provider.id)
        }
        switch step {
        case .authenticated: return .authenticated
        case .cancelled: return .cancelled
        case .invitation(let invitation):
            try show(invitation)
            return waits ? try await wait(for: invitation, ignoring: cancellations) : .open(invitation)
        case .platformDialog: return try await wait(for: nil, ignoring: cancellations)
        case .choose, .selected, .unknown: throw Self.notUnderstood(step)
        }
    }

    /// If the daemon continued with the provider of the last login although another one is wanted, that login is
    /// cancelled. The callback of this cancellation must not be taken for the end.
    private func insist(_ step: LoginProgress) async throws -> (LoginProgress, cancellations: Int) {
        guard let wanted = choice.wanted, case .invitation = step else { return (step, 0) }
        let selected = try await client.call(GetSelectedProvider.self)
        guard let id = selected["provider"]?["id"]?.string, id != wanted else { return (step, 0) }
        _ = try await client.call(SetSelectedProvider.self, .init(providerID: nil))
        return (try await select(wanted), 1)
    }

    private func select(_ id: String) async throws -> LoginProgress {
        let step = LoginProgress(reading: try await client.call(SetSelectedProvider.self, .init(providerID: id)))
        guard step == .selected else { return step }
        return LoginProgress(reading: try await client.call(GetAuthentication.self, .init()))
    }

    private func giveUp() async throws -> Ending {
        _ = try await client.call(SetSelectedProvider.self, .init(providerID: nil))
        return .chosenNone
    }

    // MARK: Waiting

    private enum Event: Sendable {
        case callback(Client.Callback)
        case tick
        case connectionEnded
    }

    private func wait(for invitation: LoginInvitation?, ignoring ownCancellations: Int) async throws -> Ending {
        var shown = invitation
        var cancellations = ownCancellations
        var hasExpired = false
        var countdown = Countdown(console: console, expires: invitation?.expires)
        countdown.begin()
        defer { countdown.hide() }
        for await event in events() {
            switch event {
            case .tick: countdown.show()
            case .connectionEnded: throw await client.ending ?? ClientFault.gone(reason: "the connection ended")
            case .callback(let callback):
                switch Notice(callback) {
                case .signedIn: return .authenticated
                case .ended(.providerNotSelected) where cancellations > 0: cancellations -= 1
                case .ended(.providerNotSelected): return .cancelled
                case .ended(let code): return hasExpired || isOver(shown) ? .expired : .failed(code)
                case .expired: hasExpired = true
                case .invitation(let another) where another.code != shown?.code:
                    shown = another
                    countdown.hide()
                    countdown.expires = another.expires
                    try show(another)
                    countdown.show()
                case .told(let message):
                    countdown.hide()
                    console.tell(message)
                    countdown.show()
                case .providers(let providers) where shown == nil:
                    guard let provider = try await choice.choose(providers) else { return try await giveUp() }
                    switch try await select(provider.id) {
                    case .authenticated: return .authenticated
                    case .invitation(let invitation):
                        shown = invitation
                        countdown.expires = invitation.expires
                        try show(invitation)
                        guard waits else { return .open(invitation) }
                    case let step: throw Self.notUnderstood(step)
                    }
                case .invitation, .providers, .nothing: break
                }
            }
        }
        throw CancellationError()
    }

    private func isOver(_ invitation: LoginInvitation?) -> Bool {
        invitation?.expires.map { $0 <= console.now } ?? false
    }

    /// When the stream is not read any more, its sources are cancelled too.
    private func events() -> AsyncStream<Event> {
        AsyncStream { events in
            let callbacks = Task { [client] in
                for await callback in client.callbacks { events.yield(.callback(callback)) }
                events.yield(.connectionEnded)
            }
            let ticks = Task { [console] in
                guard console.errors.isTerminal else { return }
                for await _ in console.ticks() { events.yield(.tick) }
            }
            events.onTermination = { _ in
                callbacks.cancel()
                ticks.cancel()
            }
        }
    }

    private static func notUnderstood(_ step: LoginProgress) -> Failure {
        Failure(
            .failed, name: "NOT_UNDERSTOOD", "The daemon answered with an unknown state: \(step).",
            remedy: "Update passd-cli.")
    }
}
