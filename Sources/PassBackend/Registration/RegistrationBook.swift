// All registrations of one service, with limits for each app. No app may fill the box with statements. No app may repeat a
// statement that the service has just refused. This type reads no clock: times are passed in.

import AccessEnabler

struct RegistrationBook: Sendable {
    /// The max number of statements that one app may use or try in a day. passd also keeps at most this many registrations of
    /// one app.
    static let maxOfOneApp = 16
    static let day = Duration.seconds(24 * 3600)
    /// The time for which a refused statement is not sent again.
    static let memoryOfRefusals = Duration.seconds(30)

    private struct Entry: Sendable {
        var registration: HeldRegistration
        /// The time of the last use. Nil if the registration has not been used since passd started, perhaps because the app has
        /// another statement now.
        var lastUse: BootTime?

        func isInUse(at now: BootTime) -> Bool { lastUse.map { now < $0.advanced(by: RegistrationBook.day) } ?? false }
    }

    private struct Refusal: Sendable {
        let code: String
        let ends: BootTime
    }

    private var entries: [RegistrationKey: Entry]
    private var refusals: [RegistrationKey: Refusal] = [:]
    /// The highest number that a removed registration gave to credentials or a token. New registrations continue with higher
    /// numbers, so that no number is used twice.
    private var numbers: UInt64 = 0

    init(_ stored: [RegistrationKey: StoredRegistration]) {
        entries = stored.mapValues { Entry(registration: HeldRegistration($0)) }
    }

    /// The number of registrations and refusals.
    var count: Int { entries.count + refusals.count }

    /// The number of registrations that the service has accepted.
    var accepted: Int { entries.values.count { $0.registration.client != nil } }

    subscript(key: RegistrationKey) -> HeldRegistration? { entries[key]?.registration }

    mutating func accessToken(
        _ key: RegistrationKey, boot: BootTime, server: ServerTime
    ) -> HeldRegistration.AccessToken? {
        guard let token = entries[key]?.registration.accessToken(boot: boot, server: server) else { return nil }
        entries[key]?.lastUse = boot
        return token
    }

    /// The code of the reason not to register. Nil if there is no reason.
    mutating func obstacle(_ key: RegistrationKey, at now: BootTime) -> String? {
        guard entries[key] == nil else { return nil }
        refusals = refusals.filter { now < $0.value.ends }
        if let refusal = refusals[key] { return refusal.code }
        let taken =
            entries.count { $0.key.app == key.app && $0.value.isInUse(at: now) }
            + refusals.keys.count { $0.app == key.app }
        return taken < Self.maxOfOneApp ? nil : "too_many_registrations"
    }

    /// To be called before a request of this registration. Returns the code of the reason not to send the request. If there is
    /// none, returns nil, and the registration counts against the app's limit from now on. If the app has no credentials when
    /// the request has ended, `end` removes the registration.
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

    /// Changes the registration with `step`, and returns the result of `step`. Returns nil if there is no such registration.
    mutating func change<Result>(_ key: RegistrationKey, _ step: (inout HeldRegistration) -> Result) -> Result? {
        guard var registration = self[key] else { return nil }
        defer { entries[key]?.registration = registration }
        return step(&registration)
    }

    /// Removes and returns the registrations above the limit of the app. `key` is the app's newest registration. Registrations
    /// in use are kept. Registrations that have not been used since passd started are removed first, beginning with the one
    /// whose token ends first. After these, the least recently used registrations are removed.
    mutating func takeSurplus(beside key: RegistrationKey, at now: BootTime) -> [RegistrationKey] {
        let others = entries.filter {
            $0.key.app == key.app && $0.key != key && $0.value.registration.client != nil
        }
        let never = (BootTime(nanoseconds: 0), ServerTime(milliseconds: .min))
        let oldest = others.filter { !$0.value.isInUse(at: now) }
            .map { key, entry in
                (key, entry.lastUse ?? never.0, entry.registration.token?.ends ?? never.1)
            }.sorted { ($0.1, $0.2, $0.0.statement) < ($1.1, $1.2, $1.0.statement) }
        let surplus = oldest.prefix(max(0, others.count + 1 - Self.maxOfOneApp)).map(\.0)
        for key in surplus { remove(key) }
        return surplus
    }

