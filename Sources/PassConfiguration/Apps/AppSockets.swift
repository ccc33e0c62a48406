// The sockets that rules with `socket:` require. Each socket has its own directory, which a launcher mounts into the container
// of the app. Ruling 55, docs/decisions/0023.

package struct AppSockets: Equatable, Sendable {
    /// The max number of sockets. For each socket, the service manager keeps two descriptors, and `FileDescriptorStoreMax=` in
    /// passd.service limits their number.
    package static let maxCount = 128
    /// The max length of a name. Names are limited, because the path of an installed daemon's socket can have at most 107
    /// bytes.
    static let maxNameLength = 48

    /// The names, sorted.
    package let names: [String]
    /// Whether a rule with `socket:` names a group, or a user other than root. If so, passd assumes that these users start the
    /// containers, and they must reach the sockets. So passd opens the directory of the sockets to all users.
    package let areForUsers: Bool

    package init(of apps: [AppStanza]) {
        let rules = apps.flatMap(\.allow).filter { $0.socket != nil }
        names = Array(Set(rules.compactMap(\.socket)).sorted().prefix(Self.maxCount))
        areForUsers = rules.contains(where: \.namesUser)
    }

    package static func path(of name: String, in directory: String) -> String { "\(directory)/\(name)/passd.sock" }

    static func problems(of apps: [AppStanza]) -> [Problem] {
        let sockets = AppSockets(of: apps)
        let names = Set(sockets.names)
        return apps.flatMap { app in
            app.allow.compactMap { rule in
                guard let name = rule.socket else { return nil }
                let isLeftOut = !names.contains(name)
                guard isLeftOut || sockets.areForUsers && rule.conditions.count == 1 else { return nil }
                let fault =
                    isLeftOut
                    ? "passd makes at most \(maxCount) sockets for apps"
                    : "every program of this box can be this app, because a rule with user: or group: opens the directory "
                        + "of the sockets; add user: to this rule"
                return Problem(
                    isLeftOut ? .useless : .warning, place: app.places[.allow] ?? app.place,
                    message: "app \(app.name), \(rule.text): \(fault)")
            }
        }
    }
}

extension AllowRule {
    /// Whether the rule names a group, or a user other than root. A missing account may exist later.
    fileprivate var namesUser: Bool {
        conditions.contains { condition in
            switch condition {
            case .user(let user): user != 0
            case .group, .missingAccount: true
            case .unit, .socket, .origin: false
            }
        }
    }
}
