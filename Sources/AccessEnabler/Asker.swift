// The party for which the engine asks the service: a requestor with the app's registration, and options of the app for the
// service. A session makes an asker when its requestor is set. Background work makes its own.

struct Asker: Sendable {
    var key: LoginKey
    var statement: Secret
    var backend: any EntitlementBackend
    var owner = RequestOwner.box
    /// The urgency. Work for which no call waits is the least urgent.
    var urgency = Urgency(.background)
    /// The time by which the app's call has to be answered; nil for work for which no call waits.
    var deadline: BootTime?
    var options = AppOptions()

    /// The same asker for work of another rank. Polls and background work do not have its deadline, because no call waits
    /// for them.
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
