// The only source of random numbers: SHA-256 over a seed and a counter. The sandbox's key pairs are also made from these
// numbers. If a seed is given, codes, ids and keys are the same in each run. Otherwise the seed is 32 bytes from the kernel.
// Seed and counter are part of the state, so that the numbers continue after a restart and no code is issued twice.

import CCrypto

struct SeededRandom: Codable, Equatable, Sendable {
    private var seed: [UInt8]
    private var counter: UInt64 = 0

    init(seed: [UInt8]) { self.seed = seed }

    init(number: UInt64) { seed = Array("pass-sandbox seed \(number)".utf8) }

    static func fromKernel() -> SeededRandom {
        var seed = [UInt8](repeating: 0, count: 32)
        precondition(RAND_bytes(&seed, 32) == 1, "cannot get random bytes")
        return SeededRandom(seed: seed)
    }

    /// A separate generator for one purpose. Its numbers do not depend on the use of other generators.
    func branch(_ purpose: String) -> SeededRandom { SeededRandom(seed: sha256(seed + Array(purpose.utf8))) }

    mutating func bytes(_ count: Int) -> [UInt8] {
        var out: [UInt8] = []
        while out.count < count {
            counter += 1
            out += sha256(seed + withUnsafeBytes(of: counter.littleEndian, Array.init))
        }
        return Array(out.prefix(count))
    }

    /// A random number in 0..<1.
    mutating func fraction() -> Double {
        let number = bytes(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        return Double(number >> 11) / Double(1 << 53)
    }

    mutating func identifier() -> String {
        var bytes = bytes(16)
        bytes[6] = bytes[6] & 0x0F | 0x40
        bytes[8] = bytes[8] & 0x3F | 0x80
        let digits = Array(hexadecimal(bytes))
        return [0..<8, 8..<12, 12..<16, 16..<20, 20..<32].map { String(digits[$0]) }.joined(separator: "-")
    }

    mutating func secret() -> String { base64URL(bytes(32)) }

    /// A code for a viewer to type: capital letters and digits, without characters that look alike.
    mutating func code(length: Int = 7) -> String {
        let alphabet = Array("ABCDEFGHJKLMNPQRSTUVWXYZ23456789")
        return String(bytes(length).map { alphabet[Int($0) % alphabet.count] })
    }

    mutating func digits(_ count: Int) -> String { bytes(count).map { String($0 % 10) }.joined() }
}

// The sandbox's own key pairs. Each pair has its own branch of the seed. A pair is made at its first use.

struct SandboxKeys: Codable, Sendable {
    struct Purpose: Sendable {
        let name: String

        static let statement = Purpose(name: "statement")
        static let mediaToken = Purpose(name: "media-token")
        static let serviceToken = Purpose(name: "service-token")
        /// A programmer's key for user metadata, if the catalogue has none.
        static func metadata(_ programmer: String) -> Purpose { Purpose(name: "metadata \(programmer)") }
        /// The key of a partner's test identity provider.
        static func partner(_ partner: String) -> Purpose { Purpose(name: "partner \(partner)") }
    }

    /// The generator whose branches make the key pairs, one branch for each pair.
    private let root: SeededRandom
    private var pairs: [String: RSAKey] = [:]

    var count: Int { pairs.count }

    init(root: SeededRandom) { self.root = root }

    mutating func pair(_ purpose: Purpose) -> RSAKey {
        if let pair = pairs[purpose.name] { return pair }
        let pair = RSAKey(random: root.branch(purpose.name))
        pairs[purpose.name] = pair
        return pair
    }
}
