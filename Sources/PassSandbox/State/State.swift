// Everything that the service stores. A call changes it as a whole or not at all.

struct State: Sendable {
    var singles: Singles
    var singlesChanged = false
    /// Kept apart from the tables, because keys are large and hardly ever change.
    var keys: SandboxKeys
    var keysChanged = false
    var clients = Table<Client>()
    var tokens = Table<AccessToken>()
    var sessions = Table<Session>()
    var profiles = Table<Profile>()
    var sharedLogins = Table<SharedLogin>()
    var decisions = Table<StoredDecision>()
    var authorizations = Table<Authorization>()
    var signOffs = Table<SignOff>()
    var trials = Table<Trial>()
    var attempts = Table<LoginAttempt>()
    var partnerRequests = Table<PartnerRequest>()
    var devices = Table<LinkedDevice>()
    var links = Table<LinkCode>()
    var trustedKeys = Table<TrustedKey>()
    var usedTokens = Table<UsedToken>()
    var answers = Table<AnswerCount>()
    var degradations = Table<DegradationRule>()
    var revokedApps = Table<RevokedApp>()
    var guesses = Table<Guesses>()

    init(random: SeededRandom) {
        singles = Singles(random: random.branch("dealt"))
        singlesChanged = true
        keys = SandboxKeys(root: random.branch("keys"))
        keysChanged = true
    }

    var random: SeededRandom {
        get { singles.random }
        set {
            singles.random = newValue
            singlesChanged = true
        }
    }

    /// Making a pair takes time, so it is stored with the call that first needs it.
    mutating func key(_ purpose: SandboxKeys.Purpose) -> RSAKey {
        let before = keys.count
        defer { keysChanged = keysChanged || keys.count > before }
        return keys.pair(purpose)
    }

    mutating func keyID(_ purpose: SandboxKeys.Purpose) -> String { key(purpose).publicKey.thumbprint }

    private static let mostUsedTokens = 100_000

    /// Removes rows that can never matter again.
    mutating func sweep(at now: Instant) {
        let day: Instant = 86_400_000
        tokens.removeAll { $0.ends + day < now }
        sessions.removeAll { $0.ends + day < now }
        profiles.removeAll { $0.ends + 30 * day < now }
        sharedLogins.removeAll { $0.ends + 30 * day < now }
        decisions.removeAll { $0.ends < now }
        authorizations.removeAll { $0.ends + 30 * day < now }
        signOffs.removeAll { $0.at + 400 * day < now }
        attempts.removeAll { $0.ends < now }
        partnerRequests.removeAll { $0.ends < now }
        links.removeAll { $0.ends < now }
        // Used tokens are not removed by time alone: the clock may be set back, and a token must be usable only once.
        if usedTokens.rows.count > Self.mostUsedTokens { usedTokens.removeAll { $0.ends + day < now } }
        guesses.removeAll { $0.ends < now }
    }
}

extension State {
    /// Resets the state to that of the first start, except for the keys, since what they have signed stays valid, and
    /// for the used media tokens, since those must stay used.
    mutating func forgetEverything(_ random: SeededRandom, _ catalogue: Catalogue) {
        eachTable { name, table in if name != "usedTokens" { table.clear() } }
        singles = Singles(random: random.branch("dealt"))
        singlesChanged = true
        for rule in catalogue.degradations { degradations[rule.name] = rule }
    }
}
