// The key that values are sealed under, and the short name it goes by in the database: by the name a wrong key is
// told at once. The bytes are wiped when nobody needs them any more.

import CCrypto

final class SealingKey {
    /// Tells keys apart and tells nothing about them.
    typealias Name = [UInt8]

    static let nameCount = 8
    /// Less than this is no key but a mistake.
    static let leastSecretCount = 16
    static let keyCount = 32

    let name: Name
    /// For the daemon's records, and of no use for anything that is sealed.
    let recordSecret: [UInt8]
    private let key: UnsafeMutableBufferPointer<UInt8>

    /// Derives key and name from whatever the credential or the key file holds.
    init?(secret: [UInt8]) {
        guard secret.count >= Self.leastSecretCount else { return nil }
        let key = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: Self.keyCount)
        key.initialize(repeating: 0)
        var name = Name(repeating: 0, count: Self.nameCount)
        var recordSecret = [UInt8](repeating: 0, count: Self.keyCount)
        let derived =
            name.withUnsafeMutableBufferPointer { name in
                Self.derive(from: secret, for: "passd vault: sealing 1", into: key)
                    && Self.derive(from: secret, for: "passd vault: name of the key", into: name)
            }
            && recordSecret.withUnsafeMutableBufferPointer { recordSecret in
                Self.derive(from: secret, for: "passd vault: records", into: recordSecret)
            }
        self.key = key
        self.name = name
        self.recordSecret = recordSecret
        // From here on `deinit` gives the memory back.
        guard derived else { return nil }
    }

    deinit {
        OPENSSL_cleanse(key.baseAddress, key.count)
        key.deallocate()
    }

    func withBytes<R>(_ body: (UnsafePointer<UInt8>?) -> R) -> R { body(UnsafePointer(key.baseAddress)) }

    private static func derive(
        from secret: [UInt8], for purpose: String, into target: UnsafeMutableBufferPointer<UInt8>
    ) -> Bool {
        pass_hkdf_sha256(secret, secret.count, purpose, purpose.utf8.count, target.baseAddress, target.count) == 1
    }
}

/// Fills an array with random bytes, or gives nil where the machine has none.
func randomBytes(_ count: Int) -> [UInt8]? {
    var bytes = [UInt8](repeating: 0, count: count)
    return RAND_bytes(&bytes, Int32(count)) == 1 ? bytes : nil
}

/// Overwrites in a way that no compiler leaves out.
func wipe(_ bytes: inout [UInt8]) {
    bytes.withUnsafeMutableBytes { OPENSSL_cleanse($0.baseAddress, $0.count) }
    bytes = []
}
