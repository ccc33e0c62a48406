// Updates the service manager's status line a quarter of a second after a change, so that there are at most four updates a
// second. If nothing changes, no timer runs.

package import AccessEnabler

@EngineActor package final class ServiceStatus {
    private static let pause = Duration.milliseconds(250)

    private let clock: any EngineClock
    private let line: () -> StatusLine
    private let send: (String) -> Void
    private var isPlanned = false
    private var last = ""
    /// The timer for the next poll. The line shows when the poll is due.
    private var poll: (any EngineAlarm)?

    package init(_ clock: any EngineClock, line: @escaping () -> StatusLine, send: @escaping (String) -> Void) {
        self.clock = clock
        self.line = line
        self.send = send
    }

    package func changed() {
        guard !isPlanned else { return }
        isPlanned = true
        _ = clock.alarm(at: clock.boot.advanced(by: Self.pause)) { [weak self] in self?.tell() }
    }

    /// Sends the line immediately if it has changed.
    package func tell() {
        isPlanned = false
        let line = line()
        if line.text != last { send(line.text) }
        last = line.text
        poll?.cancel()
        poll = line.nextPoll.map { next in
            // Updates the line a second after the poll was due. By then, the poll has ended, or the line says that it is
            // running.
            clock.alarm(at: clock.boot.advanced(by: max(next, .zero) + .seconds(1))) { [weak self] in self?.changed() }
        }
    }
}
