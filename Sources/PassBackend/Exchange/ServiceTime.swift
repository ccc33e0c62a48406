// The date of the service according to its answers, shared by all of its callers. May be used from any thread.

import AccessEnabler
import Synchronization

final class ServiceTime: Sendable {
    private let clock: any EngineClock
    private let heard: @Sendable (ServerTime, BootTime) -> Void
    private let state = Mutex(ServerClock())

    init(_ clock: any EngineClock, _ heard: @escaping @Sendable (ServerTime, BootTime) -> Void) {
        self.clock = clock
        self.heard = heard
    }

    var now: ServerTime { state.withLock { $0.now(boot: clock.boot, wall: clock.wall) } }

    /// Learns from the `Date` header of an answer to a request that was sent at `asked`.
    func learn(_ response: HTTPResponse, asked: BootTime) {
        guard let milliseconds = response.date else { return }
        let date = ServerTime(milliseconds: milliseconds)
        state.withLock { $0.learn(date, asked: asked, boot: clock.boot, wall: clock.wall) }
        heard(date, asked)
    }
}
