// Tests that a sealed value can be opened only at its own place, under its key, and unchanged.

import Testing

@testable import PassVault

@Suite("architecture §3, §5: secrets are sealed with AES-256-GCM") struct SealingTests {
    private static let place = SealedRowBinding(
        table: "registration", column: "client_secret", key: ["news24", "aa", "o", "v2"])
    private let keyring: Keyring

    init() throws { keyring = Keyring(current: try Self.key(1)) }

    @Test(arguments: ["", "x", "hunter2", "Zürich \u{0}\u{1F511}", String(repeating: "long ", count: 20_000)])
    func `a sealed value can be opened`(text: String) throws {
        let envelope = try keyring.seal(text, at: Self.place)
        #expect(try keyring.open(envelope, at: Self.place) == text)
    }

    @Test func `sealing the same value twice never gives the same bytes`() throws {
        let envelopes = try (0..<200).map { _ in try keyring.seal("hunter2", at: Self.place) }
        #expect(Set(envelopes).count == envelopes.count)
        #expect(Set(envelopes.map { $0[9..<21] }).count == envelopes.count)
    }

    @Test(arguments: [
        SealedRowBinding(table: "profile", column: "client_secret", key: ["news24", "aa", "o", "v2"]),
        SealedRowBinding(table: "registration", column: "access_token", key: ["news24", "aa", "o", "v2"]),
        SealedRowBinding(table: "registration", column: "client_secret", key: ["news25", "aa", "o", "v2"]),
        SealedRowBinding(table: "registration", column: "client_secret", key: ["news24", "aao", "", "v2"]),
        SealedRowBinding(table: "registration", column: "client_secret", key: ["news24", "aa", "o"]),
    ])
    func `a value that was moved to another place cannot be opened`(other: SealedRowBinding) throws {
        let envelope = try keyring.seal("hunter2", at: Self.place)
        #expect(throws: Keyring.Problem.damaged) { try keyring.open(envelope, at: other) }
    }

    @Test func `a value with any flipped bit cannot be opened`() throws {
        let envelope = try keyring.seal("hunter2", at: Self.place)
        for index in envelope.indices {
            var other = envelope
            other[index] ^= 0x10
            #expect(throws: Keyring.Problem.self) { try keyring.open(other, at: Self.place) }
        }
    }

    @Test func `a truncated value cannot be opened`() throws {
        let envelope = try keyring.seal("hunter2", at: Self.place)
        for count in envelope.indices {
            #expect(throws: Keyring.Problem.self) { try keyring.open(Array(envelope.prefix(count)), at: Self.place) }
        }
    }

    @Test func `a wrong key is distinguished from damage`() throws {
        let envelope = try keyring.seal("hunter2", at: Self.place)
        let other = Keyring(current: try Self.key(2))
        #expect(throws: Keyring.Problem.otherKey) { try other.open(envelope, at: Self.place) }
        #expect(!other.knows(keyring.currentName))
    }

    @Test func `a former key can still open its values`() throws {
        let envelope = try keyring.seal("hunter2", at: Self.place)
        let other = Keyring(current: try Self.key(2), earlier: [try Self.key(1)])
        #expect(try other.open(envelope, at: Self.place) == "hunter2")
        #expect(other.knows(keyring.currentName))
        #expect(other.currentName != keyring.currentName)
    }

    @Test func `a secret that is too short cannot be a key`() {
        #expect(SealingKey(secret: []) == nil)
        #expect(SealingKey(secret: Array(repeating: 7, count: 15)) == nil)
        #expect(SealingKey(secret: Array(repeating: 7, count: 16)) != nil)
    }

    @Test func `the salt enters the key, its name and the secret of the records`() throws {
        let secret = [UInt8](repeating: 1, count: 32)
        let salted = try #require(SealingKey(secret: secret, salt: Array(repeating: 2, count: 32)))
        #expect(Keyring(current: salted).currentName == "34a06aca80556d7e")
        #expect(try salted.recordSecret != Self.key(1).recordSecret)
        let envelope = try keyring.seal("hunter2", at: Self.place)
        #expect(throws: Keyring.Problem.otherKey) { try Keyring(current: salted).open(envelope, at: Self.place) }
    }

    /// Another program made this envelope, according to the description of the format.
    @Test func `the format of the envelope never changes, so that existing stores can be read`() throws {
        #expect(keyring.currentName == "f37c9a240e7fdf52")
        let envelope =
            "01f37c9a240e7fdf52000102030405060708090a0b7466f5946251d220fcc62659670e5da73d3219ee4a1bc1"
        let digits = Array(envelope)
        let bytes = try stride(from: 0, to: digits.count, by: 2).map { index in
            try #require(UInt8(String(digits[index...index + 1]), radix: 16))
        }
        #expect(try keyring.open(bytes, at: Self.place) == "hunter2")
        #expect(throws: Keyring.Problem.unknownVersion) { try keyring.open([2] + bytes.dropFirst(), at: Self.place) }
    }

    @Test func `a value in a row with other plain fields cannot be opened`() throws {
        var place = Self.place
        place.beside = ["kind", "text a", "not_after", "integer 1"]
        let envelope = try keyring.seal("hunter2", at: place)
        #expect(try keyring.open(envelope, at: place) == "hunter2")
        for beside in [
            [], ["kind", "text a"], ["kind", "text a", "not_after", "integer 2"],
            ["kind", "text a", "not_after", "text 1"],
        ] {
            place.beside = beside
            #expect(throws: Keyring.Problem.damaged) { try keyring.open(envelope, at: place) }
        }
    }

    @Test(arguments: [
        (Keyring.Plain.always, "none", true), (.always, "f37c", true), (.inUnsealedStores, "none", true),
        (.inUnsealedStores, "f37c", false), (.never, "none", false), (.never, "f37c", false),
    ]) func `an unsealed value is accepted only in an unsealed store`(
        plain: Keyring.Plain, keyName: String, isTaken: Bool
    ) throws {
        let keyring = Keyring(current: try Self.key(1), plain: plain).reading(keyName: keyName)
        #expect((try? keyring.open([0] + Array("hunter2".utf8), at: Self.place)) == (isTaken ? "hunter2" : nil))
    }

    private static func key(_ byte: UInt8) throws -> SealingKey {
        try #require(SealingKey(secret: Array(repeating: byte, count: 32)))
    }
}
