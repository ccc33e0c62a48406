// Tests where the device key is kept, before and after: in the store, in the file of an earlier version, in both, in
// neither.

import AccessEnabler
import FoundationEssentials
import Glibc
import PassTestKit
import PassTestTools
import Testing

@testable import PassConfiguration
@testable import PassPlatform
@testable import PassServer
@testable import passd

@Suite struct DeviceKeyKeepingTests {
    private static let noon = ServerTime(milliseconds: 1_795_564_800_000)

    private let directory: TemporaryDirectory
    private let vault = FakeVault()
    private var file: String { directory.file("platform-key.pem") }
    private var keeping: DeviceKeyKeeping { DeviceKeyKeeping(vault: vault, file: file, now: Self.noon) }

    init() throws { directory = TemporaryDirectory() }

    private func write(_ text: String, to suffix: String = "") throws {
        try Data(text.utf8).write(to: URL(filePath: file + suffix))
    }

    private func isThere(_ suffix: String = "") -> Bool { access(file + suffix, F_OK) == 0 }

    /// The subject of the key's token, which is the same only for the same key.
    private func name(of key: DeviceKey) throws -> String {
        try JWS(try #require(key.identityToken(at: Self.noon)).reveal()).claims.sub
    }

    private func name(of pem: String?) throws -> String? {
        try pem.map { try name(of: DeviceKey(pem: Secret($0))) }
    }

    @Test func `a new key is made once and kept in the store alone`() async throws {
        let first = try await keeping.open()
        let second = try await keeping.open()
        #expect(try name(of: second.key) == name(of: first.key))
        #expect(try name(of: vault.contents.deviceKey?.reveal()) == name(of: first.key))
        #expect(first.damage == nil && vault.commits.elements == [1] && !isThere())
    }

    @Test(arguments: [true, false]) func `ruling 30: a key that another device has made is replaced, wherever it lies`(
        isInStore: Bool
    ) async throws {
        let foreign = try DeviceKeyFile.pem(.p256)
        if isInStore { try await vault.commit([.deviceKey(Secret(foreign))]) } else { try write(foreign) }
        let copied = DeviceKeyKeeping(vault: vault, file: file, now: Self.noon, isForeign: true)
        let opened = try await copied.open()
        #expect(try name(of: opened.key) != name(of: foreign))
        #expect(try name(of: vault.contents.deviceKey?.reveal()) == name(of: opened.key))
        #expect(opened.damage == nil && !isThere())
        let later = try await keeping.open()
        #expect(try name(of: later.key) == name(of: opened.key), "it stays from then on")
    }

    enum Content: Sendable, CaseIterable { case absent, good, broken }
    enum Outcome: Sendable { case stored, file, new }
    /// The content of store and file when the daemon starts; both have a key after a kill in between.
    nonisolated static let places: [(store: Content, file: Content, key: Outcome, isDamaged: Bool)] = [
        (.absent, .absent, .new, false), (.absent, .good, .file, false), (.absent, .broken, .new, true),
        (.good, .absent, .stored, false), (.good, .good, .stored, false), (.good, .broken, .stored, false),
        (.broken, .absent, .new, true), (.broken, .good, .file, true), (.broken, .broken, .new, true),
    ]

    @Test(arguments: places) func `the store counts before the file, and afterwards it is the only place`(
        store: Content, file: Content, key: Outcome, isDamaged: Bool
    ) async throws {
        let stored = store == .good ? try DeviceKeyFile.pem(.p256) : "no key"
        let filed = file == .good ? try DeviceKeyFile.pem(.p256) : "no key either"
        if store != .absent { try await vault.commit([.deviceKey(Secret(stored))]) }
        if file != .absent { try write(filed) }
        try write("half", to: ".new")
        let opened = try await keeping.open()
        let found = try name(of: opened.key)
        switch key {
        case .stored: #expect(try found == name(of: stored))
        case .file: #expect(try found == name(of: filed))
        case .new: break
        }
        #expect((opened.damage != nil) == isDamaged)
        #expect(try name(of: vault.contents.deviceKey?.reveal()) == found)
        #expect(!isThere() && !isThere(".new"))
        // A file that was not a key is kept, so that it can be examined.
        #expect(isThere(".damaged-1795564800") == (file == .broken && key == .new))
        let again = try await keeping.open()
        #expect(try name(of: again.key) == found && again.damage == nil)
    }

    @Test(arguments: [true, false]) func `a store that keeps nothing costs no key, and the file stays`(
        refuses: Bool
    ) async throws {
        if refuses { vault.breakDown(VaultFault(.full, "full")) } else { vault.loseDisk() }
        let made = try await keeping.open()
        #expect(made.key.identityToken(at: Self.noon) != nil)
        let other = FakeVault()
        if refuses { other.breakDown(VaultFault(.full, "full")) } else { other.loseDisk() }
        let text = try DeviceKeyFile.pem(.p256)
        try write(text)
        let opened = try await DeviceKeyKeeping(vault: other, file: file, now: Self.noon).open()
        #expect(try name(of: opened.key) == name(of: text))
        #expect(try String(contentsOfFile: file, encoding: .utf8) == text)
        // When the store accepts changes again, the key is moved into it.
        let third = try await DeviceKeyKeeping(vault: FakeVault(), file: file, now: Self.noon).open()
        #expect(try name(of: third.key) == name(of: text) && !isThere())
    }

    @Test func `a link is not followed, a directory or a pipe not read, and all stay`() async throws {
        let text = try DeviceKeyFile.pem(.p256)
        try Data(text.utf8).write(to: URL(filePath: directory.file("elsewhere")))
        try #require(symlink(directory.file("elsewhere"), file) == 0)
        let fault = await #expect(throws: DeviceKey.Fault.self) { try await keeping.open() }
        #expect(
            fault?.description == "the device key \(file) cannot be read: Too many levels of symbolic links")
        try #require(unlink(file) == 0 && mkdir(file, 0o700) == 0)
        await #expect(throws: DeviceKey.Fault.self) { try await keeping.open() }
        try #require(rmdir(file) == 0 && mkfifo(file, 0o600) == 0)
        await #expect(throws: DeviceKey.Fault.self) { try await keeping.open() }
        #expect(isThere())
        #expect(try String(contentsOfFile: directory.file("elsewhere"), encoding: .utf8) == text)
    }
}
