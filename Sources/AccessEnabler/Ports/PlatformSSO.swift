// What the box itself can say about its viewer beside the app's own registration. Each is optional, and its absence
// means an ordinary login. Contract: rest-v2.md §3.6, §3.7, §12; architecture §2.

public protocol PlatformSSO: Sendable {
    /// A fresh token that names the box.
    func identityToken(at time: ServerTime) async -> Secret?
    /// A token of the viewer's identity service.
    func serviceToken(at time: ServerTime) async -> Secret?
}