    private mutating func remove(_ key: RegistrationKey) {
        numbers = max(numbers, self[key]?.numbers ?? 0)
        entries[key] = nil
    }
}

/// The state of one registration: its credentials and an access token. The credentials do not expire, but the token does. This
/// type reads no clock: times are passed in. Contract: dcr.md §5.
struct HeldRegistration: Sendable {
    struct Client: Sendable {
        let id: String
        let secret: Secret
        let number: UInt64
        /// The time of the registration. Nil if the registration is from an earlier run.
        let registered: BootTime?
        /// Whether a protected call with these credentials was answered.
        var isProven = false
    }

    struct Token: Sendable {
        let value: Secret
        let number: UInt64
        let ends: ServerTime
        /// The time to renew the token, on a clock that does not jump. Nil if the token is from an earlier run.
        let renewal: BootTime?
    }

    /// A valid access token for protected calls, with its own number and the number of its credentials.
    struct AccessToken: Sendable {
        let value: Secret
        let clientNumber: UInt64
        let number: UInt64
    }

    /// The time between the renewal and the end of a token. A token with a short life is renewed when a twentieth of
    /// its life is left.
    static let margin = Duration.seconds(60)
    /// For this time after a registration, refused credentials are not replaced: a service that refuses new credentials
    /// refuses the app itself. The time ends early if the service answers a protected call with these credentials.
    static let probation = Duration.seconds(60)

    private(set) var client: Client?
    private(set) var token: Token?
    /// The credentials that the service no longer knows. Nil as soon as there are new credentials.
    private(set) var refused: Client?
    private(set) var numbers: UInt64

    /// `numbers` is the highest number that was used before.
    init(after numbers: UInt64 = 0) { self.numbers = numbers }

    init(_ stored: StoredRegistration) {
        numbers = 0
        client = Client(id: stored.clientID, secret: stored.clientSecret, number: next(), registered: nil)
        if let value = stored.accessToken, let ends = stored.accessTokenEnds {
            token = Token(value: value, number: next(), ends: ends, renewal: nil)
        }
    }

    func accessToken(boot: BootTime, server: ServerTime) -> AccessToken? {
        guard let client, let token else { return nil }
        let isFresh = token.renewal.map { boot < $0 } ?? (server.advanced(by: Self.margin) < token.ends)
        return isFresh ? AccessToken(value: token.value, clientNumber: client.number, number: token.number) : nil
    }

    mutating func registered(_ answer: ClientAnswer, at now: BootTime) {
        client = Client(id: answer.id, secret: answer.secret, number: next(), registered: now)
        token = nil
        refused = nil
    }

    mutating func issued(_ answer: TokenAnswer, boot: BootTime, server: ServerTime) {
        let left = answer.life - min(Self.margin, answer.life / 20)
        token = Token(
            value: answer.token, number: next(), ends: server.advanced(by: answer.life),
            renewal: boot.advanced(by: left))
    }

    mutating func proved(_ used: AccessToken) {
        if client?.number == used.clientNumber { client?.isProven = true }
    }

    /// Discards the token. Does nothing if the token has already been renewed.
    mutating func discard(_ used: AccessToken) {
        if token?.number == used.number { token = nil }
    }

    /// Discards the credentials with this number. Returns false and keeps them if new credentials would not help.
    mutating func discardClient(_ number: UInt64, at now: BootTime) -> Bool {
        guard let client, client.number == number else { return true }
        token = nil
        if let registered = client.registered, !client.isProven, now < registered.advanced(by: Self.probation) {
            return false
        }
        refused = client
        self.client = nil
        return true
    }

    mutating func forgetRefused() { refused = nil }

    var isEmpty: Bool { client == nil && refused == nil }

    var stored: StoredRegistration? {
        client.map {
            StoredRegistration(
                clientID: $0.id, clientSecret: $0.secret, accessToken: token?.value, accessTokenEnds: token?.ends)
        }
    }

    private mutating func next() -> UInt64 {
        numbers += 1
        return numbers
    }
}
