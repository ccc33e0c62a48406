// What operators may know of the engine: names and times, and no secret.

extension Engine {
    public struct Entry: Sendable {
        public let requestor: RequestorID
        public let provider: ProviderID
        public let kind: String
        public let expires: ServerTime
    }

    /// The stored logins.
    public var inventory: [Entry] {
        memory.contents.profiles.map { place, profile in
            Entry(
                requestor: place.requestor, provider: place.provider, kind: profile.kind.name,
                expires: profile.notAfter)
        }.sorted { ($0.requestor, $0.provider) < ($1.requestor, $1.provider) }
    }

    /// The codes that are on screens.
    public var openLogins: [LoginKey] { pollers.keys.sorted { $0.requestor < $1.requestor } }

    /// The soonest poll.
    public var nextPoll: BootTime? { pollers.values.compactMap(\.next).min() }

    /// How far the service's clock is ahead of ours. Nil: not known yet.
    public var clockOffset: Duration? { serverClock.offset }
    public var clockIsWrong: Bool { serverClock.isClearlyWrong }
    /// Changes that the vault has not taken.
    public var unsavedChanges: Int { memory.unsavedCount }
}
