// The paths of the daemon's sockets. rpc.md §1.

import PassProtocol

/// The paths of an installed daemon.
public enum DefaultSockets {
    /// The socket for apps. The environment or a flag can name another socket.
    public static let api = "/run/passd/passd.sock"
    /// The socket for the operator.
    public static let admin = "/run/passd/admin.sock"
}

/// Both sockets of one daemon. They are always chosen together, because otherwise a program could use one daemon's socket for
/// apps, and administer another daemon by accident.
public struct DaemonSockets: Sendable, Equatable {
    public var api: String
    public var admin: String

    public init(api: String, admin: String) {
        self.api = api
        self.admin = admin
    }

    /// The sockets of an instance; nil if the text is not a valid name of an instance.
    public static func ofInstance(_ name: String) -> DaemonSockets? {
        InstanceName(name).map { instance in
            let path = "/run/\(instance.directory)/passd.sock"
            return DaemonSockets(api: path, admin: adminSocket(beside: path))
        }
    }

    /// Uses `path` if it is given, else `PASSD_SOCKET` and `PASSD_ADMIN_SOCKET`, else the default paths. An empty
    /// variable counts as absent.
    public static func find(_ path: String? = nil, environment: [String: String]) -> DaemonSockets {
        if let path { return DaemonSockets(api: path, admin: adminSocket(beside: path)) }
        let admin = environment["PASSD_ADMIN_SOCKET"].flatMap { $0.isEmpty ? nil : $0 }
        guard let api = environment["PASSD_SOCKET"], !api.isEmpty else {
            return DaemonSockets(api: DefaultSockets.api, admin: admin ?? DefaultSockets.admin)
        }
        return DaemonSockets(api: api, admin: admin ?? adminSocket(beside: api))
    }

    /// The unit of an installed daemon with these sockets; nil for another daemon, such as a developer's box.
    public var unit: String? { Self.unit(of: admin) }

    static func unit(of socket: String) -> String? {
        [DefaultSockets.api, DefaultSockets.admin].contains(socket)
            ? "passd" : InstanceName(ofSocket: socket)?.directory
    }

    /// The path of the socket for the operator, beside the socket for apps. The daemon binds both sockets in the same
    /// directory.
    private static func adminSocket(beside path: String) -> String {
        guard let slash = path.lastIndex(of: "/") else { return "admin.sock" }
        return path[...slash] + "admin.sock"
    }
}
