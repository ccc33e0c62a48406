// Counts durations in buckets. The bounds suit requests over a network, because an answer takes some tens of milliseconds and
// passd waits at most half a minute.

struct LatencyHistogram: Sendable, Equatable {
    /// The bounds in seconds. They are printed exactly as written here, because they are labels.
    static let bounds = [0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0]

    /// For each bound, the number of durations that are above the bound before it, but not above this bound. The last number
    /// counts the durations above all bounds.
    private var counts = [Int](repeating: 0, count: bounds.count + 1)
    private(set) var sum = Duration.zero

    mutating func add(_ duration: Duration) {
        let seconds = duration / .seconds(1)
        counts[Self.bounds.firstIndex { seconds <= $0 } ?? Self.bounds.count] += 1
        sum += duration
    }

    var count: Int { counts.reduce(0, +) }

    /// For each bound, the number of durations that do not exceed it.
    var cumulative: [(bound: String, count: Int)] {
        var total = 0
        return zip(Self.bounds.map { "\($0)" } + ["+Inf"], counts).map { bound, count in
            total += count
            return (bound, total)
        }
    }
}
