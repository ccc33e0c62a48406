// The key for sealing, and the key's short name in the database. This name shows at once if a key is wrong. The object owns the
// bytes of the key, and overwrites them when the object is freed.

import CCrypto

final class SealingKey {
    /// Identifies a key and reveals nothing about it.
    typealias Name = [UInt8]

    static let nameCount = 8
    /// The min size of a secret in bytes. A shorter secret must be a mistake.
    static let leastSecretCount = 16
    static let keyCount = 32

    let name: Name
    /// A secret for the daemon's records. The sealing key cannot be derived from it.
    let recordSecret: [UInt8]
    private let key: UnsafeMutableBufferPointer<UInt8>

    /// Derives the key and its name from a secret and the salt of the box. The secret is the credential or the contents of the
    /// key file.
    init?(secret: [UInt8], salt: [UInt8] = []) {
        guard secret.count >= Self.leastSecretCount else { return nil }
        let key = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: Self.keyCount)
        key.initialize(repeating: 0)
        var name = Name(repeating: 0, count: Self.nameCount)
        var recordSecret = [UInt8](repeating: 0, count: Self.keyCount)
        let derived =
            name.withUnsafeMutableBufferPointer { name in
                Self.derive(from: secret, salt, for: "passd vault: sealing 1", into: key)
                    && Self.derive(from: secret, salt, for: "passd vault: name of the key", into: name)
            }
            && recordSecret.withUnsafeMutableBufferPointer { recordSecret in
                Self.derive(from: secret, salt, for: "passd vault: records", into: recordSecret)
            }
        self.key = key
        self.name = name
        self.recordSecret = recordSecret
        // A failure leaks nothing here, because all members are set and `deinit` frees the memory.
        guard derived else { return nil }
    }

    deinit {
        OPENSSL_cleanse(key.baseAddress, key.count)
        key.deallocate()
    }

    func withBytes<R>(_ body: (UnsafePointer<UInt8>?) -> R) -> R { body(UnsafePointer(key.baseAddress)) }

    private static func derive(
        from secret: [UInt8], _ salt: [UInt8], for purpose: String, into target: UnsafeMutableBufferPointer<UInt8>
    ) -> Bool {
        pass_hkdf_sha256(
            secret, secret.count, salt, salt.count, purpose, purpose.utf8.count, target.baseAddress, target.count) == 1
    }
}

/// Returns nil if the system has no random bytes.
func randomBytes(_ count: Int) -> [UInt8]? {
    var bytes = [UInt8](repeating: 0, count: count)
    return RAND_bytes(&bytes, Int32(count)) == 1 ? bytes : nil
}

/// Overwrites the bytes in a way that the compiler cannot optimize away.
func wipe(_ bytes: inout [UInt8]) {
    bytes.withUnsafeMutableBytes { OPENSSL_cleanse($0.baseAddress, $0.count) }
    bytes = []
}
