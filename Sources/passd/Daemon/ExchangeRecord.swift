// The record of exchanges with the service, for an operator. While nothing is recorded, passd makes no descriptions of
// exchanges. May be used from any thread.

import AccessEnabler
import PassJSON
import PassProtocol
import Synchronization

final class ExchangeRecord: Sendable {
    private struct State {
        /// The end of the record; nil while nothing is recorded.
        var end: BootTime?
        var exchanges: [JSONValue] = []
        var isComplete = true
    }

    private let state = Mutex(State())
    private let now: @Sendable () -> BootTime

    init(now: @escaping @Sendable () -> BootTime) { self.now = now }

    /// Begins, continues or ends a record. Returns the exchanges since the last call.
    func turn(on: Bool) -> JSONValue {
        let end = now().advanced(by: .seconds(Record.maxSeconds))
        return state.withLock { state in
            defer { state = State(end: on ? end : nil) }
            return ["exchanges": .array(state.exchanges), "complete": .bool(state.isComplete)]
        }
    }

    func note(_ describe: () -> JSONValue) {
        let now = now()
        let isOn = state.withLock { state in
            guard let end = state.end else { return false }
            if now >= end { state.isComplete = false }
            // The record is dropped, because it ended long ago and no call has fetched it.
            if now >= end.advanced(by: .seconds(Record.maxSeconds)) { state = State() }
            return now < end
        }
        guard isOn else { return }
        let exchange = describe()
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
