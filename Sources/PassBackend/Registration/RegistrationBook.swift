// All registrations, and the limits for new ones: no app may fill the store with software statements, or send the
// service one that it has just refused. Pure: times are passed in.

import AccessEnabler

struct RegistrationBook: Sendable {
    /// How many statements one app may use or try in a day, and how many of its registrations are kept.
    static let mostOfOneApp = 16
    static let day = Duration.seconds(24 * 3600)
    /// For how long a statement that the service has refused is not sent again.
    static let memoryOfRefusals = Duration.seconds(30)

    private struct Entry: Sendable {
        var registration: HeldRegistration
        /// Nil if it comes from an earlier run, perhaps of an app that has been updated since.
        var lastUse: BootTime?

        func isInUse(at now: BootTime) -> Bool { lastUse.map { now < $0.advanced(by: RegistrationBook.day) } ?? false }
    }

    private struct Refusal: Sendable {
        let code: String
        let ends: BootTime
    }

    private var entries: [RegistrationKey: Entry]
    private var refusals: [RegistrationKey: Refusal] = [:]
    /// The highest number of credentials and tokens that have been removed.
    private var numbers: UInt64 = 0

    init(_ stored: [RegistrationKey: StoredRegistration]) {
        entries = stored.mapValues { Entry(registration: HeldRegistration($0)) }
    }

    /// The number of all entries, including refusals.
    var count: Int { entries.count + refusals.count }

    subscript(key: RegistrationKey) -> HeldRegistration? { entries[key]?.registration }

    mutating func grant(_ key: RegistrationKey, boot: BootTime, server: ServerTime) -> HeldRegistration.Grant? {
        guard let grant = entries[key]?.registration.grant(boot: boot, server: server) else { return nil }
        entries[key]?.lastUse = boot
        return grant
    }

    /// Why registering would fail, as a code; nil if it may be tried.
    mutating func obstacle(_ key: RegistrationKey, at now: BootTime) -> String? {
        guard entries[key] == nil else { return nil }
        refusals = refusals.filter { now < $0.value.ends }
        if let refusal = refusals[key] { return refusal.code }
        let taken =
            entries.count { $0.key.app == key.app && $0.value.isInUse(at: now) }
            + refusals.keys.count { $0.app == key.app }
        return taken < Self.mostOfOneApp ? nil : "too_many_registrations"
    }

    /// Begins work for this registration, unless there is an obstacle. The entry exists until the work ends, and is
    /// kept if it succeeds.
    mutating func begin(_ key: RegistrationKey, at now: BootTime) -> String? {
        if let obstacle = obstacle(key, at: now) { return obstacle }
        entries[key, default: Entry(registration: HeldRegistration(after: numbers))].lastUse = now
        return nil
    }

    mutating func end(_ key: RegistrationKey) {
        if let registration = self[key], registration.isEmpty { remove(key) }
    }

    mutating func refused(_ key: RegistrationKey, _ code: String, at now: BootTime) {
        refusals[key] = Refusal(code: code, ends: now.advanced(by: Self.memoryOfRefusals))
    }

    /// Changes the registration; nil if there is none.
    mutating func change<Result>(_ key: RegistrationKey, _ step: (inout HeldRegistration) -> Result) -> Result? {
        guard var registration = self[key] else { return nil }
        defer { entries[key]?.registration = registration }
        return step(&registration)
    }

    /// Removes registrations beyond the app's limit, of which this is the newest. None that is in use is removed; those
    /// that were used or had a token longest ago go first.
    mutating func takeSurplus(beside key: RegistrationKey, at now: BootTime) -> [RegistrationKey] {
        let others = entries.filter {
            $0.key.app == key.app && $0.key != key && $0.value.registration.client != nil
        }
        let never = (BootTime(nanoseconds: 0), ServerTime(milliseconds: .min))
        let oldest = others.filter { !$0.value.isInUse(at: now) }
            .map { key, entry in
                (key, entry.lastUse ?? never.0, entry.registration.token?.ends ?? never.1)
            }.sorted { ($0.1, $0.2, $0.0.statement) < ($1.1, $1.2, $1.0.statement) }
        let surplus = oldest.prefix(max(0, others.count + 1 - Self.mostOfOneApp)).map(\.0)
        for key in surplus { remove(key) }
        return surplus
    }

    private mutating func remove(_ key: RegistrationKey) {
        numbers = max(numbers, self[key]?.numbers ?? 0)
        entries[key] = nil
    }
}
