// What operators may see of the engine: names and times, but no secrets.

extension Engine {
    public struct Entry: Sendable {
        public let requestor: RequestorID
        public let provider: ProviderID
        /// The provider's name for people, as far as it is known.
        public let providerName: String
        public let kind: String
        public let expires: ServerTime
    }

    /// The stored logins, by requestor and provider, including those that have ended.
    public var inventory: [Entry] {
        logins.profiles.map { key, profile in
            entry(key, profile)
        }.sorted { ($0.requestor, $0.provider) < ($1.requestor, $1.provider) }
    }

    /// The logins that count now, at a service that is configured.
    public var currentLogins: [Entry] {
        logins.profiles.filter { logins.profile(at: $0.key) != nil && context.hasService($0.key.registration) }
            .map { entry($0.key, $0.value) }
            .sorted { ($0.requestor, $0.provider) < ($1.requestor, $1.provider) }
    }

    private func entry(_ key: ProfileKey, _ profile: Profile) -> Entry {
        let selected = logins.selection(of: key.requestor)?.provider
        let name = selected.flatMap { $0.id == key.provider ? $0.displayName : nil } ?? key.provider.rawValue
        return Entry(
            requestor: key.requestor, provider: key.provider, providerName: name, kind: profile.kind.name,
            expires: profile.notAfter)
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
    public var signedInWith: [String] { Set(currentLogins.map(\.providerName)).sorted() }

    /// By how much the service's date is ahead of ours, or nil if it is not known yet.
    public var clockOffset: Duration? { context.serverClock.offset }
    public var clockIsWrong: Bool { context.serverClock.isClearlyWrong }
    /// The number of changes that the vault has not taken.
    public var unsavedChanges: Int { memory.unsavedCount }
}
