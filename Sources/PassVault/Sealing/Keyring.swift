// Seals and unseals values. A sealed value consists of a version, the name of the key, a nonce and the ciphertext.
// Values are sealed under the current key. Those under a former key are unsealed too, and sealed anew at the next
// start.

import PassJSON

struct Keyring {
    enum Problem: Error, Hashable { case unknownVersion, otherKey, unsealed, damaged, noRandomness }

    /// When unsealed values are accepted, which anybody who can write the file can forge. Whoever can write the key
    /// file's directory has the key anyway; a credential cannot be obtained there.
    enum Plain { case always, inUnsealedStores, never }

    /// The key that seals; nil with `sealing = none`.
    let current: SealingKey?
    private let keys: [SealingKey.Name: SealingKey]
    private let plain: Plain
    private var takesPlain: Bool
    /// Values of the first generation are accepted, because the store's schema is that old.
    private var takesFirst = false

    private static let plain: UInt8 = 0

    init(current: SealingKey?, earlier: [SealingKey] = [], plain: Plain = .inUnsealedStores) {
        self.current = current
        self.plain = current == nil ? .always : plain
        takesPlain = current == nil
        keys = Dictionary((earlier + [current].compactMap(\.self)).map { ($0.name, $0) }) { _, last in last }
    }

    /// The keyring for reading a store of this schema, whose values are sealed under this key.
    func reading(schema version: Int, keyName: String) -> Keyring {
        var keyring = self
        keyring.takesFirst = version < StoreSchema.bindsRows
        keyring.takesPlain = plain == .always || plain == .inUnsealedStores && keyName == "none"
        return keyring
    }

    /// The name of the current key, as the database notes it.
    var currentName: String { current?.name.hexadecimal ?? "none" }

    func knows(_ name: String) -> Bool {
        name == "none" || keys.keys.contains { $0.hexadecimal == name }
    }

    func seal(_ text: String, at place: SealedRowBinding) throws(Problem) -> [UInt8] {
        guard let current else { return [Self.plain] + Array(text.utf8) }
        var plain = Array(text.utf8)
        defer { wipe(&plain) }
        guard let nonce = randomBytes(AuthenticatedCipher.nonceCount),
            let sealed = AuthenticatedCipher.seal(plain, with: current, nonce: nonce, binding: place.bytes(.second))
        else { throw .noRandomness }
        return [UInt8(SealedRowBinding.Generation.second.rawValue)] + current.name + nonce + sealed
    }

    func open(_ envelope: [UInt8], at place: SealedRowBinding) throws(Problem) -> String {
        guard let mark = envelope.first else { throw .damaged }
        var plain = try mark == Self.plain ? unsealed(envelope) : unseal(envelope, mark: mark, place: place)
        defer { wipe(&plain) }
        guard let text = String(validating: plain, as: UTF8.self) else { throw .damaged }
        return text
    }

    private func unsealed(_ envelope: [UInt8]) throws(Problem) -> [UInt8] {
        guard takesPlain else { throw .unsealed }
        return Array(envelope.dropFirst())
    }

    private func unseal(_ envelope: [UInt8], mark: UInt8, place: SealedRowBinding) throws(Problem) -> [UInt8] {
        guard let generation = SealedRowBinding.Generation(rawValue: Int(mark)), generation == .second || takesFirst
        else {
            throw .unknownVersion
        }
        var rest = envelope.dropFirst()
        let name = Array(rest.prefix(SealingKey.nameCount))
        rest = rest.dropFirst(SealingKey.nameCount)
        let nonce = Array(rest.prefix(AuthenticatedCipher.nonceCount))
        rest = rest.dropFirst(AuthenticatedCipher.nonceCount)
        guard nonce.count == AuthenticatedCipher.nonceCount else { throw .damaged }
        guard let key = keys[name] else { throw .otherKey }
        guard let opened = AuthenticatedCipher.open(rest, with: key, nonce: nonce, binding: place.bytes(generation))
        else {
            throw .damaged
        }
        return opened
    }
}
