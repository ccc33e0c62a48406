// Work of who is connected, and of who comes in. The connected are first, and where both have work they take turns: newcomers
// of however many owners cost the connected no more than one newcomer for each thing that is done for them. Pure.

struct WorkQueues<Work> {
    private var connected = FairQueue<Work>()
    private var newcomers = FairQueue<Work>()
    private var isNewcomersTurn = false

    var isEmpty: Bool { connected.isEmpty && newcomers.isEmpty }

    mutating func add(_ work: Work, of owner: ConnectionOwner) { connected.add(work, of: owner) }

    mutating func add(newcomer work: Work, of owner: ConnectionOwner) { newcomers.add(work, of: owner) }

    mutating func next() -> Work? {
        let isForNewcomers = connected.isEmpty || isNewcomersTurn && !newcomers.isEmpty
        isNewcomersTurn = !isForNewcomers
        return isForNewcomers ? newcomers.next() : connected.next()
    }
}
