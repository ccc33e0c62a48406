// The owner of a request to the service. Users take turns with their waiting requests, and the apps of one user also take
// turns. The turns keep a user or app with many requests from delaying the others. Contract: rest-v2.md §15.

/// The user and app to which a request to the service is charged.
public struct RequestOwner: Hashable, Sendable {
    /// The user ID of the connected client. Nil for work of the box itself: registrations, and polls after a restart.
    public var user: UInt32?
    /// The name of the app's section (stanza) in the configuration.
    public var app: AppID?

    public static let box = RequestOwner()

    public static func user(_ user: UInt32, _ app: AppID? = nil) -> RequestOwner { RequestOwner(user: user, app: app) }

    /// The box's work for an app.
    public static func box(for app: AppID) -> RequestOwner { RequestOwner(app: app) }
}
