// The requestor of an app, and the order of the app's calls. Calls begin in the order of their arrival, and wait while
// `setRequestor` is in progress. Each session owns one setup. Contract: access-enabler.md §6.

import PassProtocol

@EngineActor final class RequestorSetup {
    /// The reason why the last `setRequestor` failed.
    struct Failure: Sendable {
        let key: LoginKey
        let error: RPCError
    }

    private enum State {
        /// `setRequestor` was never called, or it failed.
        case unset(Rare<Failure>)
        /// `setRequestor` is under way, and other calls wait for it.
        case configuring(Asker)
        case ready(Asker)
    }

    private var state = State.unset(Rare(wrappedValue: nil))
    let calls = TurnQueue()
    /// The urgency of the current setup. It rises when a viewer waits for the setup.
    private(set) var urgency: Urgency?
    /// The number of calls that wait for the setup while a viewer waits for their answers.
    private var waitingViewers = 0

    /// The asker of the session. Nil while no requestor is set, and while a requestor is being set up.
    var ready: Asker? { if case .ready(let asker) = state { asker } else { nil } }

    var configuring: Asker? { if case .configuring(let asker) = state { asker } else { nil } }

    var current: Asker? { ready ?? configuring }

    var failure: Failure? { if case .unset(let failure) = state { failure.wrappedValue } else { nil } }

    // MARK: The setup

    /// Begins the setup, and returns its urgency. The urgency rises when a viewer begins to wait for the setup.
    func begin(_ asker: Asker) -> Urgency {
        state = .configuring(asker)
        let urgency = Urgency(waitingViewers > 0 ? .viewer : .start)
        self.urgency = urgency
        return urgency
    }

    func end(_ asker: Asker) {
        state = .ready(asker)
        urgency = nil
    }

    func end(failing failure: Failure?) {
        state = .unset(Rare(wrappedValue: failure))
        urgency = nil
    }

    // MARK: Turns

    /// Whether a call that comes now has to wait.
    var isBusy: Bool { configuring != nil || calls.isTaken }

    /// Waits until all earlier calls have passed the turn on, and no requestor is being set up. Then the caller has the turn,
    /// and later calls wait until the caller calls `passTurnOn`.
    func awaitTurn(_ rank: CallRank) async {
        if rank == .viewer { waitingViewers += 1 }
        defer { if rank == .viewer { waitingViewers -= 1 } }
        urgency?.raise(to: rank)
        if isBusy { await calls.wait(at: .last) }
        while configuring != nil { await calls.wait(at: .first) }
        calls.takeTurn()
    }

    /// Takes the turn if it is free. Returns whether the caller has the turn.
    func takeFreeTurn() -> Bool {
        guard !calls.isTaken else { return false }
        calls.takeTurn()
        return true
    }

    func passTurnOn() { calls.passTurnOn() }
}
