// Holds the counts of the metrics. May be used from any thread: requests, writes and events happen on different threads.

import Synchronization

package final class Meter: Sendable {
    private let state = Mutex(MetricCounts())

    package init() {}

    package func count(_ change: (inout MetricCounts) -> Void) { state.withLock { change(&$0) } }

    var counts: MetricCounts { state.withLock { $0 } }
}
