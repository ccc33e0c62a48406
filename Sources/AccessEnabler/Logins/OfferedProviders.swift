// Remembers which providers the service has listed for which requestor, so that operators can be offered their names. It
// is kept in memory alone, bounded, and decides nothing.

struct OfferedProviders: Sendable {
    private static let mostRequestors = 64
    private static let mostProviders = 256

    /// The list that was noted last comes last.
    private var lists: [(requestor: RequestorID, providers: [ProviderID])] = []

    mutating func note(_ providers: [Provider], of requestor: RequestorID) {
        lists.removeAll { $0.requestor == requestor }
        lists.append((requestor, providers.prefix(Self.mostProviders).map(\.id)))
        if lists.count > Self.mostRequestors { lists.removeFirst() }
    }

    func providers(of requestor: RequestorID) -> [ProviderID] {
        lists.first { $0.requestor == requestor }?.providers ?? []
    }
}
