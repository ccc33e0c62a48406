// Limits how often each kind of event is recorded in a period (`window`), such as a minute. Further events are only counted. A
// later record has the number of these events. This type does no I/O.

struct JournalRate {
    enum Verdict: Equatable {
        /// Record the event. `suppressed` is the number of unrecorded events before it.
        case record(suppressed: Int)
        case suppress
    }

    private struct Window {
        var end: Duration
        var count = 0
        var suppressed = 0
    }

    let window: Duration
    private var windows: [String: Window] = [:]

    init(window: Duration) { self.window = window }

    mutating func judge(_ name: String, limit: Int, at now: Duration) -> Verdict {
        var state = windows[name] ?? Window(end: now + window)
        var suppressed = 0
        if now >= state.end {
            suppressed = state.suppressed
            state = Window(end: now + window)
        }
        state.count += 1
        let isRecorded = state.count <= limit
        if !isRecorded { state.suppressed += 1 }
        windows[name] = state
        return isRecorded ? .record(suppressed: suppressed) : .suppress
    }

    /// Returns the unreported counts, and marks them as reported.
    mutating func takeSuppressed() -> [(name: String, count: Int)] {
        let untold = windows.filter { $0.value.suppressed > 0 }.map { (name: $0.key, count: $0.value.suppressed) }
        for (name, _) in untold { windows[name]?.suppressed = 0 }
        return untold.sorted { $0.name < $1.name }
    }
}
