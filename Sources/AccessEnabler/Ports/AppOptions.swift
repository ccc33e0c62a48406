// The options of an app for its calls to the service. They are passed on as one value, from the session to the request.
// Contract: access-enabler.md §5.3.

public import PassProtocol

/// `setOptions` sets all options except `temporaryIdentity`, which comes with a login or a play.
public struct AppOptions: Hashable, Sendable {
    public var style = LoginStyle.secondScreen
    /// The texts that the app has set. None of them is empty.
    public var texts: [SetOptions.Text: String] = [:]
    /// The viewer's identity for a promotional temporary pass. The app has hashed it. Contract: rest-v2.md §3.9.
    public var temporaryIdentity: [String: String] = [:]

    public init() {}
}
