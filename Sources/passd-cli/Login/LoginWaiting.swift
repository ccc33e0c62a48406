// Waits for the end of a login: the callbacks tell it, the countdown runs meanwhile, and a restart of the daemon is
// survived.

import PassClient
import PassProtocol

extension LoginConversation {
    private enum Event: Sendable {
        case callback(Client.Callback)
        case tick
        case connectionEnded
    }

    /// What the wait knows.
    private struct Waiting {
        var shown: LoginInvitation?
        /// The cancellations of our own that are still to be reported back.
        var cancellations: Int
        var countdown: Countdown
    }

    func wait(for invitation: LoginInvitation?, ignoring cancellations: Int) async throws -> Ending {
        var waiting = Waiting(
            shown: invitation, cancellations: cancellations,
            countdown: Countdown(console: console, expires: invitation?.expires))
        waiting.countdown.begin()
        defer { waiting.countdown.hide() }
        while true {
            if let ending = try await follow(&waiting) { return ending }
            if let ending = try await comeBack(&waiting) { return ending }
        }
    }

    /// Returns nil if the connection has ended.
    private func follow(_ waiting: inout Waiting) async throws -> Ending? {
        for await event in events(of: client) {
            switch event {
            case .tick: waiting.countdown.show()
            case .connectionEnded: return nil
            case .callback(let callback):
                if let ending = try await heed(Notice(callback), &waiting) { return ending }
            }
        }
        throw CancellationError()
    }

    private func heed(_ notice: Notice, _ waiting: inout Waiting) async throws -> Ending? {
        switch notice {
        case .signedIn: return .authenticated
        case .ended(.cancelled, _) where waiting.cancellations > 0: waiting.cancellations -= 1
        case .ended(.cancelled, _): return .cancelled
        case .ended(.expired, _): return .expired
        case .ended(_, let code): return .failed(code)
        case .invitation(let another) where another.code != waiting.shown?.code:
            waiting.countdown.hide()
            try await present(another, &waiting)
            waiting.countdown.show()
        case .told(let message):
            waiting.countdown.hide()
            console.tell(message)
            waiting.countdown.show()
        case .providers(let providers) where waiting.shown == nil:
            guard let provider = try await choice.choose(providers) else { return try await giveUp() }
            switch try await select(provider.id) {
            case .authenticated: return .authenticated
            case .invitation(let invitation):
                try await present(invitation, &waiting)
                guard waits else { return .open(invitation) }
            case let step: throw Self.notUnderstood(step)
            }
        case .invitation, .providers, .nothing: break
        }
        return nil
    }

    private func present(_ invitation: LoginInvitation, _ waiting: inout Waiting) async throws {
        waiting.shown = invitation
        waiting.countdown.expires = invitation.expires
        try await present(invitation)
    }

    /// Connects again and goes on with the code, which the daemon keeps over a restart. If the code is no longer open,
    /// its login has ended meanwhile. rpc.md §3.
    private func comeBack(_ waiting: inout Waiting) async throws -> Ending? {
        guard let shown = waiting.shown else {
            throw await client.ending ?? ClientFault.gone(reason: "the connection ended")
        }
        waiting.countdown.hide()
        console.tell("The connection to passd was lost; connecting again.")
        let answer = try await connection.renew(pausing: { try await console.pause(for: $0) }) {
            try await $0.call(GetAuthentication.self, .init())
        }
        let step = LoginProgress(reading: answer)
        waiting.cancellations = 0
        switch step {
        case .authenticated: return .authenticated
        case .invitation(let invitation) where invitation.code == shown.code:
            console.tell("Connected again; the code is still valid.")
        case .invitation(let another):
            console.tell("Connected again; there is a new code.")
            try await present(another, &waiting)
        default:
            // Nothing is to be left open by the question.
            client.close()
            return isOver(shown) ? .expired : .lost
        }
        waiting.countdown.show()
        return nil
    }

    private func isOver(_ invitation: LoginInvitation?) -> Bool {
        invitation?.expires.map { $0 <= console.now } ?? false
    }

    /// When the stream is not read any more, its sources are cancelled too.
    private func events(of client: Client) -> AsyncStream<Event> {
        AsyncStream { events in
            let callbacks = Task {
                for await callback in client.callbacks { events.yield(.callback(callback)) }
                // The callbacks also end when Ctrl-C ends the wait, and the stream may not be over by then.
                if !Task.isCancelled { events.yield(.connectionEnded) }
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
}
