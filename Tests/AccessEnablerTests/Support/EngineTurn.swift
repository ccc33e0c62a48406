// Waits for other work in turns of the engine's queue, without a timer.

import AccessEnabler
import Dispatch

extension EngineActor {
    /// Lets all work on the queue have a turn. `Task.yield` would go through other threads.
    @EngineActor static func turn() async {
        await withUnsafeContinuation { continuation in queue.async { continuation.resume() } }
    }
}
