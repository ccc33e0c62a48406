// What operators may see of the engine: names and times, but no secrets.

extension Engine {
    public struct Entry: Sendable {
        public let requestor: RequestorID
        public let provider: ProviderID
        public let kind: String
        public let expires: ServerTime
    }

    /// The stored logins, by requestor and provider, including those that have ended.
    public var inventory: [Entry] {
        logins.profiles.map { key, profile in
            Entry(
                requestor: key.requestor, provider: key.provider, kind: profile.kind.name,
                expires: profile.notAfter)
        }.sorted { ($0.requestor, $0.provider) < ($1.requestor, $1.provider) }
    }

    /// The requestors that have an open code.
    public var openLoginKeys: [LoginKey] { openLogins.keys.sorted { $0.requestor < $1.requestor } }

    /// The requestors whose last login had no page.
    public var requestorsWithoutPage: [RequestorID] { openLogins.withoutPage.sorted() }

    /// The time of the next poll.
    public var nextPoll: BootTime? { openLogins.nextPoll }

    /// Whether a poll is overdue by this long and has not begun, which means that the timers or the queue have failed.
    public func hasMissedPoll(by delay: Duration) -> Bool { openLogins.hasMissedPoll(by: delay) }

    /// The names of the providers with a valid login at a service that is configured.
    public var signedInWith: [String] {
        let keys = logins.profiles.keys.filter {
            logins.profile(at: $0) != nil && context.hasService($0.registration)
        }
        let names = keys.map { key in
            let selected = logins.selection(of: key.requestor)?.provider
            return selected.flatMap { $0.id == key.provider ? $0.displayName : nil } ?? key.provider.rawValue
        }
        return Set(names).sorted()
    }

    /// By how much the service's date is ahead of ours, or nil if it is not known yet.
    public var clockOffset: Duration? { context.serverClock.offset }
    public var clockIsWrong: Bool { context.serverClock.isClearlyWrong }
    /// The number of changes that the vault has not taken.
    public var unsavedChanges: Int { memory.unsavedCount }
}
