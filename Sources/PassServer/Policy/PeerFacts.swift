// What passd knows about a peer. Policy decides with these facts. All of them come from the kernel, except for the origin of a
// web app. architecture.md §5 rule 2.

import PassConfiguration
import PassProtocol
import PassSystem

/// The unit is only as trustworthy as the peer's user. A process can pass a connection to another process of the same user. So
/// each unit of a user can act as every other unit of this user. Before Linux 6.5, passd finds a process by its number. If the
/// number now belongs to another process of the same user, passd sees the unit of that process. The user wins nothing by this,
/// because the user can imitate that unit anyway.
struct PeerFacts: Hashable, Sendable {
    let user: UInt32
    /// The primary group and the supplementary groups.
    var groups: Set<UInt32> = []
    /// The unit in the system's manager. Units in a user's own manager do not count, because a user may give them any name.
    var unit: String?
    /// The name of the socket in rules with `socket:`; nil if the peer comes through the socket of all apps.
    var socket: String?
    /// The origin of a web app that uses the web gateway. Only the origin comes from the browser. The gateway has asked the
    /// kernel for the user and the other facts. docs/decisions/0021.
    var origin: WebOrigin?
}

extension PeerFacts {
    init(_ identity: PeerCredentials, on entrance: Entrance = .api) {
        self.init(
            user: identity.user, groups: Set(identity.supplementaryGroups).union([identity.group]),
            unit: identity.unit?.system, socket: entrance.app)
    }
}

extension AllowRule {
    func holds(for peer: PeerFacts) -> Bool {
        !conditions.isEmpty && (peer.origin != nil) == (origin != nil) && (peer.socket != nil) == (socket != nil)
            && conditions.allSatisfy { Self.holds($0, peer) }
    }

    private static func holds(_ condition: Condition, _ peer: PeerFacts) -> Bool {
        switch condition {
        case .user(let user): user == peer.user
        case .group(let group): peer.groups.contains(group)
        case .unit(let unit): peer.unit?.isWritten(as: unit) ?? false
        case .socket(let socket): peer.socket == socket
        case .origin(let origin): peer.origin == origin
        case .missingAccount: false
        }
    }

    /// The reason why the rule does not hold; nil if it holds. The text continues a sentence that begins with the rule.
    func obstacle(to peer: PeerFacts) -> String? {
        if conditions.isEmpty { return "has no conditions" }
        if let origin = peer.origin, self.origin == nil {
            return "has no origin, but the peer is a web app of \(origin)"
        }
        if let socket = peer.socket, self.socket == nil {
            return "needs the socket of all apps, but the peer came through the socket \(socket)"
        }
        return conditions.lazy.compactMap { Self.obstacle($0, peer) }.first
    }

    /// The required user; nil if the rule requires none.
    var user: UInt32? { conditions.lazy.compactMap { if case .user(let user) = $0 { user } else { nil } }.first }

    /// The required origin; nil if the rule is not for web apps.
    var origin: WebOrigin? {
        conditions.lazy.compactMap { if case .origin(let origin) = $0 { origin } else { nil } }.first
    }

    /// The first required group; nil if the rule requires none.
    var group: UInt32? { conditions.lazy.compactMap { if case .group(let group) = $0 { group } else { nil } }.first }

    private static func obstacle(_ condition: Condition, _ peer: PeerFacts) -> String? {
        switch condition {
        case .user(let user): user == peer.user ? nil : "needs user \(user), but the peer is user \(peer.user)"
        case .group(let group):
            peer.groups.contains(group) ? nil : "needs group \(group), but the peer is not in this group"
        case .unit(let unit):
            if let other = peer.unit {
                other.isWritten(as: unit) ? nil : "needs unit \(unit), but the unit of the peer is \(other)"
            } else {
                "needs unit \(unit), but the daemon cannot see the unit of the peer"
            }
        case .socket(let socket):
            peer.socket == socket
                ? nil
                : "needs the socket \(socket), but the peer came through the socket \(peer.socket ?? "of all apps")"
        case .origin(let origin):
            switch peer.origin {
            case origin: nil
            case let other?: "needs origin \(origin), but the peer is a web app of \(other)"
            case nil: "needs origin \(origin), but the peer is not a web app that comes through the web gateway"
            }
        case .missingAccount: "needs an account that does not exist"
        }
    }
}
