// Keeps the service manager's status line up to date: soon after something has changed, and never more often than a few
// times a second. While nothing happens nobody is woken.

import AccessEnabler

@EngineActor package final class ServiceStatus {
    private static let pause = Duration.milliseconds(250)

    private let clock: any EngineClock
    private let line: () -> StatusLine
    private let send: (String) -> Void
    private var isPlanned = false
    private var last = ""
    /// For the line to say when the next poll is.
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

    /// At once.
    package func tell() {
        isPlanned = false
        let line = line()
        if line.text != last { send(line.text) }
        last = line.text
        poll?.cancel()
        poll = line.nextPoll.map { next in
            // By then it is over, or is still being made.
            clock.alarm(at: clock.boot.advanced(by: max(next, .zero) + .seconds(1))) { [weak self] in self?.changed() }
        }
    }
}
