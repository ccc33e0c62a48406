// Tests that the device key is kept in the store, and nowhere else.

import AccessEnabler
import PassTestKit
import Testing

@testable import PassPlatform

@Suite struct DeviceKeyKeepingTests {
    private static let noon = ServerTime(milliseconds: 1_795_564_800_000)

    private let vault = FakeVault()
    private var keeping: DeviceKeyKeeping { DeviceKeyKeeping(vault: vault) }

    /// The subject of the key's token. It is the same only for the same key.
    private func name(of key: DeviceKey) throws -> String {
        try JWS(try #require(key.identityToken(at: Self.noon)).reveal()).claims.sub
    }

    private func name(of pem: String?) throws -> String? {
        try pem.map { try name(of: DeviceKey(pem: Secret($0))) }
    }

    @Test func `a new key is made once and kept`() async throws {
        let first = try await keeping.open()
        let second = try await keeping.open()
        #expect(try name(of: second.key) == name(of: first.key))
        #expect(try name(of: vault.contents.deviceKey?.reveal()) == name(of: first.key))
        #expect(first.damage == nil && vault.commits.elements == [1])
    }

    @Test func `ruling 30: a key from another device is replaced`() async throws {
        let foreign = try DeviceKeyFile.pem(.p256)
        try await vault.commit([.deviceKey(Secret(foreign))])
        let opened = try await DeviceKeyKeeping(vault: vault, isForeign: true).open()
        #expect(try name(of: opened.key) != name(of: foreign))
        #expect(try name(of: vault.contents.deviceKey?.reveal()) == name(of: opened.key))
        #expect(opened.damage == nil)
        let later = try await keeping.open()
        #expect(try name(of: later.key) == name(of: opened.key), "the new key stays")
    }

    @Test func `a damaged key is replaced and reported`() async throws {
        try await vault.commit([.deviceKey(Secret("no key"))])
        let opened = try await keeping.open()
        #expect(opened.damage == "The device key in the store was damaged.")
        #expect(try name(of: vault.contents.deviceKey?.reveal()) == name(of: opened.key))
    }

    @Test(arguments: [true, false]) func `a store that keeps nothing does not prevent a key`(refuses: Bool) async throws
    {
        if refuses { vault.breakDown(VaultFault(.full, "full")) } else { vault.loseDisk() }
        #expect(try await keeping.open().key.identityToken(at: Self.noon) != nil)
    }
}
