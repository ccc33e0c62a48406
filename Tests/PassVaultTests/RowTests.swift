// Tests that an unreadable row affects no other row, and that a row over a limit is refused by name without the others.

import AccessEnabler
import PassJSON
import PassTestTools
import Testing

@testable import PassVault

@Suite("architecture §5.3, §5.5: unreadable and refused rows") struct RowTests {
    private let folder = TemporaryDirectory(inMemory: true)
    private static let strange = #"{"id":"a","displayName":"","logoURL":"","boardingStatus":"NEW"}"#

    /// An unsealed envelope, as SQL.
    private static func unsealed(_ text: String) -> String {
        "x'00" + text.utf8.map { String($0, radix: 16) }.joined() + "'"
    }

    @Test(arguments: [
        ("UPDATE selection SET can_authenticate = 7", "selection"),
        ("UPDATE selection SET provider = \(unsealed(#"{"id":1}"#))", "selection"),
        ("UPDATE selection SET provider = x'09ff'", "selection"),
        ("UPDATE selection SET provider = \(unsealed(strange))", "selection"),
        ("UPDATE profile SET attributes = \(unsealed("["))", "profile"),
        ("UPDATE profile SET attributes = zeroblob(0)", "profile"),
        ("UPDATE profile SET requestor = 'OTHER'", "profile"),
        ("UPDATE profile SET kind = CAST(x'ff' AS TEXT)", "profile"),
        ("UPDATE registration SET access_token = client_secret", "registration"),
        ("UPDATE open_login SET code = substr(code, 1, length(code) - 1)", "open_login"),
        ("UPDATE open_login SET origin = 'http://elsewhere'", "open_login"),
    ])
    func `an invalid row is set aside, and the other rows load`(statement: String, table: String) throws {
        try fill(folder)
        try edit(folder, [statement])
        let bytes = folder.read("passd.db")
        let store = try Store(configuration(folder))
        #expect(store.health.isPersistent)
        #expect(store.codes == ["vault-rows-unreadable"])
        #expect(store.health.warnings.first?.message.contains("\(table): 1") == true)
        #expect(store.described.count == described(Samples.contents).count - 1)
        #expect(folder.read("passd.db.unreadable-20261121T153000Z") == bytes)
        store.close()
        #expect(try Store(configuration(folder)).codes == ["vault-set-aside"])
    }

    @Test func `fields that an older version did not write count as off`() throws {
        var unsealed = configuration(folder)
        unsealed.sealing = .none
        let store = try Store(unsealed)
        try store.commit(Samples.changes)
        store.close()
        let early = Self.unsealed(#"{"id":"a","displayName":"A","logoURL":""}"#)
        try edit(folder, ["UPDATE selection SET provider = \(early)"])
        let provider = try Store(unsealed).contents.selections[Samples.requestor]?.provider
        #expect(provider == Provider(id: ProviderID(rawValue: "a"), displayName: "A", logoURL: ""))
    }

    @Test func `values and keys over the limit are refused by name, and the rest of the commit is written`() throws {
        let store = try Store(configuration(folder))
        let long = String(repeating: "hush", count: 20_000)
        var login = Samples.login
        login.url = long
        var key = Samples.loginKey
        key.requestor = RequestorID(rawValue: long)
        var profile = Samples.profile
        profile.attributes["long"] = .init(value: .string(long), isEncrypted: false)
        let bad: [VaultChange] = [
            .openLogin(Samples.loginKey, login), .openLogin(key, Samples.login), .profile(Samples.profileKey, profile),
            .registration(Samples.registration, StoredRegistration(clientID: "", clientSecret: Secret(long))),
        ]
        let fault = #expect(throws: VaultFault.self) { try store.commit(Samples.changes + bad) }
        #expect(fault?.kind == .limit && fault?.rows == Set(bad.map(\.row)))
        #expect(fault?.explanation.contains("hush") == false)
        let rest = Samples.changes.filter { !Set(bad.map(\.row)).contains($0.row) }
        #expect(try Store(configuration(folder.copy())).described == described(rest.contents))
        #expect(store.codes == ["vault-row-refused"])
        let message = try #require(store.health.warnings.first?.message)
        #expect(message.contains("url of a row of open_login is too large (more than 65536 bytes)"))
        #expect(message.contains("attributes of a row of profile") && !message.contains("hush"))
        // The warning stays until the row is written with valid values.
        #expect(throws: VaultFault.self) { try store.commit(Samples.changes) }
        #expect(store.codes == ["vault-row-refused"])
        #expect(store.health.warnings.first?.message.contains("One row") == true)
    }

    @Test func `rows over the limit are refused by name, and removal always works`() throws {
        var few = configuration(folder)
        few.limits.rows = 10
        let store = try Store(few)
        try store.commit(Samples.crowd(10))
        let fault = #expect(throws: VaultFault.self) { try store.commit(Samples.changes) }
        #expect(fault?.kind == .limit)
        #expect(fault?.explanation.contains("profile") == true && fault?.rows == [.profile(Samples.profileKey)])
        #expect(throws: VaultFault.self) { try store.commit(Samples.crowd(10)) }
        store.close()

        few.limits.rows = 5
        let smaller = try Store(few)
        #expect(smaller.contents.profiles.count == 10)
        try smaller.commit([.profile(Samples.crowdKey(0), nil)])
        #expect(throws: VaultFault.self) { try smaller.commit([.profile(Samples.crowdKey(0), Samples.profile)]) }
    }

    @Test func `metadata with too many levels or too large a number are refused`() throws {
        let store = try Store(configuration(folder))
        var deep = JSONValue.null
        for _ in 0..<200 { deep = [deep] }
        for value in [deep, .number(JSONNumber(verbatim: "1e999")), .number(JSONNumber(verbatim: "-1e999"))] {
            var profile = Samples.profile
            profile.attributes["x"] = .init(value: value, isEncrypted: false)
            let fault = #expect(throws: VaultFault.self) { try store.commit([.profile(Samples.profileKey, profile)]) }
            #expect(fault?.kind == .limit)
        }
        var shallow = JSONValue.string("x")
        for _ in 0..<20 { shallow = ["y": [shallow]] }
        var profile = Samples.profile
        profile.attributes = [
            "x": .init(value: shallow, isEncrypted: false),
            "n": .init(value: .number(JSONNumber(verbatim: "0.1")), isEncrypted: false),
            "big": .init(value: 9_007_199_254_740_992, isEncrypted: false),
        ]
        #expect(store.codes == ["vault-row-refused"])
        try store.commit([.profile(Samples.profileKey, profile)])
        #expect(store.codes == [])
        store.close()
        #expect(try Store(configuration(folder)).contents.profiles == [Samples.profileKey: profile])
    }
}
