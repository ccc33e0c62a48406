// The options of an app for its calls to the service. They stay together on their way from the app to the request.
// Contract: access-enabler.md §5.3.

/// `setOptions` sets them, except for `temporaryIdentity`, which comes with a login or a play.
public struct AppOptions: Hashable, Sendable {
    /// The way in which the app lets its viewers log in.
    public var style = LoginStyle.secondScreen
    /// The viewer's Experience Cloud ID.
    public var visitorID: String?
    /// The app's own description of its device, in Base64. It replaces the daemon's description.
    public var deviceInfo: String?
    /// The app's name for its use of the service. Only a service on this machine gets it. OQ-25.
    public var applicationProfile: String?
    /// The viewer's identity for a promotional temporary pass. The app has hashed it. Contract: rest-v2.md §3.9.
    public var temporaryIdentity: [String: String] = [:]

    public init() {}
}
