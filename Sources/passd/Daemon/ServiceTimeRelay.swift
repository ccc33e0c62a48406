// Passes the dates in the service's answers on to the engine, which is created after the backend that receives them.

import AccessEnabler
import Dispatch
import Synchronization

final class ServiceTimeRelay: Sendable {
    private struct Listener: Sendable { weak var engine: Engine? }

    private let listener = Mutex(Listener())

    func pass(on engine: Engine) { listener.withLock { $0.engine = engine } }

    /// Dates that arrive before there is an engine are dropped; the engine asks for nothing before then.
    func learn(_ time: ServerTime, asked: BootTime) {
        guard let engine = listener.withLock({ $0.engine }) else { return }
        EngineActor.queue.async { EngineActor.assumeIsolated { engine.learn(time, asked: asked) } }
    }
}
