// Every client that is connected, by the number of its session. The server adds and removes them; the reports look.

import AccessEnabler

@EngineActor final class ConnectedClients {
    private(set) var byNumber: [Int64: Client] = [:]

    var all: Dictionary<Int64, Client>.Values { byNumber.values }
    var inOrder: [Client] { byNumber.values.sorted { $0.number < $1.number } }
    var count: Int { byNumber.count }
    var isEmpty: Bool { byNumber.isEmpty }

    subscript(session number: Int64) -> Client? { byNumber[number] }

    func add(_ client: Client) { byNumber[client.number] = client }

    /// False if it was not there.
    func remove(_ client: Client) -> Bool { byNumber.removeValue(forKey: client.number) != nil }
}
