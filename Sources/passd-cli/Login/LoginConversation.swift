// One login from the first call to its end: the daemon's answers, the person's choice of provider, and the callbacks
// that tell the outcome.

import PassClient
import PassJSON
import PassProtocol

struct LoginConversation: Sendable {
    let connection: LoginConnection
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
        /// The login ended while the daemon was away, and nobody can say how.
        case lost
    }

    var client: Client { connection.client }

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
            try await present(invitation)
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

    func select(_ id: String) async throws -> LoginProgress {
        let step = LoginProgress(reading: try await client.call(SetSelectedProvider.self, .init(providerID: id)))
        guard step == .selected else { return step }
        return LoginProgress(reading: try await client.call(GetAuthentication.self, .init()))
    }

    /// Shows it. A login that no viewer can finish is cancelled instead.
    func present(_ invitation: LoginInvitation) async throws {
        guard invitation.link == nil, invitation.url == nil else { return try show(invitation) }
        _ = try await giveUp()
        throw Failure(
            .configuration, name: "NO_LOGIN_PAGE",
            "No login can be finished on this box: its code has no link to the provider, and no page to type it on.",
            remedy:
                "Set finish-url or activation-url in passd.conf(5) and reload. passd-cli doctor says which of them fails."
        )
    }

    func giveUp() async throws -> Ending {
        _ = try await client.call(SetSelectedProvider.self, .init(providerID: nil))
        return .chosenNone
    }

    static func notUnderstood(_ step: LoginProgress) -> Failure {
        Failure(
            .failed, name: "NOT_UNDERSTOOD", "The daemon answered with an unknown state: \(step).",
            remedy: "Update passd-cli.")
    }
}
