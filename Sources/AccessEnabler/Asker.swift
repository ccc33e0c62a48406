// On whose behalf the engine asks the service: a requestor with the app's registration, and the options that the app
// wants to send along. A session makes one when its requestor is set; work in the background uses one of its own.

struct Asker: Sendable {
    var key: LoginKey
    var statement: Secret
    var backend: any EntitlementBackend
    var owner = RequestOwner.box
    /// Work that no call waits for is the least urgent.
    var urgency = Urgency(.background)
    /// When the app's call has to be answered, counted from its arrival. Nil for work that no call waits for.
    var deadline: BootTime?
    var options = AppOptions()

    /// The same asker for work of another rank. No call waits for polls and work in the background, so these are not
    /// limited by its deadline.
    func ranked(_ rank: CallRank) -> Asker {
        var asker = self
        asker.urgency = Urgency(rank)
        if rank > .start { asker.deadline = nil }
        return asker
    }

    /// The same asker with this deadline; nil for work that continues after the call was answered.
    func due(_ deadline: BootTime?) -> Asker {
        var asker = self
        asker.deadline = deadline
        return asker
    }
}
