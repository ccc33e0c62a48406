// An asker is the party for which the engine asks the service. It has a requestor, the app's registration, and the app's
// options for the service. A session makes an asker when its requestor is set. Background work makes its own.

struct Asker: Sendable {
    var key: LoginKey
    var statement: Secret
    var backend: any EntitlementBackend
    var owner = RequestOwner.box
    /// Work is least urgent if no call waits for it.
    var urgency = Urgency(.background)
    /// The time by which the app's call has to be answered; nil if no call waits for the work.
    var deadline: BootTime?
    var options = AppOptions()

    /// The same asker for work of another rank. For polls and background work it has no deadline, because no call waits for
    /// them.
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
