// Seals and opens values. An envelope has a version, the name of the key, its own nonce, and the ciphertext. Values are
// sealed with the current key. Values sealed with an earlier key can be opened, and are resealed at the next start.

import PassJSON

struct Keyring {
    enum Problem: Error, Hashable { case unknownVersion, otherKey, unsealed, damaged, noRandomness }

    /// The stores that may contain unsealed values. Any program that can write the file can make such values. With a key file,
    /// such values are acceptable, because a program that can write to the folder can also read the key. With a credential,
    /// they are not acceptable.
    enum Plain { case always, inUnsealedStores, never }

    /// The current key; nil with `sealing = none`, because then nothing is sealed.
    let current: SealingKey?
    private let keys: [SealingKey.Name: SealingKey]
    private let plain: Plain
    private var takesPlain: Bool

    private static let plain: UInt8 = 0
    private static let sealed: UInt8 = 1

    init(current: SealingKey?, earlier: [SealingKey] = [], plain: Plain = .inUnsealedStores) {
        self.current = current
        self.plain = current == nil ? .always : plain
        takesPlain = current == nil
        keys = Dictionary((earlier + [current].compactMap(\.self)).map { ($0.name, $0) }) { _, last in last }
    }

    /// Returns a keyring for reading a store that was sealed with the key of this name. The returned keyring accepts unsealed
    /// values only if such a store may contain them.
    func reading(keyName: String) -> Keyring {
        var keyring = self
        keyring.takesPlain = plain == .always || plain == .inUnsealedStores && keyName == "none"
        return keyring
    }

    /// The name of the current key as the database records it.
    var currentName: String { current?.name.hexadecimal ?? "none" }

    func knows(_ name: String) -> Bool {
        name == "none" || keys.keys.contains { $0.hexadecimal == name }
    }

    func seal(_ text: String, at place: SealedRowBinding) throws(Problem) -> [UInt8] {
        guard let current else { return [Self.plain] + Array(text.utf8) }
        var plain = Array(text.utf8)
        defer { wipe(&plain) }
        guard let nonce = randomBytes(AuthenticatedCipher.nonceCount),
            let sealed = AuthenticatedCipher.seal(plain, with: current, nonce: nonce, binding: place.bytes)
        else { throw .noRandomness }
        return [Self.sealed] + current.name + nonce + sealed
    }

    func open(_ envelope: [UInt8], at place: SealedRowBinding) throws(Problem) -> String {
        guard let mark = envelope.first else { throw .damaged }
        var plain = try mark == Self.plain ? unsealed(envelope) : unseal(envelope, place: place)
        defer { wipe(&plain) }
        guard let text = String(validating: plain, as: UTF8.self) else { throw .damaged }
        return text
    }

    private func unsealed(_ envelope: [UInt8]) throws(Problem) -> [UInt8] {
        guard takesPlain else { throw .unsealed }
        return Array(envelope.dropFirst())
    }

    private func unseal(_ envelope: [UInt8], place: SealedRowBinding) throws(Problem) -> [UInt8] {
        guard envelope.first == Self.sealed else { throw .unknownVersion }
        var rest = envelope.dropFirst()
        let name = Array(rest.prefix(SealingKey.nameCount))
        rest = rest.dropFirst(SealingKey.nameCount)
        let nonce = Array(rest.prefix(AuthenticatedCipher.nonceCount))
        rest = rest.dropFirst(AuthenticatedCipher.nonceCount)
        guard nonce.count == AuthenticatedCipher.nonceCount else { throw .damaged }
        guard let key = keys[name] else { throw .otherKey }
        guard let opened = AuthenticatedCipher.open(rest, with: key, nonce: nonce, binding: place.bytes) else {
            throw .damaged
        }
        return opened
    }
}
