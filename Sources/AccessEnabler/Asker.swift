// On whose behalf the engine asks the service: a requestor with the app's registration, and the options that the app
// wants to send along. A session makes one when its requestor is set; work in the background uses one of its own.

struct Asker: Sendable {
    var key: LoginKey
    var statement: Secret
    var backend: any EntitlementBackend
    var owner = CallOwner.box
    /// Work that nobody waits for is the least urgent.
    var urgency = Urgency(.background)
    /// How the app lets its viewers log in.
    var style = LoginStyle.secondScreen
    var visitorID: String?
    var deviceInfo: String?
    var applicationProfile: String?
    /// Identifies the viewer for a promotional temporary pass. The app has hashed it.
    var temporaryIdentity: [String: String] = [:]

    /// The same asker for work of another rank.
    func ranked(_ rank: CallRank) -> Asker {
        var asker = self
        asker.urgency = Urgency(rank)
        return asker
    }
}
