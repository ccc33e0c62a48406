// Passes the dates of the service's answers on to the engine, which is made after the backend that hears them.

import AccessEnabler
import Synchronization

final class ServiceTimeRelay: Sendable {
    private struct Listener: Sendable { weak var engine: Engine? }

    private let listener = Mutex(Listener())

    func pass(on engine: Engine) { listener.withLock { $0.engine = engine } }

    /// Before there is an engine nothing is learnt: it asks the service for nothing either.
    func learn(_ time: ServerTime, asked: BootTime) {
        guard let engine = listener.withLock({ $0.engine }) else { return }
        EngineActor.queue.async { EngineActor.assumeIsolated { engine.learn(time, asked: asked) } }
    }
}
