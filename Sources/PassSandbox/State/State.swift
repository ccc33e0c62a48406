// The service's whole state in tables, and its text for the state file. A call makes all of its changes or none.

import FoundationEssentials
import PassJSON

struct State: Sendable {
    var singles: Singles { didSet { singlesChanged = true } }
    var singlesChanged = true
    /// The key pairs. The pairs are not in a table, because keys are large and change very rarely.
    var keys: SandboxKeys
    var keysChanged = true
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

    /// The state of a first start.
    init(random: SeededRandom, _ catalogue: Catalogue) {
        self.init(random: random)
        for rule in catalogue.degradations { degradations[rule.name] = rule }
    }

    init(random: SeededRandom) {
        singles = Singles(random: random.branch("dealt"))
        keys = SandboxKeys(root: random.branch("keys"))
    }

    var random: SeededRandom {
        get { singles.random }
        set { singles.random = newValue }
    }

    /// The key pair for a purpose. Making a key pair takes time, so the pair is made at its first use and then stored.
    mutating func key(_ purpose: SandboxKeys.Purpose) -> RSAKey {
        let before = keys.count
        defer { keysChanged = keysChanged || keys.count > before }
        return keys.pair(purpose)
    }

    mutating func keyID(_ purpose: SandboxKeys.Purpose) -> String { key(purpose).publicKey.thumbprint }

    private static let maxUsedTokens = 100_000

    /// Removes rows that no longer have an effect.
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
        // Expired tokens are kept, because a used token must still be refused after the clock is set back.
        if usedTokens.rows.count > Self.maxUsedTokens { usedTokens.removeAll { $0.ends + day < now } }
        guesses.removeAll { $0.ends < now }
    }
}

extension State {
    /// Resets the state to the state of a first start. The keys are kept, so their signatures stay valid. The used media tokens
    /// are kept, so no token can be used twice.
    mutating func forgetEverything(_ random: SeededRandom, _ catalogue: Catalogue) {
        eachTable { name, table in if name != "usedTokens" { table.clear() } }
        singles = Singles(random: random.branch("dealt"))
        for rule in catalogue.degradations { degradations[rule.name] = rule }
    }
}

// A table of rows by key. It records the changed keys since the last write.

struct Table<Row: Codable & Sendable>: Sendable {
    private(set) var rows: [String: Row] = [:]
    private(set) var changed: Set<String> = []

    subscript(key: String) -> Row? {
        get { rows[key] }
        set {
            guard newValue != nil || rows[key] != nil else { return }
            rows[key] = newValue
            changed.insert(key)
        }
    }

    mutating func removeAll(where matches: (Row) -> Bool) {
        for (key, row) in rows where matches(row) { self[key] = nil }
    }

    mutating func clear() { removeAll { _ in true } }

    /// Changes rows, and returns their number.
    @discardableResult
    mutating func change(_ change: (inout Row) -> Void, where matches: (String, Row) -> Bool) -> Int {
        let found = rows.filter(matches)
        for (key, var row) in found {
            change(&row)
            self[key] = row
        }
        return found.count
    }

    mutating func restore(_ key: String, _ row: Row?) { rows[key] = row }

    mutating func markWritten() { changed = [] }
}

/// A key made of several parts. A blank separates them, so the parts are percent-encoded and contain no blank.
func rowKey(_ parts: String...) -> String { parts.map(percentEncoded).joined(separator: " ") }

// Converts the state's tables to and from the text of the state file. A row is `["sessions","K7Q2M4X",{…}]`, with null
// for a removed row.

extension State {
    /// Calls the visitor with each table and its name, in the order of the file.
    mutating func eachTable(_ visit: (String, inout any StateTable) throws -> Void) rethrows {
        func one<Row>(_ name: String, _ table: inout Table<Row>) throws {
            var any: any StateTable = table
            try visit(name, &any)
            if let changed = any as? Table<Row> { table = changed }
        }
        try one("clients", &clients)
        try one("tokens", &tokens)
        try one("sessions", &sessions)
        try one("profiles", &profiles)
        try one("sharedLogins", &sharedLogins)
        try one("decisions", &decisions)
        try one("authorizations", &authorizations)
        try one("signOffs", &signOffs)
        try one("trials", &trials)
        try one("attempts", &attempts)
        try one("partnerRequests", &partnerRequests)
        try one("devices", &devices)
        try one("links", &links)
        try one("trustedKeys", &trustedKeys)
        try one("usedTokens", &usedTokens)
        try one("answers", &answers)
        try one("degradations", &degradations)
        try one("revokedApps", &revokedApps)
        try one("guesses", &guesses)
    }

    /// The changed rows since the last call, as one JSON array. Nil if no row has changed.
    mutating func takeChanges() throws -> String? {
        var rows: [String] = []
        if singlesChanged { rows.append(try Self.row("singles", key: "", value: singles)) }
        if keysChanged { rows.append(try Self.row("keys", key: "", value: keys)) }
        try eachTable { name, table in
            rows += try table.changedRows(name)
            table.markWritten()
        }
        (singlesChanged, keysChanged) = (false, false)
        return rows.isEmpty ? nil : "[" + rows.joined(separator: ",") + "]"
    }

    /// Forgets the record of changed rows. Used if there is no state file.
    mutating func discardChanges() {
        eachTable { _, table in table.markWritten() }
        (singlesChanged, keysChanged) = (false, false)
    }

    /// All rows, as one JSON array.
    mutating func snapshot() throws -> String {
        var rows = [try Self.row("singles", key: "", value: singles), try Self.row("keys", key: "", value: keys)]
        try eachTable { name, table in rows += try table.allRows(name) }
        return "[" + rows.joined(separator: ",") + "]"
    }

    mutating func apply(_ changes: JSONValue) throws {
        for row in changes.array ?? [] {
            guard let parts = row.array, parts.count == 3, let table = parts[0].string, let key = parts[1].string else {
                throw StateFileError(description: "a row is not of the form [table, key, value]")
            }
            if table == "singles" {
                singles = try JSONDecoder().decode(Singles.self, from: Data(parts[2].bytes))
                singlesChanged = false
                continue
            }
            if table == "keys" {
                keys = try JSONDecoder().decode(SandboxKeys.self, from: Data(parts[2].bytes))
                keysChanged = false
                continue
            }
            var found = false
            try eachTable { name, place in
                guard name == table else { return }
                try place.apply(key, parts[2])
                found = true
            }
            guard found else { throw StateFileError(description: "there is no table \"\(table)\"") }
        }
    }

    fileprivate static func row(_ table: String, key: String, value: (some Encodable)?) throws -> String {
        let text = try value.map { String(decoding: try JSONEncoder().encode($0), as: UTF8.self) } ?? "null"
        return "[\(JSONValue.string(table).text),\(JSONValue.string(key).text),\(text)]"
    }
}

protocol StateTable {
    func changedRows(_ name: String) throws -> [String]
    func allRows(_ name: String) throws -> [String]
    mutating func apply(_ key: String, _ value: JSONValue) throws
    mutating func markWritten()
    mutating func clear()
}

extension Table: StateTable {
    func changedRows(_ name: String) throws -> [String] {
        try changed.sorted().map { try State.row(name, key: $0, value: rows[$0]) }
    }

    func allRows(_ name: String) throws -> [String] {
        try rows.keys.sorted().map { try State.row(name, key: $0, value: rows[$0]) }
    }

    mutating func apply(_ key: String, _ value: JSONValue) throws {
        restore(key, value == .null ? nil : try JSONDecoder().decode(Row.self, from: Data(value.bytes)))
    }
}
