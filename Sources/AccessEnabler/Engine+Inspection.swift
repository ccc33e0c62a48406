// The engine's state as operators may see it: names and times, but no secrets.

extension Engine {
    public struct Entry: Sendable {
        public let requestor: RequestorID
        public let provider: ProviderID
        public let kind: String
        public let expires: ServerTime
    }

    /// The stored logins.
    public var inventory: [Entry] {
        logins.contents.profiles.map { key, profile in
            Entry(
                requestor: key.requestor, provider: key.provider, kind: profile.kind.name,
                expires: profile.notAfter)
        }.sorted { ($0.requestor, $0.provider) < ($1.requestor, $1.provider) }
    }

    /// The codes that are on screens.
    public var openLoginKeys: [LoginKey] { openLogins.pollers.keys.sorted { $0.requestor < $1.requestor } }

    /// When the next poll is due; nil if there is none.
    public var nextPoll: BootTime? { openLogins.pollers.values.compactMap(\.next).min() }

    /// Whether a poll has been overdue for that long.
    public func hasMissedPoll(by delay: Duration) -> Bool {
        openLogins.pollers.values.contains { poller in
            !poller.isAsking && poller.next.map { $0.advanced(by: delay) < context.ports.clock.boot } ?? false
        }
    }

    /// The display names of all providers with a valid login on this box.
    public var signedInWith: [String] {
        let names = logins.contents.profiles.keys.filter { logins.profile(at: $0) != nil }.map { key in
            let selected = logins.contents.selections[key.requestor]?.provider
            return selected.flatMap { $0.id == key.provider ? $0.displayName : nil } ?? key.provider.rawValue
        }
        return Set(names).sorted()
    }

    /// How far the service's clock is ahead of ours; nil while it is unknown.
    public var clockOffset: Duration? { context.serverClock.offset }
    public var clockIsWrong: Bool { context.serverClock.isClearlyWrong }
    /// The number of changes that the vault has not stored yet.
    public var unsavedChanges: Int { logins.memory.unsavedCount }
}
