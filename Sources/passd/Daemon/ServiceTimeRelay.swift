// Passes the dates in the service's answers from the backend to the engine. The backend cannot call the engine directly,
// because the engine is created after the backend.

import AccessEnabler
import Dispatch
import Synchronization

final class ServiceTimeRelay: Sendable {
    private struct Listener: Sendable { weak var engine: Engine? }

    private let listener = Mutex(Listener())

    func pass(on engine: Engine) { listener.withLock { $0.engine = engine } }

    /// Passes a date on to the engine. Before the engine exists, no date is lost, because no request has been sent yet.
    func learn(_ time: ServerTime, asked: BootTime) {
        guard let engine = listener.withLock({ $0.engine }) else { return }
        EngineActor.queue.async { EngineActor.assumeIsolated { engine.learn(time, asked: asked) } }
    }
}
