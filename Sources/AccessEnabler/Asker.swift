// On whose behalf the service is asked: a requestor with the app's registration, and what the app wants to go along. A
// session has one as soon as its requestor is set; work in the background has one of its own.

struct Asker: Sendable {
    var key: LoginKey
    var statement: Secret
    var backend: any EntitlementBackend
    var owner = CallOwner.box
    var visitorID: String?
    var deviceInfo: String?
    var applicationProfile: String?
    /// Of a promotional temporary pass: what the viewer is known by, hashed by the app.
    var temporaryIdentity: [String: String] = [:]
}
