// The connection of a login. A restart of the daemon closes it but keeps the code, so another connection takes its
// place.

import PassClient
import PassProtocol
import Synchronization

final class LoginConnection: Sendable {
    private struct State {
        var client: Client
        /// The number of attempts to connect again. Not reset, so that a daemon that keeps crashing is not awaited forever.
        var attempts = 0
    }

    private let state: Mutex<State>
    private let connect: @Sendable () async throws -> Client

    /// The pauses before each attempt to connect again: a minute in all. A daemon that starts more slowly has a problem,
    /// which its journal reports.
    static let pauses =
        [.milliseconds(250), .milliseconds(500), .seconds(1)] + [Duration](repeating: .seconds(2), count: 29)

    /// `connect` opens a connection and sets the requestor.
    init(_ client: Client, connect: @escaping @Sendable () async throws -> Client) {
        state = Mutex(State(client: client))
        self.connect = connect
    }

    var client: Client { state.withLock { $0.client } }

    /// Connects again after the daemon has closed the connection, and asks a first question. Throws the last error if the
    /// daemon does not come back.
    func renew<Answer>(
        pausing pause: (Duration) async throws -> Void, asking question: (Client) async throws -> Answer
    ) async throws -> Answer {
        var last = await client.ending ?? ClientFault.gone(reason: "the connection ended")
        while Self.mayPass(last), let time = nextPause() {
            try await pause(time)
            do {
                let client = try await connect()
                state.withLock { $0.client = client }
                return try await question(client)
            } catch let fault as ClientFault {
                last = fault
            }
        }
        throw last
    }

    private func nextPause() -> Duration? {
        state.withLock { state in
            guard Self.pauses.indices.contains(state.attempts) else { return nil }
            state.attempts += 1
            return Self.pauses[state.attempts - 1]
        }
    }

    /// Whether a daemon that is being restarted may be the reason.
    static func mayPass(_ fault: ClientFault) -> Bool {
        switch fault {
        case .gone, .unreachable: true
        case .refused(let error): error.name == .notReady
        case .forbidden, .closed, .broken, .overrun, .timedOut, .cancelled, .overloaded: false
        }
    }
}
