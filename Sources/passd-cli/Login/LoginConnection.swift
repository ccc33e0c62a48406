// The connection of a login. A restart of the daemon closes the connection but keeps the code, so a new connection can continue
// the login.

import PassClient
import PassProtocol
import Synchronization

final class LoginConnection: Sendable {
    private struct State {
        var client: Client
        /// The number of attempts to connect again. It is never reset, because the program would otherwise wait forever for a
        /// daemon that keeps crashing.
        var attempts = 0
    }

    private let state: Mutex<State>
    private let connect: @Sendable () async throws -> Client

    /// The pauses before the attempts to connect again. Together they take a minute. If a daemon starts more slowly, its
    /// journal reports the problem.
    static let pauses =
        [.milliseconds(250), .milliseconds(500), .seconds(1)] + [Duration](repeating: .seconds(2), count: 29)

    /// Begins with a connection. `connect` opens another connection and sets the requestor.
    init(_ client: Client, connect: @escaping @Sendable () async throws -> Client) {
        state = Mutex(State(client: client))
        self.connect = connect
    }

    var client: Client { state.withLock { $0.client } }

    /// Connects again after the daemon has closed the connection, asks `question`, and returns its answer. Throws the last
    /// error if the daemon does not come back.
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

    /// Whether a restart of the daemon may be the reason for the fault.
    static func mayPass(_ fault: ClientFault) -> Bool {
        switch fault {
        case .gone, .unreachable: true
        case .refused(let error): error.name == .notReady
        case .forbidden, .closed, .broken, .overrun, .timedOut, .cancelled, .overloaded: false
        }
    }
}
