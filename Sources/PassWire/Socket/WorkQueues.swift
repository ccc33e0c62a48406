// The work of connected clients and of new ones. Connected clients come first; if both have work, they alternate. So
// new clients, of however many owners, cost connected ones at most one acceptance for each piece of work. Pure.

struct WorkQueues<Work> {
    private var connected = FairQueue<Work>()
    private var newcomers = FairQueue<Work>()
    private var isNewcomersTurn = false

    var isEmpty: Bool { connected.isEmpty && newcomers.isEmpty }

    /// The owner's line of connected clients, which is kept until all that have joined it have left.
    mutating func join(_ owner: ConnectionOwner) -> FairQueue<Work>.Line { connected.join(owner) }

    mutating func leave(_ line: FairQueue<Work>.Line) { connected.leave(line) }

    mutating func add(_ work: Work, to line: FairQueue<Work>.Line) { connected.add(work, to: line) }

    mutating func add(_ work: Work, of owner: ConnectionOwner) { connected.add(work, of: owner) }

    mutating func add(newcomer work: Work, of owner: ConnectionOwner) { newcomers.add(work, of: owner) }

    mutating func next() -> Work? {
        let isForNewcomers = connected.isEmpty || isNewcomersTurn && !newcomers.isEmpty
        isNewcomersTurn = !isForNewcomers
        return isForNewcomers ? newcomers.next() : connected.next()
    }
}
