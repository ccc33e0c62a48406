// What is known of one registration: credentials, which are for ever, and an access token, which is not. Pure: moments
// come in. Contract: dcr.md §5.

import AccessEnabler

struct HeldRegistration: Sendable {
    struct Client: Sendable {
        let id: String
        let secret: Secret
        let number: UInt64
        /// Nil for one that was remembered.
        let registered: BootTime?
        /// A protected call was answered under it.
        var isProven = false
    }

    struct Token: Sendable {
        let value: Secret
        let number: UInt64
        let ends: ServerTime
        /// On a clock that does not jump, when it was issued in this run. Nil for one that was remembered.
        let renewal: BootTime?
    }

    /// The right to make protected calls, and which credentials and token it comes from.
    struct Grant: Sendable {
        let token: Secret
        let clientNumber: UInt64
        let tokenNumber: UInt64
    }

    /// A token with so little left, or a twentieth of its life if that is less, is renewed first.
    static let margin = Duration.seconds(60)
    /// Credentials that no protected call has accepted are not replaced by others before that: the service refuses the
    /// app and not them.
    static let probation = Duration.seconds(60)

    private(set) var client: Client?
    private(set) var token: Token?
    /// Credentials the service does not know any more, until others are in their place.
    private(set) var refused: Client?
    private(set) var numbers: UInt64

    /// Numbers up to this one have been given away.
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

    /// Nothing happens to a token that has been renewed meanwhile.
    mutating func discardToken(of grant: Grant) {
        if token?.number == grant.tokenNumber { token = nil }
    }

    /// False if others would fare no better.
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
