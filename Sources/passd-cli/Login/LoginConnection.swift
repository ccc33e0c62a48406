// The connection of a login. A restart of the daemon closes it, and the daemon keeps the code; so another connection
// takes its place.

import PassClient
import PassProtocol
import Synchronization

final class LoginConnection: Sendable {
    private let current: Mutex<Client>
    private let connect: @Sendable () async throws -> Client

    /// The times between attempts to connect again: a minute in all, since a daemon that starts more slowly has a
    /// problem that its journal tells.
    static let pauses =
        [.milliseconds(250), .milliseconds(500), .seconds(1)] + [Duration](repeating: .seconds(2), count: 29)

    /// `connect` opens a connection and sets the requestor.
    init(_ client: Client, connect: @escaping @Sendable () async throws -> Client) {
        current = Mutex(client)
        self.connect = connect
    }

    var client: Client { current.withLock { $0 } }

    /// Connects again after the daemon has closed the connection. Throws what went wrong last if it does not come back.
    func renew(pausing pause: (Duration) async throws -> Void) async throws {
        let ending = await client.ending ?? ClientFault.gone(reason: "the connection ended")
        guard Self.mayPass(ending) else { throw ending }
        var last: any Error = ending
        for time in Self.pauses {
            try await pause(time)
            do {
                let client = try await connect()
                return current.withLock { $0 = client }
            } catch let fault as ClientFault where Self.mayPass(fault) {
                last = fault
            }
        }
        throw last
    }

    /// Whether a daemon that is being restarted may be the reason.
    private static func mayPass(_ fault: ClientFault) -> Bool {
        switch fault {
        case .gone, .unreachable: true
        case .refused(let error): error.name == .notReady
        case .forbidden, .broken, .timedOut, .cancelled, .overloaded: false
        }
    }
}
