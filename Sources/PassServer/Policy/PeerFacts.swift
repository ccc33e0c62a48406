// What policy looks at: facts about a peer, by the kernel's word. architecture.md §5 rule 2.

import PassConfiguration
import PassProtocol
import PassSystem

/// Executable and unit are as strong as the peer's user, with any kernel: what a user may start, he may also imitate by
/// handing on a connection. Before Linux 6.5 a process is found by its number, and only another one of the same user
/// could have taken it over, which makes no difference.
struct PeerFacts: Equatable, Sendable {
    let user: UInt32
    /// Its own group and the supplementary ones.
    let groups: Set<UInt32>
    let executable: String?
    /// Of the system's manager: a user may give the units of his own any name.
    let unit: String?

    init(
        user: UInt32, groups: Set<UInt32> = [], executable: String? = nil, unit: String? = nil
    ) {
        self.user = user
        self.groups = groups
        self.executable = executable
        self.unit = unit
    }

    init(_ identity: PeerCredentials) {
        self.init(
            user: identity.user, groups: Set(identity.supplementaryGroups).union([identity.group]),
            executable: identity.program?.executable, unit: identity.program?.unit?.system)
    }
}

extension AllowRule {
    func holds(for peer: PeerFacts) -> Bool {
        !conditions.isEmpty && conditions.allSatisfy { Self.holds($0, peer) }
    }

    private static func holds(_ condition: Condition, _ peer: PeerFacts) -> Bool {
        switch condition {
        case .user(let user): user == peer.user
        case .group(let group): peer.groups.contains(group)
        case .executable(let path): peer.executable?.isWritten(as: path) ?? false
        case .unit(let unit): peer.unit?.isWritten(as: unit) ?? false
        case .nobody: false
        }
    }

    /// Why it does not hold; nil if it does.
    func obstacle(to peer: PeerFacts) -> String? {
        if conditions.isEmpty { return "the rule is empty" }
        return conditions.lazy.compactMap { Self.obstacle($0, peer) }.first
    }

    /// The one user that it asks for, if it does.
    var user: UInt32? {
        for case .user(let user) in conditions { return user }
        return nil
    }

    /// The first group that it asks for, if it does.
    var group: UInt32? {
        for case .group(let group) in conditions { return group }
        return nil
    }

    private static func obstacle(_ condition: Condition, _ peer: PeerFacts) -> String? {
        switch condition {
        case .user(let user): user == peer.user ? nil : "the peer is user \(peer.user), not \(user)"
        case .group(let group): peer.groups.contains(group) ? nil : "the peer is not in group \(group)"
        case .executable(let path): obstacle("executable", wanted: path, fact: peer.executable)
        case .unit(let unit): obstacle("unit", wanted: unit, fact: peer.unit)
        case .nobody: "the account does not exist"
        }
    }

    private static func obstacle(_ kind: String, wanted: String, fact: String?) -> String? {
        guard let fact else { return "the daemon cannot see the \(kind) of the peer" }
        return fact.isWritten(as: wanted) ? nil : "the \(kind) of the peer is \(fact)"
    }
}
