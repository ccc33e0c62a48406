// An asker is the party for which the engine asks the service. It has a requestor, the app's registration, and the app's
// options for the service. A session makes an asker when its requestor is set. Work in the background makes its own asker.

struct Asker: Sendable {
    var key: LoginKey
    var statement: Secret
    var backend: any EntitlementBackend
    var owner = RequestOwner.box
    /// How urgent the requests for this asker are. The default is for work that no call waits for.
    var urgency = Urgency(.background)
    /// The time by which the app's call has to be answered; nil if no call waits for the work.
    var deadline: BootTime?
    var options = AppOptions()

    /// Returns a copy for more urgent or less urgent work. A copy for polls or background work has no deadline, because no call
    /// waits for such work.
    func ranked(_ rank: CallRank) -> Asker {
        var asker = self
        asker.urgency = Urgency(rank)
        if rank > .start { asker.deadline = nil }
        return asker
    }

    /// Returns a copy with this deadline. Nil means no deadline, because the work continues after the answer to the call.
    func due(_ deadline: BootTime?) -> Asker {
        var asker = self
        asker.deadline = deadline
        return asker
    }
}
