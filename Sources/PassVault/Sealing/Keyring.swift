// The envelope around a value: a version, the name of the key, a nonce of its own, the ciphertext. Values are sealed
// under the current key; those under a key that was current once are opened too, and sealed anew at the next start.

import PassJSON

struct Keyring {
    enum Problem: Error, Hashable { case unknownVersion, otherKey, unsealed, damaged, noRandomness }

    /// Whose values are taken that nobody has sealed: anybody who can write the file can make them. Who can write the key
    /// file's folder has the key anyway; a credential is not there to be had.
    enum Plain { case always, inUnsealedStores, never }

    /// Nil seals nothing: `sealing = none`.
    let current: SealingKey?
    private let keys: [SealingKey.Name: SealingKey]
    private let plain: Plain
    private var takesPlain: Bool
    /// Of a store that is older than the second generation.
    private var takesFirst = false

    private static let plain: UInt8 = 0

    init(current: SealingKey?, earlier: [SealingKey] = [], plain: Plain = .inUnsealedStores) {
        self.current = current
        self.plain = current == nil ? .always : plain
        takesPlain = current == nil
        keys = Dictionary((earlier + [current].compactMap(\.self)).map { ($0.name, $0) }) { _, last in last }
    }

    /// What opens in a store of that schema, whose values are sealed under that key.
    func reading(schema version: Int, keyName: String) -> Keyring {
        var keyring = self
        keyring.takesFirst = version < StoreSchema.bindsRows
        keyring.takesPlain = plain == .always || plain == .inUnsealedStores && keyName == "none"
        return keyring
    }

    /// What the database writes down to know its key by.
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
