// The socket through which a peer connects: one of the daemon's two sockets, or the socket of an app. docs/decisions/0023.

import PassProtocol

package struct Entrance: Hashable, Sendable {
    package static let (api, admin) = (Entrance(kind: .api), Entrance(kind: .admin))
    private static let prefix = "app:"

    /// The kind decides which methods a peer can call.
    let kind: SocketKind
    /// The name in rules with `socket:`; nil for the daemon's two sockets.
    var app: String?

    package static func app(_ name: String) -> Entrance { Entrance(kind: .api, app: name) }

    var text: String { app.map { Self.prefix + $0 } ?? kind.rawValue }
}

extension Entrance {
    /// Reads a text that the property `text` has made; nil for any other text.
    init?(_ text: String) {
        let app = text.hasPrefix(Self.prefix) ? String(text.dropFirst(Self.prefix.count)) : nil
        guard let kind = app == nil ? SocketKind(rawValue: text) : .api else { return nil }
        self.init(kind: kind, app: app)
    }
}
