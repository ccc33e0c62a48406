// The sandbox's own key pairs. Each is made from its own branch of the seed when it is first needed.

struct SandboxKeys: Codable, Sendable {
    enum Purpose: Hashable, Codable, Sendable {
        case statement
        case mediaToken
        case serviceToken
        /// A programmer's key for user metadata, if the catalogue has none.
        case metadata(String)
        /// The key of a partner's test identity provider.
        case partner(String)

        var name: String {
            switch self {
            case .statement: "statement"
            case .mediaToken: "media-token"
            case .serviceToken: "service-token"
            case .metadata(let programmer): "metadata \(programmer)"
            case .partner(let partner): "partner \(partner)"
            }
        }
    }

    /// Only branched; no numbers are drawn from it.
    private let root: SeededRandom
    private var pairs: [String: RSAKey] = [:]

    /// The number of key pairs made so far.
    var count: Int { pairs.count }

    init(root: SeededRandom) { self.root = root }

    mutating func pair(_ purpose: Purpose) -> RSAKey {
        if let pair = pairs[purpose.name] { return pair }
        let pair = RSAKey(random: root.branch(purpose.name))
        pairs[purpose.name] = pair
        return pair
    }
}
