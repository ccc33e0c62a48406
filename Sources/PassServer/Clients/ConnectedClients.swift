// All connected clients, by the number of their session. The server adds and removes clients. The reports only read the table.

import AccessEnabler

@EngineActor final class ConnectedClients {
    private(set) var byNumber: [Int64: ConnectedClient] = [:]

    var all: Dictionary<Int64, ConnectedClient>.Values { byNumber.values }
    var inOrder: [ConnectedClient] { byNumber.values.sorted { $0.number < $1.number } }
    var count: Int { byNumber.count }
    var isEmpty: Bool { byNumber.isEmpty }

    subscript(session number: Int64) -> ConnectedClient? { byNumber[number] }

    func add(_ client: ConnectedClient) { byNumber[client.number] = client }

    /// Removes a client. Returns false if it was not in the table.
    func remove(_ client: ConnectedClient) -> Bool { byNumber.removeValue(forKey: client.number) != nil }
}
