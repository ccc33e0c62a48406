// The state of one registration: its credentials, which do not expire, and an access token, which does. Pure: times are
// passed in. Contract: dcr.md §5.

import AccessEnabler

struct HeldRegistration: Sendable {
    struct Client: Sendable {
        let id: String
        let secret: Secret
        let number: UInt64
        /// The time of the registration in this run; nil if it was read from the store.
        let registered: BootTime?
        /// Whether a protected call with these credentials was answered.
        var isProven = false
    }

    struct Token: Sendable {
        let value: Secret
        let number: UInt64
        let ends: ServerTime
        /// When to renew a token that was issued in this run, on a clock that does not jump; nil if it was read from
        /// the store.
        let renewal: BootTime?
    }

    /// The right to make protected calls, with the numbers of the credentials and the token that it comes from.
    struct Grant: Sendable {
        let token: Secret
        let clientNumber: UInt64
        let tokenNumber: UInt64
    }

    /// A token is renewed this long before its end, or a twentieth of its life before if that is less.
    static let margin = Duration.seconds(60)
    /// New credentials that no protected call has accepted yet are not replaced within this time: the service then
    /// refuses the app, not the credentials.
    static let probation = Duration.seconds(60)

    private(set) var client: Client?
    private(set) var token: Token?
    /// The credentials that the service no longer knows, until new ones replace them.
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

    func grant(boot: BootTime, server: ServerTime) -> Grant? {
        guard let client, let token else { return nil }
        let isFresh = token.renewal.map { boot < $0 } ?? (server.advanced(by: Self.margin) < token.ends)
        return isFresh ? Grant(token: token.value, clientNumber: client.number, tokenNumber: token.number) : nil
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

    mutating func proved(_ grant: Grant) {
        if client?.number == grant.clientNumber { client?.isProven = true }
    }

    /// Does nothing if the token has already been renewed.
    mutating func discardToken(of grant: Grant) {
        if token?.number == grant.tokenNumber { token = nil }
    }

    /// Returns false if new credentials would not help.
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
