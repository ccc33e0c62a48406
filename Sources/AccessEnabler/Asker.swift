// The app and requestor for which the service is called, with the options that the app wants to send along. A session
// has an asker once its requestor is set. Background work makes its own (`EngineContext.backgroundAsker`).

struct Asker: Sendable {
    var key: LoginKey
    var statement: Secret
    var backend: any EntitlementBackend
    var owner = CallOwner.box
    var visitorID: String?
    var deviceInfo: String?
    var applicationProfile: String?
    /// Identifies the viewer of a promotional temporary pass. The app has hashed the values.
    var temporaryIdentity: [String: String] = [:]
}
