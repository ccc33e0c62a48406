// The record of exchanges with the service that an operator has asked for. While there is none, nothing is described. May be
// used from any thread.

import AccessEnabler
import PassBackend
import PassJSON
import PassProtocol
import Synchronization

final class ExchangeRecord: Sendable {
    private struct State {
        /// Nil while nothing is recorded.
        var end: BootTime?
        var exchanges: [JSONValue] = []
        var isComplete = true
    }

    private let state = Mutex(State())
    private let now: @Sendable () -> BootTime

    init(now: @escaping @Sendable () -> BootTime) { self.now = now }

    /// Begins a record, or ends it and returns it.
    func turn(on: Bool) -> Record.Result {
        let end = now().advanced(by: .seconds(Record.longest))
        return state.withLock { state in
            defer { state = State(end: on ? end : nil) }
            return on ? .init() : .init(exchanges: state.exchanges, isComplete: state.isComplete)
        }
    }

    func note(_ sent: SentRequest) {
        let now = now()
        let isOn = state.withLock { state in
            if let end = state.end, now >= end { state = State() }
            return state.end != nil
        }
        guard isOn else { return }
        let exchange = sent.described()
        state.withLock { state in
            guard state.end != nil else { return }
            if state.exchanges.count < Record.maxExchanges {
                state.exchanges.append(exchange)
            } else {
                state.isComplete = false
            }
        }
    }
}
