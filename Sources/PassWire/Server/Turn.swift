// One turn of a connection. A turn ends after a number of messages or a time. One message is always allowed.

struct Turn {
    private let limit: Int
    private let end: UInt64
    private var done = 0

    init(_ limits: ConnectionLimits, isSingle: Bool = false) {
        limit = isSingle ? 1 : limits.messagesPerTurn
        let (sum, isTooFar) = TurnClock.nanoseconds.addingReportingOverflow(limits.turnNanoseconds)
        end = isTooFar ? .max : sum
    }

    mutating func count() { done += 1 }

    var isOver: Bool { done > 0 && (done >= limit || TurnClock.nanoseconds >= end) }
}

/// The calls of a batch that have not started.
struct BatchRest {
    let batch: Batch
    /// The memory of each call, in bytes.
    let sizeOfEach: Int
    /// The calls in reverse order: the next one is the last element.
    private var items: [Envelope.Item]

    /// Makes the rest of a batch. `size` is the memory of all its calls together.
    init(_ items: [Envelope.Item], size: Int) {
        let answered = items.count {
            if case .request(let request) = $0 { request.id != nil } else { true }
        }
        batch = Batch(expecting: answered)
        sizeOfEach = size / max(1, items.count)
        self.items = items.reversed()
    }

    var isEmpty: Bool { items.isEmpty }
    var keptBytes: Int { items.count * sizeOfEach }

    mutating func next() -> Envelope.Item? { items.popLast() }
}
