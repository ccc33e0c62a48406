// Waiting for others without waiting for time: a turn of the engine's queue.

import AccessEnabler

extension EngineActor {
    /// Lets everybody who waits for the queue have a turn. `Task.yield` makes a detour over other threads.
    @EngineActor static func turn() async {
        await withUnsafeContinuation { continuation in queue.async { continuation.resume() } }
    }
}
