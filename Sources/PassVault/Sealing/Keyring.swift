// The envelope around a value: a version, the name of the key, a nonce of its own, the ciphertext. Values are sealed
// under the current key; those under a key that was current once are opened too, and sealed anew at the next start.

struct Keyring {
    enum Problem: Error, Hashable { case unknownVersion, otherKey, damaged, noRandomness }

    /// Nil seals nothing: `sealing = none`.
    let current: SealingKey?
    private let keys: [SealingKey.Name: SealingKey]

    private static let sealed: UInt8 = 1
    private static let plain: UInt8 = 0

    init(current: SealingKey?, earlier: [SealingKey] = []) {
        self.current = current
        keys = Dictionary((earlier + [current].compactMap(\.self)).map { ($0.name, $0) }) { _, last in last }
    }

    /// What the database writes down to know its key by.
    var currentName: String { current?.name.map { hexadecimal($0) }.joined() ?? "none" }

    func knows(_ name: String) -> Bool {
        name == "none" || keys.keys.contains { $0.map { hexadecimal($0) }.joined() == name }
    }

    func seal(_ text: String, at place: Place) throws(Problem) -> [UInt8] {
        guard let current else { return [Self.plain] + Array(text.utf8) }
        var plain = Array(text.utf8)
        defer { wipe(&plain) }
        guard let nonce = randomBytes(AuthenticatedCipher.nonceCount),
            let sealed = AuthenticatedCipher.seal(plain, with: current, nonce: nonce, binding: place.bytes)
        else { throw .noRandomness }
        return [Self.sealed] + current.name + nonce + sealed
    }

    func open(_ envelope: [UInt8], at place: Place) throws(Problem) -> String {
        var rest = envelope[...]
        var plain: [UInt8]
        switch rest.popFirst() {
        case Self.plain: plain = Array(rest)
        case Self.sealed:
            let name = Array(rest.prefix(SealingKey.nameCount))
            rest = rest.dropFirst(SealingKey.nameCount)
            let nonce = Array(rest.prefix(AuthenticatedCipher.nonceCount))
            rest = rest.dropFirst(AuthenticatedCipher.nonceCount)
            guard nonce.count == AuthenticatedCipher.nonceCount else { throw .damaged }
            guard let key = keys[name] else { throw .otherKey }
            guard let opened = AuthenticatedCipher.open(rest, with: key, nonce: nonce, binding: place.bytes) else {
                throw .damaged
            }
            plain = opened
        case nil: throw .damaged
        default: throw .unknownVersion
        }
        defer { wipe(&plain) }
        guard let text = String(validating: plain, as: UTF8.self) else { throw .damaged }
        return text
    }
}

private func hexadecimal(_ byte: UInt8) -> String { (byte < 16 ? "0" : "") + String(byte, radix: 16) }
