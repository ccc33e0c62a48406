// Remembers the providers that the service has listed for each requestor. passd suggests these providers to operators. The
// lists are limited and only in memory. No decision depends on them.

struct OfferedProviders: Sendable {
    private static let maxRequestors = 64
    private static let maxProviders = 256

    /// The list that was noted last comes last.
    private var lists: [(requestor: RequestorID, providers: [ProviderID])] = []

    mutating func note(_ providers: [Provider], of requestor: RequestorID) {
        lists.removeAll { $0.requestor == requestor }
        lists.append((requestor, providers.prefix(Self.maxProviders).map(\.id)))
        if lists.count > Self.maxRequestors { lists.removeFirst() }
    }

    func providers(of requestor: RequestorID) -> [ProviderID] {
        lists.first { $0.requestor == requestor }?.providers ?? []
    }
}
