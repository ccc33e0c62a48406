// What a connection may do before others have their turn: so many messages, and for so long. One is always granted.

import Dispatch

struct Turn {
    private let most: Int
    private let end: DispatchTime
    private var done = 0

    init(_ limits: ConnectionLimits) {
        most = limits.messagesPerTurn
        end = .now() + limits.turnTime
    }

    mutating func count() { done += 1 }

    var isOver: Bool { done > 0 && (done >= most || DispatchTime.now() >= end) }
}

/// The calls of a batch that have not begun.
struct BatchRest {
    let batch: Batch
    /// The memory that each keeps.
    let sizeOfEach: Int
    /// The next one last.
    private var items: [Envelope.Item]

    /// `size` is that of all of them.
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
