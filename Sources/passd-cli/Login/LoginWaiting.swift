// Waits for the end of a login. The callbacks report the end. In the meantime, the countdown runs. The wait survives a restart
// of the daemon.

import PassArguments
import PassClient
import PassJSON
import PassProtocol
import PassWire

extension Login {
    /// The state of the wait.
    struct Waiting {
        var shown: LoginInvitation?
        /// The number of this program's own cancellations whose callback has not arrived yet.
        var cancellations: Int
        var countdown: Countdown
    }

    func wait(_ waiting: Waiting) async throws -> Outcome {
        var waiting = waiting
        waiting.countdown.begin()
        defer { waiting.countdown.hide() }
        while true {
            if let ending = try await follow(&waiting) { return ending }
            if let ending = try await comeBack(&waiting) { return ending }
        }
    }

    /// Handles events until the end of the login, and returns the outcome; nil if the connection has ended.
    private func follow(_ waiting: inout Waiting) async throws -> Outcome? {
        for await event in events(of: client) {
            guard let callback = event else {
                waiting.countdown.show()
                continue
            }
            if let ending = try await heed(callback, &waiting) { return ending }
        }
        try Task.checkCancellation()
        return nil
    }

    private func heed(_ callback: Client.Callback, _ waiting: inout Waiting) async throws -> Outcome? {
        let params = callback.params
        switch callback.method {
        // A callback without an outcome is about something else, such as a logout of another app.
        case "setAuthenticationStatus":
            guard let outcome = params["outcome"]?.string else { return nil }
            return try await ending(outcome, params, &waiting)
        case "status":
            try await advance(params, &waiting)
            return nil
        case "displayProviderDialog" where waiting.shown == nil:
            return try await proceed(from: .choose(MVPD.list(reading: params)), &waiting)
        default: return nil
        }
    }

    private func ending(
        _ outcome: String, _ params: JSONValue, _ waiting: inout Waiting
    ) async throws -> Outcome? {
        switch LoginOutcome.Kind(rawValue: outcome) {
        case .authenticated: return try await signedIn()
        case .cancelled:
            guard waiting.cancellations == 0 else {
                waiting.cancellations -= 1
                return nil
            }
            return Self.cancelled
        case .expired: return Self.expired
        default:
            let code = params["errorCode"]?.string.flatMap(FlowErrorCode.init(rawValue:)) ?? .genericAuthentication
            return Self.no(.failed, "The login failed: \(code.rawValue).")
        }
    }

    private func advance(_ params: JSONValue, _ waiting: inout Waiting) async throws {
        switch SDKStatus(rawValue: params["errorId"]?.string ?? "") {
        case .REGCODE:
            guard let another = LoginInvitation(reading: params), another.code != waiting.shown?.code else { return }
            waiting.countdown.hide()
            try await present(another, &waiting)
        // These statuses are not printed, because the callback with the outcome says the same.
        case .N130, .N005: return
        default:
            guard let message = params["message"]?.string else { return }
            waiting.countdown.hide()
            console.tell(message)
        }
        waiting.countdown.show()
    }

    /// Connects again and continues with the same code, because the daemon keeps the code over a restart. If the code is no
    /// longer open, its login has ended in the meantime. rpc.md §3.
    private func comeBack(_ waiting: inout Waiting) async throws -> Outcome? {
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
        case .authenticated: return try await signedIn()
        case .invitation(let invitation) where invitation.code == shown.code:
            console.tell("Connected again; the code is still valid.")
        case .invitation(let another):
            console.tell("Connected again; there is a new code.")
            try await present(another, &waiting)
        default:
            // Closing the connection ends a login that the call may have begun.
            client.close()
            guard (shown.expires ?? .max) > console.now else { return Self.expired }
            return Self.no(.failed, "The login ended while passd was being restarted; run login again.")
        }
        waiting.countdown.show()
        return nil
    }

    private static let expired = no(.expired, "The code expired before the viewer signed in.")

    /// The callbacks of the connection, and nil for each second.
    private func events(of client: Client) -> AsyncStream<Client.Callback?> {
        .merged(
            { events in
                for await callback in client.callbacks { events.yield(callback) }
                // Ctrl-C also ends the callbacks. In this case, the stream must not finish here, because a finished stream
                // means a lost connection.
                if !Task.isCancelled { events.finish() }
            },
            { [console] events in
                guard console.errors.isTerminal else { return }
                for await _ in console.ticks() { events.yield(nil) }
            })
    }
}
