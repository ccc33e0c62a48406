// The waiting work of connected clients and of new ones. Connected clients come first; if both have work they take
// turns, so that new clients of any number of owners cost the connected ones at most one acceptance for each piece of
// work. Pure.

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
