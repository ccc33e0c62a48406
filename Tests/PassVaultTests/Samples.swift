// A household's store: two apps, one login, one open login, one unreported logout, and the box's signing key. Every
// secret in it contains the word `hush`.

import AccessEnabler
import PassJSON
import PassTestTools

@testable import PassVault

enum Samples {
    static let app = AppID(rawValue: "news24")
    static let requestor = RequestorID(rawValue: "NEWS24")
    static let registration = RegistrationKey(
        app: app, statement: "5f2b", origin: "http://127.0.0.1:8642", interface: "v2")
    static let profileKey = ProfileKey(
        registration: registration, requestor: requestor, provider: ProviderID(rawValue: "Cablevista"))
    static let loginKey = LoginKey(registration: registration, requestor: RequestorID(rawValue: "NEWS24PLUS"))

    static let credentials = StoredRegistration(
        clientID: "client-1", clientSecret: Secret("hush-client-secret"), accessToken: Secret("hush-access-token"),
        accessTokenEnds: ServerTime(milliseconds: 1_795_275_000_000))

    static var provider: Provider {
        var provider = Provider(
            id: ProviderID(rawValue: "Cablevista"), displayName: "Cable Vista — hush", logoURL: "https://x.test/l.png")
        provider.loginPerRequestor = true
        provider.boardingStatus = .picker
        provider.platformMappingID = "cv"
        return provider
    }

    static let profile = Profile(
        provider: ProviderID(rawValue: "Cablevista"), kind: .regular, issuer: "Adobe",
        notBefore: ServerTime(milliseconds: 1_795_270_000_000), notAfter: ServerTime(milliseconds: 1_797_862_000_000),
        attributes: [
            "userID": .init(value: .string("hush-user-id"), isEncrypted: false),
            "zip": .init(value: ["hush-12345", 7, true, nil], isEncrypted: true),
            "household": .init(value: ["hush-id": ["deep": []]], isEncrypted: false),
            "nothing": .init(value: .null, isEncrypted: false),
        ])

    static let login = OpenLogin(
        code: RegistrationCode(rawValue: "HUSH7QX"), url: "https://x.test/activate?code=HUSH7QX&hush", provider: nil,
        notBefore: ServerTime(milliseconds: 1), notAfter: ServerTime(milliseconds: .max), sessionID: "hush-session")

    static let tombstone = ProfileKey(
        registration: registration, requestor: requestor, provider: ProviderID(rawValue: "Satellink"))

    static let changes: [VaultChange] = [
        .device(DeviceID(rawValue: "0d1ce")), .registration(registration, credentials),
        .selection(requestor, Selection(provider: provider, canAuthenticate: true)), .profile(profileKey, profile),
        .openLogin(loginKey, login), .tombstone(tombstone, true),
        .deviceKey(Secret("hush-device-key")),
    ]

    static let contents: VaultContents = {
        var contents = VaultContents()
        for change in changes { contents.apply(change) }
        return contents
    }()

    /// Enough rows to fill many pages.
    static func crowd(_ count: Int) -> [VaultChange] { (0..<count).map { .profile(crowdKey($0), profile) } }

    /// Changes that are neither logins nor logouts. They stay in the log for some time.
    static func queue(_ count: Int) -> [VaultChange] {
        (0..<count).map { index in
            .openLogin(LoginKey(registration: registration, requestor: RequestorID(rawValue: "Q\(index)")), login)
        }
    }

    static func crowdKey(_ index: Int) -> ProfileKey {
        ProfileKey(
            registration: registration, requestor: RequestorID(rawValue: "R\(index)"),
            provider: ProviderID(rawValue: "P\(index % 7)"))
    }
}

extension [VaultChange] {
    var contents: VaultContents {
        var contents = VaultContents()
        for change in self { contents.apply(change) }
        return contents
    }
}

/// The contents as text, with a line for each row. All fields are included, secrets too, so equal texts mean equal contents.
func described(_ contents: VaultContents) -> [String] {
    Mirror(reflecting: contents).children.flatMap { table, rows in
        Mirror(reflecting: rows).children.map { "\(table ?? "") \(text($0.value))" }
    }.sorted()
}

private func text(_ value: Any) -> String {
    if let secret = value as? Secret { return secret.reveal() }
    if let json = value as? JSONValue { return "\(json)" }
    let mirror = Mirror(reflecting: value)
    guard !mirror.children.isEmpty else { return "\(value)" }
    let fields = mirror.children.map { "\($0.label ?? "") \(text($0.value))" }
    return "(" + (mirror.displayStyle == .dictionary ? fields.sorted() : fields).joined(separator: ", ") + ")"
}

extension StoreSchema {
    /// The step from this version to the next one of `trial`.
    static var nextStep: [String] { trial.steps[current.version] }
}

func configuration(_ folder: TemporaryDirectory, credential: UInt8? = nil) -> VaultConfiguration {
    // 2026-11-21T15:30:00Z
    VaultConfiguration(
        directory: folder.path, credential: credential.map { Array(repeating: $0, count: 32) },
        now: { ServerTime(milliseconds: 1_795_275_000_000) })
}

extension Store {
    var codes: [String] { health.warnings.map(\.code) }
    var described: [String] { PassVaultTests.described(contents) }
}

/// Opens, writes and closes, like a daemon that is started and stopped.
func fill(_ folder: TemporaryDirectory, _ changes: [VaultChange] = Samples.changes, credential: UInt8? = nil) throws {
    let store = try Store(configuration(folder, credential: credential))
    try store.commit(changes)
    store.close()
}

/// Runs statements on the closed store, as another program would.
func edit(_ folder: TemporaryDirectory, _ statements: [String]) throws {
    let database = try Database(folder.path + "/passd.db", .existing)
    for statement in statements { try database.run(statement) }
    try database.run("PRAGMA wal_checkpoint(TRUNCATE)")
    database.abandon()
    for suffix in ["-wal", "-journal"] { folder.remove("passd.db" + suffix) }
}
